/** A house behind HTTP and WebSockets: `upcard serve`. */
import type { Abilities, DevicesChanged, Failure, FromRoom, FromTable, ToTable } from "../protocol.ts";
import { language, t } from "../language.svelte.ts";
import { beginAnew } from "../devices/anew.ts";
import { type House, type Line, type Method, Refusal } from "./house.ts";

export class HttpHouse implements House {
  /** All that a server can, until it has said what it can. */
  can = $state.raw<Abilities>({ invite: true, listed: true, devices: true, reviews: true, hints: true, proofs: true, matches: false, rooms: true, daily: true });
  readonly waits = false;

  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const response = await answered(method, path, body);
    return (await response.json().catch(() => ({}))) as T;
  }

  line(table: string, hear: (message: FromTable) => void, lost: (why: string) => void): Line {
    return new SocketLine(`tables/${table}/play`, hear, lost);
  }

  roomLine(room: string, hear: (message: FromRoom) => void, lost: (why: string) => void): Line {
    return new SocketLine(`rooms/${room}/live`, hear, lost);
  }

  news(hear: (text: string) => void, over: () => void): () => void {
    const line = new NewsLine(hear, over);
    return () => line.close();
  }

  async file(path: string): Promise<Blob> {
    return (await answered("GET", path)).blob();
  }
}

async function answered(method: Method, path: string, body?: unknown): Promise<Response> {
  const headers = { "Accept-Language": language.tag };
  const sent = body === undefined ? { headers } : { headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { method, credentials: "same-origin", ...sent });
  } catch {
    throw new Refusal(t("The server cannot be reached."), 0, null);
  }
  if (response.ok) return response;
  const { error, clause } = (await response.json().catch(() => ({}))) as Partial<Failure>;
  throw new Refusal(error ?? t("The server answered {status}.", { status: response.status }), response.status, clause ?? null);
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** A line that the house closes with this code is closed to this person just now; its reason says why. */
const REFUSED = 1008;
/** With this code for good: the page is taken for one of another site. */
const FOREIGN = 4403;
/** With this code because this browser is somebody else now. */
const SIGNED_OUT = 4401;
/** With this code because there is nothing to wait for. */
const NOTHING = 1000;
/** Milliseconds of silence after which it is asked whether the line lives, and after which it is taken for dead. */
const ASK_AFTER = 4000;
const DEAD_AFTER = 9000;

function socketAddress(path: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/${path}?language=${language.tag}`;
}

/** News of this person's devices: the line comes back by itself as long as there are any to wait for. */
class NewsLine {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;

  constructor(
    private readonly hear: (text: string) => void,
    private readonly over: () => void,
  ) {
    this.connect();
  }

  close(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(socketAddress("devices/news"));
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      this.wait = FIRST_WAIT;
      this.hear((JSON.parse(event.data) as DevicesChanged).text);
    };
    socket.onclose = ({ code, reason }) => {
      if (this.socket !== socket) return;
      if (code === SIGNED_OUT) beginAnew(`${reason}.`);
      else if (code === NOTHING) this.over();
      else if (code !== FOREIGN) {
        this.timer = window.setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
        this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
      }
    };
  }
}

/** A line over a WebSocket: comes back by itself, notices when it is dead. */
class SocketLine<M extends { type: string }> implements Line {
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;
  private ended = false;
  private heard = 0;
  private readonly watch: number;

  constructor(
    private readonly path: string,
    private readonly hear: (message: M) => void,
    private readonly lost: (why: string) => void,
  ) {
    addEventListener("online", this.now);
    document.addEventListener("visibilitychange", this.now);
    this.watch = window.setInterval(() => this.beat(), 1000);
    this.connect();
  }

  send(message: ToTable): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    removeEventListener("online", this.now);
    document.removeEventListener("visibilitychange", this.now);
    this.socket?.close();
  }

  hurry(): void {
    if (this.ended || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(socketAddress(this.path));
    this.socket = socket;
    this.heard = Date.now();
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as M);
    socket.onclose = ({ code, reason }) => {
      if (this.ended || this.socket !== socket) return;
      if (code === SIGNED_OUT) beginAnew(`${reason}.`);
      if (code === REFUSED) this.wait = LONGEST_WAIT;
      this.ended = code === FOREIGN;
      this.retry(code === REFUSED || this.ended ? reason : "");
    };
  }

  /** A browser notices a dead line only after a minute or more. */
  private beat(): void {
    if (!this.socket || document.hidden) return;
    const silence = Date.now() - this.heard;
    if (silence > DEAD_AFTER) {
      const dead = this.socket;
      dead.onclose = dead.onmessage = null;
      dead.close();
      this.retry();
    } else if (silence > ASK_AFTER) this.send({ type: "ping" });
  }

  private receive(message: M): void {
    this.heard = Date.now();
    this.wait = FIRST_WAIT;
    if (message.type !== "alive") this.hear(message);
  }

  private retry(why = ""): void {
    this.socket = null;
    this.lost(why);
    if (this.ended) return;
    this.timer = window.setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** The network or the person is back: do not wait any longer. */
  private now = (): void => {
    if (!document.hidden) this.heard = Math.max(this.heard, Date.now() - ASK_AFTER);
    if (!document.hidden) this.hurry();
  };
}
