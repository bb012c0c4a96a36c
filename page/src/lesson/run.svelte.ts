/** A lesson as it is played: at which stop the learner is, what was said to the last move, and the table of that moment. */
import * as api from "../api.ts";
import { Playback } from "../live/playback.svelte.ts";
import { changed } from "../live/scenes.ts";
import type { LessonAnswer, LessonStop, LessonView, SceneView, TableView } from "../protocol.ts";
import { namesAround } from "../puzzle/names.ts";
import { settings } from "../settings.svelte.ts";
import { keepProgress, progressIn } from "./progress.ts";
import { t } from "../language.svelte.ts";

export class LessonRun {
  lesson = $state.raw<LessonView | null>(null);
  /** The stop that the learner is at, or goes to. */
  at = $state(0);
  /** What is said to the last move; null where there is nothing to say. */
  answer = $state.raw<LessonAnswer | null>(null);
  /** Whether the move to make is shown. */
  shown = $state(false);
  trouble = $state("");
  readonly playback: Playback;
  /** What the stage wants to know of a table that is played at. */
  readonly thinking = {};
  readonly refusal = null;
  private scenes: SceneView[] = [];
  private asking = $state(false);

  /** `draw` changes the scene and lets the cards fly. */
  constructor(
    readonly game: string,
    readonly number: number,
    draw: (change: () => void) => Promise<void>,
  ) {
    this.playback = new Playback(draw);
  }

  readonly stop: LessonStop | undefined = $derived.by(() => this.lesson?.stops[this.at]);
  /** Whether the table is as it is at the stop: what leads there has been seen. */
  readonly arrived: boolean = $derived.by(() => this.stop !== undefined && this.playback.seq >= this.stop.seq && this.playback.rest !== "trick");
  /** How many moves are still to be seen until then. */
  readonly ahead: number = $derived.by(() => (this.stop?.seq ?? 0) - this.playback.seq);
  readonly last: boolean = $derived.by(() => this.at + 1 === this.lesson?.stops.length);
  readonly mayAct: boolean = $derived.by(() => this.arrived && Boolean(this.stop?.move) && !this.asking);
  readonly names: string[] = $derived.by(() => (this.lesson === null ? [] : namesAround(this.lesson.names, this.lesson.seat, settings.name.trim(), t("You"))));
  readonly table: TableView = $derived.by(() => ({
    id: `lesson-${this.game}`, game: this.game, title: "", you: this.lesson?.seat ?? null, may: [],
    seats: this.names.map((name, seat) => ({ seat, name, here: true, who: seat === this.lesson?.seat ? "person" : "computer", level: seat === this.lesson?.seat ? null : "casual" })),
  }) as unknown as TableView);

  get busy(): boolean {
    return this.asking;
  }

  async open(): Promise<void> {
    try {
      const lesson = await api.lesson(this.game, this.number);
      let scene = lesson.start;
      this.scenes = [scene, ...lesson.steps.map((step) => (scene = changed(scene, step.changes)))];
      this.lesson = lesson;
      const { at, done } = progressIn(this.game, this.number);
      this.turnTo(done ? 0 : Math.min(Math.max(at, 0), lesson.stops.length - 1));
    } catch (error) {
      this.trouble = api.told(error);
    }
  }

  /** To a stop, without what leads there. */
  turnTo(at: number): void {
    this.at = at;
    this.forget();
    const seq = this.stop?.seq ?? 0;
    const scene = this.scenes[seq];
    if (scene) this.playback.welcome(scene, seq, []);
    this.keep();
  }

  /** To the next stop: what leads there is played. */
  next(): void {
    if (!this.lesson || this.last) return;
    const from = this.playback.seq;
    this.at += 1;
    this.shown = false;
    const { seq = from } = this.stop ?? {};
    for (const step of this.lesson.steps.slice(from, seq)) {
      const scene = this.scenes[step.events] as SceneView;
      this.playback.add({ seq: step.events, scene, log: [{ seq: step.events, text: step.text }], spoken: step.utterances ?? [], oldest: 0, quiet: false });
    }
    this.keep();
  }

  /** The learner goes on reading. */
  goOn(): void {
    if (!this.arrived || this.stop?.move) return;
    this.forget();
    this.next();
  }

  /** The learner makes a move. */
  play(move: string): void {
    if (this.mayAct) void this.judge(move);
  }

  private async judge(move: string): Promise<void> {
    this.asking = true;
    this.trouble = "";
    try {
      this.answer = await api.tryInLesson(this.game, this.number, { stop: this.at, move });
      if (this.answer.kind === "right") this.next();
    } catch (error) {
      this.trouble = api.told(error);
    } finally {
      this.asking = false;
    }
  }

  private forget(): void {
    this.answer = null;
    this.shown = false;
    this.trouble = "";
  }

  private keep(): void {
    keepProgress(this.game, this.number, { at: this.at, done: this.last || progressIn(this.game, this.number).done });
  }
}
