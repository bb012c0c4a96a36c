/** A decision that is looked at again, for a picture of it. */
import type { Mistake } from "../protocol.ts";
import { t, tn } from "../language.svelte.ts";

const CARD = /^(?:[2-9TJQKA][shdc]|\*)$/;

/** The cards that a move names, as it is written. */
export const cardsIn = (text: string): string[] => text.split(" ").filter((word) => CARD.test(word));

/** What the better move is worth: "+1.1 points". */
export function gainOf({ cost, unit }: Pick<Mistake, "cost" | "unit">): string {
  const gain = Number(cost >= 9.95 ? cost.toFixed(0) : cost.toFixed(1));
  if (!gain) return t("a little better");
  return unit === "chip" ? tn("+{n} chip", "+{n} chips", gain) : tn("+{n} point", "+{n} points", gain);
}
