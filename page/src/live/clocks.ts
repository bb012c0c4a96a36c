/** What a clock shows. */
import type { Clock, ClockView } from "../protocol.ts";
import { t, tn } from "../language.svelte.ts";

/** The seconds that are left: of this move, in the bank, and of both. */
export function left(view: ClockView, clock: Clock, now: number): { move: number; bank: number; total: number } {
  const used = view.since === null ? 0 : Math.max(0, now - view.since);
  const perMove = clock.per_move ?? 0;
  const move = Math.max(0, perMove - used);
  const bank = Math.max(0, view.bank - Math.max(0, used - perMove));
  return { move, bank, total: move + bank };
}

/** 90 as "90 seconds", 120 as "2 minutes". */
const lasting = (seconds: number) => (seconds >= 120 && seconds % 60 === 0 ? tn("{n} minute", "{n} minutes", seconds / 60) : tn("{n} second", "{n} seconds", seconds));

/** What a table's clock gives everybody, before one sits down. */
export function clockWords({ per_move: perMove = 30, bank = 300 }: Clock): string {
  const [move, match] = [lasting(perMove), lasting(bank)];
  return bank
    ? t("Everybody has {move} for each move, and {match} for the whole match beyond that. When it is up, a computer player moves for them.", { move, match })
    : t("Everybody has {move} for each move. When it is up, a computer player moves for them.", { move });
}

/** 75 as 1:15. */
export function shown(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
