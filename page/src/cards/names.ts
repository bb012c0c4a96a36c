/** Cards as short texts (`As`, `Td`, `*`): their names, and copies of equal ones. */
import { t, tc } from "../language.svelte.ts";
import type { Letters } from "../settings.svelte.ts";

export const SIGNS: Record<string, string> = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** How a suit is called; nothing for a letter that is none. */
export const suitName = (suit: string): string | undefined => ({ s: tc("suit", "spades"), h: tc("suit", "hearts"), d: tc("suit", "diamonds"), c: tc("suit", "clubs") } as Record<string, string>)[suit];

const rankName = (rank: string): string | undefined => ({
  A: tc("rank", "ace"), K: tc("rank", "king"), Q: tc("rank", "queen"), J: tc("rank", "jack"), T: tc("rank", "ten"), 9: tc("rank", "nine"), 8: tc("rank", "eight"),
  7: tc("rank", "seven"), 6: tc("rank", "six"), 5: tc("rank", "five"), 4: tc("rank", "four"), 3: tc("rank", "three"), 2: tc("rank", "two"),
} as Record<string, string>)[rank];

export const rankOf = (card: string) => card.slice(0, -1);
export const suitOf = (card: string) => (card === "*" ? "" : card.slice(-1));
const rankSign = (card: string) => (rankOf(card) === "T" ? "10" : rankOf(card));

export function spoken(card: string): string {
  const [rank, suit] = [rankName(rankOf(card)), suitName(suitOf(card))];
  return rank && suit ? t("{rank} of {suit}", { rank, suit }) : card === "*" ? t("joker") : card;
}

const SUIT_OF: Record<string, string> = Object.fromEntries(Object.entries(SIGNS).map(([letter, sign]) => [sign, letter]));

/** A card (`K♥`), or a suit without a rank, in a sentence. Sentences name cards in no other way, in every language, and
 * suit signs stand for nothing else: so nobody needs to mark them. */
const IN_TEXT = /(10|[2-9JQKA])?([♠♥♦♣])/g;

/** A part of a sentence: plain text, or a card or suit with what must stay on its line. */
export type Part = { text: string } | { rank: string; suit: string; after: string; says: string };

/** A sentence in its parts, plain ones first and in turn with cards; with these letters on courts. */
export function partsOf(text: string, letters: Letters): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(/(10|[2-9JQKA])?([♠♥♦♣])([,.;:]?)/g)) {
    const [whole, rank = "", sign = "", after = ""] = found;
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push({ rank: letterOf(rank, letters), suit: SUIT_OF[sign] ?? "", after, says: aloud(whole) });
    from = found.index + whole.length;
  }
  return from < text.length ? [...parts, { text: text.slice(from) }] : parts;
}

/** A sentence as plain text, with these letters on courts. */
export const lettered = (text: string, letters: Letters): string =>
  text.replace(IN_TEXT, (_, rank: string | undefined, sign: string) => letterOf(rank ?? "", letters) + sign);

/** A sentence without its cards: "Lay" for "Lay 9♠ 9♥". */
export const withoutCards = (text: string): string => text.replace(IN_TEXT, "").replace(/\s+/g, " ").trim();

/** Which letters courts and aces have that differ from those of the notation. */
const COURTS: Record<Letters, Record<string, string>> = { JQKA: {}, BDKA: { J: "B", Q: "D" } };

/** What stands for a rank in the corner of a card and in sentences. */
export const letterOf = (rank: string, letters: Letters): string => COURTS[letters][rank] ?? rank;

/** A text with cards in it as it is said: "king of hearts, clubs" for "K♥ ♣"; cards in a row are told apart. */
export const aloud = (text: string): string =>
  text.replace(/(10|[2-9JQKA])?([♠♥♦♣])( (?=(?:10|[2-9JQKA])[♠♥♦♣]|Joker))?/g, (_, rank: string | undefined, sign: string, gap: string | undefined) => {
    const suit = SUIT_OF[sign] ?? "";
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
