import { describe, expect, it } from "vitest";
import { changed, finishedTrick, gained, NO_OFFERS, withTrick } from "../src/live/scenes.ts";
import type { SceneView, SeatView } from "../src/protocol.ts";

const seat = (number: number, cards: number): SeatView =>
  ({ seat: number, cards, open: [], dealer: false, to_act: false, leader: false, side: null, marks: [], score: 0, place: 1 });
const scene: SceneView = {
  game: "rounds", title: "Rounds", seat: 0, players: 2, phase: "play", deal: 1, trump: null, headline: "", prompt: "Play a card", to_act: [0],
  hand: ["Ks", "9h"], open: [], order: {}, seats: [seat(0, 2), seat(1, 3)],
  zones: [{ id: "stock", role: "stock", label: "Stock", count: 5 }, { id: "trick", role: "trick", label: "Trick", cards: ["Qs"], seats: [1] }],
  ahead: 1, last_trick: null, offers: NO_OFFERS, result: [], finished: [], pot: null, done: false, winners: [],
};

describe("changes of a scene", () => {
  it("keep what they do not name", () => expect(changed(scene, { prompt: "Wait" })).toEqual({ ...scene, prompt: "Wait" }));
  it("replace seats and zones one by one", () => {
    const now = changed(scene, { seats: [seat(1, 2)], zones: [{ id: "stock", role: "stock", label: "Stock", count: 4 }] });
    expect(now.seats.map((one) => one.cards)).toEqual([2, 2]);
    expect(now.zones.map((zone) => [zone.id, zone.count ?? zone.cards])).toEqual([["stock", 4], ["trick", ["Qs"]]]);
  });
  it("bring new zones, drop those that are not named and put them in order", () => {
    const upcard = { id: "upcard", role: "upcard", label: "Upcard", cards: ["2c"] };
    expect(changed(scene, { zones: [upcard], zone_ids: ["upcard", "stock"] }).zones.map((zone) => zone.id)).toEqual(["upcard", "stock"]);
  });
});

describe("cards that come to a hand", () => {
  it("are told in the middle of a deal, equal ones too, and not when the next is dealt", () => {
    const now = { ...scene, hand: ["Ks", "Ks", "2d"] };
    expect([gained(scene, now), gained(scene, { ...now, deal: 2 })]).toEqual([["Ks", "2d"], []]);
  });
});

describe("a finished trick", () => {
  const after = changed(scene, { hand: ["9h"], last_trick: { cards: ["Qs", "Ks"], seats: [1, 0], taker: 0 }, zone_ids: ["stock"] });
  it("is found where the last trick is another one", () => {
    expect(finishedTrick(scene, after)).toEqual([{ card: "Qs", who: 1 }, { card: "Ks", who: 0 }]);
    expect(finishedTrick(after, after)).toBeNull();
  });
  it("lies whole on the table before it is taken, its cards no longer in the hands", () => {
    const lying = withTrick(scene, finishedTrick(scene, after) ?? []);
    expect(lying.zones[0]?.cards).toEqual(["Qs", "Ks"]);
    expect([lying.hand, lying.seats.map((one) => one.cards), lying.to_act]).toEqual([["9h"], [1, 3], []]);
  });
});
