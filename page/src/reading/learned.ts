/** Which games this person has been told about: a key in localStorage for each, set once its page was closed. */
import { settings } from "../settings.svelte.ts";

const place = (game: string) => `learned ${game}`;

/** Whether this person has read about a game or begun to play it. */
export function isKnown(game: string): boolean {
  try {
    return localStorage.getItem(place(game)) !== null;
  } catch {
    return false;
  }
}

/** Whether somebody who starts this game should be told about it first: not with `tips` off in the settings. */
export function isNew(game: string): boolean {
  return settings.tips && keeps() && !isKnown(game);
}

function keeps(): boolean {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

export function learned(game: string): void {
  try {
    localStorage.setItem(place(game), "yes");
  } catch {
    // A browser that keeps nothing is not told again either: isNew() is false there.
  }
}
