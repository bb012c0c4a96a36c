/** A room as this page knows it: it is looked at again every few seconds, which also tells the others who is here. */
import * as api from "../api.ts";
import { house } from "../house/index.ts";
import { pledge } from "../live/pledges.ts";
import type { InRoom, NewRoom, NextMatch, RoomInfo, RoomView, TableView } from "../protocol.ts";
import { go, invitePath, tablePath } from "../router.svelte.ts";
import { settings } from "../settings.svelte.ts";

/** Milliseconds between two looks. */
const PAUSE = 2500;

/** The name that this person goes by. */
export const ownName = (): string => settings.name.trim() || "Guest";

export const myRooms = () => house.ask<RoomInfo[]>("GET", "rooms");
export const openRoom = () => api.getSeat<RoomView>("rooms", { name: ownName() } satisfies NewRoom);

export class RoomWatch {
  view = $state.raw<RoomView | null>(null);
  /** Why something that was asked for was refused, until the next is granted. */
  trouble = $state("");
  /** Why the room cannot be looked at just now. */
  lost = $state("");
  /** Whether this person was in the room and is no longer. */
  removed = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(readonly id: string) {
    void this.look();
  }

  get host(): boolean {
    return this.view !== null && this.view.you !== null && this.view.you === this.view.host;
  }

  may(what: InRoom["do"] | "play"): boolean {
    return this.view?.may.includes(what) ?? false;
  }

  async look(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.take(await house.ask<RoomView>("GET", `rooms/${this.id}`));
      this.lost = "";
    } catch (error) {
      this.lost = api.told(error);
    }
    clearTimeout(this.timer);
    if (!this.ended) this.timer = setTimeout(() => void this.look(), PAUSE);
  }

  /** Asks for something; whether it was granted. What is wrong with it is told. */
  async ask(action: InRoom): Promise<boolean> {
    try {
      this.take(await api.getSeat<RoomView>(`rooms/${this.id}/actions`, action));
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
      await this.look();
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

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  private take(view: RoomView): void {
    if (this.ended) return;
    this.removed = view.you === null && (this.removed || (this.view?.you ?? null) !== null);
    this.view = view;
  }
}
