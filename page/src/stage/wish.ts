/** What is to be placed on a stage, and how large it is tried to be. */
import { clamp } from "./geometry.ts";
import type { Group } from "./spread.ts";

/** A large screen, a phone held upright, a phone held sideways (or a page enlarged to twice its size). */
export type Form = "wide" | "upright" | "sideways";

export interface Wish {
  width: number;
  height: number;
  /** The height of usual text, 16 where nobody changed it. */
  em: number;
  touch: boolean;
  /** How large the person wants cards to be; 1 is usual. */
  scale: number;
  /** What lies open before each other place, clockwise from the left; a dummy is the last. */
  others: Group[][];
  /** What lies open before the seat at the lower rim. */
  own: Group[];
  /** Whether these are named beneath. */
  named: boolean;
  /** Cards of the hand. */
  hand: number;
  /** Pixels that prompt and buttons need. */
  bar: number;
  /** Pixels above them that the title of a sideways table takes. */
  corner?: number;
  piles: Group[];
  rows: Group[];
  /** How many of the piles, the last ones, are played on: they lie in the middle. */
  stacks?: number;
  /** Whether tricks are played here. */
  trick: boolean;
  /** Whether none is played in this part of the deal, so that what is kept for it can be used otherwise. */
  quiet?: boolean;
}

export interface Sizes {
  /** Width of a card of the hand, before a seat, of a pile. */
  hand: number;
  front: number;
  pile: number;
  gap: number;
}

export const EDGE = 8;

/** In a window this narrow a table is upright, and scrolled if it is lower than a phone: somebody has zoomed in. */
const NARROW = 420;

export function formOf({ width, height }: { width: number; height: number }): Form {
  if (height < 480 && width > Math.max(NARROW, height * 1.2)) return "sideways";
  return width < 720 || width < height * 0.8 ? "upright" : "wide";
}

/** The greatest width of a card of the hand. */
const LARGEST = 190;

/** As long as other cards on a large screen are larger than this part of what they can be, the hand's are as large as ever. */
const STEADY = 0.65;

/** Lines of text that an upright window is high where there is room to spare. */
const TALL = 43;
export const isTall = ({ height, em }: { height: number; em: number }) => height >= TALL * em;

/** From generous to frugal. */
export function sizesFor(form: Form, { width, height, scale, touch, trick }: Wish): Sizes[] {
  const wide = form === "wide";
  const least = touch || form === "upright" ? 72 : 64;
  const usual = clamp(least, Math.min(height * 0.168, width * 0.205) * scale, LARGEST);
  return (wide ? [1, 0.9, 0.8, 0.7, 0.6, 0.5] : [1, 0.8, 0.6, 0.5]).map((part) => ({
    hand: Math.round(Math.max(least, usual * (wide && part > STEADY ? 0.9 : 0.45 + 0.55 * part))),
    front: Math.round(clamp(wide ? 30 : 22, usual * 0.6 * part, wide ? 120 : 44)),
    pile: Math.round(clamp(wide ? 56 : 32, usual * (wide ? 0.8 * (trick ? part : Math.min(part, 0.8)) : 0.95 * part), 152)),
    gap: wide ? Math.round(clamp(6, height * 0.016 * part, 22)) : 4,
  }));
}

/** The line under a pile or a row that says what it is. */
export const captionHeight = ({ em }: Wish) => Math.round(em * 1.15);

/** The width beside a sideways hand where prompt and buttons stand. */
export const barBeside = (form: Form, width: number) => (form === "sideways" ? Math.round(clamp(176, width * 0.29, 300)) : 0);
