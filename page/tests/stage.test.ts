import { describe, expect, it } from "vitest";
import { bottom, box, meet, nearest, right, type Box } from "../src/stage/geometry.ts";
import { handPlaces } from "../src/stage/hand.ts";
import { heightOf } from "../src/stage/spread.ts";
import { forLeftHand, stage } from "../src/stage/stage.ts";
import { above, crownOn, planTrick } from "../src/stage/trick.ts";
import { formOf, type Wish } from "../src/stage/wish.ts";

/** The table's part of the usual windows, without the header. */
const SCREENS = [[360, 590], [390, 614], [390, 794], [844, 390], [1280, 670], [1440, 850], [2560, 1390]] as const;

function wish(width: number, height: number, more: Partial<Wish> = {}): Wish {
  const touch = Math.min(width, height) < 500;
  return { width, height, em: 16, touch, scale: 1, others: [[]], own: [], named: false, hand: 13, bar: 56, piles: [], rows: [], trick: true, ...more };
}
const alone = (count: number) => Array.from({ length: count }, () => []);
const within = (one: Box, { width, height }: Wish) => one.x >= -1 && one.y >= -1 && right(one) <= width + 1 && bottom(one) <= height + 1;

const TABLES = SCREENS.flatMap(([width, height]) =>
  [1, 2, 3, 4, 5, 9].flatMap((others) =>
    [1, 5, 13].filter((hand) => hand * others < 100).flatMap((hand) => (others < 5 ? [0, 2] : [0]).map((piles) => wish(width, height, { others: alone(others), hand, piles: Array.from({ length: piles }, () => ({ cards: 1, chosen: true })) }))),
  ),
);

describe("a table of tricks", () => {
  it.each(TABLES)("has room for all at $width × $height", (wanted) => {
    const made = stage(wanted);
    expect(made.excess).toBeLessThanOrEqual(0);
    const trick = made.trick!;
    const lying = trick.spots.map((at) => box(trick.x + at.x - trick.card / 2, trick.y + at.y - heightOf(trick.card) / 2, trick.card, heightOf(trick.card)));
    const plates: Box[] = made.others;
    for (const one of [...plates, ...made.piles, ...lying, made.bar, made.hand]) expect(within(one, wanted)).toBe(true);
    plates.forEach((one, index) => expect(plates.slice(index + 1).some((other) => meet(one, other))).toBe(false));
    for (const one of [...lying, ...made.piles]) expect([...plates, made.bar, made.hand].some((other) => meet(one, other))).toBe(false);
    for (const one of lying) expect(made.piles.some((pile) => meet(one, pile))).toBe(false);
  });
  it.each(TABLES)("has cards that can be read and hit at $width × $height", (wanted) => {
    const { hand } = stage(wanted);
    expect(hand.card).toBeGreaterThanOrEqual(wanted.touch ? 72 : 64);
    expect(hand.card).toBeLessThanOrEqual(190);
    const places = handPlaces(hand, wanted.hand, hand.width);
    const steps = places.slice(1).map((at, index) => ({ x: at.x - places[index]!.x, y: at.y - places[index]!.y }));
    const least = wanted.touch ? 44 : 0.25 * hand.card;
    for (const step of steps) if (step.y === 0) expect(step.x).toBeGreaterThanOrEqual(Math.min(least, hand.card));
  });
});

describe("a narrow table of tricks", () => {
  const crowded = (quiet: boolean) => wish(320, 518, { em: 17, others: alone(5), hand: 5, bar: 128, quiet, piles: Array.from({ length: 3 }, () => ({ cards: 1, chosen: false, caption: 2.5 })) });
  it("gives the room of the trick to the piles as long as none is played", () => {
    const made = stage(crowded(true));
    expect(made.excess).toBeLessThanOrEqual(0);
    for (const one of made.piles) expect([...made.others, made.bar, made.hand].some((other) => meet(one, other))).toBe(false);
    expect(stage(crowded(false)).trick).not.toBe(null);
  });
});

describe("the crown of whoever is ahead", () => {
  it.each([2, 3, 4, 5, 6, 7, 8, 10])("lies on the card in a ring of %i, under no other", (places) => {
    const plan = planTrick(places, 700, 400, 84);
    const tall = heightOf(plan.card);
    for (const spot of plan.spots) {
      const at = crownOn(plan, spot);
      const [left, top] = [spot.x - plan.card / 2, spot.y - tall / 2];
      expect(within(at, { width: plan.card, height: tall } as Wish)).toBe(true);
      const later = plan.spots.filter((other) => other !== spot && above(other, spot));
      expect(later.some((other) => meet(box(left + at.x, top + at.y, at.width, at.height), box(other.x - plan.card / 2, other.y - tall / 2, plan.card, tall)))).toBe(false);
    }
  });
});

describe("the crown of whoever is ahead in rows that overlap", () => {
  it.each([7, 8, 9, 10])("stands between the rows of %i and within the trick", (places) => {
    const plan = planTrick(places, 126, 112, 84);
    const tall = heightOf(plan.card);
    for (const spot of plan.spots) {
      const at = crownOn(plan, spot);
      const top = spot.y - tall / 2 + at.y;
      expect(top).toBeGreaterThanOrEqual(-plan.height / 2);
      expect(plan.spots.some((other) => spot.y > other.y + 1 && top < other.y + tall / 2 - 0.5)).toBe(false);
    }
  });
});

describe("the stage", () => {
  it("keeps the trick off the seats where rows of cards with long names lie beside it", () => {
    const rows = [11, 2, 6].map((caption, index) => ({ cards: 1 + (index % 2), chosen: false, caption }));
    const { trick, others, excess } = stage(wish(390, 792, { others: alone(3), own: [{ cards: 7, chosen: false }], named: true, hand: 6, bar: 96, rows }));
    expect(excess).toBeLessThanOrEqual(0);
    expect(others.some((seat) => meet(seat, box(trick!.x - trick!.width / 2, trick!.y - trick!.height / 2, trick!.width, trick!.height)))).toBe(false);
  });
  it("has partners opposite each other", () => {
    const wanted = wish(1280, 670, { others: alone(3) });
    const [left, across, other] = stage(wanted).others.map((one) => one.x + one.width / 2);
    expect(across).toBeCloseTo(640);
    expect(left! + other!).toBeCloseTo(1280);
  });
  it("keeps the trick where it is while the hand becomes smaller in a place as high", () => {
    const at = stage(wish(1280, 670)).trick!;
    expect(stage(wish(1280, 670, { hand: 5 })).trick!.x).toBe(at.x);
  });
  it.each(SCREENS)("gives the trick of ten players its part at %i × %i", (width, height) => {
    const { trick, excess } = stage(wish(width, height, { others: alone(9), hand: 5, piles: Array.from({ length: 3 }, () => ({ cards: 1, chosen: false })) }));
    expect(excess).toBeLessThanOrEqual(0);
    expect(trick!.height).toBeGreaterThan(0.2 * height);
    expect(trick!.card).toBeGreaterThanOrEqual(36);
  });
  it("lays piles beside the last seat, or above the buttons, where open cards take all other room", () => {
    const melds = (count: number) => Array.from({ length: count }, () => ({ cards: 5, chosen: false }));
    for (const [width, height] of [[360, 590], [640, 360]] as const) {
      const made = stage(wish(width, height, { others: alone(4).map(() => melds(3)), own: melds(3), hand: 5, trick: false, piles: melds(2).map(() => ({ cards: 1, chosen: false })) }));
      expect(made.excess).toBeLessThanOrEqual(0);
      const seats: Box[] = made.others.flatMap((one) => [one, ...one.front]);
      for (const pile of made.piles) expect([...seats, ...made.own, made.bar, made.hand].some((other) => meet(pile, other))).toBe(false);
    }
  });
  it.each([15, 20, 25, 30])("keeps the open cards of others in sight over a hand of %i, where nothing has room", (hand) => {
    const melds = (count: number) => Array.from({ length: count }, () => ({ cards: 4, chosen: true }));
    for (const down of [[3, 0, 3, 0], [0, 3, 0, 3], [3, 3, 3, 0]])
      for (const bar of [96, 150]) {
        const { others, bar: lid } = stage(wish(390, 614, { others: down.map(melds), hand, bar, trick: false, piles: melds(2).map(() => ({ cards: 1, chosen: true })) }));
        for (const group of others.flatMap(({ front }) => front)) expect(group.y + 20).toBeLessThanOrEqual(lid.y);
      }
  });
  it("shows a quarter of every card of a hand in several rows", () => {
    for (const [width, height] of SCREENS)
      for (const count of [14, 20, 28, 36]) {
        const { hand } = stage(wish(width, height, { hand: count, trick: false }));
        const [first, second] = handPlaces(hand, count, hand.width);
        if (hand.rows > 1) expect(Math.min(hand.card, second!.x - first!.x) * hand.drop).toBeGreaterThanOrEqual(0.25 * hand.card * heightOf(hand.card));
      }
  });
  it.each(SCREENS)("leaves part of the table above any number of buttons at %i × %i", (width, height) => {
    const { form, bar, hand } = stage(wish(width, height, { bar: 900, corner: 48 }));
    expect(bar.y).toBeGreaterThanOrEqual(form === "sideways" ? 48 : 0.25 * height);
    expect(bottom(bar)).toBeLessThanOrEqual(form === "sideways" ? height : hand.y);
  });
  it("makes cards larger on a large screen", () =>
    expect(stage(wish(2560, 1390)).hand.card).toBeGreaterThan(stage(wish(1280, 670)).hand.card));
  it.each([[390, 614, "upright"], [320, 256, "upright"], [844, 390, "sideways"], [640, 360, "sideways"], [1280, 670, "wide"]] as const)(
    "at %i × %i is %s", (width, height, form) => expect(formOf({ width, height })).toBe(form));
});

describe("a table for a left hand", () => {
  const all = ({ others, piles, own, rows, hand, felt }: ReturnType<typeof stage>) => [...others, ...others.flatMap((seat) => seat.front), ...piles, ...own, ...rows, hand, felt];
  it("has its buttons at the left of all else, if it lies sideways", () => {
    const piles = [{ cards: 1, chosen: false }, { cards: 1, chosen: true }];
    for (const trick of [true, false]) {
      const asked = wish(844, 390, { others: alone(4), piles, trick });
      const [usual, left] = [stage(asked), forLeftHand(stage(asked), 844)];
      expect(right(left.bar)).toBeLessThanOrEqual(left.hand.x);
      expect(all(left).every((one) => within(one, asked))).toBe(true);
      expect(all(left).map(({ width, height, y }) => [width, height, y])).toEqual(all(usual).map(({ width, height, y }) => [width, height, y]));
    }
  });
  it.each([[390, 794], [1280, 670]])("keeps all else at %i × %i", (width, height) => {
    const usual = stage(wish(width, height));
    expect(forLeftHand(usual, width)).toEqual(usual);
  });
});

describe("something small that must cover nothing", () => {
  const table = box(0, 0, 320, 320);
  const size = { width: 40, height: 40 };
  const cards = [box(120, 120, 80, 80), box(0, 0, 100, 320)];
  it("stands beside what lies there, as near as it can", () => {
    const at = nearest(size, table, cards, { x: 160, y: 160 })!;
    expect(cards.some((card) => meet(box(at.x, at.y, 40, 40), card))).toBe(false);
    expect(Math.hypot(at.x + 20 - 160, at.y + 20 - 160)).toBeLessThan(75);
  });
  it("is left out where nothing is free", () => expect(nearest(size, table, [table], { x: 0, y: 0 })).toBeUndefined());
});
