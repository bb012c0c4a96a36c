/** How options of a game are called. */
export type OptionValue = string | number | boolean;

export const titleOf = (name: string) => name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
export const inWords = (value: unknown) => (value === true ? "yes" : value === false ? "no" : String(value).replaceAll("_", " "));
