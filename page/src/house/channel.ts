/** What the windows of a browser and the house in its worker say to each other, over one channel that all of them hear. */
import type { Method } from "./house.ts";

/** Where the page lies, which ends with a slash. Two editions on one host share nothing. */
export const folderOf = (address: string): string => new URL(".", address).pathname;

export const channelName = (folder: string): string => `upcard ${folder}`;

export type ToHouse = { to: "house"; from: string } & (
  | { say: "hello" }
  | { say: "bye" }
  /** From now on files are kept: it fetches those of its games again. */
  | { say: "keep" }
  | { say: "ask"; id: number; method: Method; path: string; body: string; language: string }
  | { say: "open"; line: number; table: string; language: string }
  | { say: "hear"; line: number; text: string }
  | { say: "close"; line: number }
);

export type FromHouse =
  | { to: string; say: "answer"; id: number; text: string }
  | { to: string; say: "message"; line: number; json: string; closed: string }
  /** The house is there: for one window, or for all when it begins. */
  | { to: string; say: "ready" }
  /** It cannot begin. */
  | { to: "all"; say: "failed"; why: string };

/** Between windows: whether the one with the worker still lives. */
export type Between = { to: "windows"; say: "anybody?" | "here" };

export type Said = ToHouse | FromHouse | Between;
