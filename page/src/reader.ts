/** Which language this page is read in: the one chosen on this device, else the first of the browser's that the house has. */
import { club, forget } from "./api.ts";
import { house } from "./house/index.ts";
import { type Catalog, ENGLISH, language, offered, speak } from "./language.svelte.ts";
import { settings } from "./settings.svelte.ts";

/** Whether a browser that wants this wants English. */
const isEnglish = (tag: string | undefined) => tag === undefined || /^en\b/i.test(tag);

/** The first of the wanted languages that is there, or a wider one: "de" for "de-AT". */
export function matching(wanted: readonly string[], known: readonly string[]): string {
  for (const tag of wanted) {
    for (let wider = tag; wider; wider = wider.slice(0, Math.max(0, wider.lastIndexOf("-")))) {
      const there = known.find((one) => one.toLowerCase() === wider.toLowerCase());
      if (there) return there;
    }
  }
  return ENGLISH.tag;
}

/** Fetches the texts before anything is shown; a language that cannot be had is English. */
export async function readInOwnLanguage(): Promise<void> {
  speak(await wantedCatalog().catch(() => ENGLISH));
  forget();
  document.documentElement.lang = language.tag;
  document.documentElement.dir = language.direction;
}

async function wantedCatalog(): Promise<Catalog> {
  if (settings.language ? settings.language === ENGLISH.tag : isEnglish(navigator.languages[0])) return ENGLISH;
  const tag = settings.language || matching(navigator.languages, (await club().then(offered)).map((one) => one.tag));
  return tag === ENGLISH.tag ? ENGLISH : house.ask<Catalog>("GET", `languages/${encodeURIComponent(tag)}`);
}
