/** What a browser is asked to keep of a page without a server. */

/** The files of the page, so that it opens offline: only over https and on this machine. */
export function keepFiles(): void {
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
}

/** The matches, also when the browser is short of room; it may ask the person, or decide by itself. */
export function keepMatches(): void {
  navigator.storage?.persist?.().catch(() => {});
}
