/** Where everything on a table lies: one function from its size and from what is to be shown to places.
 *
 * The seats stand on the rim of one oval, the trick lies in a fixed centre with the piles beside it, one's own hand over
 * the lower rim with the prompt and the buttons directly above it. It knows no game, only how much there is of each role.
 */
import { box, clamp, type Box, type Point } from "./geometry.ts";
import { planHand, type HandPlan } from "./hand.ts";
import { planMiddle } from "./middle.ts";
import { arrangements, planSeats, type Arrangement, type SeatPlace } from "./seats.ts";
import { fitted, flow, heightOf, moved, SMALLEST, type Group, type Laid } from "./spread.ts";
import type { TrickPlan } from "./trick.ts";
import { barBeside, captionHeight, EDGE, formOf, sizesFor, type Form, type Sizes, type Wish } from "./wish.ts";

export interface Stage {
  form: Form;
  felt: Box;
  /** In the order of the wish. */
  others: SeatPlace[];
  /** What lies before the seat at the lower rim. */
  own: Laid[];
  trick: (TrickPlan & Point) | null;
  piles: Laid[];
  rows: Laid[];
  hand: HandPlan & Box;
  bar: Box;
  /** Pixels by which something is larger than its place; 0 or less where all is well. */
  excess: number;
}

/** Rows of a hand lie further apart than they must by this part of a card's height, where there is room. */
const APART = 0.3;

/** The first arrangement in which everything has room, from the most generous to the most frugal. */
export function stage(wish: Wish): Stage {
  const form = formOf(wish);
  const tried: Stage[] = [];
  for (const [sizes, way] of tries(form, wish)) {
    const generous = compose(form, wish, sizes, way, heightOf(sizes.hand) * APART);
    if (generous.excess <= 0) return generous;
    const now = compose(form, wish, sizes, way);
    if (now.excess <= 0) return now;
    tried.push(now);
  }
  const best = tried.reduce((best, other) => (other.excess < best.excess ? other : best));
  if (wish.trick && wish.quiet) {
    // No trick is played just now, so its room may be used.
    const freed = stage({ ...wish, trick: false });
    if (freed.excess < best.excess) return freed;
  }
  return hidden(best) && !wish.trick ? shown(tried, form, wish) : best;
}

/** So much of a card must be free above what covers it, for its index to be read and for a finger to find it. */
const SEEN = 20;

/** How many groups of cards lie under what is one's own. */
function hidden({ form, others, own, piles, rows, hand, bar }: Stage): number {
  const lid = Math.min(hand.y, ...own.map(({ y }) => y), ...(form === "sideways" ? [] : [bar.y]));
  return [...others.flatMap(({ front }) => front), ...piles, ...rows].filter(({ y }) => y + SEEN > lid).length;
}

/** Where melds take more room than there is, what hides least: rather are open cards smaller than a finger than out of sight. */
function shown(tried: Stage[], form: Form, wish: Wish): Stage {
  const least = { ...sizesFor(form, wish).at(-1)!, front: SMALLEST };
  const small = (groups: Group[]) => groups.map((group) => ({ ...group, chosen: false }));
  const eased = { ...wish, others: wish.others.map(small), own: small(wish.own) };
  const smaller = arrangements(form, wish).flat().map((way) => compose(form, eased, least, way));
  return [...tried, ...smaller].toSorted((one, other) => hidden(one) - hidden(other) || one.excess - other.excess)[0]!;
}

/** Every list of arrangements with all sizes of cards; in a low window where nothing had room, all of them with the smallest cards that lie open. */
function* tries(form: Form, wish: Wish): Generator<[Sizes, Arrangement]> {
  const lists = arrangements(form, wish);
  const sizes = sizesFor(form, wish);
  for (const ways of lists) for (const size of sizes) for (const way of ways) yield [size, way];
  const least = sizes.at(-1);
  if (least && form === "sideways" && !wish.touch) for (const way of lists.flat()) yield [{ ...least, front: SMALLEST, pile: wish.piles.length ? least.pile : SMALLEST }, way];
}

/** Where no trick is to be looked at, rows that lie open in the middle are smaller than one's own open cards. */
const SMALLER = 0.6;
const LARGER = 1.1;
const weighed = (form: Form, wish: Wish): Wish =>
  wish.trick || wish.quiet ? wish : { ...wish, rows: wish.rows.map((group) => ({ ...group, share: SMALLER })), own: wish.own.map((group) => ({ ...group, share: form === "wide" ? LARGER : 1 })) };

/** `spare` is a height that the rows of the hand may have beside what they need. */
function compose(form: Form, plain: Wish, sizes: Sizes, way: Arrangement, spare = 0): Stage {
  const wish = weighed(form, plain);
  const room = wish.width - barBeside(form, wish.width);
  const lower = planLower(form, way.beside ? { ...wish, own: [] } : wish, sizes, room, spare);
  const seats = planSeats(form, wish, sizes, way, room, lower.top);
  const side = seats.flank || EDGE;
  const below = box(side, seats.bottom + sizes.gap, room - 2 * side, lower.top - seats.bottom - 2 * sizes.gap);
  const board = way.board ? wish.others.flat() : [];
  const rows = way.beside ? [...wish.rows, ...wish.own] : wish.rows;
  const level = form === "wide" ? (seats.rail + lower.bar.y) / 2 : below.y + below.height / 2;
  const middle = planMiddle(form, { ...wish, rows, piles: way.tucked ? [] : wish.piles }, sizes, below, board, level);
  const tucked = way.tucked ? pilesIn(form === "sideways" ? aboveBar(wish, lower.bar) : { ...seats.spare, height: lower.top - sizes.gap - seats.spare.y }, wish, sizes) : null;
  return {
    form,
    felt: feltOf(form, wish, seats.rim, lower.hand, room),
    others: way.board ? boarded(seats.places, wish, middle.board) : seats.places,
    own: way.beside ? middle.rows.slice(wish.rows.length) : lower.own,
    trick: middle.trick,
    piles: tucked?.piles ?? middle.piles,
    rows: middle.rows.slice(0, wish.rows.length),
    hand: lower.hand,
    bar: lower.bar,
    excess: Math.max(seats.excess, middle.excess, tucked?.excess ?? 0),
  };
}

/** What is free between the title and the buttons beside a sideways hand. */
const aboveBar = ({ em, corner = em * 3.7 }: Wish, bar: Box) => box(bar.x, corner + 4, bar.width, bar.y - corner - 4);

function pilesIn(place: Box, wish: Wish, sizes: Sizes) {
  const { groups, width, height } = flow(wish.piles, sizes.pile, place.width, wish.touch, captionHeight(wish));
  const piles = moved(groups, place.x, place.y + Math.max(0, place.height - height) / 2);
  return { piles, excess: Math.max(height - place.height, width - place.width) };
}

/** The part of the height that is left to the table above prompt and buttons: more of these are scrolled. */
const ABOVE = 0.25;

/** Hand, prompt and buttons, and what lies open before one's own seat. */
function planLower(form: Form, wish: Wish, sizes: Sizes, room: number, spare: number) {
  const { width, height, touch, corner = 0 } = wish;
  const within = room - 2 * EDGE;
  const wide = form === "wide" ? Math.min(within, sizes.hand * Math.max(12, wish.hand * 0.3)) : within;
  const plan = planHand(wish.hand, sizes.hand, wide, touch, spare);
  const held = wish.hand ? plan.height : 0;
  const hand = { ...plan, ...box((room - wide) / 2, height - held - EDGE / 2, wide, held) };
  const beside = form === "sideways";
  const tall = clamp(0, beside ? height - EDGE - corner : hand.y - height * ABOVE, wish.bar);
  const bar = beside ? box(room, height - tall - EDGE, width - room - EDGE, tall) : box(EDGE, hand.y - tall, width - 2 * EDGE, tall);
  const caption = wish.named ? captionHeight(wish) : 0;
  const line = form === "wide" && !wish.trick ? heightOf(Math.round(sizes.front * LARGER)) + caption : Infinity;
  const laid = fitted(wish.own, sizes.front, within, touch, caption, line);
  const top = (beside ? hand.y : bar.y) - laid.height - (laid.height ? sizes.gap : 0);
  return { hand, bar, own: moved(laid.groups, EDGE, top), top };
}

/** Gives each seat its groups on the board. */
function boarded(places: SeatPlace[], { others }: Wish, board: Laid[]): SeatPlace[] {
  let taken = 0;
  return places.map((place, index) => {
    const count = others[index]?.length ?? 0;
    taken += count;
    return { ...place, front: board.slice(taken - count, taken), boarded: true };
  });
}

/** The felt reaches from the seats above into the upper part of the hand. */
function feltOf(form: Form, { width, height, hand: cards }: Wish, rim: number, hand: HandPlan & Box, room: number): Box {
  const low = cards ? hand.y + hand.height - heightOf(hand.card) * 0.6 : height - EDGE;
  const inset = form === "wide" ? 12 : 3;
  return box(inset, rim, (form === "sideways" ? room : width) - 2 * inset, Math.max(0, low - rim));
}

/** The same for a left hand: of a sideways table prompt and buttons stand at the left of all else. */
export function forLeftHand<Plan extends Stage>(plan: Plan, width: number): Plan {
  if (plan.form !== "sideways") return plan;
  const by = barBeside(plan.form, width);
  const aside = <One extends Point>(one: One): One => ({ ...one, x: one.x + (one.x < width - by ? by : by - width) });
  return {
    ...plan,
    felt: aside(plan.felt),
    others: plan.others.map((place) => ({ ...aside(place), front: place.front.map(aside) })),
    own: plan.own.map(aside),
    trick: plan.trick && aside(plan.trick),
    piles: plan.piles.map(aside),
    rows: plan.rows.map(aside),
    hand: aside(plan.hand),
    bar: { ...plan.bar, x: EDGE },
  };
}
