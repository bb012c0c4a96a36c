/** Cards as short texts (`As`, `Td`, `*`): their names, their order for show, and copies of equal cards. */

export const SUITS: Record<string, { name: string; sign: string }> = {
  s: { name: "spades", sign: "♠" },
  h: { name: "hearts", sign: "♥" },
  d: { name: "diamonds", sign: "♦" },
  c: { name: "clubs", sign: "♣" },
};

const RANKS: Record<string, string> = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two",
};

const ORDER = "AKQJT98765432";

export const rankOf = (card: string) => card.slice(0, -1);
export const suitOf = (card: string) => (card === "*" ? "" : card.slice(-1));
export const rankSign = (card: string) => (rankOf(card) === "T" ? "10" : rankOf(card));

export function spoken(card: string): string {
  const rank = RANKS[rankOf(card)];
  const suit = SUITS[suitOf(card)];
  return rank && suit ? `${rank} of ${suit.name}` : card === "*" ? "joker" : card;
}

export const signed = (card: string) => (card === "*" ? "joker" : rankSign(card) + (SUITS[suitOf(card)]?.sign ?? ""));

/** One of possibly several equal cards: `Ks#0`, `Ks#1`. */
export interface Copy {
  key: string;
  card: string;
}

export function copies(cards: string[]): Copy[] {
  const seen = new Map<string, number>();
  return cards.map((card) => {
    const copy = seen.get(card) ?? 0;
    seen.set(card, copy + 1);
    return { key: `${card}#${copy}`, card };
  });
}

export type HandSort = "table" | "reversed" | "rank" | "manual";

/** The hand in the wished order. The table's own order has trumps at the right end. */
export function arrange(hand: Copy[], sort: HandSort, manual: string[]): Copy[] {
  if (sort === "reversed") return hand.toReversed();
  if (sort === "rank") return hand.toSorted((a, b) => rankIndex(a.card) - rankIndex(b.card));
  if (sort === "manual") return byHand(hand, manual);
  return hand;
}

function rankIndex(card: string): number {
  const rank = ORDER.indexOf(rankOf(card));
  return card === "*" || rank < 0 ? -1 : rank;
}

/** Known cards where the person put them; a new one beside its neighbour in the table's order. */
function byHand(hand: Copy[], manual: string[]): Copy[] {
  const placed = manual.map((key) => hand.find((copy) => copy.key === key)).filter((copy) => copy !== undefined);
  hand.forEach((copy, index) => {
    if (placed.includes(copy)) return;
    const before = hand[index - 1];
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, copy);
  });
  return placed;
}
