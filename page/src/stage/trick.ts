/** The cards of a trick around a fixed centre, each towards who played it; the index of every card stays free. */
import { box, clamp, meet, shared, sum, type Box, type Point } from "./geometry.ts";
import { heightOf, indexHeight, indexWidth } from "./spread.ts";

export interface TrickPlan {
  card: number;
  /** The middle of each card from the centre of the trick: that of the seat at the lower rim first, then clockwise. */
  spots: Point[];
  width: number;
  height: number;
}

const SMALLEST = 36;
/** How far a crown stands out above a card that is covered, and its size there: it leaves the index free. */
const OVER = 7;
const SMALL = 10;

/** As large as fits; `most` limits the cards' width. */
export function planTrick(places: number, width: number, height: number, most: number): TrickPlan {
  for (let card = Math.floor(most); card > SMALLEST; card -= 2) {
    const plan = ringOf(places, card, width, height);
    if (plan.width <= width && plan.height <= height && isClear(plan)) return plan;
  }
  return inRows(places, width, height);
}

function ringOf(places: number, card: number, width: number, height: number): TrickPlan {
  const tall = heightOf(card);
  if (places <= 4) return plan(card, few(places, card, tall));
  const rx = clamp(card, (width - card) / 2, card * places * 0.26);
  const ry = clamp(tall * 0.5, (height - tall) / 2, tall * 0.95);
  return plan(card, evenly(places, rx, ry));
}

/** Two lie half beside each other, three and four so that all touch the middle. */
function few(places: number, card: number, tall: number): Point[] {
  if (places <= 2) return [{ x: card * 0.3, y: tall * 0.15 }, { x: -card * 0.3, y: -tall * 0.15 }].slice(0, Math.max(1, places));
  if (places === 3)
    return [{ x: 0, y: tall * 0.3 }, { x: -card * 0.8, y: -tall * 0.22 }, { x: card * 0.8, y: -tall * 0.22 }];
  return [{ x: 0, y: tall * 0.36 }, { x: -card * 1.06, y: 0 }, { x: 0, y: -tall * 0.36 }, { x: card * 1.06, y: 0 }];
}

/** Points of a circle from the lowest one clockwise (to the left first), and that one again. */
const FINE = 180;
const CIRCLE = Array.from({ length: FINE + 1 }, (_, step) => ({ x: -Math.sin((2 * Math.PI * step) / FINE), y: Math.cos((2 * Math.PI * step) / FINE) }));

/** On an ellipse at equal distances along it, from the lowest point clockwise. */
function evenly(places: number, rx: number, ry: number): Point[] {
  const rim = CIRCLE.map(({ x, y }) => ({ x: rx * x, y: ry * y }));
  const far = (from: Point, to: Point | undefined) => (to ? Math.hypot(to.x - from.x, to.y - from.y) : 0);
  const lengths = rim.map((point, step) => far(point, rim[step + 1]));
  const whole = sum(lengths);
  const spots: Point[] = [];
  let gone = 0;
  for (const [step, point] of rim.entries()) {
    if (spots.length < places && gone >= (whole * spots.length) / places - 1e-6) spots.push(point);
    gone += lengths[step] ?? 0;
  }
  return spots;
}

/** Where a ring has no room: two rows, the later seats above, as they sit. Where the cards of a row overlap, a crown stands above its card. */
function inRows(places: number, width: number, height: number): TrickPlan {
  const below = Math.ceil(places / 2);
  const card = Math.floor(clamp(28, Math.min(width / (below * 0.62 + 0.4), height / 2.9), 72));
  const step = Math.min(card + 4, (width - card) / Math.max(1, below - 1));
  const tall = heightOf(card);
  const [top, bottom] = step < card ? [-tall / 2, tall / 2 + OVER] : [-0.52 * tall, 0.52 * tall];
  const spots = Array.from({ length: places }, (_, place) => {
    const upper = place >= below;
    const at = upper ? place - below : below - 1 - place;
    return { x: (at - ((upper ? places - below : below) - 1) / 2) * step, y: upper ? top : bottom };
  });
  return plan(card, spots);
}

function plan(card: number, spots: Point[]): TrickPlan {
  const tall = heightOf(card);
  const far = (axis: "x" | "y") => Math.max(...spots.map((spot) => Math.abs(spot[axis])));
  return { card, spots, width: 2 * far("x") + card, height: 2 * far("y") + tall };
}

/** Lower cards lie on higher ones, of two side by side the right one on the left one. */
export const above = (one: Point, other: Point) => one.y > other.y + 1 || (Math.abs(one.y - other.y) <= 1 && one.x > other.x);

/** Whether every index can be seen with all cards lying. */
export function isClear({ card, spots }: TrickPlan): boolean {
  const tall = heightOf(card);
  return spots.every((spot) => {
    const index = box(spot.x - card / 2, spot.y - tall / 2, indexWidth(card), indexHeight(card));
    return spots.every((other) => {
      if (other === spot || !above(other, spot)) return true;
      const covered = shared(index, box(other.x - card / 2, other.y - tall / 2, card, tall));
      return covered.width < 1 || covered.height < 1;
    });
  });
}

/** Where the crown stands on a card of a trick, from its upper left corner: on the card, where no later one can cover it, or a small one above it. */
export function crownOn({ card, spots }: TrickPlan, spot: Point): Box {
  const tall = heightOf(card);
  const size = Math.round(Math.min(24, card * 0.38));
  const [left, top] = [spot.x - card / 2, spot.y - tall / 2];
  const covers = spots.filter((other) => other !== spot && above(other, spot)).map((other) => box(other.x - card / 2, other.y - tall / 2, card, tall));
  const right = card - size - 3;
  const tried = [{ x: right, y: tall * 0.34 - size / 2 }, { x: right, y: 3 }, { x: right, y: tall - size - 3 }, { x: 3, y: tall - size - 3 }];
  const free = ({ x, y }: Point) => x >= indexWidth(card) - 2 || y >= indexHeight(card) - 2;
  const on = tried.find((at) => free(at) && !covers.some((cover) => meet(box(left + at.x, top + at.y, size, size), cover)));
  return on ? box(on.x, on.y, size, size) : box(1, -OVER, SMALL, SMALL);
}
