import { describe, expect, it } from "vitest";
import { crownedIn } from "../src/cards/crowned.ts";
import { momentOf } from "../src/live/moments.ts";
import { letterOf } from "../src/parts/keys.ts";
import type { MarkView, SceneView, SeatView, UtteranceView } from "../src/protocol.ts";
import { gaugesOf, gaugeSays } from "../src/table/gauges.ts";

const seat = (number: number, side: number | null, marks: MarkView[]): SeatView =>
  ({ seat: number, cards: 3, open: [], dealer: false, to_act: false, leader: false, side, marks, score: 0, place: 1 });
const scene = (marks: MarkView[], seats: SeatView[] = [], viewer: number | null = 0) => ({ marks, seats, seat: viewer }) as SceneView;
const says = (of: SceneView, selected: string[] = []) => gaugesOf(of, selected).map((gauge) => gaugeSays(gauge, (one) => `team ${one}`));

describe("instruments", () => {
  it("are none where no mark has a role of the table", () => expect(gaugesOf(scene([{ label: "Round", value: "3" }], [seat(0, null, [{ label: "Bid", value: "2", role: "bid" }])]))).toEqual([]));
  it("give the value of each suit", () =>
    expect(says(scene([{ label: "♣", value: "3", role: "suit" }, { label: "♥", value: "2", role: "suit" }]))).toEqual(["Bid values: ♣ 3, ♥ 2"]));
  it.each([[["2", "3"], "Bids: 5 of 4, 1 over"], [["2", "2"], "Bids: 4 of 4, even"], [["1", "0"], "Bids: 1 of 4, 3 under"], [["1", "–"], "Bids: 1 of 4"]])("weigh bids %j: %s", (bids, text) => {
    const sum = bids.reduce((total, bid) => total + (Number(bid) || 0), 0);
    expect(says(scene([{ label: "Bids", value: String(sum), role: "bids", of: 4 }], bids.map((value, index) => seat(index, null, [{ label: "Bid", value, role: "bid" }]))))).toEqual([text]);
  });
  it.each([[[], [0, 0]], [["Kh", "Kd"], [2, 0]], [["Kh", "*", "Kd"], [3, 0]], [["5h", "6h"], [0, 2]], [["5h", "6s"], [0, 0]]])("fill a contract with %j: %j", (selected, filled) => {
    const [gauge] = gaugesOf(scene([{ label: "Threes", value: "0", role: "three", of: 1 }, { label: "Fours", value: "0", role: "four", of: 1 }]), selected);
    expect(gauge).toMatchObject({ kind: "contract", melds: [{ cards: 3, laid: false, filled: filled[0] }, { cards: 4, laid: false, filled: filled[1] }] });
  });
  it("fill the next meld of a kind", () => {
    const [gauge] = gaugesOf(scene([{ label: "Threes", value: "1", role: "three", of: 3 }]), ["Kh", "Kd"]);
    expect(gauge).toMatchObject({ melds: [{ laid: true, filled: 3 }, { laid: false, filled: 2 }, { laid: false, filled: 0 }] });
  });
  it("count two teams, the viewer's first, with the contract", () => {
    const points = (value: string): MarkView => ({ label: "Points", value, role: "points", of: 14 });
    const seats = [0, 1, 2, 3].map((number) => seat(number, number % 2, [points(number % 2 ? "9" : "4"), ...(number === 3 ? [{ label: "Contract", value: "8", role: "maker" }] : [])]));
    expect(says(scene([], seats))).toEqual(["Points: team 0 4; team 1 9, contract 8"]);
    expect(says(scene([], seats, 1))).toEqual(["Points: team 1 9, contract 8; team 0 4"]);
  });
});

describe("crowns", () => {
  const crowned = (trumps: string[], trump: string | null) => [...crownedIn({ order: { trumps }, trump } as SceneView)].sort();
  it("are on trumps of other suits", () => expect(crowned(["5d"], "h")).toEqual(["5d"]));
  it("are on all cards of a trump rank", () => expect(crowned(["8s", "8d", "8c"], "h")).toEqual(["8c", "8d", "8h", "8s"]));
});

describe("a moment", () => {
  const line = (kind: UtteranceView["kind"], text: string, seat = 1): UtteranceView => ({ kind, text, seat });
  it("is not what is only said", () => expect(momentOf([line("declare", "Forty"), line("points", "+40")])).toBeNull());
  it("has the points that are made with it", () =>
    expect(momentOf([line("declare", "Forty"), line("points", "+40"), line("highlight", "Marriage in hearts")])).toEqual({ seats: [1], text: "Marriage in hearts", points: "+40" }));
  it("can be of several", () => expect(momentOf([line("highlight", "Bid made!", 0), line("highlight", "Bid made!", 2)])).toEqual({ seats: [0, 2], text: "Bid made!", points: "" }));
});

describe("a letter", () => {
  it.each([["h", "KeyH", "h"], ["H", "KeyH", "h"], ["р", "KeyH", "h"], ["ا", "KeyH", "h"], ["a", "KeyQ", "a"], ["é", "Digit2", "é"], ["Escape", "Escape", "escape"], ["ж", "Semicolon", "ж"]])(
    "%s of the key %s is %s", (key, code, letter) => expect(letterOf({ key, code })).toBe(letter));
});
