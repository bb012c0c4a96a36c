/** The worker: Python with Upcard's rules and tables, and the house of this browser in it. */
import type { PyodideAPI } from "pyodide";
import { channelName, folderOf, type FromHouse, type Said, type ToHouse } from "./channel.ts";
import { CompiledGame } from "./compiled.ts";
import { Database } from "./database.ts";
import { unpackFetched } from "./packed.ts";
import { restorePython, type Snapshot, type Sources, sourcesIn, startPython, write } from "./pyodide.ts";
import { forgetSnapshot, storedSnapshot, storeSnapshot } from "./snapshots.ts";

interface BrowserHouse {
  ask(method: string, address: string, body: string, language: string): Promise<string>;
  open_line(line: string, table: string, language: string): Promise<void>;
  hear(line: string, text: string): Promise<void>;
  close_line(line: string): void;
  read_language(): void;
}

/** This script is in `assets/`, the page one folder above it. */
const root = new URL("..", self.location.href).href;
const folder = folderOf(root);
const snapshotAddress = `${root}python/snapshot`;
/** Milliseconds after which the snapshot is stored, when the page has begun. */
const STORE_AFTER = 3000;

/** The page names the worker after its channel. */
const channel = new BroadcastChannel(self.name);
const post = (message: FromHouse) => channel.postMessage(message);
const lines = new Map<string, Set<number>>();

/** Bytes of Python, which it lends for the time of a call. */
interface Memory {
  getBuffer(kind: "u8"): { data: Uint8Array; release(): void };
}

const addressOf = (game: string): string => `${root}compiled/${game}.wasm`;

/** The house, and Python's further files. */
interface Running {
  house: BrowserHouse;
  later: LaterFiles;
}

/** The modules of games, fetched when they are first needed. */
class CompiledGames {
  private readonly games = new Map<string, CompiledGame>();

  async load(game: string): Promise<boolean> {
    try {
      const answer = await fetch(addressOf(game));
      if (!answer.ok) return false;
      this.games.set(game, new CompiledGame(await WebAssembly.compile(await answer.arrayBuffer())));
      return true;
    } catch (error) {
      console.warn(error); // there is no connection
      return false;
    }
  }

  /** Fetches the modules again that are here, for the browser to keep them. */
  keep(): void {
    this.games.forEach((_, game) => void fetch(addressOf(game)).catch(() => {}));
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

const modules = new CompiledGames();

async function fetchFiles(name: string): Promise<Sources> {
  const answer = await fetch(`${root}python/${name}.files`);
  if (!answer.ok) throw new Error(`python/${name}.files.gz is missing (${answer.status})`);
  return sourcesIn(new Uint8Array(await answer.arrayBuffer()));
}

/** Upcard's files that are not there from the start, by the names of their parts. */
class LaterFiles {
  constructor(private readonly python: PyodideAPI) {}

  /** Fetches a part and writes it beside the others; whether it is there now. */
  async load(part: string): Promise<boolean> {
    try {
      write(this.python as unknown as Parameters<typeof write>[0], (await fetchFiles(part)).files);
      return true;
    } catch (error) {
      console.warn(error); // there is no connection
      return false;
    }
  }
}

/** The languages that Python has read. */
const read = new Set(["en"]);

/** Fetches what Python needs to speak a language; without a connection it speaks English. */
async function readLanguage({ house, later }: Running, language: string): Promise<void> {
  if (read.has(language) || !(await later.load(language))) return;
  house.read_language();
  read.add(language);
}

async function start(): Promise<Running> {
  unpackFetched();
  const sources = await fetchFiles("upcard");
  return (await restored(sources)) ?? (await begun(sources));
}

/** The house in Python from a snapshot; null where there is none, or where it no longer fits. */
async function restored(sources: Sources): Promise<Running | null> {
  try {
    const snapshot = await storedSnapshot(channelName(folder), snapshotAddress, sources.build);
    if (!snapshot) return null;
    const house = houseIn(await restorePython(root, sources, snapshot));
    performance.mark("restored");
    return house;
  } catch (error) {
    console.warn(error);
    await forgetSnapshot(channelName(folder), snapshotAddress).catch(() => {});
    return null;
  }
}

/** The house in a Python that starts here. */
async function begun(sources: Sources): Promise<Running> {
  const { python, snapshot } = await startPython(root, sources);
  setTimeout(store, STORE_AFTER, sources.build, snapshot);
  return houseIn(python);
}

function store(build: string, snapshot: Snapshot): void {
  storeSnapshot(channelName(folder), snapshotAddress, build, snapshot).catch(() => {}); // the browser has no room left for it
}

function houseIn(python: PyodideAPI): Running {
  const { start_house } = python.pyimport("upcard.browser.worker") as {
    start_house: (database: Database, post: unknown, modules: CompiledGames, files: LaterFiles) => BrowserHouse;
  };
  const later = new LaterFiles(python);
  return { house: start_house(new Database(channelName(folder)), send, modules, later), later };
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
    case "keep":
      return modules.keep();
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
  (running) => {
    let before = Promise.resolve();
    channel.onmessage = ({ data }: MessageEvent<Said>) => {
      if (data.to !== "house") return;
      const message = data as ToHouse;
      // In order: what a line hears must not come before the line.
      before = before.then(() => ("language" in message ? readLanguage(running, message.language) : undefined)).catch((error) => console.error(error));
      before.then(() => receive(running.house, message)).catch((error) => console.error(error));
    };
    post({ to: "all", say: "ready" });
  },
  (error: unknown) => {
    console.error(error);
    const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n"); // a traceback, if it is Python's
    post({ to: "all", say: "failed", why: lines.at(-1) ?? "" });
  },
);
