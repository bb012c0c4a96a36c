/** How a match stands and how it went, for a table and a plot. */
import type { ScoreSheet } from "../protocol.ts";
import { numeral } from "../language.svelte.ts";

/** The seats, the winners first and then by their places; where these are not known, by points once somebody has won: in some games the fewest are the best. */
export function ranked(scores: number[], winners: number[], places?: number[]): number[] {
  const seats = scores.map((_, seat) => seat);
  const best = winners[0];
  if (best === undefined && !places) return seats;
  const fewest = scores.some((score) => score > (scores[best ?? 0] ?? 0));
  const order = (seat: number) => (winners.includes(seat) ? -Infinity : places ? (places[seat] ?? 0) : (scores[seat] ?? 0) * (fewest ? 1 : -1));
  return seats.toSorted((one, other) => order(one) - order(other) || one - other);
}

/** What a seat won or lost in each deal. */
export const gains = ({ deals }: ScoreSheet, seat: number): number[] =>
  deals.map((deal, index) => (deal.scores[seat] ?? 0) - (deals[index - 1]?.scores[seat] ?? 0));

export const signedNumber = (gain: number): string => (gain > 0 ? `+${numeral(gain)}` : gain < 0 ? `−${numeral(-gain)}` : numeral(0));

/** The course of one or several seats' scores: partners have the same. */
export interface Course {
  seats: number[];
  scores: number[];
}

export function courses({ deals, names }: ScoreSheet): Course[] {
  const found: Course[] = [];
  names.forEach((_, seat) => {
    const scores = [0, ...deals.map((deal) => deal.scores[seat] ?? 0)];
    const same = found.find((course) => deals.length > 1 && course.scores.join() === scores.join());
    if (same) same.seats.push(seat);
    else found.push({ seats: [seat], scores });
  });
  return found;
}

/** Heights of labels moved apart until none covers another, all of them within the plot. */
export function apart(wanted: number[], gap: number, height: number): number[] {
  const order = wanted.map((_, index) => index).toSorted((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  const placed = [...wanted];
  let free = gap / 2;
  for (const index of order) free = (placed[index] = Math.max(free, placed[index] ?? 0)) + gap;
  free = height - gap / 2;
  for (const index of order.toReversed()) free = (placed[index] = Math.min(free, placed[index] ?? 0)) - gap;
  return placed;
}
