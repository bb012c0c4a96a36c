/** Cards that lie open in overlapping rows: how far apart they lie, how groups of them fill a given width. */
import { box, sum, type Box } from "./geometry.ts";

/** A card of this width or more shows its picture, a narrower one a large index; a tile is an index and little else. */
export const PICTURE = 72;
export const TILE = 40;
/** The least width of an open card, of which nothing but its index is seen. */
export const SMALLEST = 20;
/** What a finger needs. */
export const TOUCH = 44;

export const heightOf = (card: number) => Math.round(card * (card < TILE ? 1.25 : 1.4));

/** How much of a card must be seen beside the next one: its index. */
export const indexWidth = (card: number) => Math.max(20, Math.ceil(card * (card < PICTURE ? 0.5 : 0.34)));
/** How much of it must be seen above the next one: rank and suit. */
export const indexHeight = (card: number) =>
  Math.max(24, Math.ceil(card * (card < TILE ? 1.1 : card < PICTURE ? 0.98 : 0.54)));

/** Of a card that lies in one of several rows a quarter is seen: how far the next row must lie below. */
export const leastDrop = (card: number, step: number) => Math.ceil(Math.max(indexHeight(card), (0.26 * card * heightOf(card)) / Math.min(card, step)));

/** Cards that lie together: how many, and whether somebody may choose single ones of them. */
export interface Group {
  id?: string;
  cards: number;
  chosen: boolean;
  /** How wide its caption is, in heights of a line of captions, where it is a long one. */
  caption?: number;
  /** How large its cards are beside others of their place: 1 is usual. */
  share?: number;
}

/** A group on the stage: card `n` lies `n % row` steps to the right and `n / row` drops down. */
export interface Laid extends Box {
  card: number;
  step: number;
  drop: number;
  row: number;
  /** The width for its caption. */
  room: number;
}

/** The width of a card that a finger must find if it may be chosen. */
const fingered = ({ chosen }: Group, card: number, touch: boolean) => (chosen && touch ? Math.max(TOUCH, card) : card);

export function lay({ cards, chosen, share = 1 }: Group, whole: number, width: number, touch: boolean): Laid {
  const usual = share === 1 ? whole : Math.max(SMALLEST, Math.round(whole * share));
  const card = fingered({ cards, chosen }, usual, touch);
  const least = Math.min(card, chosen && touch ? TOUCH : indexWidth(card));
  const count = Math.max(1, cards);
  const most = Math.max(1, Math.floor((width - card) / least) + 1);
  const rows = Math.ceil(count / most);
  const row = Math.ceil(count / rows);
  const easy = Math.max(least, Math.round(card * 0.56));
  const step = row > 1 ? Math.min(easy, (width - card) / (row - 1)) : 0;
  const drop = Math.max(leastDrop(card, step || card), chosen && touch ? TOUCH : 0);
  const [wide, high] = [card + (row - 1) * step, heightOf(card) + (rows - 1) * drop];
  return { ...box(0, 0, wide, high), card, step, drop, row, room: wide };
}

/** What a short word is wide, in heights of its line. */
const SHORT = 2.7;

/** The width that cards of a width need with the caption of their group, which is so high. */
export const captioned = (width: number, { caption = 0 }: Group, height: number) => Math.max(width, Math.max(caption, SHORT) * height);

/** The width that a pile takes with its caption. */
export const roomOf = (pile: Group, card: number, touch: boolean, caption: number) => captioned(fingered(pile, card, touch), pile, caption);

export interface Flow {
  width: number;
  height: number;
  groups: Laid[];
}

/** Groups in lines, each in the middle of the width; under each is room for a caption, which is wider than a small card. */
export function flow(groups: Group[], card: number, width: number, touch: boolean, caption = 0): Flow {
  const gap = card < TILE ? 4 : Math.max(8, Math.round(card * 0.14));
  const laid = groups.map((group) => {
    const one = lay(group, card, width, touch);
    return { ...one, room: Math.min(Math.max(width, one.width), captioned(one.width, group, caption)) };
  });
  const lines: Laid[][] = [];
  for (const one of laid) {
    const last = lines.at(-1);
    const used = last ? sum(last.map((other) => other.room + gap)) : 0;
    if (last && used + one.room <= width) last.push(one);
    else lines.push([one]);
  }
  let y = 0;
  let widest = 0;
  for (const here of lines) {
    const length = sum(here.map((one) => one.room)) + gap * (here.length - 1);
    let x = (width - length) / 2;
    for (const one of here) {
      one.x = x + (one.room - one.width) / 2;
      one.y = y;
      x += one.room + gap;
    }
    widest = Math.max(widest, length);
    y += Math.max(...here.map((one) => one.height)) + caption + 4;
  }
  return { width: widest, height: Math.max(0, y - 4), groups: laid };
}

/** The same with cards that are smaller where the lines would be higher than this altogether. */
export function fitted(groups: Group[], card: number, width: number, touch: boolean, caption: number, most: number): Flow {
  const tried = [1, 0.88, 0.76, 0.64, 0.52].map((part) => flow(groups, Math.max(SMALLEST, Math.round(card * part)), width, touch, caption));
  return tried.find(({ height }) => height <= most) ?? flow(groups, card, width, touch, caption);
}

/** The groups of a flow that was made for `width`, moved to where they lie. */
export const moved = (groups: Laid[], x: number, y: number): Laid[] =>
  groups.map((one) => ({ ...one, x: one.x + x, y: one.y + y }));
