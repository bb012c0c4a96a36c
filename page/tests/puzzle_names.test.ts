import { expect, it } from "vitest";
import { namesAround } from "../src/puzzle/names.ts";

it("tells the solver of a puzzle from an opponent of the same name", () => {
  expect(namesAround(["Ann", "You", "Ben"], 1, "Cleo", "Du")).toEqual(["Ann", "Cleo", "Ben"]);
  expect(namesAround(["Ann", "You", "Ben"], 1, "ann", "Du")).toEqual(["Ann", "Du", "Ben"]);
  expect(namesAround(["Ann", "You"], 1, "", "Du")).toEqual(["Ann", "Du"]);
});
