import { describe, expect, it } from "vitest";
import { frameAt, frameBefore, frames, isOver, nextTrick } from "../src/after/frames.ts";
import { apart, courses, gains, ranked, victory } from "../src/after/standing.ts";
import { NO_OFFERS } from "../src/live/scenes.ts";
import type { DealScore, Replay, SceneView, ScoreSheet, SeatView, TableView } from "../src/protocol.ts";

const seat = (number: number, cards: number, open: string[] = []): SeatView =>
  ({ seat: number, cards, open, dealer: false, to_act: false, leader: false, side: null, marks: [], score: 0, place: 1 });
const start: SceneView = {
  game: "rounds", title: "Rounds", seat: null, players: 2, phase: "play", deal: 1, trump: null, headline: "", prompt: "", to_act: [0],
  hand: [], open: [], order: {}, seats: [seat(0, 2, ["Ks", "9h"]), seat(1, 1, ["2c"])],
  zones: [{ id: "trick", role: "trick", label: "Trick", cards: ["Qs"], seats: [1] }],
  ahead: 1, last_trick: null, offers: NO_OFFERS, result: [], finished: [], pot: null, done: false, winners: [],
};
const replay: Replay = {
  table: {} as TableView, names: ["Ann", "Bo"], deals: 1, deal: 1, seat: "all", start,
  steps: [
    { events: 5, seat: 0, text: "Ann plays K♠", changes: { last_trick: { cards: ["Qs", "Ks"], seats: [1, 0], taker: 0 }, zone_ids: [], seats: [seat(0, 1, ["9h"])] } },
    { events: 6, seat: 0, text: "Ann plays 9♥", changes: { seats: [seat(0, 0)] } },
  ],
};

describe("a deal that is watched again", () => {
  const shown = frames(replay, 0);
  it("shows a finished trick before it is taken", () => expect(shown.map((frame) => [frame.events, frame.taker])).toEqual([[5, 0], [5, null], [6, null]]));
  it("has one of the open hands at the lower rim", () => expect(shown.map((frame) => frame.scene.hand)).toEqual([["9h"], ["9h"], []]));
  it("is entered at a moment", () => expect([4, 5, 6, 99].map((events) => frameAt(shown, events))).toEqual([0, 0, 2, 2]));
  it("is entered before a decision, the trick before it taken", () => expect([4, 5, 6, 99].map((events) => frameBefore(shown, events))).toEqual([0, 1, 2, 2]));
  it("is over when the next one is dealt or awaited, not when the match was given up in it", () =>
    expect([start, { ...start, phase: "deal" }, { ...start, deal: 2 }, { ...start, done: true }].map((scene) => isOver(scene, 1))).toEqual([false, true, true, true]));
  it("goes from trick to trick", () => expect([nextTrick(shown, 2, -1), nextTrick(shown, 0, 1), nextTrick(shown, 0, -1)]).toEqual([0, 2, 0]));
});

const deal = (scores: number[]): DealScore => ({ deal: 1, dealer: 0, scores, marks: [], result: [], first: 0, events: 1 });
const sheet = (winners: number[], ...deals: number[][]): ScoreSheet => ({ names: ["Ann", "Bo", "Cy"], deals: deals.map(deal), winners });

describe("a score sheet", () => {
  it("ranks by points, the winners first", () => expect(ranked([1, 5, 9], [2])).toEqual([2, 1, 0]));
  it("ranks by few points where these win", () => expect(ranked([1, 9, 5], [0])).toEqual([0, 2, 1]));
  it("keeps the seats in order while nobody has won", () => expect(ranked([1, 5, 9], [])).toEqual([0, 1, 2]));
  it("ranks by places while the match goes on, equals as they sit", () => {
    expect(ranked([30, 12, 30, 4], [], [3, 2, 3, 1])).toEqual([3, 1, 0, 2]);
    expect(ranked([30, 12, 30, 4], [0], [1, 3, 1, 4])).toEqual([0, 2, 1, 3]);
  });
  it("says who has won", () => {
    const told = (winners: number[], you: number | null) => victory(winners, you, (seat) => ["Ada", "Bo", "Cy"][seat] ?? "");
    expect([told([1], 1), told([1], 0), told([0, 2], 2), told([0, 2], 0), told([0, 1, 2], null)]).toEqual(
      ["You win the match", "Bo wins the match", "Ada and you win the match", "You and Cy win the match", "Ada, Bo and Cy win the match"]);
  });
  it("tells what each deal brought", () => expect(gains(sheet([], [1, 5, 9], [4, 5, 2]), 2)).toEqual([9, -7]));
  it("draws partners together", () => expect(courses(sheet([], [1, 5, 1], [4, 5, 4])).map((course) => course.seats)).toEqual([[0, 2], [1]]));
  it("moves labels apart within the plot", () => expect(apart([50, 51, 99], 10, 100)).toEqual([50, 60, 95]));
});
