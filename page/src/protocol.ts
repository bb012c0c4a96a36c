/** What the table says to the page; see docs/protocol.md. */

export interface Mark {
  label: string;
  value: string;
}

export interface SeatView {
  seat: number;
  cards: number;
  open: string[];
  dealer: boolean;
  to_act: boolean;
  leader: boolean;
  partner: number | null;
  marks: Mark[];
  score: number | null;
}

/** A seat, or the dummy: a hand that nobody holds, in the zone of this id. */
export type Who = number | "dummy";

export interface Played {
  card: string;
  seat: Who;
}

export interface ZoneView {
  id: string;
  kind: "trick" | "pile" | "row" | "meld";
  label: string;
  cards: (string | Played)[];
  count?: number;
  owner?: number | null;
  number?: number | null;
}

export interface Move {
  text: string;
  verb: string;
  cards: string[];
  label: string;
  number?: number | null;
  zone?: string | null;
}

export interface LastTrick {
  cards: Played[];
  taker: Who;
}

export interface Scene {
  game: string;
  title: string;
  seat: number | null;
  players: number;
  phase: string;
  deal: number;
  trump: string | null;
  headline: string;
  prompt: string;
  to_act: number[];
  hand: string[];
  seats: SeatView[];
  zones: ZoneView[];
  last_trick: LastTrick | null;
  moves: Move[];
  result: string[];
  done: boolean;
  winners: number[];
}

export type OptionValue = string | number | boolean;

export interface OptionBounds {
  default: OptionValue;
  low: number | null;
  high: number | null;
}

export interface GameOption extends OptionBounds {
  name: string;
  kind: "whole" | "choice" | "flag" | "digits";
  values: OptionValue[] | null;
  help: string;
  clause: string | null;
  by_players?: Record<string, Partial<OptionBounds>>;
}

export interface Game {
  slug: string;
  title: string;
  family: string;
  players: number[];
  default_players: number;
  summary: string;
  length: string;
  /** The options of a short match; null where the usual one is short. */
  short: Record<string, OptionValue> | null;
  options: GameOption[];
}

export interface Level {
  name: string;
  title: string;
  help: string;
}

export interface TableSeat {
  seat: number;
  name: string | null;
  who: "person" | "computer" | "open";
  level: string | null;
  here: boolean;
}

export interface Table {
  id: string;
  game: string;
  title: string;
  players: number;
  options: Record<string, OptionValue>;
  you: number | null;
  host: boolean;
  started: boolean;
  done: boolean;
  seats: TableSeat[];
}

export interface LogLine {
  seq: number;
  text: string;
  /** Lines before this one are to be forgotten. */
  oldest?: number;
}

export interface RulesPage {
  title: string;
  html: string;
}

export type SeatWish = { who: "me" } | { who: "computer"; level: string } | { who: "open" };

export interface NewTable {
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  name: string;
  seats: SeatWish[];
}

export interface Welcome {
  type: "welcome";
  table: Table;
  seq: number;
  scene: Scene;
  log: LogLine[];
}

export interface TableEvent {
  type: "event";
  seq: number;
  scene: Scene;
  log: LogLine | null;
}

export interface Refused {
  type: "refused";
  id: string;
  text: string;
  clause: string | null;
}

export type FromTable =
  | Welcome
  | TableEvent
  | Refused
  | { type: "table"; table: Table }
  | { type: "accepted"; id: string; seq: number };

export interface ToTable {
  type: "move";
  id: string;
  seq: number;
  text: string;
}
