/** Where the other seats stand: at both sides and above, or above only; what lies open before them; a board instead. */
import { bottom, box, clamp, type Box } from "./geometry.ts";
import { flow, moved, type Group, type Laid } from "./spread.ts";
import { barBeside, EDGE, type Form, type Sizes, type Wish } from "./wish.ts";

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
}

export interface SeatPlan {
  places: SeatPlace[];
  /** The width that is taken at both sides. */
  flank: number;
  /** Where the seats above end. */
  bottom: number;
  /** Where the rim of the felt runs above. */
  rim: number;
  /** Pixels by which the seats at the sides are too high together. */
  excess: number;
}

/** The least width of a chip, in lines of text. */
const NARROWEST = 6.6;

/** The ways to try, the best first. */
export function arrangements(form: Form, { others, width, em }: Wish): Arrangement[] {
  const count = others.length;
  const laid = others.some((groups) => groups.length > 0);
  const way = (sides: number, columns: number, board = false): Arrangement => ({ sides, columns, board });
  const most = Math.max(1, Math.floor((width - barBeside(form, width)) / (em * NARROWEST)));
  if (form === "sideways") return [way(0, evenly(count, most)), ...(laid ? [way(0, evenly(count, most), true)] : [])];
  const sides = count < 3 ? 0 : count < 6 ? 1 : count < 9 || form === "wide" ? 2 : 3;
  const around = way(sides, count - 2 * sides);
  if (form === "wide") return [around, way(0, Math.min(count, 9)), ...(laid ? [way(0, Math.min(count, 9), true)] : [])];
  if (!laid) return [...(count < 8 ? [around] : []), way(0, evenly(count, most))];
  const grids = [1, 2, 3].filter((columns) => columns <= Math.min(count, most) && count / columns < 4).map((columns) => way(0, columns));
  return [...grids.toReversed(), way(0, evenly(count, most), true)];
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
  const above = inLines(form, wish, sizes, way, upper, (room - inner) / 2, inner);
  const low = Math.max(EDGE, ...above.map(outline).map(bottom));
  const ceiling = form === "wide" ? EDGE : low + sizes.gap;
  const left = column(form, wish, sizes, board, others.slice(0, sides).toReversed(), 0, flank, ceiling, floor);
  const right = column(form, wish, sizes, board, others.slice(others.length - sides), room - flank, flank, ceiling, floor);
  const first = above[0];
  return {
    places: [...left.places.toReversed(), ...above, ...right.places],
    flank,
    bottom: low,
    rim: first ? first.y + first.height * (form === "wide" ? 0.5 : 0.62) : EDGE + em,
    excess: Math.max(0, left.excess, right.excess),
  };
}

function plateSize(plate: Plate, em: number, room: number): { width: number; height: number } {
  if (plate === "tower") return { width: Math.min(room - 4, em * 5.2), height: em * 5.6 };
  if (plate === "chip") return { width: Math.min(room - 4, em * 13), height: em * 2.75 };
  return { width: Math.min(room - 8, em * 13), height: em * 4.5 };
}

function flankWidth(form: Form, wish: Wish, { sides, board }: Arrangement): number {
  if (form !== "wide") return wish.em * 4.8;
  const { others } = wish;
  const laid = !board && [...others.slice(0, sides), ...others.slice(others.length - sides)].some((groups) => groups.length);
  return laid ? clamp(wish.em * 13, wish.width * 0.22, 420) : wish.em * 13.5;
}

/** A seat with what lies before it, its place still to be found. */
function cell(plate: Plate, wish: Wish, sizes: Sizes, groups: Group[], width: number): SeatPlace {
  const size = plateSize(plate, wish.em, width);
  const laid = flow(groups, sizes.front, width - 4, wish.touch);
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

function inLines(form: Form, wish: Wish, sizes: Sizes, { sides, columns, board }: Arrangement, groups: Group[][], x: number, width: number): SeatPlace[] {
  const plate: Plate = form === "wide" || (form === "upright" && groups.length === 1) ? "plate" : form === "upright" && sides ? "tower" : "chip";
  const most = form === "wide" ? Math.max(wish.em * 22, width / Math.max(2, columns)) : width;
  const wide = Math.min(width / columns, most);
  const places: SeatPlace[] = [];
  let y = EDGE;
  for (let from = 0; from < groups.length; from += columns) {
    const here = groups.slice(from, from + columns).map((laid) => cell(plate, wish, sizes, board ? [] : laid, wide));
    const start = x + (width - here.length * wide) / 2;
    here.forEach((one, index) => places.push(put(one, start + index * wide + (wide - one.width) / 2, y)));
    y += Math.max(...here.map((one) => outline(one).height)) + 4;
  }
  return places;
}

function column(form: Form, wish: Wish, sizes: Sizes, board: boolean, groups: Group[][], x: number, width: number, ceiling: number, floor: number) {
  const cells = groups.map((laid) => cell(form === "wide" ? "plate" : "tower", wish, sizes, board ? [] : laid, width));
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
