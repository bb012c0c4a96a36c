/** Where the cards of the deal lie that the lobby plays by itself. */
import recorded from "./deal.json";
import { t } from "../language.svelte.ts";

/** The table at one moment of a deal of two. */
export interface Frame {
  hands: string[][];
  /** Cards and who played them. */
  trick: [string, number][];
  /** Cards in finished tricks, by seat. */
  won: string[][];
  upcard: string[];
  stock: string[];
  points: number[];
  closed: boolean;
  /** Who did what is seen. */
  seat: number | null;
  says: string;
}

export const FRAMES = recorded as unknown as Frame[];
/** The moment that is shown where nothing moves: a trick on the table. */
export const STILL = 10;
/** Milliseconds for a card, for something that is said and read, and for the end. */
const TIMES = { card: 1150, says: 1900, end: 4200 };

/** What is said in that deal. */
export function sayings(says: string): string {
  const words: Record<string, string> = { "66!": t("66!"), "Closes the stock": t("Closes the stock"), "Marriage: +20": t("Marriage: +20"), "Swaps the nine for the upcard": t("Swaps the nine for the upcard") };
  return words[says] ?? says;
}

export const timeOf = (at: number): number => (at === FRAMES.length - 1 ? TIMES.end : FRAMES[at]?.says ? TIMES.says : TIMES.card);

export interface Lying {
  card: string;
  /** The middle of the card, in pixels. */
  x: number;
  y: number;
  turn: number;
  up: boolean;
  level: number;
}

/** So wide is a card of a table of this size. */
export const cardWidth = (width: number, height: number): number => Math.floor(Math.min(71, width / 9, height / 5.2));

/** All cards, always in the same order. */
export function lying(frame: Frame, width: number, height: number): Lying[] {
  const card = cardWidth(width, height);
  const [middle, centre] = [width / 2, height / 2];
  const found: Lying[] = [];
  const lay = (one: string, x: number, y: number, more: Partial<Lying> = {}) => found.push({ card: one, x, y, turn: 0, up: true, level: found.length, ...more });
  const pile = middle - 2.75 * card;
  frame.upcard.forEach((one) => lay(one, frame.closed ? pile : pile + card * 0.42, centre, { turn: frame.closed ? 0 : 90, up: !frame.closed, level: frame.closed ? 40 : 0 }));
  frame.stock.forEach((one, index) => lay(one, pile + index * 0.4, centre - index * 0.4, { up: false, level: 20 - index }));
  frame.hands.forEach((hand, seat) => hand.forEach((one, index) => {
    const from = index - (hand.length - 1) / 2;
    const y = seat ? card * 0.5 : height - card * 0.72;
    lay(one, middle + from * card * (seat ? 0.5 : 0.86), y + (seat ? -1 : 1) * from * from * card * 0.018, { turn: (seat ? -4 : 3) * from, up: seat === 0, level: 50 + index });
  }));
  frame.trick.forEach(([one, seat], index) => lay(one, middle + (index ? 0.3 : -0.3) * card, centre + (seat ? -0.22 : 0.12) * card, { turn: seat ? -5 : 4, level: 80 + index }));
  frame.won.forEach((cards, seat) => cards.forEach((one, index) => lay(one, width - card * 0.9 + (index % 4), seat ? card : height - card * 0.95, { turn: 90 + ((index * 7) % 11) - 5, up: false, level: index })));
  return found.sort((one, other) => (one.card < other.card ? -1 : 1));
}
