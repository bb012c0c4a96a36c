/** How options of a game are called. */
import { tc } from "../language.svelte.ts";
import type { GameOption } from "../protocol.ts";

export type OptionValue = string | number | boolean;

/** What the page needs of an option to write it; the house has the words of a language, English has the names. */
type Named = Pick<GameOption, "name" | "values" | "title" | "titles">;

export const titleOf = ({ name, title }: Named): string => title || name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

export function inWords(option: Named | undefined, value: unknown): string {
  if (value === true) return tc("option", "yes");
  if (value === false) return tc("option", "no");
  return option?.titles?.[option.values?.indexOf(value as OptionValue) ?? -1] ?? String(value).replaceAll("_", " ");
}
