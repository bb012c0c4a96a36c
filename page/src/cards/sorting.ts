/** The order in which a hand is shown. The table's own order has suits together and trumps at the right end. */
import type { Order } from "../protocol.ts";
import { rankOf, suitOf, type Copy } from "./names.ts";

export type HandSort = "table" | "reversed" | "rank";

/** `laid` are the keys of cards in the order in which the person has laid them, in this deal. */
export function arrange(hand: Copy[], sort: HandSort, laid: string[], order: Order, trump: string | null): Copy[] {
  if (laid.length) return asLaid(hand, laid);
  if (sort === "reversed") return hand.toReversed();
  if (sort === "rank") return hand.toSorted((one, other) => strength(other.card, order, trump) - strength(one.card, order, trump));
  return hand;
}

const RANKS = "23456789TJQKA";

/** Trumps above all, a joker below; the rest as the game ranks them. */
function strength(card: string, { plain = RANKS, trump: inTrumps = "", trumps = [] }: Order, trump: string | null): number {
  if (card === "*") return -1;
  const isTrump = suitOf(card) === trump || trumps.includes(card);
  const ranks = isTrump && inTrumps ? inTrumps : plain || RANKS;
  return ranks.indexOf(rankOf(card)) + (isTrump ? 100 : 0);
}

/** Known cards where the person put them; a new one beside its neighbour in the table's order. */
function asLaid(hand: Copy[], laid: string[]): Copy[] {
  const placed = laid.map((key) => hand.find((copy) => copy.key === key)).filter((copy) => copy !== undefined);
  hand.forEach((copy, index) => {
    if (placed.includes(copy)) return;
    const before = hand[index - 1];
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, copy);
  });
  return placed;
}
