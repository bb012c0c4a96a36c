/** The match records in a file: one JSON object, or one on each line; in UTF-8 or UTF-16. Throws for anything else. */
import { t } from "../language.svelte.ts";
export function recordsIn(bytes: ArrayBuffer): object[] {
  const text = decoded(bytes);
  const lines = text.split("\n").filter((line) => line.trim());
  const records = parsed(text) ?? lines.map(parsed);
  const each = Array.isArray(records) ? records : [records];
  if (each.length && each.every(isRecord)) return each;
  throw new Error(t("This file is not a match record."));
}

/** Byte order marks name UTF-16, and are dropped. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  const utf16 = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null;
  return new TextDecoder(utf16 ?? "utf-8").decode(bytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);
