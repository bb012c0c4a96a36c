import { describe, expect, it } from "vitest";
import { arrange, copies, spoken } from "../src/cards.ts";
import { attempt, clicked, exactly, offer, uses } from "../src/moves.ts";
import type { Move } from "../src/protocol.ts";

const move = (text: string, verb = "", cards: string[] = [text], more: Partial<Move> = {}): Move => ({ text, verb, cards, label: text, ...more });

const marriage = [move("Kh"), move("Qh"), move("meld Kh Qh", "meld", ["Kh", "Qh"])];
const kalooki = [
  move("discard Ks", "discard", ["Ks"]),
  move("discard 8h", "discard", ["8h"]),
  move("lay Ks Ks Kd", "lay", ["Ks", "Ks", "Kd"]),
  move("tack 8h 2", "tack", ["8h"], { number: 2, zone: "meld-2" }),
];

describe("a click on a card", () => {
  it("plays it where that is its only meaning alone", () => expect(clicked("Kh", marriage, false)).toEqual({ do: "play", move: marriage[0] }));
  it("selects it where more cards could join it", () => expect(clicked("Ks", kalooki, false)).toEqual({ do: "select" }));
  it("selects it where it could go to several places", () => expect(clicked("8h", kalooki, false)).toEqual({ do: "select" }));
  it("selects it where the person wants to be asked", () => expect(clicked("Kh", marriage, true)).toEqual({ do: "select" }));
  it("is an attempt where no move names it", () => expect(clicked("9h", marriage, false)).toEqual({ do: "attempt", text: "9h" }));
  it("attempts it with the word of the moment", () => expect(attempt(["*"], [kalooki[0]!])).toBe("discard *"));
  it("attempts several cards with the word for several", () => expect(attempt(["Ks", "8h"], kalooki)).toBe("lay Ks 8h"));
});

describe("a selection", () => {
  it("counts equal cards", () => {
    expect(uses(kalooki[2]!, ["Ks", "Ks"])).toBe(true);
    expect(uses(marriage[2]!, ["Kh", "Kh"])).toBe(false);
  });
  it("fits exactly or in part", () => {
    expect(exactly(kalooki[2]!, ["Kd", "Ks", "Ks"])).toBe(true);
    const now = offer(kalooki, ["Ks"], new Set(["Ks", "8h", "Kd"]));
    expect(now.exact.map((one) => one.text)).toEqual(["discard Ks"]);
    expect(now.groups.map((one) => one.text)).toEqual(["lay Ks Ks Kd"]);
  });
});

describe("the action bar", () => {
  it("puts numbers in a row and leaves cards in the hand to be clicked", () => {
    const bids = [0, 1, 2].map((number) => move(`bid ${number}`, "bid", [], { number }));
    const now = offer([...bids, move("pass", "pass", []), ...marriage], [], new Set(["Kh", "Qh"]));
    expect(now.rows).toEqual([{ title: "bid", moves: bids.map((one) => ({ move: one, short: String(one.number) })) }]);
    expect(now.free.map((one) => one.text)).toEqual(["pass"]);
    expect(now.groups.map((one) => one.text)).toEqual(["meld Kh Qh"]);
  });
  it("puts what one card can do at one place in a row", () => {
    const label = (where: string, rank: string) => move(`king Kh ${where} ${rank}`, "king", ["Kh"], { label: `K♥ at ${where}: ${rank}` });
    const now = offer([label("Ada", "5"), label("Ada", "6"), label("Bo", "5"), move("pass Kh", "pass", ["Kh"])], ["Kh"], new Set(["Kh"]));
    expect(now.rows.map((row) => [row.title, row.moves.map((one) => one.short)])).toEqual([["K♥ at Ada", ["5", "6"]], ["K♥ at Bo", ["5"]]]);
    expect(now.exact.map((one) => one.text)).toEqual(["pass Kh"]);
  });
  it("offers cards that are nowhere to be clicked", () => {
    const now = offer([move("take 9c", "take", ["9c"])], [], new Set(["Kh"]));
    expect(now.groups.map((one) => one.text)).toEqual(["take 9c"]);
  });
});

describe("a hand", () => {
  const hand = copies(["As", "Ks", "Ks", "2h"]);
  it("tells equal cards apart", () => expect(hand.map((copy) => copy.key)).toEqual(["As#0", "Ks#0", "Ks#1", "2h#0"]));
  it("keeps the order by hand and puts new cards beside their neighbour", () =>
    expect(arrange(hand, "manual", ["2h#0", "As#0", "Qd#0"]).map((copy) => copy.key)).toEqual(["2h#0", "As#0", "Ks#0", "Ks#1"]));
  it("is spoken in words", () => expect([spoken("Td"), spoken("*")]).toEqual(["ten of diamonds", "joker"]));
});
