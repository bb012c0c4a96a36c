import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const SOURCES = new URL("../src/", import.meta.url);
const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|svelte)$/.test(name));

/** Where the code outside of `allowed` says something; comments may. */
function places(pattern: RegExp, allowed: (name: string) => boolean): string[] {
  return files.filter((name) => !allowed(name)).flatMap((name) => {
    const lines = readFileSync(new URL(name, SOURCES), "utf8").split("\n");
    return lines.flatMap((line, index) => (pattern.test(line) && !/^\s*(\/\*\*|\*|\/\/)/.test(line) ? [`${name}:${index + 1} ${line.trim()}`] : []));
  });
}

it("only the house asks over the network", () => {
  expect(files.length).toBeGreaterThan(60);
  expect(places(/\bfetch\(|\b(WebSocket|EventSource|XMLHttpRequest|sendBeacon)\b|\/api\//, (name) => ["house/http.svelte.ts", "house/worker.svelte.ts", "house/python.ts"].includes(name))).toEqual([]);
});

it("only the router, and the worker for itself, makes and reads addresses", () => {
  const made = /\blocation\.(href|origin|pathname|search|hash)\b|\bhistory\.|\b(href|src)=("\/|\{`\/)/;
  expect(places(made, (name) => ["router.svelte.ts", "house/python.ts"].includes(name))).toEqual([]);
});
