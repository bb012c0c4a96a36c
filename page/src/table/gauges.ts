/** Instruments of a whole table, from the roles of its marks: what all seats count together, and how far it has got. */
import type { MarkView, SceneView } from "../protocol.ts";
import { listed, t } from "../language.svelte.ts";

/** What each suit counts for a bid. */
export interface SuitGauge {
  kind: "suits";
  suits: { sign: string; value: string }[];
}

/** All bids against the tricks that there are. */
export interface BidGauge {
  kind: "bids";
  value: number;
  of: number;
  /** In words, once everybody has bid: "1 over". */
  says: string;
}

/** Melds of so many cards, each with the cards that lie there or are about to. */
export interface ContractGauge {
  kind: "contract";
  melds: { cards: number; filled: number; laid: boolean }[];
  says: string;
}

/** Two teams share so many points: the viewer's begin at the left, the others' at the right. */
export interface TeamGauge {
  kind: "teams";
  teams: { side: number; seat: number; points: number; contract: number | null }[];
  of: number;
}

export type Gauge = SuitGauge | BidGauge | ContractGauge | TeamGauge;

/** How many cards a meld of a contract has, by the role of the mark that counts them. */
const MELDS: Record<string, number> = { three: 3, four: 4 };

const isWhole = (text: string | undefined) => text !== undefined && /^\d+$/.test(text);
const withRole = (marks: MarkView[], role: string) => marks.find((mark) => mark.role === role);

/** The instruments of a table; `selected` are the cards that the viewer has chosen. */
export function gaugesOf(scene: SceneView, selected: string[] = []): Gauge[] {
  const marks = scene.marks ?? [];
  return [suits(marks), bids(marks, scene), contract(marks, selected), teams(scene)].filter((gauge) => gauge !== null);
}

function suits(marks: MarkView[]): SuitGauge | null {
  const values = marks.filter(({ role }) => role === "suit").map(({ label, value }) => ({ sign: label, value }));
  return values.length ? { kind: "suits", suits: values } : null;
}

function bids(marks: MarkView[], { seats }: SceneView): BidGauge | null {
  const sum = withRole(marks, "bids");
  if (!sum || !sum.of) return null;
  const [value, of] = [Number(sum.value), sum.of];
  const all = seats.every((seat) => isWhole(withRole(seat.marks, "bid")?.value));
  return { kind: "bids", value, of, says: all ? (value === of ? t("even") : value > of ? t("{number} over", { number: value - of }) : t("{number} under", { number: of - value })) : "" };
}

function contract(marks: MarkView[], selected: string[]): ContractGauge | null {
  const wanted = marks.filter(({ role = "", of }) => MELDS[role] && of);
  if (!wanted.length) return null;
  const like = meldOf(selected);
  const melds = wanted.flatMap(({ role = "", value, of = 0 }) => {
    const [cards, laid] = [MELDS[role] ?? 0, Number(value)];
    return Array.from({ length: of ?? 0 }, (_, index) => ({ cards, laid: index < laid, filled: index < laid ? cards : index === laid && role === like ? Math.min(cards, selected.length) : 0 }));
  });
  if (melds.every(({ laid }) => laid)) return null; // it is done
  return { kind: "contract", melds, says: listed(wanted.map(({ label, value, of }) => t("{label}: {value} of {of}", { label, value, of: of ?? 0 }))) };
}

/** The meld that chosen cards could become: of one rank, or of one suit; jokers fit in both. */
function meldOf(selected: string[]): string {
  const plain = selected.filter((card) => card !== "*");
  const alike = (part: (card: string) => string | undefined) => new Set(plain.map(part)).size === 1;
  return alike((card) => card.slice(0, -1)) ? "three" : alike((card) => card.at(-1)) ? "four" : "";
}

function teams({ seats, seat: viewer }: SceneView): TeamGauge | null {
  const sides = [...new Set(seats.map(({ side }) => side))].filter((side) => side !== null);
  if (sides.length !== 2) return null;
  const of = withRole(seats[0]?.marks ?? [], "points")?.of;
  if (!of) return null;
  const own = seats[viewer ?? 0]?.side;
  const ordered = sides.toSorted((one, other) => Number(other === own) - Number(one === own));
  return {
    kind: "teams", of,
    teams: ordered.map((side) => {
      const members = seats.filter((seat) => seat.side === side);
      const bid = members.map((seat) => withRole(seat.marks, "maker")?.value).find(isWhole);
      return { side, seat: members[0]?.seat ?? 0, points: Number(withRole(members[0]?.marks ?? [], "points")?.value ?? 0), contract: bid === undefined ? null : Number(bid) };
    }),
  };
}

/** A gauge in words. */
export function gaugeSays(gauge: Gauge, whose: (seat: number) => string): string {
  switch (gauge.kind) {
    case "suits":
      return t("Bid values: {values}", { values: listed(gauge.suits.map(({ sign, value }) => `${sign} ${value}`)) });
    case "bids":
      return gauge.says ? t("Bids: {value} of {of}, {says}", { value: gauge.value, of: gauge.of, says: gauge.says }) : t("Bids: {value} of {of}", { value: gauge.value, of: gauge.of });
    case "contract":
      return t("Contract: {says}", { says: gauge.says });
    case "teams":
      return t("Points: {teams}", { teams: gauge.teams.map((team) => teamSays(team, whose(team.seat))).join("; ") });
  }
}

function teamSays({ points, contract }: TeamGauge["teams"][number], team: string): string {
  return contract === null ? t("{team} {points}", { team, points }) : t("{team} {points}, contract {contract}", { team, points, contract });
}
