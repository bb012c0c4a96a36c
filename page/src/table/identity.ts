/** Who is who at a table: a character, a colour and initials for each seat, and which plates have a score. */
import { getContext, setContext } from "svelte";
import { characterOf, colourOf, initials, type Character } from "../parts/faces.ts";
import type { SceneView, SeatSummary, SeatView } from "../protocol.ts";

/** The people of a table, for what is drawn on it. */
export interface TablePeople {
  seats: SeatSummary[];
  /** The seat of this person, and the character that they have chosen, if any. */
  you: number | null;
  chosen: Character | "";
  scene: SceneView | null;
}

export interface Identity {
  character: Character;
  colour: string;
  letters: string;
  /** Whether partners share this colour. */
  team: boolean;
  /** Whether the plate has the score: of a team only one. */
  scores: boolean;
  /** Whether this seat has passed or has no part in what is played now. */
  out: boolean;
}

const KEY = Symbol("people");
export const setTablePeople = (people: () => TablePeople) => setContext(KEY, people);
export const tablePeople = () => getContext<(() => TablePeople) | undefined>(KEY);

export function identify({ seat, side, marks }: SeatView, people: TablePeople | undefined): Identity {
  const { seats = [], you = null, chosen = "", scene = null } = people ?? {};
  const names = seats.map(({ name }, index) => name ?? String(index + 1));
  const who = seats[seat];
  const level = who?.who === "computer" ? who.level : null;
  return {
    character: (seat === you && chosen) || characterOf(seat, level),
    colour: colourOf(seat, side),
    letters: initials(names)[seat] ?? "",
    team: side !== null,
    scores: side === null || spokesman(side, scene) === seat,
    out: marks.some(({ role }) => role === "out"),
  };
}

/** The seat whose plate has the score of a side: one's own, or else the next one clockwise. */
function spokesman(side: number, scene: SceneView | null): number | undefined {
  const below = scene?.seat ?? 0;
  const around = (scene?.seats ?? []).map((_, step, all) => all[(below + step) % all.length]);
  return around.find((one) => one?.side === side)?.seat;
}
