/** Where the other seats stand: at both sides and above, or above only; what lies open before them; a board instead. */
import { bottom, box, clamp, right, sum, type Box } from "./geometry.ts";
import { fitted, flow, heightOf, moved, roomOf, TOUCH, type Group, type Laid } from "./spread.ts";
import { barBeside, captionHeight, EDGE, type Form, type Sizes, type Wish } from "./wish.ts";

/** A plate is wide, a tower narrow, a chip one line. */
export type Plate = "plate" | "tower" | "chip";

export interface SeatPlace extends Box {
  plate: Plate;
  /** What lies open before this seat. */
  front: Laid[];
  /** Whether that lies on the board, away from the seat. */
  boarded: boolean;
}

export interface Arrangement {
  /** How many seats stand at each side. */
  sides: number;
  /** How many of the others stand in one line above. */
  columns: number;
  /** Whether what lies open is laid into the middle. */
  board: boolean;
  /** Whether one's own open cards lie beside the trick. */
  beside: boolean;
  /** Whether seats with more before them are wider. */
  uneven?: boolean;
  /** Whether the piles lie beside the last of the seats, or above the buttons of a sideways table. */
  tucked: boolean;
  /** Whether one opponent alone has a line, as several have, rather than a plate. */
  low?: boolean;
}

export interface SeatPlan {
  places: SeatPlace[];
  /** The width that is taken at both sides. */
  flank: number;
  /** Where the seats above end. */
  bottom: number;
  /** Where the seats above end as long as nothing lies before them. */
  rail: number;
  /** Where the rim of the felt runs above. */
  rim: number;
  /** What is free beside the last line of the seats above. */
  spare: Box;
  /** Pixels by which the seats at the sides are too high together. */
  excess: number;
}

/** The least width of a chip, in lines of text. */
const NARROWEST = 6.6;
/** The width of a plate with a face, and of the seats at a side, in lines of text. */
const ROOMY = 12;
const PLATE = 4.5;
const FLANK = 13.5;
/** So many have room for open cards beside their plates on a large screen, and keep it. */
const FEW = 3;

/** The ways to try, the best first: those of the first list with all sizes of cards, then those of the next. */
export function arrangements(form: Form, wish: Wish): Arrangement[][] {
  const ways = around(form, wish);
  const beside = wish.trick && wish.own.length ? ways.map((way) => ({ ...way, beside: true })) : [];
  if (form === "wide") return [...beside, ...ways].map((way) => [way]);
  const [near, far] = [ways.filter(({ board }) => !board), ways.filter(({ board }) => board)];
  const apart = ways.filter(({ columns, board }) => form === "sideways" || (!board && !wish.rows.length && wish.others.length % columns > 0));
  const tucked = wish.piles.length && !wish.trick ? apart.map((way) => ({ ...way, tucked: true })) : [];
  const uneven = near.map((way) => ({ ...way, uneven: true }));
  const low = wish.others.length === 1 && form === "upright" ? ways.map((way) => ({ ...way, low: true })) : [];
  return [near, uneven, [...beside, ...tucked].flatMap((way) => [way, { ...way, uneven: true }]), far, low];
}

function around(form: Form, { others, width, em }: Wish): Arrangement[] {
  const count = others.length;
  const laid = others.some((groups) => groups.length > 0);
  const way = (sides: number, columns: number, board = false): Arrangement => ({ sides, columns, board, beside: false, tucked: false });
  const most = Math.max(1, Math.floor((width - barBeside(form, width)) / (em * NARROWEST)));
  if (form === "sideways") return [way(0, evenly(count, most)), ...(laid ? [way(0, evenly(count, most), true)] : [])];
  const sides = count < 3 ? 0 : count < 6 ? 1 : count < 9 || form === "wide" ? 2 : 3;
  const around = way(sides, count - 2 * sides);
  if (form === "wide") return [onTheRim(count, width, em), around, way(0, Math.min(count, 9)), ...(laid ? [way(0, Math.min(count, 9), true)] : [])];
  if (!laid) return [way(0, evenly(count, most)), ...(count < 8 ? [around] : [])];
  const grids = [1, 2, 3].filter((columns) => columns <= Math.min(count, most) && count / columns < 4).map((columns) => way(0, columns));
  return [...grids.toReversed(), way(0, evenly(count, most), true)];
}

/** As many as have room stand above, the others at the sides. */
function onTheRim(count: number, width: number, em: number): Arrangement {
  const sides = [0, 1, 2, 3].find((sides) => (count - 2 * sides) * em * ROOMY <= width - (sides ? 2 * em * FLANK : 0)) ?? 3;
  return { sides, columns: Math.max(1, count - 2 * sides), board: false, beside: false, tucked: false };
}

/** Columns of a grid whose lines are equally long, none longer than `most`. */
const evenly = (count: number, most: number) => Math.ceil(count / Math.ceil(count / most));

/** Seats around a table whose lower part begins at `floor`, in a `room` this wide. */
export function planSeats(form: Form, wish: Wish, sizes: Sizes, way: Arrangement, room: number, floor: number): SeatPlan {
  const { sides, board } = way;
  const { others, em } = wish;
  const upper = others.slice(sides, others.length - sides);
  const flank = sides ? flankWidth(form, wish, way) : 0;
  const inner = form === "wide" ? room - 2 * flank : room;
  const above = inLines(form, wish, sizes, way, upper, (room - inner) / 2, inner, floor);
  const lowest = form === "wide" && wish.trick && others.length <= FEW ? EDGE + heightOf(sizes.front) : EDGE;
  const low = Math.max(lowest, ...above.map(outline).map(bottom));
  const ceiling = form === "wide" ? EDGE : low + sizes.gap;
  const leftward = column(form, wish, sizes, board, others.slice(0, sides).toReversed(), 0, flank, ceiling, floor);
  const rightward = column(form, wish, sizes, board, others.slice(others.length - sides), room - flank, flank, ceiling, floor);
  const first = above[0];
  return {
    places: [...leftward.places.toReversed(), ...above, ...rightward.places],
    flank,
    bottom: low,
    rail: Math.max(lowest, ...above.map(bottom)),
    spare: beside(above, way.columns, room, sizes),
    rim: first ? first.y + first.height * (form === "wide" ? 0.5 : 0.62) : EDGE + em,
    excess: Math.max(0, leftward.excess, rightward.excess),
  };
}

function plateSize(plate: Plate, { em, touch }: Wish, room: number): { width: number; height: number } {
  if (plate === "tower") return { width: Math.min(room - 4, em * 5.2), height: em * 5.6 };
  if (plate === "chip") {
    const width = Math.min(room - 4, em * 13);
    return { width, height: touch ? Math.max(TOUCH, em * 2.8) : em * (width < em * 10.6 ? 2.6 : 2.3) };
  }
  return { width: Math.min(room - 8, em * 13), height: em * PLATE };
}

function flankWidth(form: Form, wish: Wish, { sides, board }: Arrangement): number {
  if (form !== "wide") return wish.em * 4.8;
  const { others } = wish;
  const laid = !board && [...others.slice(0, sides), ...others.slice(others.length - sides)].some((groups) => groups.length);
  return laid ? clamp(wish.em * 13, wish.width * 0.22, 420) : wish.em * FLANK;
}

/** So many cards lie beside a plate where there is not much room, rather than below it. */
const BESIDE = 3;
/** Between a plate and what lies beside it. */
const GAP = 8;

/** A seat with what lies before it, its place still to be found: beside its plate, or below it where that is too narrow. */
function cell(form: Form, plate: Plate, wish: Wish, sizes: Sizes, groups: Group[], width: number, most = Infinity): SeatPlace {
  const size = plateSize(plate, wish, width);
  const side = (width - size.width) / 2 - GAP;
  const short = wish.trick && sum(groups.map((group) => group.cards)) <= BESIDE;
  const aside = form === "wide" && plate === "plate" && (short || width > size.width * 4) ? flow(groups, sizes.front, side, wish.touch) : null;
  if (aside && aside.width <= side && aside.height <= Math.max(size.height, heightOf(sizes.front))) {
    return { plate, ...box(0, 0, size.width, size.height), front: moved(aside.groups, size.width + GAP - (side - aside.width) / 2, 0), boarded: false };
  }
  const laid = fitted(groups, sizes.front, width - 4, wish.touch, 0, most);
  const front = moved(laid.groups, 2 - (width - size.width) / 2, size.height + 4);
  return { plate, ...box(0, 0, size.width, size.height), front, boarded: false };
}

/** All that belongs to a seat: its plate and the cards before it. */
export function outline(place: SeatPlace): Box {
  const low = Math.max(bottom(place), ...(place.boarded ? [] : place.front.map(bottom)));
  return { ...place, height: low - place.y };
}

function put(place: SeatPlace, x: number, y: number): SeatPlace {
  return { ...place, x, y, front: moved(place.front, x, y) };
}

function inLines(form: Form, wish: Wish, sizes: Sizes, { sides, columns, board, tucked, uneven, low: isLow }: Arrangement, groups: Group[][], x: number, width: number, floor: number): SeatPlace[] {
  const plate: Plate = form === "wide" || (form === "upright" && groups.length === 1 && !isLow) ? "plate" : form === "upright" && sides ? "tower" : "chip";
  /** How high what lies before a seat may be, so that the piles keep their place below it. */
  const low = form === "wide" && !wish.trick ? floor - EDGE - wish.em * PLATE - heightOf(sizes.pile) - captionHeight(wish) - 4 * sizes.gap : Infinity;
  const most = form === "wide" && columns > 1 ? Math.max(wish.em * 22, width / columns) : width;
  const equal = Math.min(width / columns, most);
  const places: SeatPlace[] = [];
  let y = EDGE;
  for (let from = 0; from < groups.length; from += columns) {
    const line = groups.slice(from, from + columns).map((laid) => (board ? [] : laid));
    const partial = line.length < columns;
    const rest = (width - sum(wish.piles.map((pile) => roomOf(pile, sizes.pile, wish.touch, captionHeight(wish)) + sizes.gap)) - EDGE - sizes.gap) / line.length;
    const widths = !uneven || form === "wide" || partial ? line.map(() => (partial && tucked ? Math.max(equal, rest) : equal)) : asNeeded(line, sizes, wish, width, equal);
    const here = line.map((laid, index) => cell(form, plate, wish, sizes, laid, widths[index] ?? equal, low));
    let left = x + (tucked && form === "upright" ? 0 : (width - sum(widths)) / 2);
    here.forEach((one, index) => {
      const wide = widths[index] ?? equal;
      places.push(put(one, left + (wide - one.width) / 2, y));
      left += wide;
    });
    y += Math.max(...here.map((one) => outline(one).height)) + 4;
  }
  return places;
}

/** Widths of the seats of a line: the more lies before one, the wider, so that the line is as low as it can be. */
function asNeeded(line: Group[][], sizes: Sizes, wish: Wish, width: number, equal: number): number[] {
  const height = (groups: Group[], wide: number) => flow(groups, sizes.front, wide - 4, wish.touch).height;
  const tallest = (widths: number[]) => Math.max(...line.map((groups, index) => height(groups, widths[index] ?? 0)));
  const widths = line.map(() => Math.min(equal, wish.em * NARROWEST));
  const step = 8;
  for (let left = width - sum(widths); left >= step; left -= step) {
    const need = line.map((groups, index) => height(groups, widths[index] ?? 0) - (widths[index] ?? 0) / 1e4);
    const at = need.indexOf(Math.max(...need));
    widths[at] = (widths[at] ?? 0) + step;
  }
  const even = line.map(() => equal);
  return tallest(widths) < tallest(even) - 1 ? widths : even;
}

/** The place at the right of a line that is not full. */
function beside(above: SeatPlace[], columns: number, room: number, sizes: Sizes): Box {
  const line = above.slice(above.length - (above.length % columns || columns));
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last) return box(0, 0, 0, 0);
  const x = Math.max(...line.map(right), ...line.flatMap((one) => one.front.map(right))) + sizes.gap;
  return box(x, first.y, room - x - EDGE, 0);
}

function column(form: Form, wish: Wish, sizes: Sizes, board: boolean, groups: Group[][], x: number, width: number, ceiling: number, floor: number) {
  const cells = groups.map((laid) => cell(form, form === "wide" ? "plate" : "tower", wish, sizes, board ? [] : laid, width));
  const heights = cells.map((one) => outline(one).height);
  const used = heights.reduce((total, height) => total + height, 0);
  const gap = (floor - ceiling - used) / (cells.length + 1);
  let y = ceiling + gap;
  const places = cells.map((one, index) => {
    const here = put(one, x + (width - one.width) / 2, y);
    y += (heights[index] ?? 0) + gap;
    return here;
  });
  return { places, excess: cells.length ? used + sizes.gap * cells.length - (floor - ceiling) : 0 };
}
