/** A finished match in a sentence or two: who won by how much, and in which deal it turned. */
import type { SceneView, ScoreSheet } from "../protocol.ts";
import { t, tn, together } from "../language.svelte.ts";

/** Seats that score together, the winners first, with their score. */
interface Side {
  seats: number[];
  score: number;
  place: number;
}

type Ended = Pick<SceneView, "seat" | "seats" | "winners">;

function sidesOf({ seats, winners }: Ended): Side[] {
  const sides: Side[] = [];
  for (const { seat, side, score, place } of seats) {
    const partner = side === null ? -1 : sides.findIndex((one) => one.seats.some((other) => seats[other]?.side === side));
    if (partner >= 0) sides[partner]?.seats.push(seat);
    else sides.push({ seats: [seat], score, place });
  }
  const won = (side: Side) => Number(side.seats.some((seat) => winners.includes(seat)));
  return sides.sort((one, other) => won(other) - won(one) || one.place - other.place);
}

/** What another place than the first one means, before how the winners won. */
const placed = (result: string): (string | undefined)[] => [
  t("You came first: {result}", { result }), t("You came second: {result}", { result }), t("You came third: {result}", { result }), t("You came fourth: {result}", { result }), t("You came fifth: {result}", { result }),
  t("You came sixth: {result}", { result }), t("You came seventh: {result}", { result }), t("You came eighth: {result}", { result }), t("You came ninth: {result}", { result }), t("You came tenth: {result}", { result }),
];

/** "You won 9 : 4", "You came third: Cleo won by 12". */
export function outcome(scene: Ended, name: (seat: number) => string): string {
  const sides = sidesOf(scene);
  const [best, next] = sides;
  if (!best || !scene.winners.length) return t("The match is over");
  const mine = sides.find(({ seats }) => scene.seat !== null && seats.includes(scene.seat));
  const tied = sides.filter(({ seats }) => seats.some((seat) => scene.winners.includes(seat)));
  if (tied.length > 1) {
    const others = tied.filter((side) => side !== mine).flatMap(({ seats }) => seats.map(name));
    const at = { names: together(others), score: best.score };
    return mine && tied.includes(mine) ? t("You tied with {names} at {score}", at) : t("{names} tied at {score}", at);
  }
  const by = next ? Math.abs(best.score - next.score) : 0;
  const values = { best: best.score, other: next?.score ?? 0, by };
  const both = sides.length === 2;
  if (mine === best) return both ? t("You won {best} : {other}", values) : by ? t("You won by {by}", values) : t("You won");
  if (mine && both) return t("You lost {best} : {other}", values);
  const won = wonBy(best.seats.map(name), both, values);
  return (mine && placed(won)[mine.place - 1]) ?? won;
}

function wonBy(winners: string[], both: boolean, values: { best: number; other: number; by: number }): string {
  const [count, all] = [winners.length, { names: together(winners), ...values }];
  if (both) return tn("{names} won {best} : {other}", "{names} won {best} : {other}", count, all);
  return values.by ? tn("{names} won by {by}", "{names} won by {by}", count, all) : tn("{names} won", "{names} won", count, all);
}

/** The deal from which on the winner of a match was ahead of all others; null if nobody won alone. */
export function turningPoint({ deals }: Pick<ScoreSheet, "deals">, scene: Ended): number | null {
  const [best, ...others] = sidesOf(scene);
  if (!best || !others.length || !scene.winners.length || !scene.winners.every((seat) => best.seats.includes(seat))) return null;
  const [seat = 0] = best.seats;
  const fewest = others.every(({ score }) => score > best.score);
  const isAhead = (scores: number[]) => others.every((side) => {
    const lead = (scores[seat] ?? 0) - (scores[side.seats[0] ?? 0] ?? 0);
    return fewest ? lead < 0 : lead > 0;
  });
  const behind = deals.findLastIndex(({ scores }) => !isAhead(scores));
  return behind === deals.length - 1 ? null : (deals[behind + 1]?.deal ?? null);
}

/** How the match went, in a sentence; empty where there is nothing to tell. */
export function course(sheet: ScoreSheet, scene: Ended, name: (seat: number) => string): string {
  const turn = turningPoint(sheet, scene);
  if (turn === null || sheet.deals.length < 2) return "";
  if (turn === sheet.deals.at(-1)?.deal) return t("It turned in the last deal.");
  if (turn !== sheet.deals[0]?.deal) return t("It turned in deal {number}.", { number: turn });
  const best = sidesOf(scene)[0]?.seats ?? [];
  if (scene.seat !== null && best.includes(scene.seat)) return t("You led from the first deal.");
  return tn("{names} led from the first deal.", "{names} led from the first deal.", best.length, { names: together(best.map(name)) });
}
