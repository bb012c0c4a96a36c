import { describe, expect, it } from "vitest";
import { bare, texts } from "../tools/texts.mjs";

/** Read before the tests begin, which on a busy machine would be over by then. */
const [all, shown] = [texts(), bare()];
const marks = (text: string) => text.match(/\{\w*\}|<\/?\w+>/g) ?? [];

/** Names, notation, and what no player reads. */
const SAME_EVERYWHERE = [
  "Upcard", "Cleo", "0=As Ks; upcard=Td", "/replay?", "anybody?", "the page has no #app", "there is no compiled loop", "this browser has no room left for it", "the browser does not say why", "fetch the rest", "the browser has changed since the snapshot",
];

it("every text that people read is one to be translated", () => {
  expect(all.length).toBeGreaterThan(600);
  expect(shown.filter((line) => !SAME_EVERYWHERE.includes(line.slice(line.indexOf(" ") + 1)))).toEqual([]);
});

describe("what is to be translated", () => {
  it("has both forms of a number with the same places", () =>
    expect(all.filter(({ msgid, plural }) => plural && marks(msgid).sort().join() !== marks(plural).sort().join())).toEqual([]));
  it("has tags in pairs", () => expect(all.filter(({ msgid }) => marks(msgid.replace(/<(\w+)>[^<]*<\/\1>/g, "")).some((mark) => mark.startsWith("<")))).toEqual([]));
});

describe("a text", () => {
  const find = (source: string) => texts([["page.ts", source]]);
  const untranslated = (source: string) => bare([["Part.svelte", source]]).map((line) => line.split(" ").slice(1).join(" "));
  it("is found with its place", () => expect(find(`f();\nt("Sit down");`)).toMatchObject([{ msgid: "Sit down", plural: null, places: [expect.stringMatching(/:2$/)] }]));
  it("must be written out", () => expect(() => find("t(`Sit ${down}`);")).toThrow("written out"));
  it("has one second form", () => expect(() => find(`tn("{n} card", "{n} cards", 1); t("{n} card");`)).toThrow("second form"));
  it("is missed wherever it is shown", () =>
    expect(untranslated(`<script lang="ts">const a = "Sit down here";</script><p title="Come">Come {late ? "in" : t("out")} {a === "Sit down"}</p>`)).toEqual(["Come", "Come", "in", "Sit down here"]));
});
