/** The places of the page: the lobby at `/`, a game at `/g/{slug}`, a table at `/t/{id}`, a finished match watched again. */

export type Place =
  | { page: "lobby" }
  | { page: "game"; slug: string; part: Part }
  | { page: "table"; id: string }
  | { page: "replay"; id: string };

/** What is told of a game on a page of its own. */
export type Part = "" | "learn" | "rules" | "rulebook";

function here(): Place {
  const path = location.hash.startsWith("#/") ? location.hash.slice(1) : location.pathname;
  const [, kind, name = "", part = ""] = path.split("/");
  if (kind === "t" && name) return { page: part === "replay" ? "replay" : "table", id: name };
  if (kind === "g" && name) return { page: "game", slug: name, part: (["learn", "rules", "rulebook"] as Part[]).find((one) => one === part) ?? "" };
  return { page: "lobby" };
}

/** What a link tells beside the place: `#invite=…` to sit down, `#seat=…` to take one's seat to this device. It is looked at
 * again when another link to the same place is opened. */
export function secretAt(kind: "invite" | "seat"): string | null {
  void links;
  return new URLSearchParams(location.hash.slice(1)).get(kind);
}

/** What is asked for by its number: `?deal=2`; null where that is none. */
export function numberAt(what: string): number | null {
  const told = new URLSearchParams(location.search).get(what) ?? "";
  return /^-?\d+$/.test(told) ? Number(told) : null;
}

let place = $state.raw<Place>(here());
/** How many links were opened. */
let links = $state(0);
const key = (where: Place) => JSON.stringify(where);
/** Whether this person has gone from one place to another. */
let went = false;
function arrive(): void {
  went = true;
  place = here();
}
addEventListener("popstate", () => {
  links += 1;
  if (key(here()) !== key(place)) arrive();
});

/** For the heading of a place: there begins who has come from another, whose focus is gone with what they pressed. */
export function heading(node: HTMLElement): void {
  if (!place || !went || document.activeElement !== document.body) return;
  went = false;
  node.tabIndex = -1;
  node.focus({ preventScroll: true });
}

export const route = {
  get place() {
    return place;
  },
};

export const tablePath = (id: string) => `/t/${id}`;
export const lobbyPath = () => "/";
export const gamePath = (slug: string, part: Part = "") => `/g/${slug}${part && `/${part}`}`;

/** A finished match from a deal on, seen with somebody's eyes, after so many events. */
export function replayPath(id: string, deal = 1, eyes: string = "", events: number | null = null): string {
  const query = new URLSearchParams({ deal: String(deal), ...(eyes && { seat: eyes }), ...(events !== null && { at: String(events) }) });
  return `/t/${id}/replay?${query}`;
}

export function go(path: string): void {
  history.pushState(null, "", path);
  arrive();
  scrollTo(0, 0);
}

/** A link that stays on the page; with a modifier key it is the browser's. */
export function follow(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.getAttribute("href") ?? "/");
}
