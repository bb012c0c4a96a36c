// Runs compiled loops with the page's own script. It reads lines of JSON from a test and answers each with one.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { CompiledGame } from "../page/src/house/compiled.ts";

const game = new CompiledGame(new WebAssembly.Module(readFileSync(process.argv[2])));
for await (const line of createInterface({ input: process.stdin })) {
  const { loop, listed, memory, room } = JSON.parse(line);
  const bytes = new Uint8Array(Buffer.from(memory, "base64"));
  const started = performance.now();
  const result = game.call(loop, listed, bytes, room);
  const spent = performance.now() - started;
  console.log(JSON.stringify({ result: String(result), memory: Buffer.from(bytes).toString("base64"), spent }));
}
