import { afterEach, describe, expect, it } from "vitest";
import { ENGLISH, listed, numeral, speak, t, tagged, taggedn, tc, tn, together, type Catalog } from "../src/language.svelte.ts";

const POLISH: Catalog = {
  tag: "pl", direction: "ltr",
  texts: {
    "Deal {number} of {deals}": "Z {deals} rozdań {number}.", "{n} card": { one: "{n} karta", few: "{n} karty", many: "{n} kart", other: "{n} karty" },
    "felt\u0004blue": "niebieskie", "back of a card\u0004blue": "niebieski", "Read <rules>the rules</rules> first": "Najpierw <rules>zasady</rules>",
  },
};
const ARABIC: Catalog = { tag: "ar", direction: "rtl", texts: { "{name} took it": "أخذها {name}" } };
const card = (n: number) => tn("{n} card", "{n} cards", n);

afterEach(() => speak(ENGLISH));

describe("English", () => {
  it("needs no catalog", () => expect([t("Deal {number} of {deals}", { number: 2, deals: 5 }), card(1), card(0), tc("felt", "blue")]).toEqual(["Deal 2 of 5", "1 card", "0 cards", "blue"]));
  it("lists and numbers as ever", () => expect([listed(["A", "B", "C"]), together(["A", "B", "C"]), together(["A", "B"]), together([]), numeral(12345.5)]).toEqual(["A, B, C", "A, B and C", "A and B", "", "12345.5"]));
});

describe("another language", () => {
  it("has its own order of words", () => (speak(POLISH), expect(t("Deal {number} of {deals}", { number: 2, deals: 5 })).toBe("Z 5 rozdań 2.")));
  it("has its own plurals", () => (speak(POLISH), expect([1, 2, 5, 22].map(card)).toEqual(["1 karta", "2 karty", "5 kart", "22 karty"])));
  it("has one word for each context", () => (speak(POLISH), expect([tc("felt", "blue"), tc("back of a card", "blue"), t("blue")]).toEqual(["niebieskie", "niebieski", "blue"])));
  it("is English where it lacks a text", () => (speak(POLISH), expect([t("Sit down"), tn("{n} seat free", "{n} seats free", 5)]).toEqual(["Sit down", "5 seats free"])));
  it("writes numbers and lists its own way", () => (speak(POLISH), expect([numeral(1.5), together(["A", "B"])]).toEqual(["1,5", "A i B"])));
});

describe("a text with tags", () => {
  it("comes in pieces, in the order of the language", () => {
    speak(POLISH);
    expect(tagged("Read <rules>the rules</rules> first")).toEqual([{ tag: "", text: "Najpierw " }, { tag: "rules", text: "zasady" }]);
  });
  it("takes no tags from names", () => expect(tagged("<b>{name}</b> is away.", { name: "<b>Ann</b>{name}" })).toEqual([{ tag: "b", text: "<b>Ann</b>{name}" }, { tag: "", text: " is away." }]));
  it("may have a number", () => expect(taggedn("<b>{n}</b> card", "<b>{n}</b> cards", 3)).toEqual([{ tag: "b", text: "3" }, { tag: "", text: " cards" }]));
});

it("keeps names apart from the order around them where people read from the right", () => {
  expect(t("{name} took it", { name: "Ann" })).toBe("Ann took it");
  speak(ARABIC);
  expect(t("{name} took it", { name: "Ann" })).toBe("أخذها \u2068Ann\u2069");
});
