/** A finished match as it is watched again: which deal, with whose eyes, at which moment. */
import * as api from "../api.ts";
import { NO_OFFERS } from "../live/scenes.ts";
import { Playback } from "../live/playback.svelte.ts";
import type { Replay, TableView } from "../protocol.ts";
import { frameAt, frameBefore, frames, nextTrick, type Frame } from "./frames.ts";

/** A seat's number, "all", or "" for what everybody saw. */
export type Eyes = string;

export const SPEEDS = { slow: 1800, normal: 1000, fast: 450 };
export type Speed = keyof typeof SPEEDS;

interface Wish {
  deal: number;
  eyes: Eyes;
  /** The moment; null for the beginning of the deal. */
  events: number | null;
}

export class Rerun {
  replay = $state.raw<Replay | null>(null);
  eyes = $state<Eyes>("");
  at = $state(0);
  playing = $state(false);
  speed = $state<Speed>("normal");
  trouble = $state("");
  readonly playback: Playback;
  /** What the stage wants to know of a table that is played at. */
  readonly thinking = {};
  readonly busy = false;
  readonly mayAct = false;
  readonly refusal = null;
  readonly frames: Frame[] = $derived.by(() => (this.replay ? frames(this.replay, this.replay.table.you ?? 0) : []));
  private timer = 0;
  /** What was asked for last, until it is answered: the answer to an earlier question is too old to be shown. */
  private wish = $state.raw<Wish | null>(null);

  /** `draw` changes the scene and lets the cards fly. */
  constructor(
    readonly id: string,
    private readonly draw: (change: () => void) => Promise<void>,
  ) {
    this.playback = new Playback(draw);
  }

  /** Nobody is missed at a table that is only watched. */
  readonly table: TableView = $derived.by(() => {
    const table = this.replay?.table as TableView;
    return table && { ...table, seats: table.seats.map((seat) => ({ ...seat, here: true, away_since: null, substitute: null })) };
  });

  get frame(): Frame | undefined {
    return this.frames[this.at];
  }

  /** What will be seen: what was asked for last, or else what is seen now. */
  get wished(): Wish {
    return this.wish ?? { deal: this.replay?.deal ?? 1, eyes: this.eyes, events: this.frame?.events ?? null };
  }

  /** Nothing can be played any more. */
  play(): void {}

  /** Opens a deal; `events` tells the moment, null its beginning. Whether it is now seen. */
  async open(deal: number, eyes: Eyes, events: number | null): Promise<boolean> {
    const wish = (this.wish = { deal, eyes, events });
    try {
      const replay = await api.replay(this.id, deal, eyes);
      if (wish !== this.wish) return false;
      this.replay = replay;
    } catch (error) {
      if (wish !== this.wish) return false;
      this.wish = null;
      this.trouble = api.told(error);
      this.pause();
      return false;
    }
    this.wish = null;
    this.trouble = "";
    this.eyes = eyes;
    this.playback.began += 1;
    this.at = events === null ? 0 : frameAt(this.frames, events);
    this.show();
    return true;
  }

  /** Opens the deal in which so many events have happened, at that moment; the end of the last one if there are fewer. */
  async find(eyes: Eyes, events: number): Promise<void> {
    let low = 1;
    let high = (await this.open(low, eyes, events)) ? (this.replay?.deals ?? 1) : 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (!(await this.open(middle, eyes, events))) return;
      if ((this.frames[0]?.events ?? 0) <= events) low = middle;
      else high = middle - 1;
    }
    if (this.replay?.deal !== low) await this.open(low, eyes, events);
  }

  /** To a decision, as the seat saw it that had to make it. */
  async decision(deal: number, seat: number, events: number): Promise<void> {
    const seen = !this.wish && this.replay?.deal === deal && this.eyes === String(seat);
    if (!seen && !(await this.open(deal, String(seat), events))) return;
    await this.go(frameBefore(this.frames, events));
  }

  async look(eyes: Eyes): Promise<void> {
    const { deal, events } = this.wished;
    await this.open(deal, eyes, events);
  }

  /** A deal from its beginning, with the same eyes. */
  async begin(deal: number): Promise<void> {
    await this.open(deal, this.wished.eyes, null);
  }

  /** Another deal, from its beginning, if there is one. */
  async turn(step: number): Promise<void> {
    const deal = this.wished.deal + step;
    if (deal >= 1 && deal <= (this.replay?.deals ?? 1)) await this.begin(deal);
    else this.pause();
  }

  /** To a picture of this deal; cards fly where it is the next one. */
  async go(to: number): Promise<void> {
    const at = Math.max(0, Math.min(this.frames.length - 1, to));
    const next = at === this.at + 1;
    this.at = at;
    this.playback.endMoment();
    if (!next) return this.show();
    await this.draw(() => this.show());
    if (this.at === at && this.frame?.taker === null) this.playback.celebrate(this.frame.spoken);
  }

  trick(step: 1 | -1): Promise<void> {
    return this.go(nextTrick(this.frames, this.at, step));
  }

  start(): void {
    this.playing = true;
    this.timer = window.setTimeout(() => void this.run(), SPEEDS[this.speed]);
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    const { timer } = this;
    if (this.at < this.frames.length - 1) await this.go(this.at + 1);
    else await this.turn(1);
    if (this.playing && timer === this.timer) this.start(); // otherwise it was stopped and started again meanwhile
  }

  private show(): void {
    const { playback, frame } = this;
    if (!frame) return;
    playback.scene = { ...frame.scene, prompt: frame.text, offers: NO_OFFERS };
    playback.seq = frame.events;
    playback.spoken = frame.spoken;
    playback.actor = frame.actor;
    playback.taker = frame.taker;
    playback.rest = frame.taker === null ? "none" : "trick";
  }
}
