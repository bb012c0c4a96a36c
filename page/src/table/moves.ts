/** What a tap and a selection mean. Knows no game: it only compares cards with the moves that are offered. */
import { signed } from "../cards/names.ts";
import type { Move, Offers, Pick, ButtonRow } from "../protocol.ts";
import { t, tn } from "../language.svelte.ts";

export type Tap = { do: "play"; text: string } | { do: "try"; text: string } | { do: "select" };

/** What a tap on one card does. */
export function tapped(card: string, offers: Offers, selected: string[], confirm: boolean): Tap {
  const named = (cards: string[] | undefined) => cards?.includes(card) ?? false;
  const about = offers.moves.some((move) => named(move.cards)) || offers.picks.some((pick) => named(pick.cards));
  if (!about && selected.length === 0) return { do: "try", text: attempt([card], offers) };
  const move = offers.taps[card];
  return move !== undefined && selected.length === 0 && !confirm ? { do: "play", text: move } : { do: "select" };
}

/** What somebody seems to try with cards that no move names; the table's refusal explains. */
export const attempt = (cards: string[], offers: Offers): string =>
  [cards.length > 1 ? offers.attempts : offers.attempt, ...cards].filter(Boolean).join(" ");

/** Whether a move's cards include all that are selected (equal ones counted). */
function includes(cards: string[], selected: string[]): boolean {
  const left = [...cards];
  return selected.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

const same = (cards: string[], selected: string[]) => cards.length === selected.length && includes(cards, selected);

export const exactly = (move: Move, selected: string[]) => same(move.cards ?? [], selected);

export interface Choice {
  text: string;
  label: string;
  asks: string;
  /** Drawn on the button, where it stands for a group of them. */
  cards: string[];
  /** The zone that it is about, if there is one. */
  zone: string | null;
}

/** What the buttons say. */
export interface Buttons {
  /** Moves that use exactly the selected cards. */
  exact: Choice[];
  rows: ButtonRow[];
  /** Moves without cards. */
  free: Choice[];
  /** Groups of cards that can be moved, as far as the selection asks for them. */
  groups: Choice[];
  /** What is wanted, while nothing is complete. */
  hint: string;
}

/** `visible` are the cards that can be tapped themselves; no more groups than `many` are shown at once. */
export function buttons(offers: Offers, selected: string[], visible: Set<string>, many: number): Buttons {
  const rows = offers.rows.filter((row) => same(row.cards, selected));
  const inRows = new Set(offers.rows.flatMap((row) => row.texts));
  const alone = offers.moves.filter((move) => !inRows.has(move.text));
  const exact = selected.length ? alone.filter((move) => exactly(move, selected)) : [];
  const fitting = fittingGroups(alone, selected, visible);
  const picked = selected.length ? offers.picks.flatMap((pick) => picks(pick, selected)) : [];
  const found = exact.length + picked.length + rows.length;
  return {
    exact: [...exact.map((move) => choice(move, false)), ...picked],
    rows,
    free: alone.filter((move) => !move.cards?.length).map((move) => choice(move, false)),
    groups: fitting.length > many ? [] : fitting.map((move) => choice(move, true)),
    hint: found ? "" : hint(offers, selected, fitting, many),
  };
}

/** What all texts of a row begin with, which no other row's do. */
export const opening = ({ texts: [text = ""] }: ButtonRow) => text.slice(0, Math.max(0, text.lastIndexOf(" ")));

function fittingGroups(moves: Move[], selected: string[], visible: Set<string>): Move[] {
  return moves.filter((move) => {
    const cards = move.cards ?? [];
    if (selected.length) return cards.length > selected.length && includes(cards, selected);
    return cards.length > 1 || cards.some((card) => !visible.has(card));
  });
}

const choice = (move: Move, drawn: boolean): Choice =>
  ({ text: move.text, label: move.label, asks: move.asks ?? "", cards: drawn ? (move.cards ?? []) : [], zone: move.zone ?? null });

/** The selection as a move of this kind, named in the order in which the cards stand there. */
function picks(pick: Pick, selected: string[]): Choice[] {
  if (!pick.sizes.includes(selected.length) || !includes(pick.cards, selected)) return [];
  const cards = pick.cards.filter((card) => selected.includes(card));
  const worth = cards.reduce((total, card) => total + (pick.worth[card] ?? 0), 0);
  const label = pick.label.replace("{cards}", cards.map(signed).join(" ")).replace("{worth}", String(worth));
  return [{ text: [pick.verb, ...cards].filter(Boolean).join(" "), label, asks: pick.asks, cards: [], zone: null }];
}

function hint(offers: Offers, selected: string[], fitting: Move[], many: number): string {
  const sizes = [...new Set(offers.picks.flatMap((pick) => pick.sizes))];
  const wanted = sizes.filter((size) => size > selected.length);
  if (wanted.length && offers.picks.some((pick) => includes(pick.cards, selected)))
    return choosing(wanted, selected.length);
  if (selected.length && !fitting.length) return t("No move with these cards");
  if (fitting.length > many) return selected.length ? t("Choose further cards") : t("Choose cards to see what they can do");
  return "";
}

/** How many cards are to be chosen, when some have been. */
function choosing(sizes: number[], chosen: number): string {
  const [low, high] = [Math.min(...sizes) - chosen, Math.max(...sizes) - chosen];
  if (low < high) return chosen ? t("{chosen} chosen: choose {low} to {high} more", { chosen, low, high }) : t("Choose {low} to {high} cards", { low, high });
  return chosen ? tn("{chosen} chosen: choose {n} more", "{chosen} chosen: choose {n} more", low, { chosen }) : tn("Choose {n} card", "Choose {n} cards", low);
}

/** With cards selected: where they can go. With none: a place that can be tapped itself. */
export function targetIn(zone: string, { moves }: Offers, selected: string[]): Move | undefined {
  const here = moves.filter((move) => move.zone === zone && exactly(move, selected));
  return here.length === 1 ? here[0] : undefined;
}

/** With cards selected: the moves that are about a seat. */
export const aboutSeat = (seat: number, { moves }: Offers, selected: string[]): Move[] => (selected.length ? moves.filter((move) => move.seat === seat && exactly(move, selected)) : []);

/** When the page makes a move by itself: never, if it names no card (a pass), or whenever it is the only one. */
export type Forced = "never" | "passes" | "always";

/** The move that is made by itself: the only one, which gives nothing away if everybody knows so much or there is nobody to whom it could. */
export function automatic(offers: Offers, wish: Forced, alone: boolean): Move | undefined {
  const [move] = offers.moves;
  if (!move || move.asks || offers.moves.length > 1 || offers.picks.length || wish === "never") return undefined;
  if (!alone && offers.forced !== move.text) return undefined;
  return wish === "always" || !move.cards?.length ? move : undefined;
}
