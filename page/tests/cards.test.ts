import { describe, expect, it } from "vitest";
import { aloud, copies, lettered, partsOf, signed, spoken, withoutCards } from "../src/cards/names.ts";
import { pipsOf } from "../src/cards/pips.ts";
import { SHAPES } from "../src/cards/shapes.ts";
import { arrange } from "../src/cards/sorting.ts";

const cards = (found: { card: string }[]) => found.map((copy) => copy.card);

describe("a hand", () => {
  const hand = copies(["As", "Ks", "Ks", "2h"]);
  it("tells equal cards apart", () => expect(hand.map((copy) => copy.key)).toEqual(["As#0", "Ks#0", "Ks#1", "2h#0"]));
  it("stays as it was laid, new cards beside their neighbour", () =>
    expect(arrange(hand, "table", ["2h#0", "As#0", "Qd#0"], {}, null).map((copy) => copy.key)).toEqual(["2h#0", "As#0", "Ks#0", "Ks#1"]));
  it("is sorted as the game ranks its cards, trumps above all", () => {
    const order = { plain: "789JQKTA", trump: "78QKTA9J" };
    expect(cards(arrange(copies(["Kh", "Th", "Jd", "Ad", "Js"]), "rank", [], order, "d"))).toEqual(["Jd", "Ad", "Th", "Kh", "Js"]);
  });
  it("has trumps at the left end on demand", () => expect(cards(arrange(hand, "reversed", [], {}, null))).toEqual(["2h", "Ks", "Ks", "As"]));
});

describe("a card", () => {
  it("is spoken in words", () => expect([spoken("Td"), spoken("*")]).toEqual(["ten of diamonds", "joker"]));
  it("is read out of a text by its name, and a suit by its own", () =>
    expect(["Lay 10♠ 3♦ Joker", "You play K♥ and take the trick", "Maker ♣"].map(aloud)).toEqual(["Lay ten of spades, three of diamonds, Joker", "You play king of hearts and take the trick", "Maker clubs"]));
  it("is written with its sign", () => expect([signed("Td"), signed("*")]).toEqual(["10♦", "joker"]));
});

describe("the pips of a card", () => {
  it.each(["s", "h", "d", "c"])("are one path of the suit %s, which its first point moves", (suit) => {
    expect(SHAPES[suit]).toMatch(/^M50 \d+[^A-Z]*$/);
    const { path, transform } = pipsOf("7", suit);
    expect([path.match(/z/g)?.length, transform]).toEqual([7, "scale(0.24)"]);
    const starts = [...path.matchAll(/M(\S+) /g)].map(([, x]) => Math.round(Number(x) * 0.24));
    expect(starts).toEqual([47, 79, 47, 79, 47, 79, 63]);
  });
});

describe("a card in a sentence", () => {
  const card = (rank: string, suit: string, says: string, after = "") => ({ rank, suit, after, says });
  it("is found with what must stay on its line", () =>
    expect(partsOf("You must play Q♥, or 10♠", "JQKA")).toEqual([{ text: "You must play " }, card("Q", "h", "queen of hearts,", ","), { text: " or " }, card("10", "s", "ten of spades")]));
  it("has the letter that is in its corner", () => {
    expect(partsOf("J♣ Q♣ K♣", "BDKA").flatMap((part) => ("suit" in part ? [part.rank] : []))).toEqual(["B", "D", "K"]);
    expect(lettered("Bo plays J♥ and Joker; Q is no card", "BDKA")).toBe("Bo plays B♥ and Joker; Q is no card");
    expect(lettered("Bo plays J♥", "JQKA")).toBe("Bo plays J♥");
  });
  it("may be a suit alone", () => expect(partsOf("♦ are trumps", "BDKA")).toEqual([card("", "d", "diamonds"), { text: " are trumps" }]));
  it("is none without a suit", () => expect([partsOf("K. Jones bids 10", "BDKA"), partsOf("", "BDKA")]).toEqual([[{ text: "K. Jones bids 10" }], []]));
  it("can be left out", () => expect(withoutCards("Lay 9♠ 10♠ and J♠ down")).toBe("Lay and down"));
});
