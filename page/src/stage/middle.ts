/** The middle of the table: the trick in a fixed centre, piles at its left, rows at its right, or both above it. */
import { clamp, type Box, type Point } from "./geometry.ts";
import { captioned, flow, moved, type Flow, type Group, type Laid } from "./spread.ts";
import { planTrick, type TrickPlan } from "./trick.ts";
import { captionHeight, type Form, type Sizes, type Wish } from "./wish.ts";

export interface Middle {
  trick: (TrickPlan & Point) | null;
  piles: Laid[];
  rows: Laid[];
  /** What lies open before the other seats, where it is laid here. */
  board: Laid[];
  /** Pixels that are missing. */
  excess: number;
}

/** The trick takes 30 to 40 % of the stage's height. */
const LEAST = 0.3;
const MOST = 0.4;
/** The least width of its cards, and of those of a trick of many. */
const NARROW = 44;
const NARROW_OF_MANY = 36;
const MANY = 8;
const CROWD = 4;
/** The height of a trick of two in widths of a card. */
const PAIR = 1.82;

/** `level` is the height at which the middle should be, if there is room. */
export function planMiddle(form: Form, wish: Wish, sizes: Sizes, free: Box, board: Group[], level: number): Middle {
  if (!wish.trick) {
    const beside = form === "wide" && !board.length ? abreast(wish, sizes, free, level) : null;
    return beside && beside.excess <= 0 ? beside : inLines(wish, sizes, free, board);
  }
  const tried: Middle[] = [];
  for (const [left, right] of asides(form, wish, sizes, board)) {
    const beside = atTheSides(form, wish, sizes, free, board, left, right, level);
    if (beside.excess <= 0) return beside;
    tried.push(beside);
  }
  if (form === "upright") tried.push(inLines(wish, sizes, free, board));
  return tried.reduce((best, other) => (other.excess < best.excess ? other : best));
}

/** The widths to try of what lies at the left and at the right of the trick, which stands in the middle as long as it can. */
function asides(form: Form, wish: Wish, sizes: Sizes, board: Group[]): [number, number][] {
  const some = { left: Number(wish.piles.length > 0), right: Number(wish.rows.length + board.length > 0) };
  const one = sizes.pile + 2 * sizes.gap;
  const both = Math.max(some.left, some.right) * one;
  if (form === "wide") return [[both, both]];
  const column = widest(wish, sizes) + 2 * sizes.gap;
  const most = { left: some.left ? [one, column, 2 * column, 3 * column] : [0], right: some.right ? [one, 2 * one, 3 * one] : [0] };
  const apart = most.left.flatMap((left) => most.right.map((right): [number, number] => [left, right]));
  return both ? [[both, both], [2 * both, 2 * both], ...apart] : [[0, 0]];
}

/** Cards of a trick are not smaller than those of the piles beside it. */
function narrowest({ others, piles }: Wish, sizes: Sizes): number {
  const least = others.length > MANY ? NARROW_OF_MANY : NARROW;
  return piles.length ? clamp(least, sizes.pile, others.length > CROWD ? 52 : 64) : least;
}

function trickIn(wish: Wish, sizes: Sizes, width: number, height: number): TrickPlan {
  return planTrick(wish.others.length + 1, Math.max(80, width), clamp(60, height, wish.height * MOST), largest(wish, sizes));
}

/** The greatest width of its cards. */
function largest(wish: Wish, { hand }: Sizes): number {
  const pair = (wish.height * LEAST) / PAIR;
  return Math.max(clamp(hand * 1.1, 124, hand * 1.6), Math.min(pair, hand * 1.4));
}

/** The height nearest to this one around which something so high lies within a place. */
const within = ({ y, height }: Box, level: number, high: number) => clamp(y + Math.min(high, height) / 2, level, y + height - Math.min(high, height) / 2);

function atTheSides(form: Form, wish: Wish, sizes: Sizes, free: Box, board: Group[], leftWidth: number, rightWidth: number, level: number): Middle {
  const x = free.x + (free.width + leftWidth - rightWidth) / 2;
  const between = free.width - leftWidth - rightWidth;
  const trick = trickIn(wish, sizes, between, free.height);
  const y = within(free, level, trick.height);
  // The trays stand where they would beside the largest trick.
  const span = form === "wide" ? planTrick(wish.others.length + 1, Math.max(80, between), wish.height, largest(wish, sizes)).width : 0;
  const edge = Math.max(trick.width, Math.min(span, between)) / 2 + sizes.gap;
  const [leftSide, rightSide] = [x - edge - free.x, free.x + free.width - x - edge];
  const abreast = form === "upright" ? 2 : 3;
  const left = inColumn(wish.piles, sizes.pile, Math.min(leftSide, (widest(wish, sizes) + 12) * abreast), wish);
  const right = inColumn([...wish.rows, ...board], board.length ? sizes.front : sizes.pile, rightSide, wish);
  const inner = (flowed: Flow, side: number) => Math.max(0, Math.min(sizes.pile * 0.5, side - flowed.width));
  const leftX = x - edge - inner(left, leftSide) - (left.width + left.given) / 2;
  const rightX = x + edge + inner(right, rightSide) - (right.given - right.width) / 2;
  const laid = moved(right.groups, rightX, within(free, y, right.height) - right.height / 2);
  return {
    trick: { ...trick, x, y },
    piles: moved(left.groups, leftX, within(free, y, left.height) - left.height / 2),
    rows: laid.slice(0, wish.rows.length),
    board: laid.slice(wish.rows.length),
    excess: Math.max(
      Math.round(wish.height * LEAST) - free.height,
      left.height - free.height,
      right.height - free.height,
      left.width - Math.max(leftSide, 0),
      right.width - Math.max(rightSide, 0),
      trick.width - between,
      narrowest(wish, sizes) - trick.card,
    ),
  };
}

/** The width of a pile with its caption. */
const widest = (wish: Wish, { pile }: Sizes) => Math.max(pile, ...wish.piles.map((group) => captioned(pile, group, captionHeight(wish))));

function inColumn(groups: Group[], card: number, width: number, wish: Wish): Flow & { given: number } {
  const given = Math.max(card, width);
  return { ...flow(groups, card, given, wish.touch, captionHeight(wish)), given };
}

/** Where no trick is played, the piles that are played on take its place, the others lie at the left, rows at the right. */
function abreast(wish: Wish, sizes: Sizes, free: Box, level: number): Middle {
  const { piles, rows, stacks = 0, touch } = wish;
  const caption = captionHeight(wish);
  const tray = stacks ? piles.slice(0, -stacks) : [];
  const centre = flow(stacks ? piles.slice(-stacks) : piles, sizes.pile, free.width, touch, caption);
  const side = (free.width - centre.width) / 2 - 3 * sizes.gap;
  const left = flow(tray, sizes.pile, side, touch, caption);
  const right = flow(rows, sizes.pile, side, touch, caption);
  const laid = ({ groups, height }: Flow, x: number) => moved(groups, x, within(free, level, height) - height / 2);
  return {
    trick: null,
    piles: [...laid(left, free.x), ...laid(centre, free.x)],
    rows: laid(right, free.x + free.width - side),
    board: [],
    excess: Math.max(...[left, centre, right].map(({ height }) => height - free.height), left.width - side, right.width - side),
  };
}

/** From above: piles and rows, the board, the trick. */
function inLines(wish: Wish, sizes: Sizes, free: Box, board: Group[]): Middle {
  const upper = flow([...wish.piles, ...wish.rows], sizes.pile, free.width, wish.touch, captionHeight(wish));
  const lower = flow(board, sizes.front, free.width, wish.touch, captionHeight(wish));
  const gaps = sizes.gap * (Number(upper.height > 0) + Number(lower.height > 0));
  const left = free.height - upper.height - lower.height - gaps;
  const trick = wish.trick ? trickIn(wish, sizes, free.width, left) : null;
  const top = free.y + (trick ? 0 : Math.max(0, left) / 2);
  const boardY = top + upper.height + (upper.height ? sizes.gap : 0);
  const trickY = boardY + lower.height + (lower.height ? sizes.gap : 0);
  const laid = moved(upper.groups, free.x, top);
  return {
    trick: trick && { ...trick, x: free.x + free.width / 2, y: trickY + Math.max(trick.height, left) / 2 },
    piles: laid.slice(0, wish.piles.length),
    rows: laid.slice(wish.piles.length),
    board: moved(lower.groups, free.x, boardY),
    excess: trick ? Math.max(Math.round(wish.height * LEAST) - left, narrowest(wish, sizes) - trick.card) : -left,
  };
}
