/** The middle of the table: the trick in a fixed centre, piles at its left, rows at its right, or both above it. */
import { clamp, type Box, type Point } from "./geometry.ts";
import { flow, moved, type Flow, type Group, type Laid } from "./spread.ts";
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
/** With so many others it may take less on a phone. */
const CROWD = 7;
const LEAST_OF_CROWD = 0.24;
const MOST = 0.4;
const NARROW = 44;

const least = ({ height, others }: Wish) => Math.round(height * (others.length > CROWD ? LEAST_OF_CROWD : LEAST));

export function planMiddle(form: Form, wish: Wish, sizes: Sizes, free: Box, board: Group[]): Middle {
  if (!wish.trick) return inLines(wish, sizes, free, board);
  const tried: Middle[] = [];
  for (const columns of form === "upright" ? [1, 2] : [1]) {
    const beside = atTheSides(form, wish, sizes, free, board, columns);
    if (beside.excess <= 0) return beside;
    tried.push(beside);
  }
  if (form === "upright") tried.push(inLines(wish, sizes, free, board));
  return tried.reduce((best, other) => (other.excess < best.excess ? other : best));
}

const pilesOf = (wish: Wish): Group[] => Array.from({ length: wish.piles }, () => ({ cards: 1, chosen: true }));

function trickIn(wish: Wish, sizes: Sizes, width: number, height: number): TrickPlan {
  return planTrick(wish.others.length + 1, Math.max(80, width), clamp(60, height, wish.height * MOST), clamp(sizes.hand * 1.1, 124, sizes.hand * 1.6));
}

function atTheSides(form: Form, wish: Wish, sizes: Sizes, free: Box, board: Group[], columns: number): Middle {
  const [x, y] = [free.x + free.width / 2, free.y + free.height / 2];
  const rows = [...wish.rows, ...board];
  const aside = wish.piles || rows.length ? columns * (sizes.pile + 2 * sizes.gap) : 0;
  const trick = trickIn(wish, sizes, free.width - 2 * aside, free.height);
  const side = (free.width - trick.width) / 2 - sizes.gap;
  const abreast = form === "sideways" ? 3 : 2;
  const left = inColumn(pilesOf(wish), sizes.pile, Math.min(side, (sizes.pile + 12) * abreast), wish);
  const right = inColumn(rows, board.length ? sizes.front : sizes.pile, side, wish);
  const inner = (flowed: Flow) => Math.max(0, Math.min(sizes.pile * 0.5, (side - flowed.width) / 2));
  const edge = trick.width / 2 + sizes.gap;
  const leftX = x - edge - inner(left) - (left.width + left.given) / 2;
  const rightX = x + edge + inner(right) - (right.given - right.width) / 2;
  const laid = moved(right.groups, rightX, y - right.height / 2);
  return {
    trick: { ...trick, x, y },
    piles: moved(left.groups, leftX, y - left.height / 2),
    rows: laid.slice(0, wish.rows.length),
    board: laid.slice(wish.rows.length),
    excess: Math.max(
      least(wish) - free.height,
      left.height - free.height,
      right.height - free.height,
      left.width - Math.max(side, 0),
      right.width - Math.max(side, 0),
      NARROW - trick.card,
    ),
  };
}

function inColumn(groups: Group[], card: number, width: number, wish: Wish): Flow & { given: number } {
  const given = Math.max(card, width);
  return { ...flow(groups, card, given, wish.touch, captionHeight(wish)), given };
}

/** From above: piles and rows, the board, the trick. */
function inLines(wish: Wish, sizes: Sizes, free: Box, board: Group[]): Middle {
  const upper = flow([...pilesOf(wish), ...wish.rows], sizes.pile, free.width, wish.touch, captionHeight(wish));
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
    piles: laid.slice(0, wish.piles),
    rows: laid.slice(wish.piles),
    board: moved(lower.groups, free.x, boardY),
    excess: Math.max(trick ? least(wish) - left : -left, trick ? NARROW - trick.card : 0),
  };
}
