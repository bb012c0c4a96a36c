/** What people at a table or in a room say, as this page has heard it. */
import type { ChatMessage, FromTable, Reaction } from "../protocol.ts";
import { phrases, reactions } from "./phrases.ts";
import { t } from "../language.svelte.ts";

/** Milliseconds for which the latest words are shown where the talk is closed. */
const SHOWN = 6000;
const MOST = 60;

export interface Line {
  key: string;
  by: string;
  name: string;
  watches: boolean;
  text: string;
  /** What is read out, with the name. */
  spoken: string;
  /** The number of a message; null for a reaction. */
  number: string | null;
}

export class Talk {
  private all = $state.raw<Line[]>([]);
  private muted = $state.raw<string[]>([]);
  /** Whether something was said since the talk was read last. */
  unread = $state(false);
  /** The latest line, for a moment. */
  latest = $state.raw<Line | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private reactions = 0;

  /** What is shown: without those who are muted. */
  get lines(): Line[] {
    return this.all.filter((line) => !this.muted.includes(line.by));
  }

  get anyMuted(): boolean {
    return this.muted.length > 0;
  }

  hear(message: Extract<FromTable, { type: "chat" | "chat removed" | "reaction" }>): void {
    if (message.type === "chat removed") {
      this.all = this.all.filter((line) => line.number !== message.number);
      if (this.latest?.number === message.number) this.latest = null;
      return;
    }
    const line = message.type === "chat" ? ofMessage(message) : ofReaction(message, (this.reactions += 1));
    if (this.all.some((known) => known.key === line.key)) return;
    this.all = [...this.all, line].slice(-MOST);
    if (this.muted.includes(line.by)) return;
    this.unread = true;
    this.latest = line;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.latest = null), SHOWN);
  }

  /** Does not show what this person says, on this page. */
  mute(by: string): void {
    this.muted = [...this.muted, by];
    if (this.latest?.by === by) this.latest = null;
  }

  unmuteAll(): void {
    this.muted = [];
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

function ofMessage({ number, by, name, seat, phrase, text }: ChatMessage): Line {
  const words = phrase ? phrases()[phrase] : (text ?? "");
  return { key: number, by, name, watches: seat === null, text: words, spoken: t("{name}: {words}", { name, words }), number };
}

function ofReaction({ by, name, seat, kind }: Reaction, count: number): Line {
  const { picture, spoken } = reactions(name)[kind];
  return { key: `reaction ${count}`, by, name, watches: seat === null, text: picture, spoken, number: null };
}
