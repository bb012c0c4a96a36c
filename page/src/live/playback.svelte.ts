/** Shows what happened one thing at a time: every event is seen, a finished trick and a finished deal rest a while. */
import type { LogLine, SceneView, UtteranceView } from "../protocol.ts";
import { pace } from "../settings.svelte.ts";
import { MOMENT, momentOf, type Moment } from "./moments.ts";
import { finishedTrick, withTrick, type Who } from "./scenes.ts";

export type Rest = "none" | "trick" | "deal";

/** The table after something happened. */
export interface Step {
  seq: number;
  scene: SceneView;
  log: LogLine[];
  /** What is said aloud with it. */
  spoken: UtteranceView[];
  /** Lines of the log before this one are to be forgotten. */
  oldest: number;
  /** Whether the cards are as they were: then it is shown without a pause. */
  quiet: boolean;
}

/** Ends of deals that somebody has left for a moment, to see all cards: by table, kept while the page is open. */
const left = new Map<string, { scene: SceneView; seq: number }>();

export class Playback {
  scene = $state.raw<SceneView | null>(null);
  seq = $state(0);
  log = $state.raw<LogLine[]>([]);
  /** What is said aloud with the event that is shown. */
  spoken = $state.raw<UtteranceView[]>([]);
  /** What has a moment of its own just now. */
  moment = $state.raw<Moment | null>(null);
  private momentEnds: ReturnType<typeof setTimeout> | undefined;
  rest = $state<Rest>("none");
  /** Whose finished trick lies on the table. */
  taker = $state<Who | null>(null);
  /** Who made the last move, where that is plain: unknown cards come from there. */
  actor = $state<number | null>(null);
  /** Whether clocks run at this table: then nothing is shown for longer than at the pace "fast". */
  timed = false;
  /** How often the table was told anew. */
  began = $state(0);
  private queue: Step[] = [];
  private busy = false;
  private resultOfDeal = 0;
  private wake: () => void = () => {};
  private generation = 0;

  /** `draw` changes the scene and lets the cards fly; `table` is where one may come back to the end of a deal. */
  constructor(private readonly draw: (change: () => void) => Promise<void>, private readonly table = "") {}

  /** The person leaves the end of a deal and will find it again. */
  leave(): void {
    if (this.scene) left.set(this.table, { scene: this.scene, seq: this.seq });
  }

  welcome(scene: SceneView, seq: number, log: LogLine[]): void {
    const ended = this.rest === "deal" && this.scene ? { scene: this.scene, seq: this.seq } : left.get(this.table);
    left.delete(this.table);
    this.generation += 1;
    this.queue = [];
    this.busy = false;
    this.skip();
    this.began += 1;
    this.scene = scene;
    this.seq = seq;
    this.log = log;
    this.spoken = [];
    this.endMoment();
    this.taker = null;
    this.resultOfDeal = scene.result.length ? scene.deal : 0;
    this.rest = scene.done ? "deal" : "none";
    if (ended && !scene.done && isLatest(ended.scene, scene)) void this.goBack(ended.scene, ended.seq);
  }

  /** Shows the end of a deal again, and then what has happened meanwhile. */
  private async goBack(ended: SceneView, seq: number): Promise<void> {
    const { generation } = this;
    const step = { seq: this.seq, scene: this.scene as SceneView, log: [], spoken: [], oldest: 0, quiet: true };
    this.busy = true;
    [this.scene, this.seq, this.resultOfDeal] = [ended, seq, ended.deal];
    await this.pause("deal", Infinity);
    if (generation !== this.generation) return;
    if (step.seq > seq) this.queue.unshift(step);
    await this.run();
  }

  add(step: Step): void {
    if (step.seq <= this.seq || this.queue.some((waiting) => waiting.seq >= step.seq)) return;
    this.queue.push(step);
    if (!this.busy) void this.run();
  }

  /** The person has seen enough. */
  skip(): void {
    this.wake();
  }

  private async run(): Promise<void> {
    const generation = this.generation;
    this.busy = true;
    for (let step = this.queue.shift(); step; step = this.queue.shift()) {
      await this.show(step, () => generation !== this.generation);
      if (generation !== this.generation) return;
    }
    this.busy = false;
  }

  private async show(step: Step, stale: () => boolean): Promise<void> {
    const before = this.scene;
    const { scene, log } = step;
    if (log.length) this.log = [...this.log.filter((line) => line.seq >= step.oldest), ...log];
    if (!step.quiet) this.spoken = step.spoken;
    this.actor = before?.to_act.length === 1 ? (before.to_act[0] ?? null) : null;
    const trick = before && finishedTrick(before, scene);
    if (trick && before) {
      await this.draw(() => {
        this.scene = withTrick(before, trick);
        this.taker = scene.last_trick?.taker ?? null;
      });
      if (stale()) return;
      await this.pause("trick", pace(this.timed).trick);
      if (stale()) return;
    }
    await this.draw(() => {
      this.scene = scene;
      this.seq = step.seq;
      this.taker = null;
    });
    if (stale() || step.quiet) return;
    this.celebrate(step.spoken);
    if (this.moment && before && scene.result.length && scene.result !== before.result) {
      await this.pause("none", MOMENT); // before the result covers the table
      if (stale()) return;
      this.endMoment();
    }
    if (before && this.endsDeal(before, scene)) await this.pause("deal", scene.done ? Infinity : pace(this.timed).deal);
    else await this.pause("none", this.queue.length > 12 ? 0 : pace(this.timed).event);
  }

  /** Shows the moment in what was said, if there is one and this person likes to see what happens. */
  celebrate(spoken: UtteranceView[]): void {
    const moment = pace(this.timed).event ? momentOf(spoken) : null;
    if (!moment) return;
    clearTimeout(this.momentEnds);
    this.moment = moment;
    this.momentEnds = setTimeout(() => (this.moment = null), MOMENT);
  }

  /** The person goes on. */
  endMoment(): void {
    clearTimeout(this.momentEnds);
    if (this.moment && this.rest === "none") this.wake();
    this.moment = null;
  }

  /** A result is shown once, be it told with the deal's last event or only when the next deal has begun. */
  private endsDeal(before: SceneView, scene: SceneView): boolean {
    if (scene.result.length === 0) return false;
    const news = scene.done !== before.done || scene.result.join("\n") !== before.result.join("\n");
    const late = scene.deal > before.deal && this.resultOfDeal < before.deal;
    if (news || late) this.resultOfDeal = news ? scene.deal : before.deal;
    return news || late;
  }

  private pause(rest: Rest, time: number): Promise<void> {
    if (document.hidden && time !== Infinity) return Promise.resolve();
    this.rest = rest;
    return new Promise((resolve) => {
      const timer = time === Infinity ? 0 : setTimeout(() => this.wake(), time);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = () => {};
        this.rest = "none";
        resolve();
      };
    });
  }
}

/** Whether the deal that has ended is still the latest one that has: it was not taken back. */
const isLatest = (ended: SceneView, now: SceneView) => now.deal - ended.deal <= 1 && now.result.join("\n") === ended.result.join("\n");
