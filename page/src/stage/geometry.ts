/** Boxes and points on the stage, in CSS pixels. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Point, Size {}

export const clamp = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value));
export const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
export const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
export const right = (of: Box) => of.x + of.width;
export const bottom = (of: Box) => of.y + of.height;
export const centre = (of: Box): Point => ({ x: of.x + of.width / 2, y: of.y + of.height / 2 });

/** The part that both have; without area where they do not meet. */
export function shared(one: Box, other: Box): Box {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  return box(x, y, Math.max(0, Math.min(right(one), right(other)) - x), Math.max(0, Math.min(bottom(one), bottom(other)) - y));
}

export const meet = (one: Box, other: Box) =>
  Math.min(right(one), right(other)) - Math.max(one.x, other.x) > 0.5 && Math.min(bottom(one), bottom(other)) - Math.max(one.y, other.y) > 0.5;

/** Where a box of this size covers least of what lies on a stage, and if that is in several places, nearest to the middle. Each thing weighs as much as it matters. */
export function freest({ width, height }: Size, within: Size, things: (Box & { weight: number })[]): Point {
  const [across, down] = [Math.max(0, within.width - width), Math.max(0, within.height - height)];
  const steps = Array.from({ length: 25 }, (_, step) => step / 24);
  const beside = things.flatMap((thing) => [thing.y - height, bottom(thing)]).filter((y) => y >= 0 && y <= down);
  const spots = [...steps.map((step) => step * down), ...beside].flatMap((y) => steps.map((step) => ({ x: step * across, y })));
  const far = ({ x, y }: Point) => Math.hypot(x - across / 2, y - down / 2);
  const cost = (at: Point) => sum(things.map((thing) => { const both = shared(thing, box(at.x, at.y, width, height)); return both.width * both.height * thing.weight; })) + far(at) / 1000;
  return least(spots, cost) ?? { x: 0, y: 0 };
}

/** The first one that costs least. */
function least<One>(all: One[], cost: (one: One) => number): One | undefined {
  let [best, lowest]: [One | undefined, number] = [undefined, Infinity];
  for (const one of all) {
    const costs = cost(one);
    if (costs < lowest) [best, lowest] = [one, costs];
  }
  return best;
}

/** Where a box of this size meets nothing of what lies there, as near to a point as it can. */
export function nearest({ width, height }: Size, within: Box, things: Box[], near: Point): Box | undefined {
  const steps = Array.from({ length: 33 }, (_, step) => step / 32);
  let best: Box | undefined;
  let closest = Infinity;
  for (const down of steps)
    for (const across of steps) {
      const [x, y] = [within.x + across * (within.width - width), within.y + down * (within.height - height)];
      const far = Math.hypot(x + width / 2 - near.x, y + height / 2 - near.y);
      if (far >= closest) continue; // most spots are, and need not be compared with everything
      const spot = box(x, y, width, height);
      if (!things.some((thing) => meet(spot, thing))) [best, closest] = [spot, far];
    }
  return best;
}

/** Boxes of these sizes side by side, as far from each other as `gap` says, in the middle of a line `width` long. */
export function line(sizes: number[], gap: number, width: number): number[] {
  let x = (width - sum(sizes) - gap * (sizes.length - 1)) / 2;
  return sizes.map((size) => {
    const here = x;
    x += size + gap;
    return here;
  });
}
