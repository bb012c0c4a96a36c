/** Where the pips of the number cards stand, in the picture's part of a card of 100 by 140. */
import type { Point } from "../stage/geometry.ts";

const [LEFT, MIDDLE, RIGHT] = [47, 63, 79];
const rows = (...heights: number[]): Point[] => heights.flatMap((y) => [{ x: LEFT, y }, { x: RIGHT, y }]);
const between = (...heights: number[]): Point[] => heights.map((y) => ({ x: MIDDLE, y }));

export const PIPS: Record<string, Point[]> = {
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

export const pipSize = (rank: string) => (rank === "A" ? 50 : "23".includes(rank) ? 26 : "9T".includes(rank) ? 21 : 24);
