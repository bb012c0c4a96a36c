import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { House, Line, Method } from "../src/house/house.ts";
import type { FromRoom, FromTable, RoomView, SceneView, TableView, ToTable } from "../src/protocol.ts";
import { openBrowser } from "./browser.ts";

/** A house in memory: it answers what it has been given, and lets a test speak for the table. */
class MemoryHouse implements House {
  readonly asked: [Method, string, unknown][] = [];
  readonly answers = new Map<string, unknown>();
  readonly heard: ToTable[] = [];
  say: (message: FromTable) => void = () => {};
  breakOff: (why: string) => void = () => {};
  can = { invite: false, listed: false, devices: false, reviews: false, hints: false, proofs: false, matches: false, rooms: false, daily: false };
  readonly waits = false;
  hurried = 0;
  closed = false;
  roomLines = 0;
  sayInRoom: (message: FromRoom) => void = () => {};

  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    this.asked.push([method, path, body]);
    if (!this.answers.has(path)) throw new Error(`nothing at ${path}`);
    return this.answers.get(path) as T;
  }

  line(_table: string, hear: (message: FromTable) => void, lost: (why: string) => void): Line {
    this.say = hear;
    this.breakOff = lost;
    return { send: (message) => void this.heard.push(message), hurry: () => void (this.hurried += 1), close: () => void (this.closed = true) };
  }

  news(): () => void {
    return () => {};
  }

  roomLine(_room: string, hear: (message: FromRoom) => void, lost: (why: string) => void): Line {
    this.roomLines += 1;
    this.closed = false;
    this.sayInRoom = hear;
    this.breakOff = lost;
    return { send: () => {}, hurry: () => {}, close: () => void (this.closed = true) };
  }

  async file(path: string): Promise<Blob> {
    return new Blob([`the file ${path}`]);
  }
}

const seats = [0, 1].map((seat) => ({ seat, name: `Seat ${seat}`, who: "person", here: true }));
const table = { id: "abc", you: 0, seats, may: [], knocks: [], settings: { clock: null }, ended: null, shuffles: null, propose_at: null, now: 0 } as unknown as TableView;
const scene = { seat: 0, to_act: [0], hand: ["Ks", "9h"], seats: [], zones: [], result: [], last_trick: null, offers: {}, done: false, deal: 1, prompt: "lead" } as unknown as SceneView;
const welcome: FromTable = { type: "welcome", table, seq: 4, scene, log: [] };

let house: MemoryHouse;
beforeEach(async () => {
  vi.resetModules();
  openBrowser("http://house/t/abc");
  house = new MemoryHouse();
  const { useHouse } = await import("../src/house/index.ts");
  useHouse(house);
});
afterEach(() => vi.unstubAllGlobals());

describe("with a house in memory", () => {
  it("a room is watched once however many parts show it, and over one line from one part to the next", async () => {
    const { roomOf } = await import("../src/room/watch.svelte.ts");
    const view = { id: "r", you: 1, may: [], members: [], now: 5 } as unknown as RoomView;
    const one = roomOf("r");
    const [letGo, letGoAgain] = [one.hold(), roomOf("r").hold()];
    house.sayInRoom({ type: "room", room: view });
    expect(roomOf("r")).toBe(one);
    expect(one.view).toBe(view);
    letGo();
    letGoAgain();
    const letGoAtLast = roomOf("r").hold(); // before the line is closed
    await new Promise((done) => setTimeout(done, 5));
    expect([house.roomLines, house.closed]).toEqual([1, false]);
    letGoAtLast();
    await vi.waitUntil(() => house.closed);
    expect(roomOf("r")).not.toBe(one);
  });

  it("an answer that is older than what the room has shown since changes nothing", async () => {
    const { roomOf } = await import("../src/room/watch.svelte.ts");
    const view = { id: "r", you: 1, may: [], members: [] } as unknown as RoomView;
    const room = roomOf("r");
    room.hold();
    vi.stubGlobal("navigator", { cookieEnabled: true });
    house.answers.set("rooms/r/actions", { ...view, now: 4 });
    house.sayInRoom({ type: "room", room: { ...view, now: 5 } });
    expect(await room.ask({ do: "renew" })).toBe(true);
    expect(room.view?.now).toBe(5);
    house.breakOff("");
    expect(room.lost).toContain("Reconnecting");
    house.sayInRoom({ type: "room", room: { ...view, you: null, now: 3 } }); // another server's clock is behind
    expect([room.view?.now, room.lost, room.removed]).toEqual([3, "", true]);
  });

  it("the page asks, and saves files", async () => {
    const api = await import("../src/api.ts");
    house.answers.set("tables/abc", table);
    house.answers.set("tables/abc/link", {});
    expect(await api.table("abc")).toBe(table);
    await api.cancelLink("abc");
    await expect(api.score("abc")).rejects.toThrow("nothing at tables/abc/score");
    expect(house.asked).toEqual([["GET", "tables/abc", undefined], ["DELETE", "tables/abc/link", undefined], ["GET", "tables/abc/score", undefined]]);
    expect(await (await api.record("abc")).text()).toBe("the file tables/abc/record");
  });

  it("the page hears what the house can", async () => {
    const api = await import("../src/api.ts");
    house.answers.set("club", { title: "Home", can: { ...house.can, reviews: true, rooms: false } });
    await api.club();
    expect(Object.entries(house.can).filter(([, offered]) => offered)).toEqual([["reviews", true]]);
  });

  it("a match is played: a move is sent, accepted, and its event shown", async () => {
    const { Match } = await import("../src/live/match.svelte.ts");
    const match = new Match(table, async (change) => change());
    house.say(welcome);
    expect([match.line.state, match.playback.scene?.hand]).toEqual(["open", ["Ks", "9h"]]);
    match.play("Ks");
    const [move] = house.heard;
    expect(move).toMatchObject({ type: "move", seq: 4, text: "Ks" });
    expect(match.busy).toBe(true);
    house.say({ type: "accepted", id: (move as { id: string }).id, seq: 5 });
    house.say({ type: "event", seq: 5, base: 4, changes: { hand: ["9h"], to_act: [1] }, log: { seq: 5, text: "You play K♠" }, oldest: 0 } as FromTable);
    await vi.waitFor(() => expect(match.busy).toBe(false));
    expect(match.playback.scene?.hand).toEqual(["9h"]);
    match.close();
    expect(house.closed).toBe(true);
  });

  it("an unanswered move is sent again when the line is back", async () => {
    const { Match } = await import("../src/live/match.svelte.ts");
    const match = new Match(table, async (change) => change());
    match.play("Ks");
    expect(house.heard).toEqual([]);
    house.say(welcome);
    expect(house.heard).toHaveLength(1);
    house.breakOff("");
    expect(match.line.state).toBe("away");
    house.say(welcome);
    expect(house.heard[1]).toEqual(house.heard[0]);
  });

  it("two settings changed at once are both changed", async () => {
    const { Match } = await import("../src/live/match.svelte.ts");
    const match = new Match({ ...table, settings: { watchers: true, knock: false } } as TableView, async (change) => change());
    house.answers.set("tables/abc/actions", { ...table, settings: { watchers: false, knock: false } });
    await Promise.all([match.change({ watchers: false }), match.change({ knock: true })]);
    const sent = house.asked.map(([, , body]) => body).filter((body) => (body as { do?: string } | undefined)?.do === "change");
    expect(sent).toEqual([
      { do: "change", settings: { watchers: false, knock: false } },
      { do: "change", settings: { watchers: false, knock: true } },
    ]);
  });

  it("whoever has missed an event asks for a welcome", async () => {
    const { Match } = await import("../src/live/match.svelte.ts");
    new Match(table, async (change) => change());
    house.say(welcome);
    house.say({ type: "event", seq: 8, base: 7, changes: {}, log: { seq: 8, text: "" }, oldest: 0 } as FromTable);
    expect(house.heard).toEqual([{ type: "look" }]);
  });
});

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = Socket.OPEN;
  sent: unknown[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send = (text: string) => void this.sent.push(JSON.parse(text));
  close = () => {};
}

describe("a house behind HTTP", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    Socket.all = [];
    vi.stubGlobal("WebSocket", Socket);
  });
  afterEach(() => void vi.useRealTimers());

  async function opened(answer: () => Promise<Response>) {
    const { HttpHouse } = await import("../src/house/http.svelte.ts");
    const fetched = vi.fn(answer);
    vi.stubGlobal("fetch", fetched);
    return { house: new HttpHouse(), fetched };
  }

  it("asks under /api/, and says why it was refused", async () => {
    const { house, fetched } = await opened(async () => Response.json({ error: "Not now", clause: "SS-43" }, { status: 409 }));
    await expect(house.ask("POST", "tables", { game: "cinch" })).rejects.toMatchObject({ message: "Not now", status: 409, clause: "SS-43" });
    expect(fetched).toHaveBeenCalledWith("/api/tables", expect.objectContaining({ method: "POST", body: '{"game":"cinch"}' }));
    fetched.mockRejectedValue(new TypeError("no network"));
    await expect(house.file("tables/abc/record")).rejects.toMatchObject({ message: "The server cannot be reached.", status: 0 });
  });

  async function line() {
    const { house } = await opened(async () => Response.json({}));
    const heard = vi.fn();
    const lost = vi.fn();
    return { line: house.line("abc", heard, lost), heard, lost };
  }

  it("says in every request and line which language is read", async () => {
    const { house, fetched } = await opened(async () => Response.json({}));
    const { ENGLISH, speak } = await import("../src/language.svelte.ts");
    speak({ tag: "de", direction: "ltr", texts: {} });
    await house.ask("GET", "games");
    expect(fetched).toHaveBeenCalledWith("/api/games", expect.objectContaining({ headers: { "Accept-Language": "de" } }));
    house.line("abc", vi.fn(), vi.fn()).close();
    expect(Socket.all.at(-1)?.url).toBe("ws://house/api/tables/abc/play?language=de");
    speak(ENGLISH);
  });

  it("its line asks for a sign of life, comes back when there is none, and keeps both to itself", async () => {
    const { line: open, heard, lost } = await line();
    const [first] = Socket.all;
    expect(first?.url).toBe("ws://house/api/tables/abc/play?language=en");
    first?.onmessage?.({ data: '{"type":"nudge","by":1}' });
    vi.advanceTimersByTime(6000);
    expect(first?.sent).toContainEqual({ type: "ping" });
    first?.onmessage?.({ data: '{"type":"alive","now":0}' });
    expect(heard.mock.calls).toEqual([[{ type: "nudge", by: 1 }]]);
    vi.advanceTimersByTime(10_000);
    expect(lost).toHaveBeenCalledWith("");
    vi.advanceTimersByTime(1000);
    expect(Socket.all).toHaveLength(2);
    open.close();
  });

  it("its line says why it is closed, and does not come back where it is taken for another site's", async () => {
    const { line: open, lost } = await line();
    Socket.all[0]?.onclose?.({ code: 1008, reason: "Too many windows" });
    expect(lost).toHaveBeenLastCalledWith("Too many windows");
    open.hurry();
    expect(Socket.all).toHaveLength(2);
    Socket.all[1]?.onclose?.({ code: 4403, reason: "Another site" });
    expect(lost).toHaveBeenLastCalledWith("Another site");
    vi.advanceTimersByTime(60_000);
    open.hurry();
    expect(Socket.all).toHaveLength(2);
    open.close();
  });
});
