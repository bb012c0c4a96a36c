import { describe, expect, it } from "vitest";
import { NO_OFFERS } from "../src/live/scenes.ts";
import type { Move, Offers } from "../src/protocol.ts";
import { attempt, automatic, buttons, exactly, tapped, targetIn } from "../src/table/moves.ts";

const move = (text: string, verb = "", cards: string[] = [text], more: Partial<Move> = {}): Move => ({ text, verb, cards, label: text, ...more });
const offers = (more: Partial<Offers>): Offers => ({ ...NO_OFFERS, ...more });
const texts = (choices: { text: string }[]) => choices.map((one) => one.text);

const marriage = offers({ moves: [move("Kh"), move("Qh"), move("meld Kh Qh", "meld", ["Kh", "Qh"])], taps: { Kh: "Kh" } });
const kalooki = offers({
  moves: [
    move("discard Ks", "discard", ["Ks"]),
    move("discard 8h", "discard", ["8h"]),
    move("lay Ks Ks Kd", "lay", ["Ks", "Ks", "Kd"]),
    move("tack 8h 2", "tack", ["8h"], { zone: "meld-2" }),
  ],
  attempt: "discard",
  attempts: "lay",
});

describe("a tap on a card", () => {
  it("plays it where the table says so", () => expect(tapped("Kh", marriage, [], false)).toEqual({ do: "play", text: "Kh" }));
  it("selects it where the table does not", () => expect(tapped("Qh", marriage, [], false)).toEqual({ do: "select" }));
  it("selects it beside other cards", () => expect(tapped("Kh", marriage, ["Qh"], false)).toEqual({ do: "select" }));
  it("selects it where the person wants a button", () => expect(tapped("Kh", marriage, [], true)).toEqual({ do: "select" }));
  it("is an attempt where no move names it", () => expect(tapped("9h", marriage, [], false)).toEqual({ do: "try", text: "9h" }));
  it("selects what may be picked", () => {
    const pick = { verb: "throw", label: "Throw {cards}", sizes: [2], cards: ["9h"], worth: {}, asks: "" };
    expect(tapped("9h", offers({ picks: [pick] }), [], false)).toEqual({ do: "select" });
  });
});

describe("an attempt", () => {
  it("has the word for one card or for several", () =>
    expect([attempt(["*"], kalooki), attempt(["Ks", "8h"], kalooki)]).toEqual(["discard *", "lay Ks 8h"]));
});

describe("a selection", () => {
  it("counts equal cards", () => {
    expect(exactly(move("x", "x", ["Ks", "Ks"]), ["Ks", "Ks"])).toBe(true);
    expect(exactly(move("x", "x", ["Ks", "Kd"]), ["Ks", "Ks"])).toBe(false);
  });
  it("makes moves alone and asks for further cards", () => {
    const now = buttons(kalooki, ["Ks"], new Set(["Ks", "8h", "Kd"]), 3);
    expect([texts(now.exact), texts(now.groups), now.hint]).toEqual([["discard Ks"], ["lay Ks Ks Kd"], ""]);
  });
  it("goes to one place", () => {
    expect(targetIn("meld-2", kalooki, ["8h"])?.text).toBe("tack 8h 2");
    expect(targetIn("meld-2", kalooki, [])).toBeUndefined();
  });
});

describe("a pick", () => {
  const pick = { verb: "throw", label: "Throw {cards} for {worth}", sizes: [2], cards: ["9h", "8h", "7h"], worth: { "9h": 4, "7h": 1 }, asks: "?" };
  it("is a move as soon as enough cards are chosen, named in its own order", () => {
    const now = buttons(offers({ picks: [pick] }), ["7h", "9h"], new Set(), 3);
    expect(now.exact).toEqual([{ text: "throw 9h 7h", label: "Throw 9♥ 7♥ for 5", asks: "?", cards: [], zone: null }]);
  });
  it("says how many are wanted", () => {
    expect(buttons(offers({ picks: [pick] }), [], new Set(), 3).hint).toBe("Choose 2 cards");
    expect(buttons(offers({ picks: [pick] }), ["7h"], new Set(), 3).hint).toBe("1 chosen: choose 1 more");
  });
});

describe("the buttons", () => {
  it("put the words of a row side by side, not once more as buttons", () => {
    const bids = [0, 1, 2].map((number) => move(`bid ${number}`, "bid", [], { number }));
    const row = { title: "Bid", cards: [], words: ["0", "1", "2"], texts: texts(bids) };
    const now = buttons(offers({ moves: [...bids, move("pass", "pass", [])], rows: [row] }), [], new Set(), 3);
    expect([now.rows, texts(now.free)]).toEqual([[row], ["pass"]]);
  });
  it("show a row about cards when these are chosen", () => {
    const row = { title: "K♥ at Ada", cards: ["Kh"], words: ["5"], texts: ["king Kh 0 5"] };
    const now = offers({ moves: [move("king Kh 0 5", "king", ["Kh"])], rows: [row] });
    expect(buttons(now, [], new Set(["Kh"]), 3).rows).toEqual([]);
    expect(buttons(now, ["Kh"], new Set(["Kh"]), 3).rows).toEqual([row]);
  });
  it("offer cards that are nowhere to be tapped", () =>
    expect(texts(buttons(offers({ moves: [move("take 9c", "take", ["9c"])] }), [], new Set(["Kh"]), 3).groups)).toEqual(["take 9c"]));
});

describe("the only move", () => {
  const pass = move("pass", "pass", []);
  const [passes, plays] = [offers({ moves: [pass] }), offers({ moves: [move("Kh")] })];
  it.each([["never", false], ["passes", true], ["always", true]] as const)("is made alone with computers where one wishes %s, a pass: %s", (wish, made) =>
    expect(automatic(passes, wish, true)).toBe(made ? pass : undefined));
  it.each([["never", false], ["passes", false], ["always", true]] as const)("is made alone with computers where one wishes %s, a card: %s", (wish, made) =>
    expect(automatic(plays, wish, true)?.text).toBe(made ? "Kh" : undefined));
  it("is left to the person among other people, since the pause would betray the hand", () => expect(automatic(passes, "always", false)).toBeUndefined());
  it("is made among other people where everybody knows that there is no other", () => {
    expect(automatic({ ...passes, forced: "pass" }, "passes", false)).toBe(pass);
    expect(automatic({ ...plays, forced: "Kh" }, "passes", false)).toBeUndefined();
    expect(automatic({ ...plays, forced: "Kh" }, "always", false)?.text).toBe("Kh");
  });
  it("is none where there are two, a choice of cards, or a question", () => {
    expect(automatic(offers({ moves: [pass, move("Kh")] }), "always", true)).toBeUndefined();
    expect(automatic(offers({ moves: [pass], picks: [{ verb: "throw", label: "", sizes: [1], cards: ["Kh"], worth: {}, asks: "" }] }), "always", true)).toBeUndefined();
    expect(automatic(offers({ moves: [move("close", "close", [], { asks: "Really?" })] }), "always", true)).toBeUndefined();
  });
});
