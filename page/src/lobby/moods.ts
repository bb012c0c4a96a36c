/** The games in the order in which somebody new might like them. */
import type { GameInfo } from "../protocol.ts";
import { t } from "../language.svelte.ts";

export interface Mood {
  title: string;
  games: GameInfo[];
}

/** A game belongs to the first of these that takes it. A game without short matches is short itself. */
const MOODS: [() => string, (game: GameInfo) => boolean][] = [
  [() => t("Quick and easy"), ({ short }) => short === null],
  [() => t("Just the two of you"), ({ players }) => Math.max(...players) === 2],
  [() => t("A table full"), ({ difficulty }) => difficulty !== "hard"],
  [() => t("Long and deep"), () => true],
];

/** Games by mood, in each the easy and short ones first; moods without games are left out. */
export function moods(games: GameInfo[]): Mood[] {
  const taken = (game: GameInfo) => MOODS.findIndex(([, takes]) => takes(game));
  return MOODS.map(([title], mood) => ({ title: title(), games: games.filter((game) => taken(game) === mood).sort(easiest) })).filter((mood) => mood.games.length);
}

const LEVELS = ["easy", "medium", "hard"];
const easiest = (one: GameInfo, other: GameInfo) =>
  LEVELS.indexOf(one.difficulty) - LEVELS.indexOf(other.difficulty) || minutes(one) - minutes(other);

/** Games of which nobody knows how long they take come last. */
const minutes = (game: GameInfo) => game.minutes || 1000;
