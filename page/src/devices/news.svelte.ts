/** News of this person's devices, in every window of those who have several. */
import { house } from "../house/index.ts";
import { wordAfter } from "./anew.ts";

/** Set where there may be other devices, so that nobody else waits for news of them. */
const KEPT = "upcard.devices";

function expected(): boolean {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return false;
  }
}

/** From now on there may be other devices: the other windows of this browser hear of it too. */
export function expectNews(): void {
  try {
    localStorage.setItem(KEPT, String(Date.now()));
  } catch {
    // Without a place for it there are no news.
  }
  begin?.();
}
let begin: (() => void) | null = null;

/** `heard` counts; `text` is what was heard last, until it is put away. */
export const news = $state({ text: wordAfter(), heard: 0 });

/** Hears news as long as there are any to wait for; returns what ends it. */
export function followDevices(): () => void {
  let end: (() => void) | null = null;
  const over = () => {
    end = null;
    localStorage.removeItem(KEPT);
  };
  begin = () => {
    if (!end && expected()) end = house.news((text) => Object.assign(news, { text: `${text}.`, heard: news.heard + 1 }), over);
  };
  const elsewhere = (event: StorageEvent) => event.key === KEPT && event.newValue !== null && begin?.();
  addEventListener("storage", elsewhere);
  begin();
  return () => {
    begin = null;
    removeEventListener("storage", elsewhere);
    end?.();
  };
}
