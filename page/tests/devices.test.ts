import { beforeEach, expect, it, vi } from "vitest";
import { openBrowser } from "./browser.ts";

let page: typeof import("../src/settings.svelte.ts");
beforeEach(async () => {
  vi.resetModules();
  openBrowser("https://cards.example/");
  page = await import("../src/settings.svelte.ts");
});

it("takes what is the person's to another device, and leaves what is the screen's", () => {
  Object.assign(page.settings, { name: "Ann", colours: 4, confirm: true, size: "large", sound: false, log: true });
  const carried = page.personalSettings();
  expect(carried).toMatchObject({ name: "Ann", colours: 4, confirm: true });
  for (const of of ["size", "sound", "log", "notify", "vibration", "keys"]) expect(carried).not.toHaveProperty(of);
});

it("takes no setting that it does not know, nor one that cannot be chosen", () => {
  const before = { ...page.settings };
  page.takePersonal({ size: "large", sound: false, felt: "plaid", colours: 3, pace: "", name: 7, confirm: "yes", more: 1, __proto__: 1, constructor: 1 });
  expect({ ...page.settings }).toEqual(before);
  page.takePersonal({ name: "Ann", felt: "wine", confirm: true, character: "frog" });
  expect({ ...page.settings }).toEqual({ ...before, name: "Ann", felt: "wine", confirm: true, character: "frog" });
});
