/** A decision that is looked at again, for a picture of it. */
import type { Mistake } from "../protocol.ts";

const CARD = /^(?:[2-9TJQKA][shdc]|\*)$/;

/** The cards that a move names, as it is written. */
export const cardsIn = (text: string): string[] => text.split(" ").filter((word) => CARD.test(word));

/** What the better move is worth: "+1.1 points". */
export function gainOf({ cost, says }: Pick<Mistake, "cost" | "says">): string {
  const number = cost >= 9.95 ? cost.toFixed(0) : cost.toFixed(1).replace(/\.0$/, "");
  const unit = / chips?\b/.test(says) ? "chip" : "point";
  return number === "0" ? "a little better" : `+${number} ${unit}${number === "1" ? "" : "s"}`;
}
