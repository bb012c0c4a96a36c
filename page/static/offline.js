// Keeps the files of one build, so that the page opens without a network. Another build has another list, and so another
// worker: it waits until no window shows the old one, whose files stay whole until then.
const BUILD = "{build}";
const FILES = [];
// Files of single games, which are kept once a game has needed them, or when the page asks for all of them.
const LATER = [];
const cacheName = (build) => `upcard ${new URL(".", self.location.href).pathname} ${build}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName(BUILD)).then((cache) => cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })))));
});

self.addEventListener("activate", (event) => {
  const forget = (names) => Promise.all(names.filter((name) => name.startsWith(cacheName("")) && ![cacheName(BUILD), cacheName("snapshot")].includes(name)).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(forget).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  const known = caches.open(cacheName(BUILD)).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(known.then((answer) => answer ?? fetch(event.request)));
});
