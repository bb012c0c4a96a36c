/** The house as the page sees it, wherever it is: everything that the page asks and hears goes through here. */
import type { Abilities, FromRoom, FromTable, ToTable } from "../protocol.ts";

export type Method = "GET" | "POST" | "DELETE";

/** A line to one table. It comes back by itself; every time it does, the table says `welcome`. */
export interface Line {
  send(message: ToTable): void;
  /** There is a reason to come back at once. */
  hurry(): void;
  close(): void;
}

export interface House {
  /** Asks one thing; docs/protocol.md has the paths, without `/api/`. Fails with a `Refusal`. */
  ask<T>(method: Method, path: string, body?: unknown): Promise<T>;
  /** Opens a line to a table. `lost` is called when it breaks, with the reason if the house gives one. */
  line(table: string, hear: (message: FromTable) => void, lost: (why: string) => void): Line;
  /** Hears news of this person's devices until the returned function is called. `over` is called where there are none to wait for. */
  news(hear: (text: string) => void, over: () => void): () => void;
  /** Opens a line to a room, over which only the room speaks; every time it comes back, the room is shown. */
  roomLine(room: string, hear: (message: FromRoom) => void, lost: (why: string) => void): Line;
  /** What a path answers, as a file to be saved. Fails with a `Refusal`. */
  file(path: string): Promise<Blob>;
  /** Only this is offered to people. Reactive, as the house may say it late. */
  can: Abilities;
  /** Whether people wait for a house that is still beginning. Reactive. */
  readonly waits: boolean;
}

/** The house says no, or cannot be asked. */
export class Refusal extends Error {
  constructor(
    message: string,
    /** The status of HTTP; 0 where there was no answer. */
    readonly status: number,
    readonly clause: string | null,
  ) {
    super(message);
  }
}
