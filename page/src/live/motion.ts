/** Cards move from where they lay to where they lie. Nothing has to be told: what is drawn is compared before and after.
 *
 * A card face carries `data-card` (its text) and `data-place`; seats, piles and the hand carry `data-anchor`, a number
 * that counts up `data-number`. Only transforms and opacities are animated.
 */
import { tick } from "svelte";
import { nextFrame } from "../parts/frames.ts";
import { fading, moving, pace } from "../settings.svelte.ts";

interface Lying {
  node: HTMLElement;
  card: string;
  place: string;
  box: DOMRect;
  /** Which lies on which. */
  layer: number;
}

interface Anchor {
  node: HTMLElement;
  box: DOMRect;
  /** Where it holds cards that are not seen: in the middle of a seat's backs, on a pile. */
  held: DOMRect;
  count: number;
  points: number;
}

interface Look {
  deal: string;
  /** The seats that are to act. */
  actor: string;
  cards: Lying[];
  anchors: Map<string, Anchor>;
  numbers: Map<Node, number>;
}

/** A hand of backs at a plate, where nothing else shows how large they are. */
const SMALL = 26;
const EASING = "cubic-bezier(.2,.7,.2,1)";
/** Milliseconds at the usual pace: from card to card of a deal, all of it, one card's way, the turning of a card. */
const USUAL = 300;
const DEAL = { step: 45, all: 620, flight: 220, turn: 130 };
/** So many flights of a deal begin with a frame: more make a slow device miss it. */
const TOGETHER = 3;

/** Begins a motion that was planned, or has it begun at a time of the page. Everything is measured before the first one begins, so that all is laid out once. */
type Flight = (began?: CSSNumberish | null) => Promise<void>;

const dealIn = (root: HTMLElement) => root.querySelector<HTMLElement>("[data-deal]")?.dataset.deal ?? "";

function look(root: HTMLElement): Look {
  const cards = [...root.querySelectorAll<HTMLElement>("[data-place]")].map((node) => ({
    node, card: node.dataset.card ?? "", place: node.dataset.place ?? "", box: node.getBoundingClientRect(),
    layer: Number(node.closest<HTMLElement>(".played")?.style.zIndex ?? 0),
  }));
  const anchors = [...root.querySelectorAll<HTMLElement>("[data-anchor]")].map((node): [string, Anchor] => [
    node.dataset.anchor ?? "",
    { node, box: node.getBoundingClientRect(), held: held(node), count: Number(node.dataset.count ?? Number.NaN), points: Number(node.dataset.points ?? Number.NaN) },
  ]);
  const numbers = [...root.querySelectorAll("[data-number]")].flatMap((node): [Node, number][] => (node.firstChild ? [[node.firstChild, Number(node.textContent)]] : []));
  return { deal: dealIn(root), actor: root.dataset.toAct ?? "", cards, anchors: new Map(anchors), numbers: new Map(numbers) };
}

/** Makes the change and animates its difference; resolves when the cards lie. */
export async function fly(root: HTMLElement | null, change: () => void): Promise<void> {
  if (!root || document.hidden || !(moving() || fading())) {
    change();
    return tick();
  }
  const before = look(root);
  change();
  await tick();
  const veiled = moving() && before.deal !== "" && dealIn(root) !== before.deal ? veil(root) : null;
  await nextFrame();
  const after = look(root);
  const origin = match(before.cards, after.cards);
  if (!moving()) return appear(after.cards.filter((one) => !origin.has(one)));
  if (veiled) {
    countUp(before, after);
    return deal(root, after, veiled);
  }
  const used = new Set(origin.values());
  const gone = before.cards.filter((one) => !used.has(one) && after.anchors.has(one.node.dataset.to ?? ""));
  const flights = [...after.cards.map((one) => arrive(one, origin.get(one), before)), ...gather(root, gone, before, after), ...draws(root, before, after)];
  countUp(before, after);
  await Promise.all(flights.map((flight) => flight?.()));
}

/** Pairs each card now on the table with where it lay: first in its own place, then anywhere. */
function match(old: Lying[], fresh: Lying[]): Map<Lying, Lying> {
  const pairs = new Map<Lying, Lying>();
  const free = new Set(old);
  for (const same of [true, false])
    for (const one of fresh) {
      if (pairs.has(one)) continue;
      for (const was of free)
        if (was.card === one.card && (!same || was.place === one.place)) {
          pairs.set(one, was);
          free.delete(was);
          break;
        }
    }
  return pairs;
}

/** Resolves when it has ended. */
function animate(node: HTMLElement, frames: Keyframe[], timing: KeyframeAnimationOptions, began: CSSNumberish | null = null): Promise<void> {
  const motion = node.animate(frames, timing);
  if (began !== null) motion.startTime = began;
  return motion.finished.then(() => {}, () => {});
}
const middle = ({ left, top, width, height }: DOMRect) => ({ x: left + width / 2, y: top + height / 2 });
/** A card is turned a little on its way, each one by another angle. */
const tilt = (card: string) => (((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 3) % 9) - 4) * 1.6 + 2;

/** The transform by which something in a box lies in the middle of another, as wide as that. */
function onto(from: DOMRect, to: DOMRect, width = to.width, turned = 0): string {
  const [one, other] = [middle(from), middle(to)];
  return `translate(${other.x - one.x}px,${other.y - one.y}px) rotate(${turned}deg) scale(${width / from.width})`;
}

/** Where unknown cards come from and go to: of a seat the middle one of its backs, of a pile a card on it. */
function held(node: HTMLElement): DOMRect {
  if (!node.dataset.anchor?.startsWith("seat-")) return (node.querySelector(".card") ?? node).getBoundingClientRect();
  const backs = node.querySelectorAll(".fan .card");
  const { x, y } = middle((backs[Math.floor(backs.length / 2)] ?? node.querySelector(".held i") ?? node).getBoundingClientRect());
  return new DOMRect(x - SMALL / 2, y - SMALL * 0.7, SMALL, SMALL * 1.4);
}

/** The card itself flies, in its own layer, so that nothing changes its depth when it lands. */
function arrive(one: Lying, from: Lying | undefined, before: Look): Flight | null {
  const { node, box } = one;
  if (!box.width) return null;
  if (!from && node.closest(".upcard, .upturned")) return () => turnOver(node, box, 0);
  const { anchors } = before;
  const start = from?.box ?? (anchors.get(node.dataset.from ?? "") ?? anchors.get("stock"))?.held;
  if (!start?.width) return null;
  const here = from?.place === one.place;
  if (here && Math.abs(start.left - box.left) + Math.abs(start.top - box.top) < 1) return null;
  const way = [{ transform: onto(box, start, start.width, here ? 0 : tilt(one.card)) }, { transform: "none" }];
  return () => animate(node, way, { duration: pace().flight, easing: EASING });
}

/** A copy over the table, beneath the plates. */
function ghost(root: HTMLElement, copy: HTMLElement, box: DOMRect, layer: number): HTMLElement {
  for (const name of ["data-testid", "data-place", "data-card", "id"]) copy.removeAttribute(name);
  copy.ariaHidden = "true";
  copy.inert = true;
  copy.classList.add("ghost");
  copy.style.cssText = `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;z-index:${layer}`;
  (root.querySelector(".stage") ?? root).append(copy);
  return copy;
}

/** The back of a card over the table. */
function ghostOfBack(root: HTMLElement, box: DOMRect, layer: number): HTMLElement {
  const back = document.createElement("span");
  back.className = "card back";
  return ghost(root, back, box, layer);
}

async function vanish(copy: HTMLElement, frames: Keyframe[], timing: KeyframeAnimationOptions, began: CSSNumberish | null = null): Promise<void> {
  await animate(copy, frames, { easing: EASING, fill: "both", ...timing }, began);
  copy.remove();
}

/** The pile that has grown by so many cards. */
const grownBy = (cards: number, before: Look, after: Look) =>
  [...after.anchors].find(([name, { count }]) => name !== "hand" && !name.startsWith("seat-") && count - (before.anchors.get(name)?.count ?? 0) === cards)?.[1];

/** The cards of a trick gather under the one that takes it and go to whoever has won it, or to the pile where they lie now, and what they count flies after them. */
function gather(root: HTMLElement, gone: Lying[], before: Look, after: Look): Flight[] {
  const best = gone.find(({ node }) => node.closest(".best")) ?? gone.at(-1);
  if (!best) return [];
  const { to: taker } = best.node.dataset;
  const heap = grownBy(gone.length, before, after);
  const paid = new Set<string>();
  const awards = [...after.anchors].toSorted(([one], [other]) => Number(other === taker) - Number(one === taker)).flatMap(([name, { points, node, box }]): Flight[] => {
    const more = points - (before.anchors.get(name)?.points ?? Number.NaN);
    const { side = name } = node.dataset;
    if (!(more > 0) || paid.has(side)) return []; // partners have the same points
    paid.add(side);
    const to = node.querySelector("[data-number]")?.getBoundingClientRect() ?? box;
    return [() => award(root, more, best.box, to)];
  });
  const flights = gone.toSorted((one, other) => Number(one === best) - Number(other === best) || one.layer - other.layer).flatMap((one, index): Flight[] => {
    const to = (heap ?? after.anchors.get(one.node.dataset.to ?? ""))?.held;
    if (!to) return [];
    const turned = one === best ? 0 : tilt(one.card);
    const way = [
      { transform: "none", opacity: 1 },
      { transform: onto(one.box, best.box, best.box.width, turned), opacity: 1, offset: 0.45 },
      { transform: onto(one.box, to, SMALL * 1.6, turned * 2), opacity: 1, offset: 0.9 },
      { transform: onto(one.box, to, SMALL, turned * 2), opacity: 0 },
    ];
    return [() => vanish(ghost(root, one.node.cloneNode(true) as HTMLElement, one.box, 5 + index), way, { duration: pace().flight * 2, easing: "ease-in-out" })];
  });
  return [...flights, ...awards];
}

/** "+11" flies from the trick to the score. */
function award(root: HTMLElement, points: number, from: DOMRect, to: DOMRect): Promise<void> {
  const sign = document.createElement("b");
  sign.textContent = `+${points}`;
  const { x, y } = middle(from);
  const copy = ghost(root, sign, new DOMRect(x - 40, y - 20, 80, 40), 40);
  copy.classList.add("award");
  const end = middle(to);
  const way = `translate(${end.x - x}px,${end.y - y}px)`;
  return vanish(copy, [
    { transform: "scale(.6)", opacity: 0 }, { transform: "none", opacity: 1, offset: 0.25 }, { transform: "none", opacity: 1, offset: 0.5 }, { transform: `${way} scale(.7)`, opacity: 1, offset: 0.94 }, { transform: `${way} scale(.5)`, opacity: 0 },
  ], { duration: pace().flight * 2.6, easing: "ease-in-out" });
}

/** Cards nobody sees: a face-down pile grew smaller, and a seat's hand larger or another pile by as many. */
function draws(root: HTMLElement, before: Look, after: Look): Flight[] {
  const pile = before.anchors.get("stock");
  const fewer = (pile?.count ?? 0) - (after.anchors.get("stock")?.count ?? 0);
  if (!pile || !(fewer > 0)) return [];
  const { box } = pile;
  const stock = new DOMRect(box.left, box.top, box.width, box.width * 1.4);
  const own = ownSeat(root);
  const way = (from: DOMRect, to: DOMRect): Flight => () => vanish(ghostOfBack(root, from, 5), [{ transform: "none" }, { transform: onto(from, to, to.width, tilt("7s")) }], { duration: pace().flight });
  const grown = [...after.anchors].filter(([name, { count }]) => name.startsWith("seat-") && name !== own && count > (before.anchors.get(name)?.count ?? Infinity));
  if (grown.length) return grown.map(([, { held: to }]) => way(stock, to));
  const [thrower, heap] = [`seat-${before.actor}`, grownBy(fewer, before, after)];
  const seat = thrower === own ? undefined : after.anchors.get(thrower);
  return seat && heap ? [way(seat.held, heap.held), way(stock, seat.held)] : [];
}

const ownSeat = (root: HTMLElement) => root.querySelector<HTMLElement>(".me [data-anchor]")?.dataset.anchor;

const OPENING = [{ transform: "scaleX(0)" }, { transform: "none" }];

/** Its back narrows to nothing, then its face opens. */
async function turnOver(node: HTMLElement, box: DOMRect, delay: number, began: CSSNumberish | null = null): Promise<void> {
  const root = node.closest<HTMLElement>(".stage");
  if (root) void vanish(ghostOfBack(root, box, 5), OPENING.toReversed(), { duration: DEAL.turn, delay, easing: "ease-in" }, began);
  await animate(node, OPENING, { duration: DEAL.turn, delay: delay + DEAL.turn, fill: "backwards", easing: "ease-out" }, began);
}

/** One card after the other, from the dealer to everybody in turn; then what lies open is turned up. Any tap or key ends it.
 *
 * Each of the cards is veiled until its flight begins, and a few flights begin with every frame. */
async function deal(root: HTMLElement, { anchors, cards }: Look, veiled: HTMLElement[]): Promise<void> {
  const own = ownSeat(root);
  const mine = cards.filter(({ place }) => place === "hand");
  const seats = [...anchors].filter(([name]) => name.startsWith("seat-")).toSorted(([one], [other]) => Number(one.slice(5)) - Number(other.slice(5)));
  const dealer = seats.findIndex(([, { node }]) => node.dataset.dealer === "true");
  const order = [...seats.slice(dealer + 1), ...seats.slice(0, dealer + 1)];
  const start = (seats[dealer] ?? seats[0])?.[1].held ?? root.getBoundingClientRect();
  const rounds = Array.from({ length: Math.max(0, ...order.map(([, { count }]) => count)) }, (_, round) => order.filter(([, { count }]) => count > round).map((seat) => ({ seat, round })));
  const dealt = rounds.flat();
  const share = Math.min(1, pace().flight / USUAL);
  const step = Math.min(DEAL.step, DEAL.all / Math.max(1, dealt.length)) * share;
  const flight = DEAL.flight * share;
  const flights = dealt.flatMap(({ seat: [name, to], round }, index): Flight[] => {
    const card = name === own ? mine[round] : undefined;
    if (name === own && !card) return [];
    const node = card?.node ?? to.node.querySelectorAll<HTMLElement>(".fan .card")[round];
    const target = card?.box ?? to.held;
    const way = [{ transform: "none" }, { transform: onto(start, target, target.width, card ? 0 : tilt("7s")) }];
    const delay = index * step;
    return [async (began) => {
      const come = vanish(ghostOfBack(root, start, 12 + index), way, { duration: flight, delay }, began);
      if (node) unveil(node);
      if (card) await animate(card.node, OPENING, { duration: DEAL.turn, delay: delay + flight, fill: "backwards" }, began);
      else if (node) await animate(node, [{ opacity: 0 }, { opacity: 0 }], { duration: delay + flight }, began);
      await come;
    }];
  });
  const whole = dealt.length * step + flight;
  const turned = cards.filter(({ box, place }) => place !== "hand" && box.width).map(({ node, box }): Flight => (began) => turnOver(unveil(node), box, whole, began));
  await begin(root, [...flights, ...turned]);
  veiled.forEach(unveil);
}

/** Begins flights a few with each frame, as if all had begun with the first. Any tap or key ends them. */
async function begin(root: HTMLElement, flights: Flight[]): Promise<void> {
  let ended = false;
  const finish = () => {
    ended = true;
    root.getAnimations({ subtree: true }).forEach((motion) => motion.effect?.getComputedTiming().iterations === 1 && motion.finish());
  };
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, finish, { capture: true });
  const done: Promise<void>[] = [];
  let began: CSSNumberish | null = null;
  for (let at = 0; at < flights.length; at += TOGETHER) {
    await nextFrame();
    if (ended) break;
    began ??= document.timeline.currentTime;
    for (const flight of flights.slice(at, at + TOGETHER)) done.push(flight(began));
  }
  await Promise.all(done);
  for (const kind of ["pointerdown", "keydown"]) window.removeEventListener(kind, finish, { capture: true });
}

/** What is dealt is not seen before its flight has begun. */
function veil(root: HTMLElement): HTMLElement[] {
  const dealt = [...root.querySelectorAll<HTMLElement>("[data-place], .fan .card")];
  for (const node of dealt) node.style.opacity = "0";
  return dealt;
}

function unveil(node: HTMLElement): HTMLElement {
  node.style.opacity = "";
  return node;
}

/** Without motion, what is new comes up softly. */
async function appear(fresh: Lying[]): Promise<void> {
  await Promise.all(fresh.map(({ node }) => animate(node, [{ opacity: 0 }, { opacity: 1 }], { duration: 140 })));
}

/** Numbers that grew run up to what they are. */
function countUp(before: Look, after: Look): void {
  for (const [text, now] of after.numbers) {
    const was = before.numbers.get(text);
    if (was !== undefined && now > was) run(text, was, now);
  }
}

function run(text: Node, from: number, to: number): void {
  const began = performance.now();
  const duration = pace().flight * 2.4;
  let shown = String(from);
  text.nodeValue = shown;
  const next = (now: number) => {
    if (text.nodeValue !== shown) return; // it has become another one meanwhile
    const part = Math.min(1, (now - began) / duration);
    shown = String(Math.round(from + (to - from) * Math.max(0, part * 2 - 1)));
    text.nodeValue = shown;
    if (part < 1) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
