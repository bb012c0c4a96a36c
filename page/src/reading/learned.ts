/** Which games this person has been told about: a key in localStorage for each, set once its page was closed. */
import { settings } from "../settings.svelte.ts";

const place = (game: string) => `learned ${game}`;

/** Whether somebody who starts this game should be told about it first: not with `tips` off in the settings. */
export function isNew(game: string): boolean {
  try {
    return settings.tips && localStorage.getItem(place(game)) === null;
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
