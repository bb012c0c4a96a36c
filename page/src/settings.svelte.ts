import type { HandSort } from "./cards/sorting.ts";
import { type Character, PEOPLE } from "./parts/faces.ts";
import type { Forced } from "./table/moves.ts";
import { t } from "./language.svelte.ts";

export type Letters = "JQKA" | "BDKA";
export type Pace = "instant" | "fast" | "normal" | "slow" | "tap";

export interface Choices {
  /** The tag of the language that the page is read in; empty for the browser's. */
  language: string;
  animation: boolean;
  pace: Pace;
  /** The next deal begins by itself. */
  goOn: boolean;
  colours: 2 | 4;
  face: "picture" | "large";
  /** What courts and aces have in their corners. */
  letters: Letters;
  size: "small" | "normal" | "large";
  sort: HandSort;
  /** Whether a tapped card is only chosen, and played with a button. */
  confirm: boolean;
  /** Whether moves that can cost a deal are asked about. */
  warn: boolean;
  /** Whether the only move is made by itself. */
  forced: Forced;
  /** Whether cards that cannot be played are dimmed. */
  dim: boolean;
  /** Whether letters are keys: whoever speaks to their device, or hits letters by chance, is better off without. */
  keys: boolean;
  /** Whether a game is explained before one's first match of it. */
  tips: boolean;
  /** Whether the browser may tell that it is one's turn. */
  notify: boolean;
  sound: boolean;
  /** Whether the device vibrates when it is one's turn. */
  vibration: boolean;
  /** Whether new words of others are read out. */
  talkAloud: boolean;
  theme: "system" | "light" | "dark";
  felt: "green" | "blue" | "wine" | "slate";
  back: "blue" | "red" | "green" | "black";
  /** As the system asks for, unless this person wants it everywhere. */
  contrast: "system" | "more";
  /** Whether buttons are where a left hand finds them. */
  leftHand: boolean;
  /** Whether the log stands beside the table; null: where there is room. */
  log: boolean | null;
  name: string;
  /** The face of this person; empty for that of the seat. */
  character: Character | "";
}

const DEFAULTS: Choices = {
  language: "",
  animation: true,
  pace: "normal",
  goOn: false,
  colours: 2,
  face: "picture",
  letters: "JQKA",
  size: "normal",
  sort: "table",
  confirm: false,
  warn: true,
  forced: "passes",
  dim: true,
  keys: true,
  tips: true,
  notify: false,
  sound: true,
  vibration: true,
  talkAloud: false,
  theme: "system",
  felt: "green",
  back: "blue",
  contrast: "system",
  leftHand: false,
  log: null,
  name: "",
  character: "",
};

/** What depends on the device and its screen, and not on the person. */
const OF_DEVICE: (keyof Choices)[] = ["language", "size", "log", "notify", "sound", "vibration", "keys"];
/** What can be chosen where that is one of a few. */
const ONE_OF: Partial<Record<keyof Choices, readonly unknown[]>> = {
  pace: ["instant", "fast", "normal", "slow", "tap"],
  colours: [2, 4],
  face: ["picture", "large"],
  letters: ["JQKA", "BDKA"],
  sort: ["table", "reversed", "rank"],
  forced: ["passes", "always", "never"],
  theme: ["system", "light", "dark"],
  felt: ["green", "blue", "wine", "slate"],
  back: ["blue", "red", "green", "black"],
  contrast: ["system", "more"],
  character: ["", ...PEOPLE],
};

const PLACE = "upcard";

function stored(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Choices>;
  } catch {
    return {};
  }
}

/** What this person chose, kept in the browser. */
export const settings = $state<Choices>({ ...DEFAULTS, ...stored() });

type Personal = Record<string, string | number | boolean | null>;

/** The settings that go with a person to another device. */
export function personalSettings(): Personal {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !OF_DEVICE.includes(name as keyof Choices)));
}

/** Takes those of another device, as far as this page knows them. */
export function takePersonal(brought: Personal): void {
  for (const [name, value] of Object.entries(brought)) {
    const key = name as keyof Choices;
    const isKnown = Object.hasOwn(DEFAULTS, key) && !OF_DEVICE.includes(key) && typeof value === typeof DEFAULTS[key];
    if (isKnown && (ONE_OF[key]?.includes(value) ?? true)) Object.assign(settings, { [key]: value });
  }
}

/** Writes the settings down at once, before the page begins anew. */
export function saveSettings(): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The name that this person goes by. */
export const ownName = (): string => settings.name.trim() || t("Guest");

export function keepSettings(): void {
  $effect(() => {
    saveSettings();
    document.documentElement.dataset.theme = settings.theme;
    document.documentElement.dataset.colours = String(settings.colours);
    document.documentElement.dataset.felt = settings.felt;
    document.documentElement.dataset.back = settings.back;
    document.documentElement.dataset.contrast = settings.contrast === "more" || seen.contrast ? "more" : "usual";
    document.documentElement.toggleAttribute("data-still", !moving());
  });
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
const coarse = matchMedia("(pointer: coarse)");
const stark = matchMedia("(prefers-contrast: more)");
const seen = $state({ still: still.matches, touch: coarse.matches, contrast: stark.matches });
stark.addEventListener("change", () => (seen.contrast = stark.matches));
still.addEventListener("change", () => (seen.still = still.matches));
coarse.addEventListener("change", () => (seen.touch = coarse.matches));

export const device = {
  get touch() {
    return seen.touch;
  },
};

const lively = () => settings.animation && settings.pace !== "instant";
export const moving = () => lively() && !seen.still;
/** Whether what is new fades in instead, for those who want less motion. */
export const fading = () => lively() && seen.still;
export const cardScale = () => ({ small: 0.82, normal: 1, large: 1.2 })[settings.size];

const FAST = { flight: 180, event: 220, trick: 700, deal: 5000 };

/** Milliseconds: a card's flight, the least time an event stays, a finished trick, a finished deal; where clocks run at
 * most as at the pace "fast". */
export function pace(timed = false) {
  if (timed) return settings.pace === "instant" ? { ...FAST, flight: 0, event: 0, trick: 0 } : FAST;
  const times = {
    instant: { flight: 0, event: 0, trick: 0, deal: Infinity },
    fast: FAST,
    normal: { flight: 300, event: 480, trick: 1500, deal: 9000 },
    slow: { flight: 480, event: 900, trick: 3000, deal: 15000 },
    tap: { flight: 300, event: 480, trick: Infinity, deal: Infinity },
  }[settings.pace];
  return settings.goOn ? times : { ...times, deal: Infinity };
}
