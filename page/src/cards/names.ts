/** Cards as short texts (`As`, `Td`, `*`): their names, and copies of equal ones. */
import { t } from "../language.svelte.ts";

export const SIGNS: Record<string, string> = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** How a suit is called; nothing for a letter that is none. */
export const suitName = (suit: string): string | undefined => ({ s: t("spades"), h: t("hearts"), d: t("diamonds"), c: t("clubs") } as Record<string, string>)[suit];

const rankName = (rank: string): string | undefined => ({
  A: t("ace"), K: t("king"), Q: t("queen"), J: t("jack"), T: t("ten"), 9: t("nine"), 8: t("eight"),
  7: t("seven"), 6: t("six"), 5: t("five"), 4: t("four"), 3: t("three"), 2: t("two"),
} as Record<string, string>)[rank];

export const rankOf = (card: string) => card.slice(0, -1);
export const suitOf = (card: string) => (card === "*" ? "" : card.slice(-1));
const rankSign = (card: string) => (rankOf(card) === "T" ? "10" : rankOf(card));

export function spoken(card: string): string {
  const [rank, suit] = [rankName(rankOf(card)), suitName(suitOf(card))];
  return rank && suit ? t("{rank} of {suit}", { rank, suit }) : card === "*" ? t("joker") : card;
}

export const LETTERS: Record<string, string> = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));

/** A text with cards in it as it is said: "king of hearts, clubs" for "K♥ ♣"; cards in a row are told apart. */
export const aloud = (text: string): string =>
  text.replace(/(10|[2-9JQKA])?([♠♥♦♣])( (?=(?:10|[2-9JQKA])[♠♥♦♣]|Joker))?/g, (_, rank: string | undefined, sign: string, gap: string | undefined) => {
    const suit = LETTERS[sign] ?? "";
    return (rank ? spoken((rank === "10" ? "T" : rank) + suit) : (suitName(suit) ?? "")) + (gap ? ", " : "");
  });

export const signed = (card: string) => (card === "*" ? t("joker") : rankSign(card) + (SIGNS[suitOf(card)] ?? ""));

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
