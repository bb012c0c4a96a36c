/** How options of a game are called. */
import { tc } from "../language.svelte.ts";
import type { GameOption } from "../protocol.ts";

export type OptionValue = string | number | boolean;

export function inWords(option: Pick<GameOption, "values" | "titles"> | undefined, value: unknown): string {
  if (value === true) return tc("option", "yes");
  if (value === false) return tc("option", "no");
  return option?.titles[option.values?.indexOf(value as OptionValue) ?? -1] ?? String(value).replaceAll("_", " ");
}
