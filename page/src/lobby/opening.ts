/** Opening a table. */
import * as api from "../api.ts";
import type { GameInfo, LevelInfo, NewTable } from "../protocol.ts";
import { go, tablePath } from "../router.svelte.ts";
import { settings } from "../settings.svelte.ts";

const USUAL = ["medium", "casual"];

/** The level of computer players unless somebody chooses another: the first of the usual ones that the game has. */
export const usualLevel = (levels: LevelInfo[]): string =>
  USUAL.find((name) => levels.some((level) => level.name === name)) ?? levels[0]?.name ?? "";

export async function openTable(table: Omit<NewTable, "name">): Promise<void> {
  const opened = await api.open({ ...table, name: settings.name.trim() || "Guest" });
  go(tablePath(opened.id));
}

/** The usual table, against computer players, at once. */
export async function playNow(game: GameInfo): Promise<void> {
  const level = usualLevel(await api.levelsOf(game.slug));
  const others = Array.from({ length: game.default_players - 1 }, () => ({ who: "computer" as const, level }));
  await openTable({ game: game.slug, players: game.default_players, options: {}, seats: [{ who: "me" }, ...others] });
}
