import { describe, expect, it } from "vitest";
import { recordsIn } from "../src/lobby/records.ts";

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer as ArrayBuffer;
const inUtf16 = (text: string): ArrayBuffer => Uint16Array.from(`\ufeff${text}`, (letter) => letter.charCodeAt(0)).buffer;

describe("Records in a file", () => {
  it("may be one object, also over several lines", () => {
    expect(recordsIn(bytes('{"upcard": 1,\n "events": []}'))).toEqual([{ upcard: 1, events: [] }]);
  });
  it("may be several, one a line", () => {
    expect(recordsIn(bytes('{"upcard": 1}\r\n\n{"upcard": 2}\n'))).toEqual([{ upcard: 1 }, { upcard: 2 }]);
  });
  it("may begin with a byte order mark, or be in UTF-16", () => {
    for (const file of [bytes('\ufeff{"upcard": 1}'), inUtf16('{"upcard": 1}')]) expect(recordsIn(file)).toEqual([{ upcard: 1 }]);
  });
  it("are nothing else", () => {
    for (const text of ["", "7", "null", "[1]", "{", '{"upcard": 1}\n7']) expect(() => recordsIn(bytes(text))).toThrow("not a match record");
  });
});
