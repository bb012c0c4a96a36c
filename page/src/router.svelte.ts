/** The places of the page: the lobby at `/`, a game at `/g/{slug}`, its puzzles, the puzzle of the day at `/puzzle`, a table
 * at `/t/{id}`, a finished match watched again, a room at `/r/{id}`. */

export type Place =
  | { page: "lobby" }
  | { page: "game"; slug: string; part: Part }
  | { page: "lesson"; slug: string; number: number }
  | { page: "puzzle"; slug: string; number: number }
  | { page: "today" }
  | { page: "table"; id: string }
  | { page: "replay"; id: string }
  | { page: "room"; id: string };

/** What is told of a game on a page of its own. */
export type Part = "" | "puzzles" | "rules" | "rulebook";

/** Whether the page is a folder of files that may lie anywhere: then its places are fragments, `#/t/{id}`. */
const isStatic = import.meta.env.MODE === "static";

/** The address of a place, for a link. */
const address = (path: string): string => (isStatic ? `#${path}` : path);

/** Where the page is, as a path with query and fragment. */
function current(): URL {
  const { hash, href } = location;
  if (hash.startsWith("#/")) return new URL(hash.slice(1), "http://page");
  return new URL(isStatic ? "http://page/" : href);
}

function here(): Place {
  const [, kind, name = "", part = ""] = current().pathname.split("/");
  if (kind === "t" && name) return { page: part === "replay" ? "replay" : "table", id: name };
  if (kind === "r" && name) return { page: "room", id: name };
  if (kind === "g" && name && part === "learn") return { page: "lesson", slug: name, number: numberAt("lesson") ?? 1 };
  if (kind === "puzzle") return { page: "today" };
  const puzzle = numberAt("puzzle");
  if (kind === "g" && name && part === "puzzles" && puzzle !== null) return { page: "puzzle", slug: name, number: puzzle };
  if (kind === "g" && name) return { page: "game", slug: name, part: (["puzzles", "rules", "rulebook"] as Part[]).find((one) => one === part) ?? "" };
  return { page: "lobby" };
}

/** What a link tells beside the place: `#invite=…` to sit down, `#seat=…` to take one's seat to this device,
 * `#device=…` to make this browser a device of one's own. It is looked at again when another link to the same place is opened. */
export function secretAt(kind: "invite" | "seat" | "device"): string | null {
  void [links, place];
  return new URLSearchParams(fragmentAt()).get(kind);
}

/** The passphrase that a link from the host brings, which leaves the address bar; null where it brings none. */
export function takePassphrase(): string | null {
  const secrets = new URLSearchParams(fragmentAt());
  const brought = secrets.get("enter");
  secrets.delete("enter");
  if (brought !== null) history.replaceState(history.state, "", location.pathname + location.search + (secrets.size ? `#${secrets}` : ""));
  return brought;
}

/** What the address says after its `#`: a clause, or a secret. */
export const fragmentAt = (): string => current().hash.slice(1);

/** What is asked for: `?seat=all`; empty where nothing is. */
export const wordAt = (what: string): string => current().searchParams.get(what) ?? "";

/** What is asked for by its number: `?deal=2`, or `?at=1e9` for what is certainly beyond the end; null where that is none. */
export function numberAt(what: string): number | null {
  const word = wordAt(what);
  return /^-?\d+(e\d)?$/.test(word) ? Number(word) : null;
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

export const tablePath = (id: string) => address(`/t/${id}`);
/** To sit down at a table. */
export const invitePath = (id: string, invite: string) => address(`/t/${id}#invite=${invite}`);
/** To take a seat to another device. */
export const seatPath = (id: string, secret: string) => address(`/t/${id}#seat=${secret}`);
/** To make a browser a device of one's own. */
export const devicePath = (secret: string) => address(`/#device=${secret}`);
export const roomPath = (id: string) => address(`/r/${id}`);
/** To come into a room. */
export const roomInvitePath = (id: string, invite: string) => address(`/r/${id}#invite=${invite}`);
export const lobbyPath = () => address("/");
export const gamePath = (slug: string, part: Part = "") => address(`/g/${slug}${part && `/${part}`}`);
/** A clause in the rulebook of a game. */
export const clausePath = (slug: string, id: string) => `${gamePath(slug, "rulebook")}#${id}`;
/** A lesson of a game; the first has the number 1. */
export const lessonPath = (slug: string, number = 1) => address(`/g/${slug}/learn${number > 1 ? `?lesson=${number}` : ""}`);
/** A puzzle of a game; the first has the number 1. */
export const puzzlePath = (slug: string, number: number) => address(`/g/${slug}/puzzles?puzzle=${number}`);
/** The puzzle of the day. */
export const todayPath = () => address("/puzzle");
/** A file that lies beside the page. */
export const filePath = (name: string) => `${import.meta.env.BASE_URL}${name}`;

const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];
let elsewhere = $state<string | null>(null);
/** The house says where others can reach it: this page may have been opened by a name that works on this machine alone. */
export function reachable(address: string | null): void {
  elsewhere = address;
}
/** Where others find this page; null if only this machine can. */
export const sharedBase = () => (OWN_NAMES.includes(location.hostname) ? elsewhere : location.href);
/** The whole address, to be sent to somebody. */
export const fullAddress = (path: string) => new URL(path, sharedBase() ?? location.href).href;

/** A finished match from a deal on, seen with somebody's eyes, after so many events. */
export function replayPath(id: string, deal = 1, eyes: string = "", events: number | null = null): string {
  const query = new URLSearchParams({ deal: String(deal), ...(eyes && { seat: eyes }), ...(events !== null && { at: String(events) }) });
  return address(`/t/${id}/replay?${query}`);
}

/** The address is from now on that of what is seen. */
export function stay(path: string): void {
  if (new URL(path, location.href).href !== location.href) history.replaceState(null, "", path);
}

/** The address of the table that is shown is from now on the invitation to it, or only its own if there is none. */
export function stayAtTable(id: string, invite: string | null): void {
  if (place.page === "table" && place.id === id) stay(invite ? invitePath(id, invite) : tablePath(id));
}

/** On to the lobby without the secret in the address, which is not in the history either. */
export function dropSecret(): void {
  stay(lobbyPath());
  arrive();
}

/** The address names a clause of the page that is read. */
export function stayAtClause(id: string): void {
  stay(address(`${current().pathname}#${id}`));
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
  go(link.getAttribute("href") ?? lobbyPath());
}
