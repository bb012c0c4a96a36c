/** Development only: `/t/mock-loo` and the lobby at `/?mock`, without a server. Plays a trick or two, knows no rules. */
import { signed } from "../src/cards.ts";
import type { FromTable, Game, Level, Played, Scene, Table, ToTable } from "../src/protocol.ts";
import { SCENES } from "./scenes.ts";

const NAMES = ["Ann", "Bertram", "Chiara", "Dmitri", "Eun-ji", "Farid", "Grandmother", "Hal", "Ines", "Jo"];

const LEVELS: Level[] = [
  { name: "casual", title: "Casual", help: "Plays sensibly and fast." },
  { name: "steady", title: "Steady", help: "Thinks about what others may hold." },
  { name: "strong", title: "Strong", help: "Takes its time and remembers everything." },
];

const GAMES: Game[] = Object.values(SCENES).map((scene) => ({
  slug: scene.game, title: scene.title, family: "tricks", players: scene.game === "loo" ? [5, 6, 7, 8, 9, 10] : [scene.players],
  default_players: scene.game === "loo" ? 6 : scene.players, length: "20 to 40 minutes", short: null,
  summary: "Win exactly as many tricks as you bid; trumps are turned up anew in every deal.",
  options: [
    { name: "max_cards", kind: "whole", default: 10, low: 1, high: 10, values: null, help: "The largest number of cards dealt.", clause: "OH-3", by_players: { 6: { default: 8, high: 8 } } },
    { name: "bidding", kind: "choice", default: "fingers", low: null, high: null, values: ["fingers", "turns", "hook"], help: "How bids are made: all at once, in turn, or in turn with a forbidden sum.", clause: "OH-11" },
    { name: "double", kind: "flag", default: "on", low: null, high: null, values: ["on", "off"], help: "Bids of half the tricks count double.", clause: "OH-26" },
    { name: "contracts", kind: "digits", default: "123456789", low: 1, high: 9, values: null, help: "The contracts to be played, in order.", clause: "KA-3" },
  ],
}));

const HTML = `<h1>Rules</h1>${Array.from({ length: 60 }, (_, i) => `<p id="SS-${i + 1}"><b>SS-${i + 1}</b> A clause that says in one or two lines what a player may do here, and when.</p>`).join("")}`;

function table(id: string): Table {
  const scene = SCENES[id.replace("mock-", "")] ?? SCENES["sixty-six"]!;
  const waiting = id === "mock-waiting";
  return {
    id, game: scene.game, title: scene.title, players: scene.players, options: {}, you: 0, host: true, started: !waiting, done: false,
    seats: scene.seats.map(({ seat }) => ({
      seat, name: waiting && seat ? null : NAMES[seat]!, who: seat === 0 ? "person" : waiting ? "open" : "computer", level: seat ? "casual" : null, here: seat !== 3,
    })),
  };
}

export function pretend(): void {
  const answers: [RegExp, (match: RegExpExecArray) => unknown][] = [
    [/\/api\/games$/, () => GAMES],
    [/\/api\/levels$/, () => LEVELS],
    [/\/rules$/, () => ({ title: "Rules", html: HTML })],
    [/\/api\/tables$/, () => [table("mock-loo"), table("mock-kalooki")]],
    [/\/api\/tables\/([^/]+)/, (match) => table(match[1]!)],
  ];
  window.fetch = async (input, init) => {
    const url = String(input);
    if (init?.method === "POST" && url.endsWith("/tables")) return Response.json(table(`mock-${JSON.parse(String(init.body)).game}`));
    for (const [pattern, answer] of answers) {
      const match = pattern.exec(url);
      if (match) return Response.json(answer(match));
    }
    return Response.json({ error: "no such page" }, { status: 404 });
  };
  const Real = window.WebSocket;
  window.WebSocket = new Proxy(Real, {
    construct: (target, args: [string]) => (args[0].includes("/api/tables/") ? new Pretender(args[0]) : new target(...args)),
  });
}

class Pretender {
  readyState = 1;
  onmessage: (event: { data: string }) => void = () => {};
  onclose: () => void = () => {};
  private scene: Scene;
  private seq = 12;

  constructor(url: string) {
    const id = /tables\/([^/]+)/.exec(url)![1]!;
    this.scene = SCENES[id.replace("mock-", "")] ?? SCENES["sixty-six"]!;
    const log = ["Ann deals", "Bertram plays 9♠", "Ann plays 10♠", "Ann takes the trick"].map((text, seq) => ({ seq, text }));
    setTimeout(() => this.say({ type: "welcome", table: table(id), seq: this.seq, scene: this.scene, log }), 50);
  }

  close(): void {}

  send(text: string): void {
    const move = JSON.parse(text) as ToTable;
    const found = this.scene.moves.find((one) => one.text === move.text);
    if (!found) return this.say({ type: "refused", id: move.id, text: `“${move.text}” is not possible: you must follow suit if you can`, clause: "SS-17" });
    this.say({ type: "accepted", id: move.id, seq: this.seq + 1 });
    const me = this.scene.seat!;
    if (found.verb) return this.event({ moves: [], prompt: "Waiting for others", to_act: [1], hand: without(this.scene.hand, found.cards) }, found.label);
    this.playOn(me, found.cards[0]!);
    const trick = () => (this.scene.zones.find((zone) => zone.kind === "trick")?.cards ?? []) as Played[];
    const spare = ["8c", "2c", "5d", "Kc", "9c", "3h", "Qc", "7c", "4h", "6h"];
    for (const { seat, cards } of this.scene.seats)
      if (seat !== me && cards && !trick().some((played) => played.seat === seat)) this.playOn(seat, spare[seat]!);
    const cards = trick();
    this.event({
      last_trick: { cards, taker: 1 }, zones: this.scene.zones.map((zone) => (zone.kind === "trick" ? { ...zone, cards: [] } : zone)),
      hand: this.scene.players === 2 ? [...this.scene.hand, "Tc"] : this.scene.hand, moves: [], prompt: "Waiting for Bertram to lead", to_act: [1],
      result: ["Seat 1 wins the deal: schneider, 2 victory points"],
    }, "Bertram takes the trick");
  }

  private playOn(seat: number, card: string): void {
    this.event({
      zones: this.scene.zones.map((zone) => (zone.kind === "trick" ? { ...zone, cards: [...(zone.cards as Played[]), { card, seat }] } : zone)),
      hand: seat === this.scene.seat ? without(this.scene.hand, [card]) : this.scene.hand,
      seats: this.scene.seats.map((one) => (one.seat === seat ? { ...one, cards: one.cards - 1 } : one)),
      moves: [], prompt: "Waiting for others", to_act: [(seat + 1) % this.scene.players],
    }, `${NAMES[seat]} plays ${signed(card)}`);
  }

  private event(change: Partial<Scene>, text: string): void {
    this.scene = { ...this.scene, ...change };
    this.seq += 1;
    this.say({ type: "event", seq: this.seq, scene: this.scene, log: { seq: this.seq, text } });
  }

  private say(message: FromTable): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

function without(hand: string[], gone: string[]): string[] {
  const left = [...hand];
  for (const card of gone) left.splice(left.indexOf(card), 1);
  return left;
}
