/** The characters that sit at a table: one for each level of computer players, ten for people. All are drawn here. */
import { t } from "../language.svelte.ts";

/** A path in a box of 48 by 48 and its colour; `line` for a stroke. */
export interface Stroke {
  d: string;
  colour: string;
  line?: number;
}

/** An ellipse as a path. */
const oval = (x: number, y: number, across: number, down = across) =>
  `M${x - across} ${y}a${across} ${down} 0 1 0 ${2 * across} 0a${across} ${down} 0 1 0 ${-2 * across} 0z`;
const fill = (colour: string, ...paths: string[]): Stroke => ({ d: paths.join(""), colour });
const line = (colour: string, d: string, width = 1.4): Stroke => ({ d, colour, line: width });

const INK = "#22201d";
const eyes = (y = 20, apart = 5.5, size = 1.9) => fill(INK, oval(24 - apart, y, size), oval(24 + apart, y, size));
const nose = (y = 24, colour = INK) => fill(colour, oval(24, y, 2.6, 1.8));
const mouth = (y = 26, colour = INK) => line(colour, `M24 ${y}v1.500q-2.5 3-5 1M24 ${y + 1.5}q2.5 3 5 1`);
const ears = (colour: string, inner: string, x = 11, y = 10, size = 5.5) => [
  fill(colour, oval(24 - x, y, size), oval(24 + x, y, size)), fill(inner, oval(24 - x, y, size * 0.55), oval(24 + x, y, size * 0.55)),
];
const points = (colour: string, inner: string) => [fill(colour, "M10 20L11 4l11 7z", "M38 20L37 4l-11 7z"), fill(inner, "M12.5 14l.8-6 5 3z", "M35.5 14l-.8-6-5 3z")];
const head = (colour: string, y = 21, across = 14, down = 12.5) => fill(colour, oval(24, y, across, down));

export const CHARACTERS = {
  chick: [fill("#f0a92c", oval(21, 8, 2, 4), oval(26, 7, 2, 4.5)), head("#f8d64e", 21, 13, 13), eyes(19, 5.5), fill("#e8792b", "M19.5 23.500h9L24 29z"), fill("#f3b1a0", oval(14.5, 24, 2.2, 1.6), oval(33.5, 24, 2.2, 1.6))],
  rabbit: [fill("#efe9e1", oval(17, 9, 4, 10), oval(31, 9, 4, 10)), fill("#eab0ac", oval(17, 9, 1.8, 7), oval(31, 9, 1.8, 7)), head("#efe9e1", 23, 12.5, 11.5), eyes(21), nose(25, "#d4736f"), mouth(26.5)],
  cat: [...points("#7b8794", "#d9a6a0"), head("#7b8794"), fill("#e9edf0", oval(24, 26, 7, 5)), eyes(19.5, 5.5, 2.2), nose(24, "#d4736f"), mouth(25), line("#e9edf0", "M12 24l-6-1M12 27l-6 1.500M36 24l6-1M36 27l6 1.5", 1)],
  fox: [...points("#d9662a", "#54281a"), head("#d9662a", 20, 14, 12), fill("#fdf3e7", "M10 21q6 1 14 12q8-11 14-12q-1 10-14 13q-13-3-14-13z"), eyes(19.5), nose(29)],
  owl: [fill("#7a5236", "M10 6l8 5h12l8-5v14H10z"), head("#7a5236", 21, 14, 13), fill("#f4e3c1", oval(17.5, 19, 6), oval(30.5, 19, 6)), line("#3b2a1d", `${oval(17.5, 19, 6)}${oval(30.5, 19, 6)}`), eyes(19, 6.5, 2.6), fill("#e8a13a", "M21.5 22h5L24 28z")],
  bear: [...ears("#8a5a34", "#c49a6c"), head("#8a5a34"), fill("#d9b48a", oval(24, 26, 7, 5.5)), eyes(18.5), nose(), mouth()],
  frog: [fill("#5fa043", oval(15, 11, 6), oval(33, 11, 6)), head("#5fa043", 22, 15.5, 11.5), fill("#fffdf4", oval(15, 10.5, 3.8), oval(33, 10.5, 3.8)), fill(INK, oval(15.5, 10.5, 1.9), oval(32.5, 10.5, 1.9)), line("#2c5a20", "M14 24q10 7 20 0", 1.6), fill("#f0a39a", oval(12.5, 23, 2, 1.5), oval(35.5, 23, 2, 1.5))],
  panda: [...ears("#2a2a2c", "#2a2a2c"), head("#f7f4ee"), fill("#2a2a2c", oval(17.5, 20, 4, 5), oval(30.5, 20, 4, 5)), fill("#fffdf8", oval(18.3, 19, 1.5), oval(29.7, 19, 1.5)), nose(25), mouth(26.5)],
  dog: [head("#e0b67c"), fill("#8d5a35", "M12 10q-9 2-8 15q1 5 5 3q4-7 5-16z", "M36 10q9 2 8 15q-1 5-5 3q-4-7-5-16z"), fill("#fbf1e2", oval(24, 26.5, 7, 5.5)), eyes(19), nose(24), mouth(26)],
  pig: [fill("#e58f95", "M11 8l9 3-7 7z", "M37 8l-9 3 7 7z"), head("#f2b0b2"), eyes(18.5), fill("#e58f95", oval(24, 25.5, 6.5, 4.5)), fill("#9c4b54", oval(21.7, 25.5, 1.2, 1.7), oval(26.3, 25.5, 1.2, 1.7))],
  koala: [...ears("#8f979c", "#e6c3c4", 14, 15, 7.5), head("#9fa7ac", 21, 12.5, 12.5), eyes(19), fill("#2a2a2c", oval(24, 24, 3, 4.5)), line(INK, "M21 30q3 1.5 6 0")],
  lion: [fill("#a9581f", oval(24, 21, 18, 17)), ...ears("#e8b04d", "#b8732c", 10, 10.5, 3.8), head("#f0c064", 22, 12, 11.5), eyes(19.5, 5), fill("#fbe9c4", oval(24, 27, 5.5, 4.5)), nose(25, "#6b3519"), mouth(26.5)],
  mouse: [...ears("#b9a99a", "#ecc4bd", 12.5, 11, 7.5), head("#cbbcae", 22, 12, 11), eyes(20, 4.8), nose(26, "#d4736f"), line("#7c6d60", "M15 26l-7-1M15 28l-7 2M33 26l7-1M33 28l7 2", 0.9)],
  penguin: [head("#27364a", 21, 14, 14), fill("#fdfbf5", oval(18.5, 20, 6, 6.5), oval(29.5, 20, 6, 6.5), oval(24, 28, 9, 6)), eyes(19.5, 5), fill("#ef9a2e", "M20 23.500h8L24 28z")],
  tiger: [...ears("#e8933a", "#fbe4c6"), head("#e8933a"), fill("#fdf3e0", oval(24, 26.5, 7.5, 5.5)), fill("#3a2415", "M22.5 8.500h3L24 15z", "M17 9.500l2.5-.8.5 5z", "M31 9.500l-2.5-.8-.5 5z", "M10 20l5 1.2-5 1.500z", "M38 20l-5 1.2 5 1.500z"), eyes(19.5), nose(24.5, "#9c4b3c"), mouth(26)],
} as const satisfies Record<string, Stroke[]>;

/** How the faces that people choose from are called. */
export const faceName = (character: Character): string => ({
  bear: t("bear"), frog: t("frog"), panda: t("panda"), dog: t("dog"), pig: t("pig"), koala: t("koala"), lion: t("lion"), mouse: t("mouse"), penguin: t("penguin"), tiger: t("tiger"),
} as Partial<Record<Character, string>>)[character] ?? character;

export type Character = keyof typeof CHARACTERS;
export const CHARACTER_NAMES = Object.keys(CHARACTERS) as Character[];

const LEVELS: Record<string, Character> = { random: "chick", easy: "chick", casual: "rabbit", medium: "cat", strong: "fox", expert: "owl" };
/** The characters of people, by seat: a person's own choice comes first. */
export const PEOPLE: Character[] = ["bear", "frog", "panda", "dog", "pig", "koala", "lion", "mouse", "penguin", "tiger"];

/** The colours of seats, or of sides where partners score together: white letters are legible on all of them. */
export const COLOURS = ["#2f6fb7", "#b8501a", "#7a4fb3", "#19796a", "#b0336f", "#667318", "#a23b32", "#4d6480", "#8a5a2b", "#5d5a66"];

export const colourOf = (seat: number, side: number | null): string => COLOURS[(side ?? seat) % COLOURS.length] as string;

/** A computer player's character is that of its level; without one it is a person's. */
export const characterOf = (seat: number, level: string | null): Character => LEVELS[level ?? ""] ?? (PEOPLE[seat % PEOPLE.length] as Character);

/** Two letters at most for each name, all of them different at one table. */
export function initials(names: string[]): string[] {
  const letters = names.map((name) => [...name.trim().toUpperCase()].filter((letter) => letter !== " "));
  const candidates = letters.map(([first = "?", ...others], seat) => [first, ...others.map((other) => first + other), first + (seat + 1)]);
  const single = candidates.map(([first]) => first);
  const chosen: string[] = [];
  for (const [seat, own] of candidates.entries()) {
    const free = single.filter((one) => one === own[0]).length > 1 ? own.slice(1) : own;
    chosen[seat] = free.find((one) => !chosen.includes(one)) ?? String(seat + 1);
  }
  return chosen;
}
