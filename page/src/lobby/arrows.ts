/** Arrow keys that go from one button or link to the nearest in that direction. */
import type { Box } from "../stage/geometry.ts";

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const TOWARDS: Record<Arrow, (from: Box, to: Box) => { along: number; across: number }> = {
  ArrowLeft: (from, to) => ({ along: middle(from).x - middle(to).x, across: apart(from.y, from.height, to.y, to.height) }),
  ArrowRight: (from, to) => ({ along: middle(to).x - middle(from).x, across: apart(from.y, from.height, to.y, to.height) }),
  ArrowUp: (from, to) => ({ along: middle(from).y - middle(to).y, across: apart(from.x, from.width, to.x, to.width) }),
  ArrowDown: (from, to) => ({ along: middle(to).y - middle(from).y, across: apart(from.x, from.width, to.x, to.width) }),
};
const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });
/** The gap between two stretches of a line; 0 if they overlap. */
const apart = (one: number, long: number, other: number, wide: number) => Math.max(0, other - one - long, one - other - wide);
/** What lies aside counts more than what lies further ahead. */
const ASIDE = 8;

/** The index of the nearest box in a direction; -1 if there is none. */
export function nearestTowards(arrow: Arrow, boxes: Box[], from: number): number {
  const start = boxes[from];
  if (!start) return -1;
  let [best, least] = [-1, Infinity];
  for (const [index, box] of boxes.entries()) {
    const { along, across } = TOWARDS[arrow](start, box);
    const far = along + ASIDE * across;
    if (index !== from && along > 4 && far < least) [best, least] = [index, far];
  }
  return best;
}

/** The place of a button or link; a heading is as wide as its card. */
function boxOf(node: HTMLElement): Box {
  const { y, height } = node.getBoundingClientRect();
  const { x, width } = (node.closest("h3")?.closest("li") ?? node).getBoundingClientRect();
  return { x, y, width, height };
}

/** Lets the arrow keys move among everything that can be pressed within a node. */
export function arrows(node: HTMLElement): () => void {
  const move = (event: KeyboardEvent) => {
    if (!(event.key in TOWARDS) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const all = [...node.querySelectorAll<HTMLElement>("a, button:not(:disabled)")];
    const boxes = all.map(boxOf);
    const to = all[nearestTowards(event.key as Arrow, boxes, all.indexOf(document.activeElement as HTMLElement))];
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
  node.addEventListener("keydown", move);
  return () => node.removeEventListener("keydown", move);
}
