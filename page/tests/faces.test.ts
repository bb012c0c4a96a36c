import { describe, expect, it } from "vitest";
import { characterOf, CHARACTERS, colourOf, COLOURS, initials, PEOPLE } from "../src/parts/faces.ts";
import type { SceneView, SeatView } from "../src/protocol.ts";
import { identify, type TablePeople } from "../src/table/identity.ts";

const light = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

describe("initials", () => {
  it.each([
    [["Ann", "Bo"], ["A", "B"]], [["Ada", "Ann", "Bea", "Basil"], ["AD", "AN", "BE", "BA"]], [["Ann", "Ann", "ann"], ["AN", "A2", "A3"]], [["", "Ann"], ["?", "A"]], [["Anna", "Anton", "Anja"], ["AN", "AT", "AJ"]],
  ])("of %j", (names, letters) => expect(initials(names)).toEqual(letters));
  it("never collide, whatever the names are", () => {
    const names = ["A", "a", "AA", "Aa", "B", "BA", "AB", "1", " ", "A1"];
    for (let turn = 0; turn < names.length; turn++) expect(new Set(initials([...names.slice(turn), ...names.slice(0, turn)])).size).toBe(names.length);
  });
});

describe("faces", () => {
  it("has white letters on colours dark enough for them", () => COLOURS.forEach((colour) => expect(1.05 / (light(colour) + 0.05), colour).toBeGreaterThan(4.5)));
  it("gives ten people ten different faces and colours", () => {
    expect(new Set(PEOPLE).size).toBe(10);
    expect(new Set(PEOPLE.map((_, seat) => colourOf(seat, null))).size).toBe(10);
  });
  it("gives each level of computer players a face that no person has", () => {
    const faces = ["easy", "casual", "medium", "strong", "expert"].map((level) => characterOf(0, level));
    expect(new Set([...faces, ...PEOPLE]).size).toBe(Object.keys(CHARACTERS).length);
  });
});

const seat = (number: number, side: number | null, marks: SeatView["marks"] = []): SeatView =>
  ({ seat: number, cards: 3, open: [], dealer: false, to_act: false, leader: false, side, marks, score: 0, place: 1 });
const people = (seats: SeatView[], viewer: number | null): TablePeople =>
  ({ seats: [], you: viewer, chosen: "tiger", scene: { seat: viewer, seats } as SceneView });

describe("two teams", () => {
  const seats = [0, 1, 2, 3].map((number) => seat(number, number % 2));
  it("have one colour each", () => expect(new Set(seats.map((one) => identify(one, undefined).colour)).size).toBe(2));
  it.each([[0, [0, 1]], [3, [3, 0]], [null, [0, 1]]])("have two scores, seen from seat %s", (viewer, shown) =>
    expect(seats.filter((one) => identify(one, people(seats, viewer)).scores).map((one) => one.seat).sort()).toEqual([...shown].sort()));
});

describe("seats", () => {
  it("show the face that their player has chosen, to that player", () => expect([0, 1].map((number) => identify(seat(number, null), people([], 1)).character)).toEqual(["bear", "tiger"]));
  it("all have scores where nobody has a partner", () => expect([0, 1].every((number) => identify(seat(number, null), people([], 0)).scores)).toBe(true));
  it.each([["Bid", "pass", "out", true], ["Bid", "pass", "bid", false], ["Bid", "out", "", false]])("with %s %s of role %j: out %s", (label, value, role, out) =>
    expect(identify(seat(0, null, [{ label, value, role }]), people([], 0)).out).toBe(out));
});
