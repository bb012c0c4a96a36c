/** Who sits where in the next match of a room. */
import { expect, test } from "vitest";
import { seatsFor } from "../src/room/turning.ts";

const member = (number: number, doing: "here" | "away" = "here") => ({ number, name: `M${number}`, doing, played: 0, won: 0 });

test("with as many players everybody moves on as the house says", () => {
  expect(seatsFor({ members: [member(1), member(2)], turn: [2, null, 1] }, 3)).toEqual([2, null, 1]);
});
test("whoever is away has no seat, whoever came late takes one that is free", () => {
  expect(seatsFor({ members: [member(1), member(2, "away"), member(3)], turn: [2, 1] }, 2)).toEqual([3, 1]);
});
test("whoever sat out comes first", () => {
  expect(seatsFor({ members: [member(1), member(2), member(3)], turn: [2, 1] }, 2)).toEqual([3, 2]);
});
test("computer players take what is left", () => {
  expect(seatsFor({ members: [member(1), member(2)], turn: [2, 1] }, 4)).toEqual([2, 1, null, null]);
});
test("nobody has two seats", () => {
  for (let players = 2; players < 8; players += 1) {
    const seats = seatsFor({ members: [1, 2, 3, 4].map((number) => member(number)), turn: [4, 1, 2] }, players).filter((number) => number !== null);
    expect(new Set(seats).size).toBe(seats.length);
    expect(seats.length).toBe(Math.min(players, 4));
  }
});
