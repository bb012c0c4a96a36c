/** Two places: the lobby at `/`, a table at `/t/{id}` (also `#/t/{id}`). */

function tableAt(): string | null {
  const where = location.hash.startsWith("#/") ? location.hash.slice(1) : location.pathname;
  return /^\/t\/([^/?#]+)/.exec(where)?.[1] ?? null;
}

/** What a link tells beside the place: `#invite=…` to sit down, `#seat=…` to take one's seat to this device. */
export function secretAt(kind: "invite" | "seat"): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(kind);
}

const place = $state({ table: tableAt() });
addEventListener("popstate", () => (place.table = tableAt()));

export const route = {
  get table() {
    return place.table;
  },
};

export const tablePath = (id: string) => `/t/${id}`;
export const lobbyPath = () => "/";

export function go(path: string): void {
  history.pushState(null, "", path);
  place.table = tableAt();
  scrollTo(0, 0);
}

/** A link that stays on the page; with a modifier key it is the browser's. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
}
