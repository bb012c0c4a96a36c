/** Which moves a click or a selection means. Knows no game: it only compares cards with the moves offered. */
import type { Move } from "./protocol.ts";

export type Click = { do: "play"; move: Move } | { do: "attempt"; text: string } | { do: "select" };

/** What clicking one card does. */
export function clicked(card: string, moves: Move[], confirm: boolean): Click {
  const about = moves.filter((move) => move.cards.includes(card));
  if (about.length === 0) return { do: "attempt", text: attempt([card], moves) };
  const alone = about.filter((move) => move.cards.length === 1);
  const only = alone.length === 1 ? alone[0] : undefined;
  const plain = only && (only.verb === "" || moves.every((move) => move.cards.length <= 1));
  return plain && !confirm ? { do: "play", move: only } : { do: "select" };
}

/** What somebody seems to try with cards that no move names; the table's refusal explains. */
export function attempt(cards: string[], moves: Move[]): string {
  const verbs = new Set(moves.filter((move) => move.cards.length > 0 && alike(cards, move)).map((move) => move.verb));
  const [verb] = verbs;
  return (verbs.size === 1 && verb ? `${verb} ` : "") + cards.join(" ");
}

const alike = (cards: string[], move: Move) => cards.length > 1 === move.cards.length > 1;

/** Whether the move uses every selected card (counting equal ones). */
export function uses(move: Move, selected: string[]): boolean {
  const left = [...move.cards];
  return selected.every((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

export const exactly = (move: Move, selected: string[]) =>
  move.cards.length === selected.length && uses(move, selected);

/** Moves that differ only in their last word, as numbers or named ranks: "Bid", "K♥ at Ada". */
export interface Row {
  title: string;
  moves: { move: Move; short: string }[];
}

export interface Offer {
  free: Move[];
  rows: Row[];
  exact: Move[];
  groups: Move[];
  more: number;
  hint: string;
}

const LIMIT = 24;

/** What the action bar shows: moves without cards always, moves with cards as far as the selection asks for them. */
export function offer(moves: Move[], selected: string[], visible: Set<string>): Offer {
  const bare = moves.filter((move) => move.cards.length === 0);
  const made = moves.filter((move) => move.cards.length > 0);
  const exact = selected.length ? made.filter((move) => exactly(move, selected)) : [];
  const fitting = selected.length
    ? made.filter((move) => uses(move, selected) && !exact.includes(move))
    : made.filter((move) => move.cards.length > 1 || move.cards.some((card) => !visible.has(card)));
  const vague = selected.length === 0 && fitting.length > LIMIT;
  return {
    free: bare.filter((move) => !isNumber(move)),
    rows: inRows([...exact, ...bare.filter(isNumber)].flatMap(split)),
    exact: exact.filter((move) => split(move).length === 0),
    groups: vague ? [] : fitting.slice(0, LIMIT),
    more: vague ? 0 : Math.max(0, fitting.length - LIMIT),
    hint: hint(made, fitting, selected, vague),
  };
}

const isNumber = (move: Move) => typeof move.number === "number" && move.text === `${move.verb} ${move.number}`;

interface Split {
  title: string;
  move: Move;
  short: string;
}

/** A move's label without what it has in common with its like; nothing where it stands for itself. */
function split(move: Move): Split[] {
  if (isNumber(move)) return [{ title: move.verb, move, short: String(move.number) }];
  const [title, short] = move.label.split(": ");
  return title && short && move.cards.length === 1 ? [{ title, move, short }] : [];
}

function inRows(moves: Split[]): Row[] {
  const titles = [...new Set(moves.map((one) => one.title))];
  return titles.map((title) => ({
    title,
    moves: moves.filter((one) => one.title === title).map(({ move, short }) => ({ move, short })),
  }));
}

function hint(made: Move[], fitting: Move[], selected: string[], vague: boolean): string {
  const sizes = [...new Set(made.map((move) => move.cards.length))].sort((a, b) => a - b);
  if (selected.length && !fitting.length && !made.some((move) => exactly(move, selected)))
    return "No move with these cards.";
  if (vague && sizes.length === 1) return `Select ${sizes[0]} cards (${fitting.length} ways).`;
  if (vague) return `Select cards to see what they can do (${fitting.length} ways).`;
  return "";
}
