import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { UtteranceView } from "../src/protocol.ts";
import { Bubbles } from "../src/table/bubbles.svelte.ts";

const bid: UtteranceView = { seat: 1, kind: "bid", text: "Three" };
const pass: UtteranceView = { seat: 2, kind: "pass", text: "Pass" };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("each player's words go after a while, the later ones later", () => {
  const bubbles = new Bubbles();
  bubbles.hear([bid]);
  vi.advanceTimersByTime(1000);
  bubbles.hear([pass]);
  expect(bubbles.bySeat).toEqual({ 1: [bid], 2: [pass] });
  vi.advanceTimersByTime(1000);
  expect(bubbles.bySeat).toEqual({ 2: [pass] });
  vi.advanceTimersByTime(2000);
  expect(bubbles.bySeat).toEqual({});
});

it("what a player says anew takes the place of what was said before, for the whole time", () => {
  const bubbles = new Bubbles();
  bubbles.hear([bid]);
  vi.advanceTimersByTime(1500);
  bubbles.hear([{ ...pass, seat: 1 }]);
  vi.advanceTimersByTime(1500);
  expect(bubbles.bySeat).toEqual({ 1: [{ ...pass, seat: 1 }] });
});

it("two things said at once stand together, and nothing is left when the table is told anew", () => {
  const bubbles = new Bubbles();
  bubbles.hear([bid, { ...pass, seat: 1 }]);
  expect(bubbles.bySeat[1]).toHaveLength(2);
  bubbles.clear();
  expect(bubbles.bySeat).toEqual({});
  vi.advanceTimersByTime(5000);
  expect(bubbles.bySeat).toEqual({});
});

it("what has a moment of its own is in no bubble", () => {
  const bubbles = new Bubbles();
  bubbles.hear([bid, { seat: 2, kind: "highlight", text: "Bate!" }]);
  expect(bubbles.bySeat).toEqual({ 1: [bid] });
});
