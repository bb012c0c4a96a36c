/** A puzzle as it is solved: the table of that moment, and what was said to the last move. */
import * as api from "../api.ts";
import { Playback } from "../live/playback.svelte.ts";
import type { PuzzleAnswer, PuzzleView, TableView } from "../protocol.ts";
import { settings } from "../settings.svelte.ts";
import { namesAround } from "./names.ts";
import { keepSolved, solvedToday } from "./solved.ts";
import { t } from "../language.svelte.ts";

export class PuzzleRun {
  puzzle = $state.raw<PuzzleView | null>(null);
  /** What is said to the last move; null where there is nothing to say. */
  answer = $state.raw<PuzzleAnswer | null>(null);
  /** The move that was shown to somebody who wanted to see it. */
  shown = $state("");
  /** The days in a row with their puzzle of the day, once this one is solved. */
  row = $state(0);
  trouble = $state("");
  readonly playback: Playback;
  /** What the stage wants to know of a table that is played at. */
  readonly thinking = {};
  readonly refusal = null;
  private asking = $state(false);

  /** `today` is the day whose puzzle this is; empty for any other. */
  constructor(
    readonly game: string,
    readonly number: number,
    readonly today: string,
    draw: (change: () => void) => Promise<void>,
  ) {
    this.playback = new Playback(draw);
  }

  readonly solved: boolean = $derived.by(() => this.answer?.kind === "right" && !this.shown);
  /** Whether the solution is known, found or shown. */
  readonly over: boolean = $derived.by(() => this.solved || this.shown !== "");
  readonly mayAct: boolean = $derived.by(() => this.puzzle !== null && !this.over && !this.asking);
  readonly names: string[] = $derived.by(() => (this.puzzle === null ? [] : namesAround(this.puzzle.names, this.puzzle.seat, settings.name.trim(), t("You"))));
  readonly table: TableView = $derived.by(() => ({
    id: `puzzle-${this.game}`, game: this.game, title: "", you: this.puzzle?.seat ?? null, may: [],
    seats: this.names.map((name, seat) => ({ seat, name, here: true, who: seat === this.puzzle?.seat ? "person" : "computer", level: seat === this.puzzle?.seat ? null : "casual" })),
  }) as unknown as TableView);

  get busy(): boolean {
    return this.asking;
  }

  async open(): Promise<void> {
    try {
      this.puzzle = await api.puzzle(this.game, this.number);
      this.playback.welcome(this.puzzle.scene, 0, []);
    } catch (error) {
      this.trouble = api.told(error);
    }
  }

  /** A move is judged. */
  play(move: string): void {
    if (this.mayAct) void this.ask(async () => {
      this.answer = await api.tryInPuzzle(this.game, this.number, { move });
      if (this.answer.kind !== "right") return;
      keepSolved(this.game, this.number);
      if (this.today) this.row = solvedToday(this.today);
    });
  }

  /** Shows the move and the proof. */
  show(): void {
    if (this.mayAct) void this.ask(async () => {
      const { move, text } = await api.puzzleSolution(this.game, this.number);
      this.shown = move;
      this.answer = { kind: "right", text, clause: null };
    });
  }

  private async ask(what: () => Promise<void>): Promise<void> {
    this.asking = true;
    this.trouble = "";
    try {
      await what();
    } catch (error) {
      this.trouble = api.told(error);
    } finally {
      this.asking = false;
    }
  }
}
