/** Which puzzles this person has solved, and for how many days in a row that of the day: kept in this browser alone. */
import { tc } from "../language.svelte.ts";

const SOLVED = (game: string) => `puzzles ${game}`;
const DAYS = "puzzle days";
const DAY = 86_400_000;

interface Days {
  /** The last day whose puzzle was solved, as the house calls it: `2026-11-28`. */
  last: string;
  /** The days in a row until then. */
  row: number;
}

function read<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key: string, what: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(what));
  } catch {
    // A browser that keeps nothing forgets what was solved.
  }
}

/** The numbers of a game's solved puzzles. */
export function solvedIn(game: string): Set<number> {
  const numbers = read<unknown>(SOLVED(game), []);
  return new Set(Array.isArray(numbers) ? numbers.filter(Number.isInteger) : []);
}

export function keepSolved(game: string, number: number): void {
  write(SOLVED(game), [...solvedIn(game).add(number)].sort((one, other) => one - other));
}

function days(): Days {
  const { last, row } = read<Partial<Days>>(DAYS, {});
  return typeof last === "string" && Number.isInteger(row) ? { last, row: row as number } : { last: "", row: 0 };
}

/** From one day to another, both as the house calls them. */
const between = (one: string, other: string): number => Math.round((Date.parse(other) - Date.parse(one)) / DAY);

/** The puzzle of a day was solved: the days in a row with it. */
export function solvedToday(date: string): number {
  const { last, row } = days();
  if (last !== date) write(DAYS, { last: date, row: between(last, date) === 1 ? row + 1 : 1 });
  return days().row;
}

/** Whether the puzzle of this day was solved. */
export const isSolved = (date: string): boolean => days().last === date;

/** The days in a row; none where a day was missed. The house's calendar may be a day off this browser's. */
export function streak(now: number = Date.now()): number {
  const { last, row } = days();
  return row && between(last, new Date(now).toISOString().slice(0, 10)) <= 2 ? row : 0;
}

/** How hard puzzles are, from 1 on. */
export const difficulties = (): string[] => [tc("puzzle", "Easy"), tc("puzzle", "Medium"), tc("puzzle", "Hard")];
