// Keeps the files of one build, so that the page opens without a network. Another build has another list, and so another
// worker: it waits until no window shows the old one, whose files stay whole until then, or until somebody asks for it.
const BUILD = "";
const FILES = [];
// Files of single games, which are kept once a game has needed them, or when the page asks for all of them.
const LATER = [];
const cacheName = (build) => `upcard ${new URL(".", self.location.href).pathname} ${build}`;
// A snapshot of Python's memory, which the page itself keeps.
const STAY = [cacheName(BUILD), cacheName("snapshot")];
const later = new Set(LATER.map((name) => new URL(name, self.location.href).href));

const fetchAll = (cache, names) => cache.addAll(names.map((name) => new Request(name, { cache: "no-cache" })));

/** Whether the host still has this edition: Python of one edition must not get code of another. */
async function isHere() {
  const listed = await fetch(new URL("files.json", self.location.href), { cache: "no-store" });
  return listed.ok && (await listed.json()).upcard.startsWith(BUILD);
}

async function install() {
  const cache = await caches.open(cacheName(BUILD));
  const known = await Promise.all(LATER.map((name) => caches.match(name))); // by the edition before
  await fetchAll(cache, [...FILES, ...LATER.filter((_, index) => known[index])]);
  if (!(await isHere())) throw new Error("the files are being replaced"); // the next visit tries again
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(cacheName("")) && !STAY.includes(name)).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request) {
  const cache = await caches.open(cacheName(BUILD));
  const known = await cache.match(request, { ignoreSearch: true });
  if (known) return known;
  if (later.has(request.url) && request.url.endsWith(".gz") && !(await isHere())) return Response.error();
  const fetched = await fetch(request);
  if (fetched.ok && later.has(request.url)) await cache.put(request, fetched.clone());
  return fetched;
}

async function fetchRest() {
  const cache = await caches.open(cacheName(BUILD));
  const known = await Promise.all(LATER.map((name) => cache.match(name)));
  if (!(await isHere())) return;
  for (const name of LATER.filter((_, index) => !known[index])) await fetchAll(cache, [name]);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === self.location.origin) event.respondWith(answer(event.request));
});
self.addEventListener("message", (event) => {
  if (event.data === "begin") self.skipWaiting();
  if (event.data === "fetch the rest") event.waitUntil(fetchRest().catch(() => {})); // without a connection, another visit does
});
