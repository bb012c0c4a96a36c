import { expect, test } from "vitest";
import { left, shown } from "../src/live/clocks.ts";

const CLOCK = { per_move: 10, bank: 60 };

test("a move has its own time first, then the bank's", () => {
  expect(left({ bank: 45, since: 100 }, CLOCK, 104)).toEqual({ move: 6, bank: 45, total: 51 });
  expect(left({ bank: 45, since: 100 }, CLOCK, 130)).toEqual({ move: 0, bank: 25, total: 25 });
  expect(left({ bank: 45, since: 100 }, CLOCK, 999).total).toBe(0);
});

test("a clock that stands has the whole move before it, and one that is ahead of ours has not begun", () => {
  expect(left({ bank: 3, since: null }, CLOCK, 130)).toEqual({ move: 10, bank: 3, total: 13 });
  expect(left({ bank: 3, since: 131 }, CLOCK, 130).move).toBe(10);
});

test("time is shown in minutes and seconds", () => {
  expect([0, 9.2, 60, 75].map(shown)).toEqual(["0:00", "0:10", "1:00", "1:15"]);
});
