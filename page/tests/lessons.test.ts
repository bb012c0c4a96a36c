import { beforeEach, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";

openBrowser("http://house.example/");
const { keepProgress, nextLesson } = await import("../src/lesson/progress.ts");

beforeEach(() => {
  const stored = new Map<string, string>();
  const storage = { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => void stored.set(key, value) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
});

test("the lesson to take next is the first that was not played to its end", () => {
  expect(nextLesson("loo", 2)).toBe(1);
  keepProgress("loo", 1, { at: 4, done: false });
  expect(nextLesson("loo", 2)).toBe(1);
  keepProgress("loo", 1, { at: 11, done: true });
  expect(nextLesson("loo", 2)).toBe(2);
  expect(nextLesson("cinch", 2)).toBe(1);
  keepProgress("loo", 2, { at: 11, done: true });
  expect(nextLesson("loo", 2)).toBe(1);
});
