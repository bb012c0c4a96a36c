/** What the server and the page say to each other: docs/protocol.md. Made by upcard.server.typescript. */

/** The time that each person has. When it is up, a computer player moves for them until they come back. */
export interface Clock {
  /** Seconds for each move; unused seconds are not saved up. */
  per_move: number;
  /** Seconds for the whole match, used by moves that take longer. */
  bank: number;
}

/** The settings of a table. */
export interface Settings {
  /** Whether strangers find it in the lobby and may sit down. */
  listed: boolean;
  /** Whether people without a seat may watch. */
  watchers: boolean;
  /** Fixed when play begins. */
  clock: Clock | null;
  /** The seconds that everybody waits for an absent person before a computer player may step in. */
  patience: number;
  /** Whether newcomers must ask the host before they sit down. */
  knock: boolean;
}

/** A seat and its occupant. */
export interface SeatSummary {
  seat: number;
  name: string | null;
  who: "computer" | "held" | "open" | "person";
  /** The level of a computer player. */
  level: string | null;
  /** Whether this player is connected to the table now; computer players always are. */
  here: boolean;
  away_since: number | null;
  /** The level of the computer player that plays for somebody who is away, or until somebody sits down. */
  substitute: string | null;
  /** The time from which the others may let a computer player step in, if they are waiting for this seat. */
  substitute_at: number | null;
  /** Whether there is a link that moves this seat to another device; sent to its own player only. */
  link: boolean;
  /** The activity of the computer player at this seat, if it takes a while. */
  thinking: "" | "getting ready" | "thinking";
}

/** The situation of a person who cannot sit down unless the host lets them in. */
export interface OwnKnock {
  /** `needed`: `sit` asks the host; `waiting`: they have asked; `declined`: the host has said no. */
  state: "declined" | "needed" | "waiting";
  /** The time from which they may ask again; null if they may now, or are waiting. */
  again_at: number | null;
}

/** Somebody who asks the host for a seat. */
export interface KnockView {
  /** To be sent with `let in` and `decline`. */
  number: number;
  name: string;
  /** The seat they want; null if any will do. */
  seat: number | null;
}

/** A proposal to which not all of the others have agreed yet. */
export interface Proposal {
  seat: number;
  what: "abandon" | "concede" | "take back";
  agreed: number[];
  waits_for: number[];
}

/** The origin of a table that continues another match. */
export interface Origin {
  /** null for an imported record. */
  table: string | null;
  /** The number of events played there. */
  events: number;
}

/** The clock of one seat. */
export interface ClockView {
  /** Seconds left in the bank when this move began. */
  bank: number;
  /** The time since which the clock has been running; null while it is stopped. What a move needs beyond its own time is taken from the bank. */
  since: number | null;
}

/** The inputs of a match's shuffles; see docs/fair-shuffles.md. */
export interface Shuffles {
  /** The SHA-256 of the server's secret. */
  commitment: string;
  /** Per seat, the SHA-256 of its nonce. */
  pledged: (string | null)[];
  /** Per seat, its nonce, once it has been revealed. */
  nonces: (string | null)[];
  /** Whether the shuffles are fixed. */
  settled: boolean;
  /** The seats that have yet to send the nonce that they pledged, with `reveal`. */
  waits_for: number[];
  /** The time after which play begins without their nonces; null unless nonces may be revealed now. */
  until: number | null;
  /** Whether the first dealer is drawn too. The match record must have the same value. */
  dealer: boolean;
}

/** A table as shown to one person, without its cards. Times are in seconds since 1970. */
export interface TableView {
  id: string;
  game: string;
  title: string;
  players: number;
  options: Record<string, unknown>;
  settings: Settings;
  created: number;
  you: number | null;
  host: boolean;
  /** The seat of the host; null if no person has a seat. */
  host_seat: number | null;
  started: boolean;
  done: boolean;
  /** How the match was given up, if it was: "closed" by the house; "unfinished": the record stops there. */
  ended: "abandoned" | "closed" | "conceded" | "unfinished" | null;
  /** Whether one person plays alone with computer players, and may take back freely. */
  practice: boolean;
  seats: SeatSummary[];
  /** The number of people without a seat who are watching. */
  watching: number;
  /** The actions that this person may ask for now. */
  may: string[];
  /** The kind of seat that this person can take, if there is one: held for them, open to anybody, or open to anyone with the invitation link. */
  free: "held" | "invited" | "open" | null;
  /** null if this person has a seat or may sit down without asking, or if no seat is free. */
  knock: OwnKnock | null;
  /** The people who ask for a seat; sent to the host only. */
  knocks: KnockView[];
  asked: Proposal | null;
  /** The time from which this person may propose something again; null if they may now. */
  propose_at: number | null;
  /** The table of the rematch, once somebody has asked for one. */
  next: string | null;
  /** The match that this one continues. */
  origin: Origin | null;
  /** Whether this table shows an imported record or was played on from one. */
  brought: "played on" | "record" | null;
  /** The secret of the invitation link, sent to people with a seat here: `/t/{id}#invite={invite}`. */
  invite: string | null;
  /** Per seat; null at a table without clocks. */
  clocks: ClockView[] | null;
  /** null at a table whose shuffles cannot be checked. */
  shuffles: Shuffles | null;
  /** The server's time. */
  now: number;
}

/** The order of the ranks, the weakest first, for sorting a hand. */
export interface Order {
  plain?: string;
  /** The same for the trump suit, if its ranks have another order. */
  trump?: string;
  /** Cards outside the trump suit that are trumps too. */
  trumps?: string[];
}

/** A short text about a seat: "Bid 3". */
export interface MarkView {
  label: string;
  value: string;
  role?: string;
}

/** One seat. */
export interface SeatView {
  seat: number;
  /** The number of cards in its hand. */
  cards: number;
  /** Those of them that this viewer sees; empty for the viewer's own seat. */
  open: string[];
  dealer: boolean;
  to_act: boolean;
  leader: boolean;
  /** The seats that score together share a number here. */
  side: number | null;
  /** The most important first. */
  marks: MarkView[];
  score: number;
  /** Its rank by the scores: 1 is the best, whether that takes many points or few; equal scores share a rank. */
  place: number;
}

/** A zone on the table that is not the hand of a seat. */
export interface ZoneView {
  id: string;
  role: string;
  label: string;
  /** The visible ones; the top card of a pile is the last. */
  cards?: string[];
  count?: number;
  /** For a trick: who played each card. */
  seats?: (number | "dummy")[];
  owner?: number | null;
  number?: number | null;
}

/** The last finished trick of the deal. */
export interface LastTrick {
  cards: string[];
  seats: (number | "dummy")[];
  taker: number | "dummy";
}

/** One legal move. */
export interface Move {
  /** In the notation, to be sent in order to make it. */
  text: string;
  /** The word of its verb; empty for playing a card. */
  verb: string;
  /** For a button. */
  label: string;
  /** The cards that are selected to make it. */
  cards?: string[];
  number?: number | null;
  /** The zone that may be tapped instead. */
  zone?: string | null;
  /** A question to ask first, unless the person does not want to be asked. It does not say whether the move is good. */
  asks?: string;
}

/** Moves that consist of any choice of a given number of cards. */
export interface Pick {
  verb: string;
  /** With {cards} and perhaps {worth}, for the cards that are chosen. */
  label: string;
  sizes: number[];
  /** The cards to choose from; a move names them in this order. */
  cards: string[];
  worth: Record<string, number>;
  asks: string;
}

/** Moves that differ in one word, as buttons side by side: "Bid" 0 1 2 3. */
export interface ButtonRow {
  title: string;
  /** The cards that must be selected for it, if any. */
  cards: string[];
  words: string[];
  texts: string[];
}

/** All legal moves of a seat. */
export interface Offers {
  /** The moves that no pick covers; those with a question come last. */
  moves: Move[];
  picks: Pick[];
  rows: ButtonRow[];
  /** By card, the move that tapping it makes at once. Any other card of a move is selected first. */
  taps: Record<string, string>;
  /** The only move, if everybody can see that there is no other: making it at once gives nothing away. */
  forced: string;
  /** The word to put before a card that cannot be played, if somebody tries it; the table's refusal explains why. */
  attempt: string;
  /** The same for several cards. */
  attempts: string;
}

/** A table as one seat sees it. */
export interface SceneView {
  game: string;
  title: string;
  /** The viewer's seat; null for a spectator. */
  seat: number | null;
  players: number;
  phase: string;
  deal: number;
  trump: string | null;
  headline: string;
  prompt: string;
  to_act: number[];
  /** This seat's cards, sorted for show, trumps at the right end. */
  hand: string[];
  /** Those of them that everybody sees. */
  open: string[];
  order: Order;
  seats: SeatView[];
  /** Everything else on the table, in the order to draw it. */
  zones: ZoneView[];
  /** The seat that would take the trick as it is now. */
  ahead: number | "dummy" | null;
  last_trick: LastTrick | null;
  offers: Offers;
  /** How the last deal ended, in words; empty before. */
  result: string[];
  /** Per seat, the marks of the last finished deal, apart from those of the next one; empty before. */
  finished: MarkView[][];
  pot: number | null;
  done: boolean;
  winners: number[];
}

/** An event or a remark, in words. */
export interface LogLine {
  seq: number;
  text: string;
}

/** Everything that a client needs to start; sent again when its person sits down and when moves are taken back. */
export interface Welcome {
  type: "welcome";
  table: TableView;
  seq: number;
  scene: SceneView;
  log: LogLine[];
}

/** The fields of a scene that have changed; missing fields have not. */
export interface SceneChanges {
  phase?: string;
  deal?: number;
  trump?: string | null;
  headline?: string;
  prompt?: string;
  to_act?: number[];
  hand?: string[];
  open?: string[];
  order?: Order;
  ahead?: number | "dummy" | null;
  last_trick?: LastTrick | null;
  offers?: Offers;
  result?: string[];
  finished?: MarkView[][];
  pot?: number | null;
  done?: boolean;
  winners?: number[];
  /** The seats that have changed, identified by their numbers. */
  seats?: SeatView[];
  /** The zones that have changed or are new, identified by their ids. */
  zones?: ZoneView[];
  /** The ids of all zones in the order to draw them, if the list has changed; a zone that is not listed is gone. */
  zone_ids?: string[];
}

/** Something happened in the match; there is one message for each event, in order. */
export interface EventHappened {
  type: "event";
  seq: number;
  /** The `seq` of the message before it: a client that has another one asks for a welcome. */
  base: number;
  changes: SceneChanges;
  log: LogLine;
  /** Clients must drop log lines older than this: at some tables finished tricks may not be reviewed. */
  oldest: number;
  /** The clocks now, at a table with clocks. */
  clocks?: ClockView[];
  /** The actions that the person at this seat may ask for now. */
  may?: string[];
  /** Per seat, as in the table; missing if no awaited move allows a substitute, now or later. */
  substitute_at?: (number | null)[];
}

/** Somebody sat down or left, or something was proposed or agreed. */
export interface TableChanged {
  type: "table";
  table: TableView;
  seq: number;
  base: number;
  /** The scene's changes: its prompt contains names, which may have changed. */
  changes: SceneChanges;
  /** The remarks on the change, if any. */
  log: LogLine[];
}

/** Somebody came or went. */
export interface PeopleChanged {
  type: "people";
  here: boolean[];
  away_since: (number | null)[];
  watching: number;
  /** Per seat, as in the table: the others wait less long for a player who is away. */
  substitute_at: (number | null)[];
}

/** The activity of a computer player, if it takes a while. */
export interface Thinking {
  type: "thinking";
  seat: number;
  state: "done" | "getting ready" | "thinking";
}

/** Somebody reminds this person that it is their turn. */
export interface NudgeHeard {
  type: "nudge";
  by: number;
}

/** A notice from the server: it is about to restart, it cannot write at the moment, or all is well again. */
export interface Notice {
  type: "notice";
  kind: "closing" | "trouble" | "well";
  text: string;
}

/** A request was refused and nothing changed; `id` is empty if the message was not a move. */
export interface Refused {
  type: "refused";
  id: string;
  text: string;
  clause: string | null;
}

/** The move is on disk as entry `seq`. This is sent before the message about what the move did. */
export interface Accepted {
  type: "accepted";
  id: string;
  seq: number;
}

/** The answer to a `ping`. */
export interface Alive {
  type: "alive";
  now: number;
}

/** A move, over the WebSocket. */
export interface MakeMove {
  type: "move";
  id: string;
  seq: number;
  text: string;
}

/** Asks for a welcome, after a change whose `base` differs from the page's `seq`. */
export interface Look {
  type: "look";
}

/** Asks for a sign of life. */
export interface Ping {
  type: "ping";
}

/** Take a seat: an open one, or one that a computer player occupies until somebody comes. If the table's `knock` is not null, this asks the host for it instead. */
export interface Sit {
  do: "sit";
  name: string;
  seat?: number | null;
  /** From the invitation link; not needed at a listed table or for a seat reserved for this person. */
  invite?: string | null;
  /** The SHA-256 of a nonce: its 64 hexadecimal digits, as text. `reveal` sends the nonce when play begins. */
  pledge?: string | null;
}

/** The host gives an open seat to a computer player; all of them if `seat` is null. */
export interface Fill {
  do: "fill";
  level: string;
  seat?: number | null;
}

/** The host lets two seats change places, before the start. */
export interface Swap {
  do: "swap";
  seats: [number, number];
}

/** The host removes somebody from a seat; during play, a computer player takes over. The invitation link is renewed, and newcomers must knock from now on. */
export interface Remove {
  do: "remove";
  seat: number;
  /** Whether they are barred from this table. */
  block?: boolean;
}

/** The host makes a new invitation link; the old one no longer counts. */
export interface Renew {
  do: "renew";
}

/** The host gives a seat to somebody who has knocked. */
export interface LetIn {
  do: "let in";
  /** Its number, from `knocks` in the table. */
  knock: number;
}

/** The host gives no seat to somebody who has knocked. */
export interface Decline {
  do: "decline";
  knock: number;
}

/** Stop waiting to be let in. */
export interface Withdraw {
  do: "withdraw";
}

/** Give up your seat; during play, a computer player takes over until somebody else sits down. */
export interface Leave {
  do: "leave";
}

/** Give up your seat for good: a computer player plays it to the end. */
export interface Resign {
  do: "resign";
}

/** Let a computer player move for somebody who is away, once the others have waited long enough. */
export interface Substitute {
  do: "substitute";
  seat: number;
}

/** Take over from your substitute. Opening a connection to the table does this too. */
export interface ComeBack {
  do: "come back";
}

/** Propose that the match ends here, without a winner. All people at the table must agree. */
export interface Abandon {
  do: "abandon";
}

/** Take back your last move, or everything after the first `events` events when alone with computer players. */
export interface TakeBack {
  do: "take back";
  events?: number | null;
}

/** Propose to end the match in favour of the others. Of two players the other need not agree. */
export interface Concede {
  do: "concede";
}

/** Claim all the remaining tricks when about to lead. It is granted if what the player can see proves it; computer players then play the deal to its end. */
export interface Claim {
  do: "claim";
}

/** Agree to the proposal, or decline it. */
export interface Answer {
  do: "answer";
  agree: boolean;
}

/** Another match for the same players, with the seats rotated: the first who asks creates its table, the others get the same one. */
export interface Rematch {
  do: "rematch";
  /** As in `sit`, from the person who creates the table. */
  pledge?: string | null;
}

/** Reveal the nonce that you pledged to the shuffles, once every seat is taken. */
export interface Reveal {
  do: "reveal";
  nonce: string;
}

/** Remind somebody that it is their turn. */
export interface Nudge {
  do: "nudge";
  seat: number;
}

/** The host changes the settings of the table. */
export interface Change {
  do: "change";
  settings: Settings;
}

/** The body of any answer that reports a failure. */
export interface Failure {
  error: string;
  clause: string | null;
}

/** `GET /api/club`: the house. */
export interface Club {
  title: string;
  version: string;
  /** Whether you need a passphrase to play here. */
  locked: boolean;
  /** Whether this browser has given it, or none is needed. */
  admitted: boolean;
  /** Where others can reach the page; null if only this machine can. */
  address: string | null;
  /** Whether the server is about to restart. */
  closing: boolean;
}

/** The default and the bounds of an option. */
export interface OptionBounds {
  default: string | number | boolean;
  low: number | null;
  high: number | null;
}

/** An option of a game's rules. */
export interface GameOption {
  name: string;
  kind: "choice" | "digits" | "flag" | "whole";
  default: string | number | boolean;
  low: number | null;
  high: number | null;
  values: (string | number | boolean)[] | null;
  help: string;
  clause: string | null;
  /** By number of players, where they differ from the above. */
  by_players?: Record<string, OptionBounds>;
}

/** A game, for the lobby. */
export interface GameInfo {
  slug: string;
  title: string;
  family: string;
  players: number[];
  default_players: number;
  summary: string;
  length: string;
  difficulty: string;
  /** Typical cards of the game, in groups to draw together. */
  picture: string[][];
  /** The options of a match of about a quarter of an hour; null if a usual match is short. */
  short: Record<string, unknown> | null;
  /** The levels of its computer players, from the weakest to the strongest. */
  levels: string[];
  options: GameOption[];
}

/** A page of text. */
export interface Page {
  title: string;
  html: string;
}

/** A kind of computer player. */
export interface LevelInfo {
  name: string;
  title: string;
  help: string;
}

/** `POST /api/tables/{id}/link`: a link that moves your seat to another device, `/t/{id}#seat={secret}`. */
export interface SeatLink {
  secret: string;
}

/** `POST /api/tables/{id}/linked`: the seat that a link moves to another device. */
export interface LinkedSeat {
  seat: number;
}

/** One finished deal. */
export interface DealScore {
  deal: number;
  dealer: number;
  /** The scores after the deal. */
  scores: number[];
  /** Per seat, how the deal went. */
  marks: MarkView[][];
  /** How it ended, in words. */
  result: string[];
  /** The number of its first event, from 0. */
  first: number;
  /** The number of events of the match up to the end of the deal. */
  events: number;
}

/** `GET /api/tables/{id}/score`: the finished deals of a match. */
export interface ScoreSheet {
  names: string[];
  deals: DealScore[];
  winners: number[];
}

/** One event of a replay. */
export interface ReplayStep {
  /** The number of events of the match up to and including it. */
  events: number;
  seat: number | null;
  text: string;
  changes: SceneChanges;
}

/** `GET /api/tables/{id}/replay?deal=1&seat=0`: one deal of a finished match. */
export interface Replay {
  table: TableView;
  names: string[];
  deals: number;
  deal: number;
  /** The seat whose view is shown; `all`: all cards face up; null: as everybody saw it. */
  seat: number | "all" | null;
  start: SceneView;
  steps: ReplayStep[];
}

/** A move, compared with the best. */
export interface RatedMove {
  /** In the notation. */
  text: string;
  label: string;
  /** How much worse it is, in words. */
  says: string;
  /** Whether that is sure. */
  worse: boolean;
}

/** Advice on a decision, from what its player sees. */
export interface Hint {
  /** The number of the table's last entry at the time. */
  seq: number;
  headline: string;
  /** The best first. */
  moves: RatedMove[];
  /** The number of other moves, which were dropped after a first look. */
  passed: number;
}

/** The answer while hints are being prepared: ask again in a moment. */
export interface GettingReady {
  says: string;
}

/** A decision that cost something on average. */
export interface Mistake {
  /** The number of events of the match before it. */
  events: number;
  deal: number;
  played: RatedMove;
  better: RatedMove;
  /** In points. */
  cost: number;
  margin: number;
  says: string;
}

/** `POST /api/tables/{id}/review?seat=0`: how good a seat's decisions in a finished match were, as far as they are judged. */
export interface Review {
  seat: number;
  state: "done" | "failed" | "running" | "waiting";
  /** The number of decisions judged so far. */
  done: number;
  /** The number of all decisions; 0 until they are counted. */
  of: number;
  /** How many decisions were best, too close to tell, or cost something. */
  summary: string;
  /** The costliest first. */
  mistakes: Mistake[];
}

/** One line of `GET /api/statistics`: your results in the finished matches of a game against one kind of opponents. */
export interface Statistic {
  game: string;
  title: string;
  /** `people`, or the strongest computer player's level if no other person played. */
  against: string;
  matches: number;
  won: number;
}

/** `GET /health`. */
export interface Health {
  status: "closing" | "failing" | "ok";
  version: string;
  tables: number;
  sockets: number;
  /** The trouble with the stored tables; null if there is none. */
  trouble: string | null;
  /** For each part of the server, the seconds since it was last known to work. */
  parts: Record<string, number>;
}

/** A seat for the person who opens the table. */
export interface Me {
  who: "me";
}

/** A seat for a computer player. */
export interface ComputerSeat {
  who: "computer";
  level: string;
}

/** A seat for anyone who comes. */
export interface Open {
  who: "open";
}

/** `POST /api/tables`. */
export interface NewTable {
  game: string;
  players: number;
  options: Record<string, string | number | boolean>;
  name: string;
  seats: (Me | ComputerSeat | Open)[];
  settings?: Settings;
  /** The pledge of the person who opens the table, as in the action `sit`. */
  pledge?: string | null;
}

/** `POST /api/tables/{id}/fork`: play on from the middle of a finished match, against computer players. */
export interface NewFork {
  /** The number of events to take over from the match. */
  events: number;
  seat: number;
  name: string;
  level: string;
  /** As in the action `sit`. */
  pledge?: string | null;
}

/** `POST /api/club/enter`. */
export interface Enter {
  passphrase: string;
}

/** `POST /api/tables/{id}/redeem`: move your seat to this device. Also the body of `POST /api/tables/{id}/linked`. */
export interface Redeem {
  secret: string;
}

export type FromTable = Welcome | EventHappened | TableChanged | PeopleChanged | Thinking | NudgeHeard | Notice | Refused | Accepted | Alive;

export type ToTable = MakeMove | Look | Ping;

export type Action = Sit | Fill | Swap | Remove | Renew | LetIn | Decline | Withdraw | Leave | Resign | Substitute | ComeBack | Abandon | TakeBack | Concede | Claim | Answer | Rematch | Reveal | Nudge | Change;
