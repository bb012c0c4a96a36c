/** This browser's part in the shuffles: a nonce that is pledged on sitting down and given when play begins. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { TableView } from "../protocol.ts";

const KEPT = "upcard.nonces";
const MOST_KEPT = 50;

type Nonces = Record<string, string>;

/** Makes a nonce and remembers it; its SHA-256, which browsers have themselves on https only. Null where nothing can be kept. */
export function pledge(): string | null {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  const digest = bytesToHex(sha256(utf8ToBytes(nonce)));
  const all = [...Object.entries(kept()), [digest, nonce]].slice(-MOST_KEPT);
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(all)));
  } catch {
    return null; // a nonce that is forgotten would only make the others wait
  }
  return digest;
}

/** The nonce that this browser pledged at a table. */
export function nonceAt(table: TableView): string | null {
  const pledged = table.you === null ? null : table.shuffles?.pledged[table.you];
  return (pledged && kept()[pledged]) || null;
}

/** The nonce that is due now. */
export function nonceDue(table: TableView): string | null {
  return table.you !== null && table.shuffles?.waits_for.includes(table.you) ? nonceAt(table) : null;
}

function kept(): Nonces {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Nonces;
  } catch {
    return {};
  }
}
