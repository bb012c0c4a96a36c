/** What of a scene is to be placed where: zones by their roles become piles, rows and cards before seats. */
import { cardsOf, countOf, without, withRole, type Who } from "../live/scenes.ts";
import type { Offers, SceneView, ZoneView } from "../protocol.ts";
import { language, t } from "../language.svelte.ts";
import type { Group } from "../stage/spread.ts";
import type { Wish } from "../stage/wish.ts";

/** Cards that lie together before a seat or in the middle. */
export interface Spread {
  id: string;
  label: string;
  /** Those that are seen. */
  cards: string[];
  /** How many they are; backs stand for those that are not seen. */
  count: number;
  zone: ZoneView | null;
  /** Whether single ones of them can be chosen. */
  chosen: boolean;
  /** Whether the label says that they are one's own. */
  mine?: boolean;
}

export interface Table {
  /** The seat at the lower rim. */
  below: number;
  /** The others clockwise from the left. */
  others: Who[];
  /** What lies before each of them, and before the seat at the lower rim. */
  before: Spread[][];
  own: Spread[];
  /** Those that are played on come last. */
  piles: ZoneView[];
  stacks: number;
  /** Ids of the piles that some move names. */
  offered: Set<string>;
  rows: Spread[];
  trick: ZoneView | undefined;
}

/** Where zones lie by their roles: in the middle, at its left or its right, before their seat. */
type Part = "focus" | "left" | "right" | "seat";
const PARTS: Record<string, Part> = { trick: "focus", pile: "focus", stock: "left", upcard: "left", discard: "left", row: "right", meld: "seat", aside: "seat" };

/** Where tricks are played, nothing else lies in the middle; a row that somebody owns lies before them. */
export function partOf({ role, owner }: ZoneView, tricks: boolean): Part | undefined {
  const part = PARTS[role];
  if (part === "right" && typeof owner === "number") return "seat";
  return role === "pile" && tricks ? "left" : part;
}
/** Backs that are drawn of a group nobody sees. */
const BACKS = 4;

/** Cards that some move names. */
export const namedIn = ({ moves, picks, rows }: Offers): Set<string> =>
  new Set([...moves.flatMap((move) => move.cards ?? []), ...picks.flatMap((pick) => pick.cards), ...rows.flatMap((row) => row.cards)]);

export function layTable(scene: SceneView): Table {
  const below = scene.seat ?? 0;
  const dummy = withRole(scene, "dummy");
  const around: Who[] = Array.from({ length: scene.players - 1 }, (_, step) => (below + 1 + step) % scene.players);
  const others = dummy ? [...around, "dummy" as const] : around;
  const named = new Set([...namedIn(scene.offers)].filter((card) => !scene.hand.includes(card)));
  const spread = (zone: ZoneView): Spread => ({ ...spreadOf(zone), chosen: cardsOf(zone).some((card) => named.has(card)) });
  const trick = withRole(scene, "trick");
  const lying = (...parts: (Part | undefined)[]) => scene.zones.filter((zone) => zone.role !== "trick" && parts.includes(partOf(zone, trick !== undefined)) && !repeatsHand(zone, scene));
  const laid = lying("seat");
  const before = (who: Who): Spread[] => [
    ...(who === "dummy" ? (dummy ? [spread(dummy)] : []) : openHand(scene, who, named)),
    ...laid.filter((zone) => zone.owner === who).map(spread),
  ];
  const stacks = lying("focus");
  const piles = [...lying("left"), ...stacks];
  const offers = (pile: ZoneView) => cardsOf(pile).some((card) => named.has(card)) || scene.offers.moves.some((move) => move.zone === pile.id);
  return {
    below,
    others,
    before: others.map(before),
    own: scene.seat === null ? before(below) : before(below).map((spread) => yours(spread, scene)),
    piles,
    stacks: stacks.length,
    offered: new Set(piles.filter(offers).map((pile) => pile.id)),
    rows: [...lying("right"), ...laid.filter((zone) => typeof zone.owner !== "number")].map(spread).filter((row) => row.count > 0),
    trick,
  };
}

const spreadOf = (zone: ZoneView): Spread =>
  ({ id: zone.id, label: zone.label, cards: cardsOf(zone), count: countOf(zone), zone, chosen: false });

/** What was laid aside says whose it is where others have laid something aside, too: on a small screen it lies beside that. */
function yours(spread: Spread, scene: SceneView): Spread {
  if (spread.zone?.role !== "aside") return spread;
  const others = scene.zones.some(({ role, owner }) => role === "aside" && owner !== scene.seat);
  const what = language.tag === "en" ? spread.label.replace(/^./, (letter) => letter.toLowerCase()) : spread.label;
  return { ...spread, mine: true, label: others ? t("You: {what}", { what }) : spread.label };
}

/** Cards of one's own that lie open are seen in the hand already. */
const repeatsHand = (zone: ZoneView, scene: SceneView) =>
  zone.owner === scene.seat && cardsOf(zone).length > 0 && cardsOf(zone).every((card) => scene.open.includes(card));

/** Those of a hand's open cards that do not lie before their seat anyway. */
function openHand(scene: SceneView, who: number, named: Set<string>): Spread[] {
  const lying = scene.zones.filter((zone) => zone.owner === who).flatMap(cardsOf);
  const cards = who === scene.seat ? [] : without(scene.seats[who]?.open ?? [], lying);
  if (!cards.length) return [];
  return [{ id: `open-${who}`, label: t("Open"), cards, count: cards.length, zone: null, chosen: cards.some((card) => named.has(card)) }];
}

/** How many cards of a spread are drawn. */
export const drawn = ({ cards, count }: Spread) => Math.max(1, cards.length || Math.min(count, BACKS));

/** A meld's number is told where one is chosen. */
export const hasName = ({ label }: Spread) => !/^\d*$/.test(label);

const group = (spread: Spread): Group => ({ id: spread.id, cards: drawn(spread), chosen: spread.chosen, caption: captionOf(spread.label) });

/** A letter of a caption is about a third of a line wide. */
const captionOf = (label: string) => 0.4 + 0.34 * label.length;

/** `quiet`: no trick is played in this part of the deal. */
export function wishFor(table: Table, quiet: boolean, screen: Pick<Wish, "width" | "height" | "em" | "touch" | "scale" | "bar" | "corner" | "hand">): Wish {
  return {
    ...screen,
    others: table.before.map((groups) => groups.map(group)),
    own: table.own.map(group),
    named: table.own.some(hasName),
    piles: table.piles.map((pile) => ({ id: pile.id, cards: 1, chosen: table.offered.has(pile.id), caption: captionOf(pile.label) })),
    rows: table.rows.map(group),
    stacks: table.stacks,
    trick: table.trick !== undefined,
    quiet: quiet && table.trick !== undefined,
  };
}
