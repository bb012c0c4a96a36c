import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { nonceAt, nonceDue, pledge } from "../src/live/pledges.ts";
import type { TableView } from "../src/protocol.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
});

const table = (pledged: string | null, waits_for: number[]) =>
  ({ you: 0, shuffles: { commitment: "", pledged: [pledged, null], nonces: [null, null], settled: false, waits_for, until: null } }) as unknown as TableView;

test("a nonce is given when it is due, and it is the one that was pledged", () => {
  const first = pledge();
  const second = pledge();
  expect(first).not.toBe(second);
  const nonce = nonceDue(table(first, [0, 1])) ?? "";
  expect(nonce).toMatch(/^[0-9a-f]{64}$/);
  expect(createHash("sha256").update(nonce).digest("hex")).toBe(first);
});

test("a nonce is not given before it is due, nor one that somebody else pledged", () => {
  const mine = pledge();
  expect(nonceDue(table(mine, [1]))).toBeNull();
  expect(nonceAt(table(mine, []))).not.toBeNull();
  expect(nonceDue(table("0".repeat(64), [0]))).toBeNull();
});
