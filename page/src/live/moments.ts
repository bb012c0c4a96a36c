/** What is rare or decides something has a moment of its own, over the table, that hinders nobody. */
import type { UtteranceView } from "../protocol.ts";

export interface Moment {
  /** Whose it is; several have made their bids at once. */
  seats: number[];
  text: string;
  /** Points made with it, such as "+40"; empty if none. */
  points: string;
}

/** Milliseconds for which it is shown, unless somebody goes on. */
export const MOMENT = 1500;

/** The moment in what was said with one event, if there is one. */
export function momentOf(spoken: UtteranceView[]): Moment | null {
  const named = spoken.filter(({ kind }) => kind === "highlight");
  const [first] = named;
  if (!first) return null;
  const seats = named.filter(({ text }) => text === first.text).map(({ seat }) => seat);
  const points = spoken.find(({ kind, seat }) => kind === "points" && seats.includes(seat))?.text ?? "";
  return { seats, text: first.text, points };
}
