/** A table as this page knows it: what was told of it, what is shown of it by now, and what one can ask of it. */
import * as api from "../api.ts";
import type { Action, FromTable, LogLine, Notice, Refused, SceneView, TableView, Thinking } from "../protocol.ts";
import { go, secretAt, stayAtTable, tablePath } from "../router.svelte.ts";
import { Talk } from "../room/talk.svelte.ts";
import { ownName } from "../settings.svelte.ts";
import { Connection } from "./connection.svelte.ts";
import { nonceDue } from "./pledges.ts";
import { Playback } from "./playback.svelte.ts";
import { changed } from "./scenes.ts";
import { t } from "../language.svelte.ts";

/** Milliseconds for which a remark stands. */
const REMARKED = 8000;
const notYours = () => t("This seat is no longer yours here: it was opened on another device, or the host gave it away.");

export class Match {
  table = $state.raw() as TableView;
  readonly playback: Playback;
  readonly line: Connection;
  readonly talk = new Talk();
  refusal = $state.raw<Refused | null>(null);
  /** Something is wrong with the table or the server, in words. */
  trouble = $state("");
  notice = $state.raw<Notice | null>(null);
  /** Who reminded this person of their turn. */
  nudged = $state<number | null>(null);
  /** What others have just done besides playing. */
  remarks = $state.raw<string[]>([]);
  private forgetting: ReturnType<typeof setTimeout> | undefined;
  /** Fires when this person may propose something again. */
  private proposing: ReturnType<typeof setTimeout> | undefined;
  thinking = $state.raw<Record<number, Thinking["state"]>>({});
  /** The clock of the server, less ours, in seconds. */
  ahead = 0;
  /** This person goes to the next match. */
  private goingOn = $state(false);
  /** This person has asked to give up the seat. */
  private going = false;
  private told: SceneView | null = null;
  private seq = 0;

  constructor(table: TableView, draw: (change: () => void) => Promise<void>) {
    this.table = table;
    this.playback = new Playback(draw, table.id);
    this.line = new Connection(table.id, (message) => this.hear(message), (why) => this.lost(why));
  }

  /** A move was sent and has not been shown yet. */
  get busy(): boolean {
    return this.line.unanswered.length > 0 || this.playback.seq < this.line.acted;
  }

  get mayAct(): boolean {
    return !this.busy && this.playback.rest !== "deal" && this.table.ended === null;
  }

  /** Whether somebody else has asked for one more match. */
  get called(): boolean {
    return this.table.next !== null && !this.goingOn;
  }

  /** What to press for one more match; empty where there is none. */
  get again(): string {
    if (this.called) return t("Join the rematch");
    return this.table.next || this.table.may.includes("rematch") ? t("Rematch") : "";
  }

  /** One more match: it is asked for, unless somebody has done so, and gone to. */
  async rematch(): Promise<void> {
    this.goingOn = true;
    if (!this.table.next) await this.ask({ do: "rematch" });
    const { you, next, seats } = this.table;
    this.goingOn = next !== null;
    if (!next) return;
    if (you !== null) await takeHeldSeat(next, seats[you]?.name ?? "").catch(() => {}); // it can be taken there too
    go(tablePath(next));
  }

  play(text: string): void {
    this.refusal = null;
    this.trouble = "";
    this.nudged = null;
    this.line.move(text, this.playback.seq);
  }

  /** Asks something of the table; what is wrong with it is told. */
  async ask(action: Action): Promise<void> {
    this.going = action.do === "leave";
    try {
      this.takeTable(await api.ask(this.table.id, action));
      this.trouble = "";
    } catch (error) {
      this.trouble = api.told(error);
    }
  }

  private changing: Promise<void> = Promise.resolve();
  /** Changes settings of the table, after the answer to the change before: each message has all settings. */
  change(part: Partial<TableView["settings"]>): Promise<void> {
    return (this.changing = this.changing.then(() => this.ask({ do: "change", settings: { ...this.table.settings, ...part } })));
  }

  /** Takes the seat that is free. */
  sit(): Promise<void> {
    return this.ask({ do: "sit", name: ownName(), invite: secretAt("invite") });
  }

  close(): void {
    clearTimeout(this.forgetting);
    clearTimeout(this.proposing);
    this.talk.close();
    this.line.close();
  }

  private hear(message: FromTable): void {
    switch (message.type) {
      case "welcome":
        this.catchUp(message.log);
        this.told = message.scene;
        this.seq = message.seq;
        this.trouble = "";
        this.notice = null;
        this.refusal = null;
        this.takeTable(message.table);
        return this.playback.welcome(message.scene, message.seq, message.log);
      case "event":
      case "table":
        return this.follow(message);
      case "people":
        return this.seePeople(message);
      case "thinking":
        this.thinking = { ...this.thinking, [message.seat]: message.state };
        return;
      case "nudge":
        this.nudged = message.by;
        return;
      case "chat":
      case "chat removed":
      case "reaction":
        return this.talk.hear(message);
      case "notice":
        this.notice = message.kind === "well" ? null : message;
        return;
      case "refused":
        this.refusal = message;
    }
  }

  /** What changed was told against the last scene told: whoever has missed one asks for a new beginning. */
  private follow(message: Extract<FromTable, { type: "event" | "table" }>): void {
    const knocked = message.type === "table" && message.table.knocks.length > this.table.knocks.length;
    if (message.type === "table") this.takeTable(message.table);
    else {
      const { clocks = this.table.clocks, may = this.table.may, substitute_at = [] } = message;
      const seats = this.table.seats.map((seat, index) => ({ ...seat, substitute_at: substitute_at[index] ?? null }));
      this.table = { ...this.table, clocks, may, seats };
    }
    if (!this.told || message.base !== this.seq) return this.line.send({ type: "look" });
    const before = this.told;
    this.told = changed(before, message.changes);
    if (acts(before) !== acts(this.told)) this.refusal = null;
    if (this.told.done && !before.done) void this.lookAgain();
    this.seq = message.seq;
    const step = { seq: message.seq, scene: this.told };
    if (message.type === "event") this.playback.add({ ...step, log: [message.log], spoken: message.utterances ?? [], oldest: message.oldest, quiet: false });
    else {
      this.playback.add({ ...step, log: message.log, spoken: [], oldest: 0, quiet: true });
      // Who knocks is shown until the host has answered.
      if (!knocked) this.remark(message.log.filter((line) => !line.by_you).map((line) => line.text));
    }
  }

  /** What a computer player has played for this person while they were away. */
  private catchUp(log: LogLine[]): void {
    const moves = log.filter((line) => this.seq > 0 && line.seq > this.seq && line.for_you);
    this.remark(moves.slice(-3).map((line) => t("Meanwhile: {move}", { move: line.text })));
  }

  /** Remarks stand for some seconds. */
  private remark(lines: string[]): void {
    if (!lines.length) return;
    this.remarks = [...this.remarks, ...lines];
    clearTimeout(this.forgetting);
    this.forgetting = setTimeout(() => (this.remarks = []), REMARKED);
  }

  /** What can be asked of a table is another thing when the match is over. */
  async lookAgain(): Promise<void> {
    await api.table(this.table.id).then((table) => this.takeTable(table), () => {});
  }

  private takeTable(table: TableView): void {
    if (this.table.you !== null && table.you === null && !this.going) {
      this.trouble = notYours();
      stayAtTable(table.id, null);
    }
    const seated = this.table.you === null && table.you !== null;
    if (this.table.knock?.state === "waiting" && table.you === null && table.free === null && !table.done) this.trouble = t("Nobody waits for a seat any more: all are taken.");
    clearTimeout(this.proposing);
    if (table.propose_at !== null) this.proposing = setTimeout(() => void this.lookAgain(), Math.max(0, table.propose_at - table.now) * 1000 + 300);
    this.table = table;
    if (seated) this.line.hurry();
    this.playback.timed = table.settings.clock !== null;
    this.ahead = table.now - Date.now() / 1000;
    this.thinking = Object.fromEntries(table.seats.flatMap((seat) => (seat.thinking ? [[seat.seat, seat.thinking]] : [])));
    const nonce = nonceDue(table);
    if (nonce) api.ask(table.id, { do: "reveal", nonce }).catch(() => {}); // the table goes on without it
  }

  private seePeople({ here, away_since, watching, substitute_at }: Extract<FromTable, { type: "people" }>): void {
    const seats = this.table.seats.map((seat, index) => ({
      ...seat, here: here[index] ?? seat.here, away_since: away_since[index] ?? null, substitute_at: substitute_at[index] ?? null,
    }));
    this.table = { ...this.table, seats, watching };
  }

  private lost(why: string): void {
    this.thinking = {};
    if (this.trouble === notYours()) return; // which says more
    if (why && this.table.you !== null) void this.lookAgain(); // the seat may be gone
    if (why) this.trouble = `${why}.`;
    else api.table(this.table.id).then(() => (this.trouble = ""), (error: unknown) => {
      const status = error instanceof api.Refusal ? error.status : 0;
      if (status === 401) location.reload(); // the house has a new passphrase: its door asks for it
      this.trouble = status === 404 ? t("This table is gone.") : status === 429 ? `${api.told(error)}.` : "";
    });
  }
}

/** At the next table a seat is held for everybody but whoever asked for it first, who sits there. */
async function takeHeldSeat(id: string, name: string): Promise<void> {
  const { free } = await api.table(id);
  if (free === "held") await api.ask(id, { do: "sit", name });
}

/** Whether it is the turn of whoever sees this scene. */
const acts = ({ seat, to_act }: SceneView) => seat !== null && to_act.includes(seat);

/** What the stage shows: a table that is played at, or one that is watched again. */
export type Shown = Pick<Match, "table" | "playback" | "thinking" | "busy" | "mayAct" | "refusal" | "play">;
