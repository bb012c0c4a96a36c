/** Scenes as they are told: changes applied to the one before, and what the page asks of one. */
import type { LastTrick, SceneChanges, SceneView, SeatView, ZoneView } from "../protocol.ts";
import { t } from "../language.svelte.ts";

/** A seat, or the dummy: a hand that nobody holds. */
export type Who = number | "dummy";

export function changed(scene: SceneView, { seats, zones, zone_ids, ...fields }: SceneChanges): SceneView {
  const newer = new Map((zones ?? []).map((zone) => [zone.id, zone]));
  const merged = scene.zones.map((zone) => newer.get(zone.id) ?? zone);
  const all = new Map([...merged, ...newer.values()].map((zone) => [zone.id, zone]));
  const ordered = (zone_ids ?? merged.map((zone) => zone.id)).map((id) => all.get(id)).filter((zone) => zone !== undefined);
  const standing = seats ? scene.seats.map((seat) => seats.find((other) => other.seat === seat.seat) ?? seat) : scene.seats;
  return { ...scene, ...fields, seats: standing, zones: ordered };
}

export const cardsOf = (zone: ZoneView | undefined): string[] => zone?.cards ?? [];
export const countOf = (zone: ZoneView): number => zone.count ?? cardsOf(zone).length;
export const withRole = (scene: SceneView, role: string) => scene.zones.find((zone) => zone.role === role);

/** Who played which card of a trick. */
export interface Played {
  card: string;
  who: Who;
}

export const playedIn = (trick: ZoneView | LastTrick | null | undefined): Played[] =>
  (trick?.cards ?? []).map((card, index) => ({ card, who: trick?.seats?.[index] ?? 0 }));

/** The trick that the second scene tells to have been finished since the first. */
export function finishedTrick(before: SceneView, after: SceneView): Played[] | null {
  const { last_trick: last } = after;
  return last && JSON.stringify(last) !== JSON.stringify(before.last_trick) ? playedIn(last) : null;
}

/** The table a moment before the trick was taken: its last cards played, nothing drawn yet. */
export function withTrick(before: SceneView, trick: Played[]): SceneView {
  const lying = cardsOf(withRole(before, "trick"));
  const fresh = trick.slice(lying.length);
  const of = (who: Who) => fresh.filter((one) => one.who === who).map((one) => one.card);
  const full: ZoneView = { id: "trick", role: "trick", label: t("Trick"), cards: trick.map((one) => one.card), count: trick.length, seats: trick.map((one) => one.who) };
  const others = before.zones.filter((zone) => zone.role !== "trick");
  const mine = before.seat === null ? [] : of(before.seat);
  return {
    ...before,
    prompt: "",
    offers: NO_OFFERS,
    to_act: [],
    ahead: null,
    hand: without(before.hand, mine),
    zones: [full, ...others.map((zone) => (zone.role === "dummy" ? less(zone, of("dummy")) : zone))],
    seats: before.seats.map((seat) => played(seat, of(seat.seat))),
  };
}

export const NO_OFFERS: SceneView["offers"] = { moves: [], picks: [], rows: [], taps: {}, forced: "", attempt: "", attempts: "" };

const played = (seat: SeatView, gone: string[]): SeatView => ({
  ...seat, to_act: false, cards: seat.cards - gone.length, open: without(seat.open, gone),
});

function less(zone: ZoneView, gone: string[]): ZoneView {
  const left = without(cardsOf(zone), gone);
  return { ...zone, cards: left, count: countOf(zone) - gone.length };
}

/** The cards that somebody has got in the middle of a deal. */
export const gained = (before: SceneView, now: SceneView): string[] => (now.deal === before.deal ? without(now.hand, before.hand) : []);

/** Equal cards are taken away one by one. */
export function without(cards: string[], gone: string[]): string[] {
  const left = [...cards];
  for (const card of gone) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
