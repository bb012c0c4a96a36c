// Where a page cannot be fetched, a calm word stands in the place of the browser's error, until the house answers again.
// Nothing is kept: what is shown otherwise is always what the server sends.
const UNREACHABLE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark" />
    <meta name="theme-color" content="#17493a" />
    <title>Upcard: no connection</title>
    <style>
      body { margin: 0; min-height: 100dvh; box-sizing: border-box; padding: 24px; display: grid; place-items: center; background: #12352a; color: #f4eede;
        font: 106%/1.42 "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; text-align: center; }
      main { max-width: 26em; display: grid; gap: 14px; justify-items: center; }
      svg { width: 64px; }
      h1, p { margin: 0; }
      h1 { font: 700 1.5rem/1.15 Rockwell, Georgia, serif; }
      button { min-height: 44px; padding: 0 1.2em; border: 0; border-radius: 10px; background: #f4eede; color: #12352a; font: inherit; font-weight: 600; }
      :focus-visible { outline: 3px solid #7ab8ff; outline-offset: 2px; }
    </style>
  </head>
  <body>
    <main data-testid="unreachable">
      <svg viewBox="0 0 32 32" aria-hidden="true"><rect x="5" y="8" width="12" height="17" rx="2" fill="#3f7d67" /><rect x="12" y="6" width="14" height="20" rx="2.4" fill="#fdf9ee" /></svg>
      <h1>No connection just now</h1>
      <p role="status">This page opens by itself as soon as there is a connection again. Nothing that you have played is lost.</p>
      <button type="button">Try now</button>
    </main>
    <script>
      const look = () => fetch("${new URL("manifest.json", self.location.href)}", { cache: "no-store" }).then((answer) => answer.ok && location.reload(), () => {});
      addEventListener("online", look);
      document.querySelector("button").addEventListener("click", look);
      setInterval(look, 3000);
    </script>
  </body>
</html>`;

const unreachable = () => new Response(UNREACHABLE, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });

/** What stands before a server answers so while the server itself is down. */
const DOWN = [502, 504];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).then((answer) => (DOWN.includes(answer.status) ? unreachable() : answer), unreachable));
});
// A word that the page gave through this worker leads back to its table.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window" }).then((pages) => pages.find((page) => page.url.includes(event.notification.tag))?.focus()));
});
