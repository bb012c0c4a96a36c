/** Opening a table. */
import * as api from "../api.ts";
import type { GameInfo, LevelInfo, NewTable } from "../protocol.ts";
import { go, tablePath } from "../router.svelte.ts";
import { ownName } from "../settings.svelte.ts";

const USUAL = ["medium", "casual"];

/** The level of computer players unless somebody chooses another: the first of the usual ones that the game has. */
export const usualLevel = (levels: LevelInfo[]): string =>
  USUAL.find((name) => levels.some((level) => level.name === name)) ?? levels[0]?.name ?? "";

export async function openTable(table: Omit<NewTable, "name">): Promise<void> {
  const opened = await api.open({ ...table, name: ownName() });
  go(tablePath(opened.id));
}

/** The usual table, against computer players, at once. */
export const playNow = (game: GameInfo): Promise<void> => openUsual(game, 0);

/** The usual table with a seat for a friend opposite; its page has the link. */
export const playWithFriend = (game: GameInfo): Promise<void> => openUsual(game, Math.floor(game.default_players / 2));

/** A table with computer players on all seats but one's own and an open one, if it is not 0. */
async function openUsual(game: GameInfo, open: number): Promise<void> {
  const level = usualLevel(await api.levelsOf(game.slug));
  const others = Array.from({ length: game.default_players - 1 }, (_, seat) => (seat + 1 === open ? { who: "open" as const } : { who: "computer" as const, level }));
  await openTable({ game: game.slug, players: game.default_players, options: {}, seats: [{ who: "me" }, ...others] });
}
