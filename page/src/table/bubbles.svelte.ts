/** What players have just said aloud, for as long as it takes to read. */
import type { UtteranceView } from "../protocol.ts";

/** Milliseconds for which a bubble stays, and as many more for each letter. */
const SHORTEST = 1600;
const LETTER = 45;

export class Bubbles {
  bySeat = $state.raw<Record<number, UtteranceView[]>>({});
  private readonly timers = new Map<number, number>();

  /** Shows what was said with one event, apart from what has a moment of its own; what a seat said before gives way. */
  hear(all: UtteranceView[]): void {
    const spoken = all.filter(({ kind }) => kind !== "highlight");
    for (const seat of new Set(spoken.map((line) => line.seat))) {
      const lines = spoken.filter((line) => line.seat === seat);
      const letters = lines.reduce((sum, { text }) => sum + text.length, 0);
      this.bySeat = { ...this.bySeat, [seat]: lines };
      clearTimeout(this.timers.get(seat));
      this.timers.set(seat, window.setTimeout(() => this.forget(seat), SHORTEST + LETTER * letters));
    }
  }

  clear(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.bySeat = {};
  }

  private forget(seat: number): void {
    this.timers.delete(seat);
    this.bySeat = Object.fromEntries(Object.entries(this.bySeat).filter(([one]) => Number(one) !== seat));
  }
}
