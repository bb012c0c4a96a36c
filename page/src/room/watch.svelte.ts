/** A room as this page knows it: it is shown over a line, which also tells the others who is here. */
import * as api from "../api.ts";
import { house } from "../house/index.ts";
import type { Line } from "../house/house.ts";
import { pledge } from "../live/pledges.ts";
import type { FromRoom, InRoom, NewRoom, NextMatch, RoomInfo, RoomView, TableView } from "../protocol.ts";
import { go, invitePath, tablePath } from "../router.svelte.ts";
import { ownName } from "../settings.svelte.ts";
import { Talk } from "./talk.svelte.ts";
import { t } from "../language.svelte.ts";

export const myRooms = () => house.ask<RoomInfo[]>("GET", "rooms");
export const openRoom = () => api.getSeat<RoomView>("rooms", { name: ownName() } satisfies NewRoom);

const watched = new Map<string, RoomWatch>();

/** A room, of which there is one watch however many parts of the page show it: each of them holds it while it does. */
export function roomOf(id: string): RoomWatch {
  const room = watched.get(id) ?? new RoomWatch(id);
  watched.set(id, room);
  return room;
}

export class RoomWatch {
  view = $state.raw<RoomView | null>(null);
  readonly talk = new Talk();
  /** Why something that was asked for was refused, until the next is granted. */
  trouble = $state("");
  /** Why the room is not shown just now. */
  lost = $state("");
  /** Whether this person was in the room and is no longer. */
  removed = $state(false);
  private holders = 0;
  private line: Line | null = null;

  constructor(readonly id: string) {}

  /** Watches the room until the answer is called. Who goes from one part of the page to another keeps the line. */
  hold(): () => void {
    this.holders += 1;
    watched.set(this.id, this);
    this.line ??= house.roomLine(this.id, (message) => this.hear(message), (why) => void this.lose(why));
    return () => {
      this.holders -= 1;
      setTimeout(() => this.holders || this.close());
    };
  }

  may(what: InRoom["do"] | "play"): boolean {
    return this.view?.may.includes(what) ?? false;
  }

  /** Asks for something; whether it was granted. What is wrong with it is told. */
  async ask(action: InRoom): Promise<boolean> {
    try {
      const view = await api.getSeat<RoomView>(`rooms/${this.id}/actions`, action);
      if (view.now >= (this.view?.now ?? 0)) this.take(view);
      this.trouble = "";
      return true;
    } catch (error) {
      this.trouble = api.told(error);
      return false;
    }
  }

  /** Opens the next match and goes there. */
  async play(wish: Omit<NextMatch, "after">): Promise<void> {
    try {
      const after = this.view?.opened ?? 0;
      const table = await api.getSeat<TableView>(`rooms/${this.id}/tables`, { ...wish, after, pledge: pledge() });
      go(tablePath(table.id));
    } catch (error) {
      this.trouble = api.told(error);
    }
  }

  /** Takes the seat that is free at the room's table, and goes there. */
  async sit(): Promise<void> {
    const table = this.view?.table;
    if (!table) return;
    try {
      const name = this.view?.members.find((member) => member.number === this.view?.you)?.name ?? ownName();
      await api.ask(table.id, { do: "sit", name, invite: table.free === "held" ? null : table.invite });
      go(table.invite ? invitePath(table.id, table.invite) : tablePath(table.id));
    } catch (error) {
      this.trouble = api.told(error);
    }
  }

  private close(): void {
    this.line?.close();
    this.line = null;
    this.talk.close();
    if (watched.get(this.id) === this) watched.delete(this.id);
  }

  private hear(message: FromRoom): void {
    this.lost = "";
    if (message.type === "room") this.take(message.room);
    else if (message.type !== "alive") this.talk.hear(message);
  }

  private async lose(why: string): Promise<void> {
    this.lost = why ? `${why}.` : t("Connection lost. Reconnecting…");
    if (why) return;
    try {
      await house.ask<RoomView>("GET", `rooms/${this.id}`);
    } catch (error) {
      const status = error instanceof api.Refusal ? error.status : 0;
      if (status === 401) location.reload(); // the house has a new passphrase: its door asks for it
      if (status && this.lost) this.lost = `${api.told(error)}.`;
    }
  }

  private take(view: RoomView): void {
    this.removed = view.you === null && (this.removed || (this.view?.you ?? null) !== null);
    this.view = view;
  }
}
