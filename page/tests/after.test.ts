import { describe, expect, it } from "vitest";
import { frameAt, frameBefore, frames, isOver, nextTrick } from "../src/after/frames.ts";
import { cardsIn, gainOf } from "../src/after/decisions.ts";
import { apart, courses, gains, ranked } from "../src/after/standing.ts";
import { course, outcome, turningPoint } from "../src/after/story.ts";
import { NO_OFFERS } from "../src/live/scenes.ts";
import type { DealScore, Replay, SceneView, ScoreSheet, SeatView, TableView } from "../src/protocol.ts";
import { equallyGood } from "../src/table/adviser.svelte.ts";

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
  it("tells what each deal brought", () => expect(gains(sheet([], [1, 5, 9], [4, 5, 2]), 2)).toEqual([9, -7]));
  it("draws partners together", () => expect(courses(sheet([], [1, 5, 1], [4, 5, 4])).map((course) => course.seats)).toEqual([[0, 2], [1]]));
  it("moves labels apart within the plot", () => expect(apart([50, 51, 99], 10, 100)).toEqual([50, 60, 95]));
});

/** The end of a match: scores by seat, places by them, and sides. */
function ended(scores: number[], winners: number[], you: number | null, sides: (number | null)[] = [], fewest = false): SceneView {
  const place = (score: number) => 1 + scores.filter((other) => (fewest ? other < score : other > score)).length;
  return { ...start, seat: you, winners, seats: scores.map((score, number) => ({ ...seat(number, 0), score, place: place(score), side: sides[number] ?? null })) };
}
const name = (number: number) => ["Ann", "Bo", "Cy", "Di"][number] ?? "";
const told = (...about: Parameters<typeof ended>) => outcome(ended(...about), name);
const TEAMS = [0, 1, 0, 1];

describe("the end of a match in a sentence", () => {
  it.each([
    ["You won 9 : 4", told([9, 4], [0], 0)], ["You lost 9 : 0", told([9, 0], [0], 1)], ["You won by 40", told([120, 80, 30], [0], 0)], ["You came third: Ann won by 40", told([120, 80, 30], [0], 2)],
    ["Ann won 9 : 4", told([9, 4], [0], null)], ["Ann won by 40", told([120, 80, 30], [0], null)], ["You won 52 : 31", told([52, 31, 52, 31], [0, 2], 2, TEAMS)], ["You lost 52 : 31", told([52, 31, 52, 31], [0, 2], 1, TEAMS)],
    ["Ann and Cy won 52 : 31", told([52, 31, 52, 31], [0, 2], null, TEAMS)], ["You tied with Bo at 40", told([40, 40, 30], [0, 1], 0)], ["Ann and Bo tied at 40", told([40, 40, 30], [0, 1], 2)],
    ["You won by 15", told([10, 25, 60], [0], 0, [], true)], ["You came second: Ann won by 15", told([10, 25, 60], [0], 1, [], true)], ["The match is over", told([3, 4], [], 0)],
  ])("%s", (wanted, said) => expect(said).toBe(wanted));
});

/** A sheet with numbered deals. */
function deals(...scores: number[][]): ScoreSheet {
  const plain = sheet([], ...scores);
  return { ...plain, deals: plain.deals.map((one, index) => ({ ...one, deal: index + 1 })) };
}

describe("the deal in which a match turned", () => {
  const won = ended([9, 7], [0], 0);
  it.each([
    [1, "You led from the first deal.", deals([2, 1], [5, 1], [9, 7])], [3, "It turned in deal 3.", deals([1, 2], [5, 5], [6, 5], [9, 7])], [3, "It turned in the last deal.", deals([1, 2], [4, 7], [9, 7])], [1, "", deals([9, 7])],
  ])("is %i: %s", (turn, says, played) => expect([turningPoint(played, won), course(played, won, name)]).toEqual([turn, says]));
  it("is told of the winner", () => expect(course(deals([2, 1], [5, 1]), ended([5, 1], [0], 1), name)).toBe("Ann led from the first deal."));
  it("is found where the fewest points win", () => expect(turningPoint(deals([8, 2], [9, 12]), ended([9, 12], [0], 0, [], true))).toBe(2));
  it("is none where two share the first place", () => expect(turningPoint(deals([1, 2], [4, 4]), ended([4, 4], [0, 1], 0))).toBeNull());
});

describe("a decision that is looked at again", () => {
  it("has the cards that its move names", () => expect([cardsIn("9s"), cardsIn("meld Kh Qh"), cardsIn("bid 3"), cardsIn("lay * Tc")]).toEqual([["9s"], ["Kh", "Qh"], [], ["*", "Tc"]]));
  it("tells what the better move is worth", () =>
    expect([[1.1, "point"], [1, "point"], [12.4, "chip"], [0.02, "point"]].map(([cost, unit]) => gainOf({ cost: Number(cost), unit: String(unit) }))).toEqual(["+1.1 points", "+1 point", "+12 chips", "a little better"]));
});

describe("equally good moves", () => {
  const move = (text: string, worse = false) => ({ text, label: text, says: "", worse });
  it.each([[["9h", "Th"], [move("9h"), move("Th"), move("2c", true)]], [["bid 2", "bid 3"], [move("bid 2"), move("bid 3")]], [["throw 9h 2c"], [move("throw 9h 2c"), move("throw 9h 3c")]]])("%j are marked", (marked, moves) =>
    expect(equallyGood(moves)).toEqual(marked));
});
