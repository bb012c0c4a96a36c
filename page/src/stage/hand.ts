/** One's own cards over the lower rim: as large as the place allows, in more rows only where fingers need them. */
import type { Point } from "./geometry.ts";
import { heightOf, indexWidth, leastDrop, TOUCH } from "./spread.ts";

export interface HandPlan {
  card: number;
  rows: number;
  /** Cards in a full row. */
  row: number;
  /** From row to row. */
  drop: number;
  height: number;
}

/** A chosen card rises by this. */
export const RISE = 14;
/** Between rows that have all the height they can use. */
const GAP = 4;

/** The plan for `count` cards of a width in a place this wide; `spare` is a height that its rows may lie further apart by. */
export function planHand(count: number, card: number, width: number, touch: boolean, spare = 0): HandPlan {
  const least = touch ? TOUCH : Math.max(26, indexWidth(card));
  const most = Math.max(1, Math.floor((width - card) / least) + 1);
  const rows = Math.max(1, Math.ceil(count / most));
  const row = Math.ceil(count / rows);
  const needed = Math.max(leastDrop(card, stepOf(card, row, width)), touch ? TOUCH : 0);
  const drop = Math.max(needed, Math.min(heightOf(card) + GAP, needed + Math.floor(spare / Math.max(1, rows - 1))));
  return { card, rows, row, drop, height: RISE + (rows - 1) * drop + heightOf(card) };
}

const stepOf = (card: number, row: number, width: number) => (row > 1 ? Math.min(card + 8, (width - card) / (row - 1)) : card);

/** Where each of `count` cards lies in its place; there may be fewer than the plan was made for. */
export function handPlaces(plan: HandPlan, count: number, width: number): Point[] {
  const rows = Math.max(1, Math.ceil(count / Math.max(1, plan.row)));
  const row = Math.ceil(count / rows);
  const step = stepOf(plan.card, row, width);
  const top = plan.height - heightOf(plan.card) - (rows - 1) * plan.drop;
  return Array.from({ length: count }, (_, index) => {
    const line = Math.floor(index / row);
    const length = Math.min(row, count - line * row);
    return { x: (width - plan.card - (length - 1) * step) / 2 + (index % row) * step, y: top + line * plan.drop };
  });
}
