/** Shows what happened one thing at a time: every event is seen, a finished trick and a finished deal rest a while. */
import type { LogLine, Played, Scene, TableEvent, Welcome, Who, ZoneView } from "./protocol.ts";
import { pace } from "./settings.svelte.ts";

export type Rest = "none" | "trick" | "deal";

export class Playback {
  scene = $state.raw<Scene | null>(null);
  seq = $state(0);
  log = $state.raw<LogLine[]>([]);
  rest = $state<Rest>("none");
  /** Whose finished trick lies on the table. */
  taker = $state<Who | null>(null);
  /** Who made the last move, where that is plain: unknown cards come from there. */
  actor = $state<number | null>(null);
  private queue: TableEvent[] = [];
  private busy = false;
  private resultOfDeal = 0;
  private wake: () => void = () => {};
  private generation = 0;

  /** `draw` changes the scene and lets the cards fly. */
  constructor(private readonly draw: (change: () => void) => Promise<void>) {}

  welcome({ scene, seq, log }: Welcome): void {
    this.generation += 1;
    this.queue = [];
    this.busy = false;
    this.skip();
    const shown = this.seq > 0 && this.seq === seq && this.rest === "deal";
    this.scene = scene;
    this.seq = seq;
    this.log = log;
    this.taker = null;
    this.resultOfDeal = scene.result.length ? scene.deal : 0;
    this.rest = scene.done || shown ? "deal" : "none";
  }

  add(event: TableEvent): void {
    if (event.seq <= this.seq || this.queue.some((waiting) => waiting.seq >= event.seq)) return;
    this.queue.push(event);
    if (!this.busy) void this.run();
  }

  /** The person has seen enough. */
  skip(): void {
    this.wake();
  }

  private async run(): Promise<void> {
    const generation = this.generation;
    this.busy = true;
    for (let event = this.queue.shift(); event; event = this.queue.shift()) {
      await this.show(event, () => generation !== this.generation);
      if (generation !== this.generation) return;
    }
    this.busy = false;
  }

  private async show(event: TableEvent, stale: () => boolean): Promise<void> {
    const before = this.scene;
    const { scene } = event;
    const { log } = event;
    if (log) this.log = [...this.log.filter((line) => line.seq >= (log.oldest ?? 0)), log];
    this.actor = before?.to_act.length === 1 ? (before.to_act[0] ?? null) : null;
    const trick = before && finishedTrick(before, scene);
    if (trick && before) {
      await this.draw(() => {
        this.scene = withTrick(before, trick);
        this.taker = scene.last_trick?.taker ?? null;
      });
      if (stale()) return;
      await this.pause("trick", pace().trick);
      if (stale()) return;
    }
    await this.draw(() => {
      this.scene = scene;
      this.seq = event.seq;
      this.taker = null;
    });
    if (stale()) return;
    if (before && this.endsDeal(before, scene)) await this.pause("deal", scene.done ? Infinity : pace().deal);
    else await this.pause("none", this.queue.length > 12 ? 0 : pace().event);
  }

  /** A result is shown once, be it told with the deal's last event or only when the next deal has begun. */
  private endsDeal(before: Scene, scene: Scene): boolean {
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

function finishedTrick(before: Scene, scene: Scene): Played[] | null {
  const { last_trick: last } = scene;
  return last && JSON.stringify(last) !== JSON.stringify(before.last_trick) ? last.cards : null;
}

/** The table a moment before the trick was taken: its last cards played, nothing drawn yet. */
function withTrick(before: Scene, cards: Played[]): Scene {
  const lying = before.zones.find((zone) => zone.kind === "trick")?.cards ?? [];
  const fresh = cards.slice(lying.length);
  const mine = played(before.seat, fresh);
  const trick = { id: "trick", label: "Trick", kind: "trick" as const, cards: [] };
  const zones = before.zones.some((zone) => zone.kind === "trick") ? before.zones : [trick, ...before.zones];
  return {
    ...before,
    prompt: "",
    moves: [],
    to_act: [],
    hand: before.hand.filter((card) => !mine.includes(card)),
    zones: zones.map((zone) => (zone.kind === "trick" ? { ...zone, cards } : zone.id === "dummy" ? less(zone, fresh) : zone)),
    seats: before.seats.map((seat) => {
      const cards = played(seat.seat, fresh);
      return {
        ...seat,
        to_act: false,
        cards: seat.cards - cards.length,
        open: seat.open.filter((card) => !cards.includes(card)),
      };
    }),
  };
}

/** The dummy's cards without those just played. */
function less(dummy: ZoneView, fresh: Played[]): ZoneView {
  const gone = played("dummy", fresh);
  const cards = dummy.cards.filter((card) => typeof card !== "string" || !gone.includes(card));
  return { ...dummy, cards, count: cards.length };
}

const played = (who: Who | null, trick: Played[]) => trick.filter((one) => one.seat === who).map((one) => one.card);
