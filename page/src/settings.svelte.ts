import type { HandSort } from "./cards.ts";

export type Speed = "instant" | "fast" | "normal" | "slow" | "click";

export interface Choices {
  animation: boolean;
  speed: Speed;
  colours: 2 | 4;
  face: "auto" | "picture" | "large";
  sort: HandSort;
  confirm: boolean;
  /** Whether a game is explained before one's first match of it. */
  tips: boolean;
  theme: "system" | "light" | "dark";
  name: string;
}

const DEFAULTS: Choices = {
  animation: true,
  speed: "normal",
  colours: 2,
  face: "auto",
  sort: "table",
  confirm: false,
  tips: true,
  theme: "system",
  name: "",
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

export function keepSettings(): void {
  $effect(() => {
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(PLACE, text);
    } catch {
      // A browser that keeps nothing still plays.
    }
    document.documentElement.dataset.theme = settings.theme;
    document.documentElement.dataset.colours = String(settings.colours);
  });
}

const narrow = matchMedia("(max-width: 700px)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const seen = $state({ narrow: narrow.matches, still: still.matches });
narrow.addEventListener("change", () => (seen.narrow = narrow.matches));
still.addEventListener("change", () => (seen.still = still.matches));

export const device = {
  get phone() {
    return seen.narrow;
  },
};

export const face = () => (settings.face === "auto" ? (seen.narrow ? "large" : "picture") : settings.face);
export const moving = () => settings.animation && settings.speed !== "instant" && !seen.still;

/** Milliseconds: a card's flight, the least time an event stays, a finished trick, a finished deal. */
export const pace = () =>
  ({
    instant: { flight: 0, event: 0, trick: 0, deal: Infinity },
    fast: { flight: 180, event: 220, trick: 700, deal: 5000 },
    normal: { flight: 320, event: 480, trick: 1500, deal: 9000 },
    slow: { flight: 480, event: 900, trick: 3000, deal: 15000 },
    click: { flight: 320, event: 480, trick: Infinity, deal: Infinity },
  })[settings.speed];
