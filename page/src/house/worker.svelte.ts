/** A house in a worker of this browser: no server. One window has the worker, and all windows speak with it. */
import type { Abilities, Failure, FromTable, ToTable } from "../protocol.ts";
import { type Between, channelName, folderOf, type FromHouse, type Said, type ToHouse } from "./channel.ts";
import { keepMatches, keptFiles } from "./keeping.svelte.ts";
import { language, t } from "../language.svelte.ts";
import { type House, type Line, type Method, Refusal } from "./house.ts";

/** What is the same for everybody lies in files, which are there before Python is. */
const FIXED = /^(club|club\/privacy|games|levels|games\/[\w-]+\/(rules|rulebook)|languages\/[\w-]+)$/;
/** Milliseconds after which a silent worker's window is called, and after which the worker is taken from it. */
const CALL_AFTER = 4000;
const TAKE_AFTER = 4000;

interface Answer {
  status: number;
  body: unknown;
}
type Asked = Extract<ToHouse, { say: "ask" }>;
interface Waiting {
  asked: Asked;
  /** Whether a house has heard it, which may have done it before it was gone. */
  heard: boolean;
  done: (answer: Answer) => void;
  fail: (error: Refusal) => void;
}

export class WorkerHouse implements House {
  /** What a browser alone can, as its `club` says it too. */
  can = $state.raw<Abilities>({ invite: false, listed: false, devices: false, reviews: true, hints: true, proofs: false, matches: true, rooms: false, daily: true });
  private ready = false;
  private started = false;
  private kept = false;
  private failure = "";
  /** Whether people wait for a house that is not there yet. */
  waits = $state(false);
  private readonly name = newName();
  private readonly folder = folderOf(document.baseURI);
  /** Windows find each other only where a browser has locks, which need https: else every window is alone. */
  private readonly shared = "locks" in navigator;
  private readonly channel = new BroadcastChannel(channelName(this.folder) + (this.shared ? "" : ` ${this.name}`));
  private readonly waiting = new Map<number, Waiting>();
  private readonly lines = new Map<number, WorkerLine>();
  private count = 0;
  private worker: Worker | null = null;
  private called = 0;

  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    await Promise.resolve(); // the page may ask while it computes what it shows, when no state may change
    this.start();
    const answer = FIXED.test(path) ? await fixed(path) : await this.request(method, path, body);
    if (answer.status < 300) return answer.body as T;
    const { error, clause } = answer.body as Failure;
    throw new Refusal(error, answer.status, clause);
  }

  /** There is no other device. */
  news(): () => void {
    return () => {};
  }

  roomLine(): Line {
    throw new Refusal(t("There are no rooms without a server."), 404, null);
  }

  line(table: string, hear: (message: FromTable) => void, lost: (why: string) => void): Line {
    this.start();
    const number = (this.count += 1);
    const line = new WorkerLine(number, table, (message) => this.post(message), () => this.lines.delete(number), this.name, hear, lost);
    this.lines.set(number, line);
    if (this.ready) line.open();
    return line;
  }

  async file(path: string): Promise<Blob> {
    return new Blob([JSON.stringify(await this.ask("GET", path))], { type: "application/json" });
  }

  private request(method: Method, path: string, body: unknown): Promise<Answer> {
    if (this.failure && !this.worker) throw new Refusal(this.failure, 0, null);
    if (this.failure) this.begin();
    if (method === "POST") keepMatches();
    const id = (this.count += 1);
    const asked: Asked = { to: "house", from: this.name, say: "ask", id, method, path, body: body === undefined ? "" : JSON.stringify(body), language: language.tag };
    return new Promise((done, fail) => {
      this.waiting.set(id, { asked, heard: this.ready, done, fail });
      this.waits = !this.ready;
      if (this.ready) this.post(asked);
      setTimeout(() => this.call(id), CALL_AFTER);
    });
  }

  /** The first window to come has the worker; when it is closed, the next one takes over. */
  private start(): void {
    if (this.started) return;
    this.started = true;
    this.channel.onmessage = ({ data }: MessageEvent<Said>) => this.receive(data);
    addEventListener("pagehide", () => this.post({ to: "house", from: this.name, say: "bye" }));
    addEventListener("pageshow", ({ persisted }) => persisted && this.arrive());
    this.post({ to: "house", from: this.name, say: "hello" });
    if (this.shared) this.lead({});
    else this.begin();
  }

  private lead(how: LockOptions): void {
    navigator.locks.request(channelName(this.folder), how, () => (this.begin(), new Promise(() => {}))).catch(() => {
      // Another window has taken it while this one was asleep.
      this.worker?.terminate();
      this.worker = null;
      this.lead({});
    });
  }

  private begin(): void {
    this.depart();
    this.failure = "";
    this.worker?.terminate();
    this.worker = new Worker(new URL("./python.ts", import.meta.url), { type: "module", name: this.channel.name });
    this.worker.onerror = (event) => this.fail(event.message || t("its script cannot be loaded"));
  }

  private post(message: ToHouse | Between): void {
    this.channel.postMessage(message);
  }

  private receive(said: Said): void {
    if (said.to === "windows") this.answerCall((said as Between).say);
    else if (said.to === this.name || said.to === "all") this.take(said as FromHouse);
  }

  private take(message: FromHouse): void {
    this.called = 0;
    if (message.say === "ready") {
      if (message.to === "all") this.depart();
      this.arrive();
    } else if (message.say === "failed") this.fail(message.why);
    else if (message.say === "message") this.lines.get(message.line)?.receive(message.json, message.closed);
    else this.answer(message.id, message.text);
  }

  private answer(id: number, text: string): void {
    this.waiting.get(id)?.done(JSON.parse(text) as Answer);
    this.waiting.delete(id);
  }

  /** A house is there: it hears what waits for it. */
  private arrive(): void {
    this.failure = "";
    if (!this.kept) this.keep(); // not before: they are files that the house has just fetched
    this.ready = true;
    this.waits = false;
    this.waiting.forEach((one) => {
      if (one.heard) return;
      one.heard = true;
      this.post(one.asked);
    });
    this.lines.forEach((line) => line.open());
  }

  private keep(): void {
    this.kept = true;
    keptFiles.keep(() => this.post({ to: "house", from: this.name, say: "keep" })).catch(() => {});
  }

  /** The house is gone; whether it did what it had heard nobody knows. */
  private depart(): void {
    this.ready = false;
    this.lines.forEach((line) => line.leave(""));
    this.waiting.forEach((one, id) => {
      if (!one.heard) return;
      if (one.asked.method === "GET") one.heard = false;
      else this.refuse(id, t("The window that had this table was closed. Try again."));
    });
  }

  private fail(why: string): void {
    this.failure = t("Upcard cannot start in this browser: {why}", { why });
    this.ready = this.waits = false;
    this.waiting.forEach((_, id) => this.refuse(id, this.failure));
    this.lines.forEach((line) => line.leave(this.failure));
  }

  private refuse(id: number, why: string): void {
    this.waiting.get(id)?.fail(new Refusal(why, 0, null));
    this.waiting.delete(id);
  }

  /** A request waits for long: a window that sleeps in the background keeps its lock, so it is called. */
  private call(id: number): void {
    if (!this.waiting.has(id) || this.worker || !this.shared || this.called) return;
    const called = (this.called = Date.now());
    this.post({ to: "windows", say: "anybody?" });
    setTimeout(() => {
      if (this.called === called && !this.worker && !document.hidden) this.lead({ steal: true });
      else if (this.waiting.has(id)) this.call(id);
    }, TAKE_AFTER);
  }

  private answerCall(say: Between["say"]): void {
    if (say === "here") this.called = 0;
    else if (this.worker) this.post({ to: "windows", say: "here" });
  }
}

/** A line to a table over the channel. The house calls it again when another window has taken over. */
class WorkerLine implements Line {
  constructor(
    private readonly number: number,
    private readonly table: string,
    private readonly post: (message: ToHouse) => void,
    private readonly forget: () => void,
    private readonly from: string,
    private readonly hear: (message: FromTable) => void,
    private readonly lost: (why: string) => void,
  ) {}

  open(): void {
    this.post({ to: "house", from: this.from, say: "open", line: this.number, table: this.table, language: language.tag });
  }

  send(message: ToTable): void {
    this.post({ to: "house", from: this.from, say: "hear", line: this.number, text: JSON.stringify(message) });
  }

  /** There is nothing to wait for: the house comes by itself. */
  hurry(): void {}

  close(): void {
    this.post({ to: "house", from: this.from, say: "close", line: this.number });
    this.forget();
  }

  receive(json: string, closed: string): void {
    if (closed) this.lost(closed);
    else this.hear(JSON.parse(json) as FromTable);
  }

  leave(why: string): void {
    this.lost(why);
  }
}

async function fixed(path: string): Promise<Answer> {
  try {
    for (const folder of language.tag === "en" || path.startsWith("languages/") ? ["answers"] : [`answers/${language.tag}`, "answers"]) {
      const answer = await fetch(`${folder}/${path}.json`);
      if (answer.ok) return { status: 200, body: await answer.json() };
    }
  } catch {
    throw new Refusal(t("There is no connection, and this has not been saved on this device."), 0, null);
  }
  throw new Refusal(t("A file of this page is missing."), 404, null);
}

const newName = (): string => Array.from(crypto.getRandomValues(new Uint32Array(3)), (word) => word.toString(36)).join("");
