/** Cards fly from where they lay to where they lie. Nothing has to be told: places are compared before and after.
 *
 * A card face carries `data-card` (its text) and `data-place`; seats, piles and the hand carry `data-anchor`.
 */
import { tick } from "svelte";
import { moving, pace } from "../settings.svelte.ts";

interface Lying {
  node: HTMLElement;
  card: string;
  place: string;
  box: DOMRect;
}

function lying(root: HTMLElement): Lying[] {
  return [...root.querySelectorAll<HTMLElement>("[data-place]")].map((node) => ({
    node,
    card: node.dataset.card ?? "",
    place: node.dataset.place ?? "",
    box: node.getBoundingClientRect(),
  }));
}

function anchors(root: HTMLElement): Map<string, { box: DOMRect; count: number }> {
  const found = [...root.querySelectorAll<HTMLElement>("[data-anchor]")];
  return new Map(
    found.map((node) => [
      node.dataset.anchor ?? "",
      { box: node.getBoundingClientRect(), count: Number(node.dataset.count ?? Number.NaN) },
    ]),
  );
}

/** Makes the change and animates its difference; resolves when the cards lie. */
export async function fly(root: HTMLElement | null, change: () => void): Promise<void> {
  if (!root || !moving() || document.hidden) {
    change();
    return tick();
  }
  const old = lying(root);
  const oldAnchors = anchors(root);
  change();
  await tick();
  const fresh = lying(root);
  const newAnchors = anchors(root);
  const flights: Promise<unknown>[] = [];
  const origin = match(old, fresh);
  for (const one of fresh) {
    const from = origin.get(one);
    if (from && from.place === one.place) slide(one, from);
    else {
      const start = from?.box ?? (oldAnchors.get(one.node.dataset.from ?? "") ?? oldAnchors.get("stock"))?.box;
      if (start) flights.push(flight(root, one.node, start, one.box, true));
    }
  }
  const used = new Set(origin.values());
  for (const one of old) {
    const to = newAnchors.get(one.node.dataset.to ?? "")?.box;
    if (!used.has(one) && to) flights.push(flight(root, one.node, one.box, to, false));
  }
  flights.push(...draws(root, oldAnchors, newAnchors));
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

const EASING = "cubic-bezier(.2,.7,.2,1)";

function slide({ node, box }: Lying, from: Lying): void {
  const dx = from.box.left - box.left;
  const dy = from.box.top - box.top;
  if (Math.abs(dx) + Math.abs(dy) < 1) return;
  node.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: "none" }], {
    duration: pace().flight,
    easing: EASING,
  });
}

/** A copy flies above everything, so no scrolling box cuts it off; the card itself appears when it lands. */
async function flight(root: HTMLElement, node: HTMLElement, from: DOMRect, to: DOMRect, lands: boolean): Promise<void> {
  if (!from.width || !to.width) return;
  const ghost = node.cloneNode(true) as HTMLElement;
  const size = lands ? to : from;
  for (const name of ["data-testid", "data-place", "id"]) ghost.removeAttribute(name);
  ghost.ariaHidden = "true";
  ghost.inert = true;
  ghost.classList.add("ghost");
  ghost.style.cssText = `--w:${size.width}px;left:${size.left}px;top:${size.top}px;width:${size.width}px;height:${size.height}px`;
  root.append(ghost);
  if (lands) node.style.visibility = "hidden";
  const far = lands ? from : to;
  const scale = lands ? far.width / size.width : 0.5;
  const dx = far.left + (lands ? 0 : far.width / 2) - size.left - (lands ? 0 : (size.width * scale) / 2);
  const dy = far.top + (lands ? 0 : far.height / 2) - size.top - (lands ? 0 : (size.height * scale) / 2);
  const away = { transform: `translate(${dx}px,${dy}px) scale(${Math.min(scale, 2)})`, opacity: lands ? 1 : 0 };
  const here = { transform: "none", opacity: 1 };
  const motion = ghost.animate(lands ? [away, here] : [here, away], { duration: pace().flight, easing: EASING, fill: "both" });
  await motion.finished.catch(() => {});
  ghost.remove();
  if (lands) node.style.visibility = "";
}

/** Cards nobody sees: a face-down pile grew smaller and a seat's hand larger. */
function draws(
  root: HTMLElement,
  before: Map<string, { box: DOMRect; count: number }>,
  after: Map<string, { box: DOMRect; count: number }>,
): Promise<unknown>[] {
  const pile = before.get("stock");
  const left = after.get("stock")?.count ?? 0;
  if (!pile || !(left < pile.count)) return [];
  return [...after]
    .filter(([name, { count }]) => name.startsWith("seat-") && count > (before.get(name)?.count ?? Infinity))
    .map(([, { box }]) => {
      const back = document.createElement("span");
      back.className = "card back";
      const start = new DOMRect(pile.box.left, pile.box.top, 44, 62);
      return flight(root, back, start, box, false);
    });
}
