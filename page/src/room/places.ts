/** The places where people talk: at a table, and in a room. */
import type { Match } from "../live/match.svelte.ts";
import type { React, Say } from "../protocol.ts";
import { ownName } from "../settings.svelte.ts";
import type { Talk } from "./talk.svelte.ts";
import type { RoomWatch } from "./watch.svelte.ts";
import { t } from "../language.svelte.ts";

/** What this person may do where people talk. */
export interface TalkPlace {
  readonly talk: Talk;
  readonly trouble: string;
  /** Whether people may use their own words. */
  readonly free: boolean;
  /** Whether this person decides that, and removes words. */
  readonly decides: boolean;
  readonly removes: boolean;
  /** Whether speakers without a seat are marked. */
  readonly seats: boolean;
  /** Who hears this person, if not everybody. */
  readonly note: string;
  say(what: Omit<Say, "do" | "name">): Promise<unknown>;
  react(kind: React["kind"]): Promise<unknown>;
  remove(number: string): void;
  allow(free: boolean): void;
}

export function talkAt(match: Match): TalkPlace {
  const name = () => (match.table.you === null ? ownName() : null);
  return {
    talk: match.talk,
    seats: true,
    get trouble() { return match.trouble; },
    get free() { return match.table.settings.chat && !match.table.settings.listed; },
    get decides() { return match.table.may.includes("change") && !match.table.settings.listed; },
    get removes() { return match.table.host; },
    get note() { return match.table.you === null && !match.table.done ? t("Only those who watch hear you while the match runs.") : ""; },
    say: (what) => match.ask({ do: "say", ...what, name: name() }),
    react: (kind) => match.ask({ do: "react", kind, name: name() }),
    remove: (number) => void match.ask({ do: "unsay", number }),
    allow: (chat) => void match.change({ chat }),
  };
}

export function talkIn(room: RoomWatch): TalkPlace {
  return {
    talk: room.talk,
    seats: false,
    note: "",
    get trouble() { return room.trouble; },
    get free() { return room.view?.chat ?? false; },
    get decides() { return room.may("change"); },
    get removes() { return room.may("change"); },
    say: (what) => room.ask({ do: "say", ...what }),
    react: (kind) => room.ask({ do: "react", kind }),
    remove: (number) => void room.ask({ do: "unsay", number }),
    allow: (chat) => void room.ask({ do: "change", chat }),
  };
}
