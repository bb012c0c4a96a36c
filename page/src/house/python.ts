/** The worker: Python with Upcard's rules and tables, and the house of this browser in it. */
import type { loadPyodide, PyodideAPI } from "pyodide";
import { channelName, folderOf, type FromHouse, type Said, type ToHouse } from "./channel.ts";
import { CompiledGame } from "./compiled.ts";
import { Database } from "./database.ts";

interface BrowserHouse {
  ask(method: string, address: string, body: string, language: string): Promise<string>;
  open_line(line: string, table: string, language: string): Promise<void>;
  hear(line: string, text: string): Promise<void>;
  close_line(line: string): void;
}

/** This script is in `assets/`, the page one folder above it. */
const root = new URL("..", self.location.href).href;
const SITE = "/lib/upcard";

/** The page names the worker after its channel. */
const channel = new BroadcastChannel(self.name);
const post = (message: FromHouse) => channel.postMessage(message);
const lines = new Map<string, Set<number>>();

async function bytes(name: string): Promise<Uint8Array> {
  const answer = await fetch(`${root}python/${name}`);
  if (!answer.ok) throw new Error(`python/${name} is missing (${answer.status})`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Bytes of Python, which it lends for the time of a call. */
interface Memory {
  getBuffer(kind: "u8"): { data: Uint8Array; release(): void };
}

/** The modules of games, fetched when they are first needed. */
class CompiledGames {
  private readonly games = new Map<string, CompiledGame>();

  async load(game: string): Promise<boolean> {
    try {
      const answer = await fetch(`${root}compiled/${game}.wasm`);
      if (!answer.ok) return false;
      this.games.set(game, new CompiledGame(await WebAssembly.compile(await answer.arrayBuffer())));
      return true;
    } catch (error) {
      console.warn(error); // there is no connection
      return false;
    }
  }

  call(game: string, loop: string, listed: string, memory: Memory, room: number): number {
    const buffer = memory.getBuffer("u8");
    try {
      return this.games.get(game)!.call(loop, listed, buffer.data, room);
    } finally {
      buffer.release();
    }
  }
}

async function start(): Promise<BrowserHouse> {
  const parts = [bytes("upcard.zip"), bytes("msgspec.whl")] as const;
  const pyodide = (await import(/* @vite-ignore */ `${root}python/pyodide.mjs`)) as { loadPyodide: typeof loadPyodide };
  const python: PyodideAPI = await pyodide.loadPyodide({ indexURL: `${root}python/` });
  const [upcard, msgspec] = await Promise.all(parts);
  python.unpackArchive(upcard, "zip", { extractDir: SITE });
  python.unpackArchive(msgspec, "wheel", { extractDir: SITE });
  python.runPython(`import sys; sys.path.insert(0, "${SITE}")`);
  const { start_house } = python.pyimport("upcard.browser.worker") as {
    start_house: (database: Database, post: unknown, modules: CompiledGames) => BrowserHouse;
  };
  return start_house(new Database(channelName(folderOf(root))), send, new CompiledGames());
}

/** Sends a message to a line, whose name is that of a window and a number. */
function send(line: string, json: string, closed: string): void {
  const [to = "", number] = line.split(" ");
  post({ to, say: "message", line: Number(number), json, closed });
}

async function receive(house: BrowserHouse, message: ToHouse): Promise<void> {
  const window = lines.get(message.from) ?? new Set<number>();
  lines.set(message.from, window);
  const nameOf = (line: number) => `${message.from} ${line}`;
  switch (message.say) {
    case "hello":
      return post({ to: message.from, say: "ready" });
    case "ask":
      return post({ to: message.from, say: "answer", id: message.id, text: await house.ask(message.method, message.path, message.body, message.language) });
    case "open":
      window.add(message.line);
      return house.open_line(nameOf(message.line), message.table, message.language);
    case "hear":
      return house.hear(nameOf(message.line), message.text);
    case "close":
      window.delete(message.line);
      return house.close_line(nameOf(message.line));
    case "bye":
      window.forEach((line) => house.close_line(nameOf(line)));
      lines.delete(message.from);
  }
}

start().then(
  (house) => {
    channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.to === "house") receive(house, data as ToHouse).catch((error) => console.error(error));
    };
    post({ to: "all", say: "ready" });
  },
  (error: unknown) => {
    console.error(error);
    const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n"); // a traceback, if it is Python's
    post({ to: "all", say: "failed", why: lines.at(-1) ?? "" });
  },
);
