/** Where the pips of the number cards stand, in the picture's part of a card of 100 by 140. */
import type { Point } from "../stage/geometry.ts";
import { SHAPES } from "./shapes.ts";

const [LEFT, MIDDLE, RIGHT] = [47, 63, 79];
const rows = (...heights: number[]): Point[] => heights.flatMap((y) => [{ x: LEFT, y }, { x: RIGHT, y }]);
const between = (...heights: number[]): Point[] => heights.map((y) => ({ x: MIDDLE, y }));

const PIPS: Record<string, Point[]> = {
  A: between(70),
  2: between(24, 116),
  3: between(24, 70, 116),
  4: rows(24, 116),
  5: [...rows(24, 116), ...between(70)],
  6: rows(24, 70, 116),
  7: [...rows(24, 70, 116), ...between(47)],
  8: [...rows(24, 70, 116), ...between(47, 93)],
  9: [...rows(22, 54, 86, 118), ...between(70)],
  T: [...rows(22, 54, 86, 118), ...between(38, 102)],
};

const pipSize = (rank: string) => (rank === "A" ? 50 : "23".includes(rank) ? 26 : "9T".includes(rank) ? 21 : 24);

/** All pips of a card as one path, and how it is enlarged: ten signs of their own would be built, laid out and painted one by one. */
export function pipsOf(rank: string, suit: string): { path: string; transform: string } {
  const by = pipSize(rank) / 100;
  const pips = (PIPS[rank] ?? []).map(({ x, y }) => SHAPES[suit]?.replace(/^M(\d+) (\d+)/, (_, across, down) => `M${Number(across) + x / by - 50} ${Number(down) + y / by - 50}`));
  return { path: pips.join(""), transform: `scale(${by})` };
}
