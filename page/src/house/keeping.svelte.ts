/** What a browser is asked to keep of a page without a server. */

/** Milliseconds after which a later visit fetches what only single games need. */
const REST_AFTER = 10_000;

/** The files of the page, so that it opens offline: only over https and on this machine. */
class KeptFiles {
  /** Whether a new edition has been fetched and waits until no window shows this one. */
  renewed = $state(false);
  private registration: ServiceWorkerRegistration | undefined;

  /** Keeps the files; `stored` is called when this visit is the first and its files are there. */
  async keep(stored: () => void): Promise<void> {
    if (!("serviceWorker" in navigator)) return;
    const workers = navigator.serviceWorker;
    const here = workers.controller;
    // Another window may have asked for the new edition: the files of this one are gone then.
    workers.addEventListener("controllerchange", () => (here ? location.reload() : stored()));
    const registration = (this.registration = await workers.register("offline.js"));
    this.renewed = here !== null && registration.waiting !== null;
    registration.addEventListener("updatefound", () => {
      const coming = registration.installing;
      coming?.addEventListener("statechange", () => (this.renewed ||= here !== null && coming.state === "installed"));
    });
    if (here && !savesData()) setTimeout(() => here.postMessage("fetch the rest"), REST_AFTER);
  }

  /** Shows the new edition in all windows. Matches go on there, since every move is stored. */
  renew(): void {
    this.registration?.waiting?.postMessage("begin");
  }
}

export const keptFiles = new KeptFiles();

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** The matches, also when the browser is short of room; it may ask the person, or decide by itself. */
export function keepMatches(): void {
  navigator.storage?.persist?.().catch(() => {});
}
