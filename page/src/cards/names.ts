/** Cards as short texts (`As`, `Td`, `*`): their names, and copies of equal ones. */

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

export const rankOf = (card: string) => card.slice(0, -1);
export const suitOf = (card: string) => (card === "*" ? "" : card.slice(-1));
const rankSign = (card: string) => (rankOf(card) === "T" ? "10" : rankOf(card));

export function spoken(card: string): string {
  const rank = RANKS[rankOf(card)];
  const suit = SUITS[suitOf(card)];
  return rank && suit ? `${rank} of ${suit.name}` : card === "*" ? "joker" : card;
}

const LETTERS = Object.fromEntries(Object.entries(SUITS).map(([letter, { sign }]) => [sign, letter]));

/** A text with cards in it as it is said: "king of hearts, clubs" for "K♥ ♣"; cards in a row are told apart. */
export const aloud = (text: string): string =>
  text.replace(/(10|[2-9JQKA])?([♠♥♦♣])( (?=(?:10|[2-9JQKA])[♠♥♦♣]|Joker))?/g, (_, rank: string | undefined, sign: string, gap: string | undefined) => {
    const suit = LETTERS[sign] ?? "";
    return (rank ? spoken((rank === "10" ? "T" : rank) + suit) : (SUITS[suit]?.name ?? "")) + (gap ? ", " : "");
  });

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
