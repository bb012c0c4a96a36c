/** A finished match in a sentence or two: who won by how much, and in which deal it turned. */
import type { SceneView, ScoreSheet } from "../protocol.ts";

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

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** "You won 9 : 4", "You came third: Cleo won by 12". */
export function outcome(scene: Ended, name: (seat: number) => string): string {
  const sides = sidesOf(scene);
  const [best, next] = sides;
  if (!best || !scene.winners.length) return "The match is over";
  const mine = sides.find(({ seats }) => scene.seat !== null && seats.includes(scene.seat));
  const tied = sides.filter(({ seats }) => seats.some((seat) => scene.winners.includes(seat)));
  if (tied.length > 1) {
    const others = tied.filter((side) => side !== mine).flatMap(({ seats }) => seats.map(name));
    return mine && tied.includes(mine) ? `You tied with ${listed(others)} at ${best.score}` : `${listed(others)} tied at ${best.score}`;
  }
  const by = next ? Math.abs(best.score - next.score) : 0;
  const result = sides.length === 2 && next ? `${best.score} : ${next.score}` : by ? `by ${by}` : "";
  const won = (who: string) => `${who} won ${result}`.trim();
  if (mine === best) return won("You");
  if (!mine) return won(listed(best.seats.map(name)));
  if (sides.length === 2) return `You lost ${result}`;
  const place = ORDINALS[mine.place - 1];
  return place ? `You came ${place}: ${won(listed(best.seats.map(name)))}` : won(listed(best.seats.map(name)));
}

const listed = (names: string[]) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? ""));

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
  if (turn === sheet.deals.at(-1)?.deal) return "It turned in the last deal.";
  if (turn !== sheet.deals[0]?.deal) return `It turned in deal ${turn}.`;
  const best = sidesOf(scene)[0]?.seats ?? [];
  return `${scene.seat !== null && best.includes(scene.seat) ? "You" : listed(best.map(name))} led from the first deal.`;
}
