/** The snapshot of Python's memory that this browser has made: a later start takes it, which is several times faster. */
import type { Snapshot } from "./pyodide.ts";

/** The service worker leaves this cache alone, which is not of one build: see static/offline.js. */
const CACHE = "snapshot";

/** Only over https and on this machine do browsers keep files. */
const opened = (channel: string): Promise<Cache> => caches.open(`${channel} ${CACHE}`);
/** A snapshot holds for one build in one version of one browser. */
const keyOf = (build: string): string => `${build} ${navigator.userAgent}`;

/** The snapshot of this build in this browser, if it has been stored. */
export async function storedSnapshot(channel: string, address: string, build: string): Promise<Snapshot | null> {
  if (!("caches" in self)) return null;
  const stored = await (await opened(channel)).match(address);
  if (stored?.headers.get("X-Made-By") !== keyOf(build)) return null;
  return { memory: await stored.blob(), functions: Number(stored.headers.get("X-Functions")) };
}

export async function storeSnapshot(channel: string, address: string, build: string, snapshot: Snapshot): Promise<void> {
  if (!("caches" in self)) return;
  const headers = { "X-Made-By": keyOf(build), "X-Functions": String(snapshot.functions) };
  await (await opened(channel)).put(address, new Response(snapshot.memory, { headers }));
}

export async function forgetSnapshot(channel: string, address: string): Promise<void> {
  if ("caches" in self) await (await opened(channel)).delete(address);
}
