/** How far this person is in the lessons of each game: keys in localStorage. */
import { settings } from "../settings.svelte.ts";

export interface Progress {
  /** The stop to come back to. */
  at: number;
  /** Whether the lesson was played to its end. */
  done: boolean;
}

const lessonKey = (game: string, number: number) => `lesson ${game} ${number}`;
const offerKey = (game: string) => `learned ${game}`;

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // A browser that keeps nothing begins each lesson anew.
  }
}

export function progressIn(game: string, number: number): Progress {
  try {
    const { at, done } = JSON.parse(read(lessonKey(game, number)) ?? "{}") as Partial<Progress>;
    return { at: Number.isInteger(at) ? (at as number) : 0, done: done === true };
  } catch {
    return { at: 0, done: false };
  }
}

/** The lesson to take next, of so many: the first that was not played to its end, or else the first of all. */
export function nextLesson(game: string, lessons: number): number {
  const numbers = Array.from({ length: lessons }, (_, index) => index + 1);
  return numbers.find((number) => !progressIn(game, number).done) ?? 1;
}

export function keepProgress(game: string, number: number, progress: Progress): void {
  write(lessonKey(game, number), JSON.stringify(progress));
  know(game);
}

/** Whether a lesson should be offered before a first match: not with `tips` off in the settings, and not where a browser keeps nothing. */
export function isNew(game: string): boolean {
  return settings.tips && keeps() && !isKnown(game);
}

/** Whether this person has had a lesson of a game, or wanted none. */
export const isKnown = (game: string): boolean => read(offerKey(game)) !== null;

/** Nobody is asked twice whether they want a lesson. */
export function know(game: string): void {
  write(offerKey(game), "yes");
}

function keeps(): boolean {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}
