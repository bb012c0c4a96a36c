/** A table that stands still: its places are made for all that has lain there so far, and for a little that may come. */
import { stage, type Stage } from "./stage.ts";
import type { Group } from "./spread.ts";
import { formOf, isTall, type Wish } from "./wish.ts";

export interface Plan extends Stage {
  /** What the places were made for. */
  wish: Wish;
}

/** Cards before a seat that are expected, and those that a hand may gain. */
const BEFORE = 5;
const GAINED = 2;
/** The width of a caption such as "Stock, closed". */
const CAPTION = 5;
/** With more seats than this, what may come before them in a game of tricks has no room on a phone. */
const FEW = 3;
const REMEMBERED = 24;

export class Standing {
  private most: Wish | null = null;
  private key = "";
  private readonly plans = new Map<string, Stage>();

  /** The places of what is there now. They are the same as before as long as the key is and everything has room in them. */
  plan(key: string, now: Wish): Plan {
    if (key !== this.key) [this.key, this.most] = [key, null];
    const most = this.most ? widest(this.most, now) : now;
    this.most = most;
    const later = expected(most);
    const roomy = this.of(later);
    if (roomy.excess <= 0) return { ...roomy, wish: later };
    const needed = this.of(most);
    if (needed.excess <= 0 || most === now) return { ...needed, wish: most };
    this.most = now;
    return { ...this.of(now), wish: now };
  }

  private of(wish: Wish): Stage {
    const text = JSON.stringify(wish);
    const known = this.plans.get(text);
    if (known) return known;
    if (this.plans.size >= REMEMBERED) this.plans.clear();
    const made = stage(wish);
    this.plans.set(text, made);
    return made;
  }
}

/** Room for both: before seats place by place, of piles and rows each one that either has. */
export function widest(before: Wish, now: Wish): Wish {
  return {
    ...now,
    others: now.others.map((groups, seat) => inTurn(before.others[seat] ?? [], groups)),
    own: inTurn(before.own, now.own),
    named: before.named || now.named,
    hand: Math.max(before.hand, now.hand),
    piles: joined(before.piles, now.piles),
    rows: joined(before.rows, now.rows),
    trick: before.trick || now.trick,
  };
}

const larger = (one: Group | undefined, other: Group | undefined): Group => ({
  ...one, ...other, cards: Math.max(one?.cards ?? 0, other?.cards ?? 0), chosen: (one?.chosen ?? false) || (other?.chosen ?? false), caption: Math.max(one?.caption ?? 0, other?.caption ?? 0),
});

const inTurn = (before: Group[], now: Group[]): Group[] =>
  Array.from({ length: Math.max(before.length, now.length) }, (_, index) => larger(before[index], now[index]));

/** What comes later lies outside of what is there. */
function joined(before: Group[], now: Group[]): Group[] {
  const all = before.map((group) => larger(group, now.find((other) => other.id === group.id)));
  return [...now.filter((group) => !before.some((other) => other.id === group.id)), ...all];
}

/** With room for longer captions, for what may come before seats, and where no tricks are played into the hand. */
function expected(wish: Wish): Wish {
  if (formOf(wish) === "upright" && !isTall(wish)) return wish;
  const piles = formOf(wish) === "sideways" || (formOf(wish) === "upright" && wish.piles.length > 2) ? wish.piles : wish.piles.map((pile) => ({ ...pile, caption: Math.max(pile.caption ?? 0, CAPTION) }));
  const laid = [...wish.own, ...wish.others.flat()].map((group) => group.cards);
  const cards = formOf(wish) === "wide" && laid.length ? Math.max(...laid) : BEFORE;
  const some = (groups: Group[]) => (groups.length ? groups : [{ cards, chosen: false }]);
  if (!wish.trick) return { ...wish, piles, others: wish.others.map(some), own: some(wish.own), named: true, hand: wish.hand && wish.hand + GAINED };
  const [few, low] = [wish.others.length <= FEW, formOf(wish) === "upright"];
  return { ...wish, piles, others: few && (low || laid.length) ? wish.others.map(some) : wish.others, ...(low ? { own: some(wish.own), named: true } : {}) };
}
