/** The texts of the page in the reader's language. English is written where it is shown; `tools/texts.mjs` reads it from
 * there, and a catalog has the same texts in another language. */
import type { LanguageInfo } from "./protocol.ts";

/** The forms of a text with a number, by the categories of `Intl.PluralRules`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;

/** What the house has of a language: `languages/de`. */
export interface Catalog {
  tag: string;
  direction: string;
  texts: Record<string, string | Forms>;
}

/** What stands in the places of a text: `{name}`. */
export type Values = Record<string, string | number>;

export const ENGLISH: Catalog = { tag: "en", direction: "ltr", texts: {} };

let catalog = $state.raw<Catalog>(ENGLISH);

/** Shows all texts in the language of a catalog from now on. */
export function speak(other: Catalog): void {
  catalog = other;
  formats.clear();
}

export const language = {
  get tag() {
    return catalog.tag;
  },
  get direction() {
    return catalog.direction === "rtl" ? ("rtl" as const) : ("ltr" as const);
  },
};

let offers = $state.raw<LanguageInfo[]>([]);
/** Those that the house has, English first; none before it has said so. */
export const offered = (): LanguageInfo[] => offers;
export const offer = (languages: LanguageInfo[]): void => void (offers = languages);

/** A text in the reader's language. */
export const t = (english: string, values: Values = {}): string => fill(translated(english), values);

/** The same for a text that in another language has several meanings; the context says which one it is. */
export const tc = (context: string, english: string, values: Values = {}): string => fill(translated(`${context}\u0004${english}`, english), values);

/** A text with a number, `{n}`, on which its form depends. */
export const tn = (one: string, other: string, n: number, values: Values = {}): string => fill(numbered(one, other, n), { n, ...values });

/** A piece of a text; its tag says what it is: "Read <rules>the rules</rules> first". */
export interface Piece {
  tag: string;
  text: string;
}

/** A text with tags, in pieces. */
export const tagged = (english: string, values: Values = {}): Piece[] => piecesOf(translated(english), values);

/** The same with a number, `{n}`. */
export const taggedn = (one: string, other: string, n: number, values: Values = {}): Piece[] => piecesOf(numbered(one, other, n), { n, ...values });

function piecesOf(text: string, values: Values): Piece[] {
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/);
  return parts.flatMap((part, index) => {
    if (index % 3 === 1) return [];
    return part ? [{ tag: index % 3 ? (parts[index - 1] ?? "") : "", text: fill(part, values) }] : [];
  });
}

/** Names or cards one after another: "A, B, C". */
export const listed = (all: string[]): string => format("list", () => new Intl.ListFormat(catalog.tag, { type: "unit", style: "short" })).format(all);

/** People who do something together: "A, B and C". */
export const together = (all: string[]): string =>
  catalog === ENGLISH ? (all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : (all[0] ?? "")) : format("together", () => new Intl.ListFormat(catalog.tag)).format(all);

/** A number as it is written in this language; in English as computers write it. */
export const numeral = (value: number): string =>
  catalog === ENGLISH ? String(value) : format("number", () => new Intl.NumberFormat(catalog.tag, { useGrouping: false, maximumFractionDigits: 20 })).format(value);

/** The language of dates: in English the way of the browser's country. */
export const dateLanguage = (): string | undefined => (catalog === ENGLISH ? undefined : catalog.tag);

function translated(key: string, english = key): string {
  const known = catalog.texts[key];
  return typeof known === "string" ? known : english;
}

function numbered(one: string, other: string, n: number): string {
  const forms = catalog.texts[one];
  const known = typeof forms === "object" ? (forms[pluralOf(n)] ?? forms.other) : undefined;
  return known ?? (n === 1 ? one : other);
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? numeral(value) : isolated(value);
  });
}

/** Where people read from the right, a name in other letters does not change the order around it. */
const isolated = (value: string): string => (catalog.direction === "rtl" && value ? `\u2068${value}\u2069` : value);

const pluralOf = (n: number): Intl.LDMLPluralRule => format("plural", () => new Intl.PluralRules(catalog.tag)).select(n);

/** Made once a language: making them takes long. */
const formats = new Map<string, unknown>();

function format<T>(name: string, make: () => T): T {
  const known = (formats.get(name) as T | undefined) ?? make();
  formats.set(name, known);
  return known;
}
