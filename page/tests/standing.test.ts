import { describe, expect, it } from "vitest";
import { NO_OFFERS } from "../src/live/scenes.ts";
import type { SceneView, ZoneView } from "../src/protocol.ts";
import { Standing, widest } from "../src/stage/standing.ts";
import type { Wish } from "../src/stage/wish.ts";
import { layTable, partOf } from "../src/table/layout.ts";

const wish = (more: Partial<Wish> = {}): Wish =>
  ({ width: 1280, height: 670, em: 17, touch: false, scale: 1, others: [[]], own: [], named: false, hand: 6, bar: 105, piles: [], rows: [], trick: true, ...more });
const pile = (id: string, caption = 2) => ({ id, cards: 1, chosen: false, caption });
const both = { piles: [pile("stock"), pile("upcard")] };

describe("a table that stands still", () => {
  it("keeps the places of what is gone, and of those left", () => {
    const standing = new Standing();
    const before = standing.plan("", wish(both));
    const after = standing.plan("", wish({ piles: [pile("stock", 5)], hand: 2 }));
    expect(after.wish.piles.map(({ id }) => id)).toEqual(["stock", "upcard"]);
    expect([after.piles, after.trick, after.hand, after.bar]).toEqual([before.piles, before.trick, before.hand, before.bar]);
  });
  it("begins anew at another table", () => {
    const standing = new Standing();
    standing.plan("one", wish(both));
    expect(standing.plan("other", wish()).wish.piles).toEqual([]);
  });
  it("lays what comes later outside of what is there", () =>
    expect(widest(wish(both), wish({ piles: [pile("stock"), pile("aside")] })).piles.map(({ id }) => id)).toEqual(["aside", "stock", "upcard"]));
  it("has the trick of one card in the middle, and larger cards on a larger screen", () => {
    const { trick, hand } = new Standing().plan("", wish({ ...both, width: 2560, height: 1390 }));
    expect(trick!.x).toBe(1280);
    expect(hand.card).toBeGreaterThanOrEqual(150);
    expect(hand.card).toBeLessThanOrEqual(190);
  });
});

const zone = (role: string, owner?: number): ZoneView => ({ id: role, role, label: role, cards: ["Ks"], ...(owner === undefined ? {} : { owner }) });

describe("the part of the table for a zone", () => {
  it.each([["trick", true, "focus"], ["pile", false, "focus"], ["pile", true, "left"], ["stock", true, "left"], ["discard", false, "left"], ["row", true, "right"], ["meld", false, "seat"]] as const)(
    "of the role %s, tricks: %s, is %s", (role, tricks, part) => expect(partOf(zone(role), tricks)).toBe(part));
  it("is before its seat where somebody owns a row", () => expect(partOf(zone("row", 1), true)).toBe("seat"));
});

const seat = (number: number) => ({ seat: number, cards: 1, open: [], dealer: false, to_act: false, leader: false, side: null, marks: [], score: 0, place: 1 });
const scene: SceneView = {
  game: "any", title: "Any", seat: 0, players: 2, phase: "play", deal: 1, trump: null, headline: "", prompt: "", to_act: [1], hand: [], open: [], order: {}, seats: [seat(0), seat(1)],
  zones: [zone("stock"), zone("pile"), zone("row")], ahead: null, last_trick: null, offers: NO_OFFERS, result: [], finished: [], pot: null, done: false, winners: [],
};

describe("the middle of a table without tricks", () => {
  it("has the piles that are played on, after the others", () => {
    const { piles, stacks, rows } = layTable(scene);
    expect([piles.map(({ id }) => id), stacks, rows.map(({ id }) => id)]).toEqual([["stock", "pile"], 1, ["row"]]);
  });
});

describe("open cards of another seat", () => {
  const open = (cards: string[], shown: string[]) =>
    layTable({ ...scene, seats: [seat(0), { ...seat(1), open: cards }], zones: [{ ...zone("meld", 1), cards: shown }] }).before[0]?.map(({ id, cards }) => [id, cards]);
  it("lie before it once, though some lie there as a meld", () => expect(open(["Ks", "Qs", "Kd"], ["Ks", "Qs"])).toEqual([["open-1", ["Kd"]], ["meld", ["Ks", "Qs"]]]));
  it("are a meld alone where no others are open", () => expect(open(["Ks", "Qs"], ["Ks", "Qs"])).toEqual([["meld", ["Ks", "Qs"]]]));
});
