import { describe, expect, it } from "vitest";
import { nearestTowards, type Arrow } from "../src/lobby/arrows.ts";
import { moods } from "../src/lobby/moods.ts";
import { cardWidth, FRAMES, lying, STILL } from "../src/lobby/showcase.ts";
import type { GameInfo } from "../src/protocol.ts";
import { box } from "../src/stage/geometry.ts";

const game = (slug: string, players: number[], difficulty: string, minutes: number, short: object | null): GameInfo =>
  ({ slug, title: slug, family: "", players, default_players: players[0] ?? 2, summary: "", length: "lange", minutes, difficulty, picture: [], short: short as GameInfo["short"], author: null, author_clause: "", levels: [], options: [], lessons: [], puzzles: [] });

describe("games by mood", () => {
  const games = [
    game("cinch", [4], "hard", 20, {}), game("klaberjass", [2], "medium", 20, {}), game("kalooki", [3, 4], "hard", 90, {}),
    game("loo", [5, 6], "medium", 25, {}), game("oh-hell", [3, 7], "easy", 45, {}), game("rounds", [2], "hard", 25, {}),
    game("sixty-six", [2], "easy", 10, null), game("stone", [4], "easy", 5, null),
  ];
  it("begins with the quick and easy ones and has every game once", () =>
    expect(moods(games).map((mood) => mood.games.map(({ slug }) => slug))).toEqual([["stone", "sixty-six"], ["klaberjass", "rounds"], ["oh-hell", "loo"], ["cinch", "kalooki"]]));
  it("leaves out moods without games", () => expect(moods(games.slice(0, 1)).map(({ title }) => title)).toEqual(["Long and deep"]));
  it("has those last of which nobody knows how long they take", () => {
    const unknown = game("whist", [2], "easy", 0, null);
    expect(moods([unknown, ...games])[0]?.games.map(({ slug }) => slug)).toEqual(["stone", "sixty-six", "whist"]);
  });
});

describe("arrow keys", () => {
  // Two cards side by side and one below, each with a title and two buttons.
  const card = (x: number, y: number) => [box(x + 10, y + 100, 90, 20), box(x + 10, y + 150, 60, 30), box(x + 80, y + 150, 60, 30)];
  const boxes = [...card(0, 0), ...card(200, 0), ...card(0, 220)];
  it.each<[Arrow, number, number]>([
    ["ArrowDown", 0, 1], ["ArrowRight", 1, 2], ["ArrowRight", 2, 4], ["ArrowLeft", 4, 2], ["ArrowRight", 0, 3], ["ArrowDown", 1, 6], ["ArrowUp", 6, 1], ["ArrowUp", 0, -1], ["ArrowRight", 5, -1],
  ])("%s from %i leads to %i", (arrow, from, to) => expect(nearestTowards(arrow, boxes, from)).toBe(to));
});

describe("the deal that plays by itself", () => {
  const all = (at: number) => lying(FRAMES[at]!, 600, 320).map(({ card }) => card);
  it("has the same 24 cards in every frame", () => FRAMES.forEach((_, at) => expect(all(at)).toEqual(all(0))));
  it("has as many different ones", () => expect(new Set(all(0)).size).toBe(24));
  it("shows nobody's hand but one's own, nor the stock", () =>
    FRAMES.forEach((frame) => expect(lying(frame, 600, 320).filter(({ card, up }) => up && [...frame.stock, ...frame.hands[1]!].includes(card))).toEqual([])));
  it("counts points that only grow", () => FRAMES.slice(1).forEach(({ points }, before) => expect(points.every((one, seat) => one >= FRAMES[before]!.points[seat]!)).toBe(true)));
  it("stands still with a whole trick on the table", () => expect(FRAMES[STILL]!.trick).toHaveLength(2));
  it.each([[328, 220], [358, 290], [500, 210], [700, 380]])("keeps the trick off the hands at %i × %i", (width, height) => {
    const card = cardWidth(width, height);
    for (const frame of FRAMES) {
      const cards = lying(frame, width, height);
      const y = (which: string[]) => cards.filter((one) => which.includes(one.card)).map((one) => one.y);
      for (const at of y(frame.trick.map(([one]) => one))) {
        expect(Math.min(...y(frame.hands[0]!)) - at).toBeGreaterThan(card * 1.1);
        expect(at - Math.max(...y(frame.hands[1]!))).toBeGreaterThan(card * 0.9);
      }
    }
  });
});
