/** How a table is marked that is not one of its own: a record that somebody brought, or the deal of a day. */
import type { TableView } from "../protocol.ts";
import { language, t } from "../language.svelte.ts";

/** Empty for a match that was played here from its beginning, with cards of its own. */
export function broughtWords({ brought, day }: Pick<TableView, "brought" | "day">): string {
  if (brought === "record") return t("A record that somebody brought, not a match played here");
  if (brought === "set up") return t("A deal that somebody set up: it counts in no statistics");
  if (brought) return t("Played on from a record that somebody brought");
  return day ? t("Deal of the day, {day}: the first try counts", { day: dayWords(day) }) : "";
}

/** A day in words: "28 November". */
const dayWords = (day: string) => new Intl.DateTimeFormat(language.tag, { day: "numeric", month: "long", timeZone: "UTC" }).format(new Date(day));
