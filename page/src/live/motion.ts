/** Cards move from where they lay to where they lie. Nothing has to be told: what is drawn is compared before and after.
 *
 * A card face carries `data-card` (its text) and `data-place`; seats, piles and the hand carry `data-anchor`, a number
 * that counts up `data-number`. Only transforms and opacities are animated.
 */
import { tick } from "svelte";
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
  count: number;
  points: number;
}

interface Look {
  deal: string;
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

function look(root: HTMLElement): Look {
  const cards = [...root.querySelectorAll<HTMLElement>("[data-place]")].map((node) => ({
    node, card: node.dataset.card ?? "", place: node.dataset.place ?? "", box: node.getBoundingClientRect(),
    layer: Number(node.closest<HTMLElement>(".played")?.style.zIndex ?? 0),
  }));
  const anchors = [...root.querySelectorAll<HTMLElement>("[data-anchor]")].map((node): [string, Anchor] => [
    node.dataset.anchor ?? "",
    { node, box: node.getBoundingClientRect(), count: Number(node.dataset.count ?? Number.NaN), points: Number(node.dataset.points ?? Number.NaN) },
  ]);
  const numbers = [...root.querySelectorAll("[data-number]")].flatMap((node): [Node, number][] => (node.firstChild ? [[node.firstChild, Number(node.textContent)]] : []));
  return { deal: root.querySelector<HTMLElement>("[data-deal]")?.dataset.deal ?? "", cards, anchors: new Map(anchors), numbers: new Map(numbers) };
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
  const after = look(root);
  const origin = match(before.cards, after.cards);
  const fresh = after.cards.filter((one) => !origin.has(one));
  if (!moving()) return appear(fresh);
  countUp(before, after);
  if (before.deal && after.deal !== before.deal) return deal(root, after);
  const flights = after.cards.map((one) => arrive(one, origin.get(one), before));
  const used = new Set(origin.values());
  const gone = before.cards.filter((one) => !used.has(one) && after.anchors.has(one.node.dataset.to ?? ""));
  flights.push(...gather(root, gone, before, after), ...draws(root, before, after));
  await Promise.all(flights);
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

const ended = (motion: Animation) => motion.finished.then(() => {}, () => {});
const middle = ({ left, top, width, height }: DOMRect) => ({ x: left + width / 2, y: top + height / 2 });
/** A card is turned a little on its way, each one by another angle. */
const tilt = (card: string) => (((card.charCodeAt(0) * 7 + card.charCodeAt(1) * 3) % 9) - 4) * 1.6 + 2;

/** The transform by which something in a box lies in the middle of another, as wide as that. */
function onto(from: DOMRect, to: DOMRect, width = to.width, turned = 0): string {
  const [one, other] = [middle(from), middle(to)];
  return `translate(${other.x - one.x}px,${other.y - one.y}px) rotate(${turned}deg) scale(${width / from.width})`;
}

/** Where a seat holds its cards: the middle one of its backs, at their size. */
function held({ node, box }: Anchor): DOMRect {
  const backs = node.querySelectorAll<HTMLElement>(".fan .card");
  const back = backs[Math.floor(backs.length / 2)] ?? node.querySelector<HTMLElement>(".held i");
  const { x, y } = middle(back?.getBoundingClientRect() ?? box);
  return new DOMRect(x - SMALL / 2, y - SMALL * 0.7, SMALL, SMALL * 1.4);
}

/** Where every seat and pile holds cards. To be asked before anything is added to the page: then it is laid out once. */
const heldIn = ({ anchors }: Look): Map<string, DOMRect> => new Map([...anchors].map(([name, anchor]) => [name, held(anchor)]));

/** Where unknown cards come from: the hand of a seat, or a pile as large as a card on it. */
function source(name: string, { anchors }: Look): DOMRect | undefined {
  const anchor = anchors.get(name) ?? anchors.get("stock");
  if (!anchor) return undefined;
  return anchor.node.dataset.anchor?.startsWith("seat-") ? held(anchor) : (anchor.node.querySelector(".card")?.getBoundingClientRect() ?? anchor.box);
}

/** The card itself flies, in its own layer, so that nothing changes its depth when it lands. */
function arrive(one: Lying, from: Lying | undefined, before: Look): Promise<void> {
  const { node, box } = one;
  if (!box.width) return Promise.resolve();
  if (!from && node.closest(".upcard, .upturned")) return turnOver(node, box, 0);
  const start = from?.box ?? source(node.dataset.from ?? "", before);
  if (!start?.width) return Promise.resolve();
  const here = from?.place === one.place;
  const far = Math.abs(start.left - box.left) + Math.abs(start.top - box.top);
  if (here && far < 1) return Promise.resolve();
  return ended(node.animate([{ transform: onto(box, start, start.width, here ? 0 : tilt(one.card)) }, { transform: "none" }], { duration: pace().flight, easing: EASING }));
}

/** A copy over the table, beneath the plates. */
function ghost(root: HTMLElement, node: HTMLElement, box: DOMRect, layer: number): HTMLElement {
  const copy = node.cloneNode(true) as HTMLElement;
  for (const name of ["data-testid", "data-place", "data-card", "id"]) copy.removeAttribute(name);
  copy.ariaHidden = "true";
  copy.inert = true;
  copy.classList.add("ghost");
  copy.style.cssText = `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;z-index:${layer}`;
  (root.querySelector(".stage") ?? root).append(copy);
  return copy;
}

async function vanish(copy: HTMLElement, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<void> {
  await ended(copy.animate(frames, { easing: EASING, fill: "both", ...timing }));
  copy.remove();
}

/** The cards of a trick gather under the one that takes it and go to whoever has won it, and what they count flies after them. */
function gather(root: HTMLElement, gone: Lying[], before: Look, after: Look): Promise<void>[] {
  const best = gone.find(({ node }) => node.closest(".best")) ?? gone.at(-1);
  if (!best) return [];
  const hands = heldIn(after);
  const awards = [...after.anchors].flatMap(([name, { points, node, box }]): [number, DOMRect][] => {
    const more = points - (before.anchors.get(name)?.points ?? Number.NaN);
    return more > 0 ? [[more, node.querySelector("[data-number]")?.getBoundingClientRect() ?? box]] : [];
  });
  const flights = gone.toSorted((one, other) => Number(one === best) - Number(other === best) || one.layer - other.layer).map((one, index) => {
    const to = hands.get(one.node.dataset.to ?? "");
    if (!to) return Promise.resolve();
    const turned = one === best ? 0 : tilt(one.card);
    return vanish(ghost(root, one.node, one.box, 5 + index), [
      { transform: "none", opacity: 1 },
      { transform: onto(one.box, best.box, best.box.width, turned), opacity: 1, offset: 0.45 },
      { transform: onto(one.box, to, SMALL * 1.6, turned * 2), opacity: 1, offset: 0.9 },
      { transform: onto(one.box, to, SMALL, turned * 2), opacity: 0 },
    ], { duration: pace().flight * 2, easing: "ease-in-out" });
  });
  return [...flights, ...awards.map(([more, to]) => award(root, more, best.box, to))];
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

/** Cards nobody sees: a face-down pile grew smaller and a seat's hand larger. */
function draws(root: HTMLElement, before: Look, after: Look): Promise<void>[] {
  const pile = before.anchors.get("stock");
  if (!pile || !((after.anchors.get("stock")?.count ?? 0) < pile.count)) return [];
  const back = root.querySelector<HTMLElement>(".card.back");
  const start = pile.box;
  const hands = heldIn(after);
  return [...after.anchors].filter(([name, { count }]) => name.startsWith("seat-") && name !== ownSeat(root) && count > (before.anchors.get(name)?.count ?? Infinity)).map(([name]) => {
    const copy = ghost(root, back ?? document.createElement("span"), new DOMRect(start.left, start.top, start.width, start.width * 1.4), 5);
    copy.classList.add("card", "back");
    return vanish(copy, [{ transform: "none", opacity: 1 }, { transform: onto(start, hands.get(name) ?? start, SMALL, tilt("7s")), opacity: 1 }], { duration: pace().flight });
  });
}

const ownSeat = (root: HTMLElement) => root.querySelector<HTMLElement>(".me [data-anchor]")?.dataset.anchor;

/** Its back narrows to nothing, then its face opens. */
async function turnOver(node: HTMLElement, box: DOMRect, delay: number): Promise<void> {
  const root = node.closest<HTMLElement>(".stage");
  const back = root?.querySelector<HTMLElement>(".card.back");
  if (root && back) void vanish(ghost(root, back, box, 5), [{ transform: "none" }, { transform: "scaleX(0)" }], { duration: DEAL.turn, delay, easing: "ease-in" });
  await ended(node.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: DEAL.turn, delay: delay + DEAL.turn, fill: "backwards", easing: "ease-out" }));
}

/** One card after the other, from the dealer to everybody in turn; then what lies open is turned up. Any tap or key ends it. */
async function deal(root: HTMLElement, after: Look): Promise<void> {
  const { anchors, cards } = after;
  const hands = heldIn(after);
  const own = ownSeat(root);
  const mine = cards.filter(({ place }) => place === "hand");
  const seats = [...anchors].filter(([name]) => name.startsWith("seat-")).toSorted(([one], [other]) => Number(one.slice(5)) - Number(other.slice(5)));
  const dealer = seats.findIndex(([, { node }]) => node.dataset.dealer === "true");
  const order = [...seats.slice(dealer + 1), ...seats.slice(0, dealer + 1)];
  const start = held((seats[dealer] ?? seats[0])?.[1] ?? { node: root, box: root.getBoundingClientRect(), count: 0, points: 0 });
  const rounds = Array.from({ length: Math.max(0, ...order.map(([, { count }]) => count)) }, (_, round) => order.filter(([, { count }]) => count > round).map((seat) => ({ seat, round })));
  const dealt = rounds.flat();
  const share = Math.min(1, pace().flight / USUAL);
  const step = Math.min(DEAL.step, DEAL.all / Math.max(1, dealt.length)) * share;
  const flight = DEAL.flight * share;
  const back = root.querySelector<HTMLElement>(".card.back");
  const done: Promise<void>[] = [];
  dealt.forEach(({ seat: [name, to], round }, index) => {
    const delay = index * step;
    const card = name === own ? mine[round] : undefined;
    const fan = to.node.querySelectorAll<HTMLElement>(".fan > span")[round];
    if (fan) done.push(ended(fan.animate([{ opacity: 0 }, { opacity: 0 }], { duration: delay + flight })));
    if (card) done.push(ended(card.node.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: DEAL.turn, delay: delay + flight, fill: "backwards" })));
    if (name === own && !card) return;
    const copy = ghost(root, back ?? document.createElement("span"), start, 12 + index);
    copy.classList.add("card", "back");
    const target = card?.box ?? hands.get(name) ?? start;
    done.push(vanish(copy, [{ transform: "none" }, { transform: onto(start, target, target.width, card ? 0 : tilt("7s")) }], { duration: flight, delay }));
  });
  const whole = dealt.length * step + flight;
  for (const { node, box, place } of cards) if (place !== "hand" && box.width) done.push(turnOver(node, box, whole));
  const finish = () => root.getAnimations({ subtree: true }).forEach((motion) => motion.effect?.getComputedTiming().iterations === 1 && motion.finish());
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, finish, { capture: true });
  await Promise.all(done);
  for (const kind of ["pointerdown", "keydown"]) window.removeEventListener(kind, finish, { capture: true });
}

/** Without motion, what is new comes up softly. */
async function appear(fresh: Lying[]): Promise<void> {
  await Promise.all(fresh.map(({ node }) => ended(node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 140 }))));
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
