/** The courts: the CC0 drawings of `@letele/playing-cards` in our colours, cut to the frame that our cards have. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const NAME = "virtual:courts/";
const COLOURS: Record<string, string> = { "#44F": "#1f3f77", "#FC4": "#e0ac45", red: "#b9202c", "#000": "#15181c" };

/** How far the frame is moved to the right, in units of the drawing, which is 1300 wide and 2000 high. */
const SHIFTS: Record<string, number> = { Ks: 20, Qs: -60, Qc: -60, Js: 120 };
const FRAME = 950;

/** What React would be asked to draw, as text. */
const STUB = `
const kebab = (name) => ["viewBox", "preserveAspectRatio"].includes(name) ? name
  : name === "xlinkHref" ? "href" : name.replace(/[A-Z]/g, (capital) => "-" + capital.toLowerCase());
const React = {
  createElement: (tag, props, ...children) => "<" + tag + Object.entries(props ?? {})
    .filter(([name, value]) => value !== undefined && !["className", "aria-labelledby"].includes(name))
    .map(([name, value]) => " " + kebab(name) + '="' + value + '"').join("")
    + ">" + children.flat().filter((child) => child != null).join("") + "</" + tag + ">",
};
const _extends = Object.assign;
`;

type Draw = (props: Record<string, never>) => string;

async function drawings(): Promise<Record<string, Draw>> {
  const home = dirname(createRequire(import.meta.url).resolve("@letele/playing-cards/package.json"));
  const source = readFileSync(join(home, "dist/index.esm.js"), "utf8").replace(/^import .*;$/gm, "");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(STUB + source).toString("base64")}`);
}

/** One half of a figure is drawn, in layers that are symbols; the other half is the same turned round. */
function reframed(card: string, drawn: string): string {
  const symbols = [...drawn.matchAll(/<symbol id="[^"]*"[^>]*viewBox="([^"]*)"[^>]*>(.*?)<\/symbol>/gs)];
  const layers = symbols.filter(([, view]) => view === "0 0 1300 2000").map(([, , content]) => content);
  const signs = symbols.filter(([, view]) => view !== "0 0 1300 2000").map(([whole]) => whole);
  if (layers.length < 4) throw new Error(`the drawing of ${card} has changed`);
  const figure = layers.toReversed().join("").replace(/-?\d+\.\d{2,}/g, (number) => Number(number).toFixed(1));
  const coloured = (signs.join("") + "|" + figure).replace(/(fill|stroke)="([^"]+)"/g, (whole, what: string, colour: string) =>
    COLOURS[colour] ? `${what}="${COLOURS[colour]}"` : whole);
  const [defs, half] = coloured.split("|");
  const left = (1300 - FRAME) / 2 + (SHIFTS[card] ?? 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} 0 ${FRAME} 2000" preserveAspectRatio="none"><defs>${defs}<g id="h">${half}</g></defs>`
    + `<use href="#h"/><use href="#h" transform="rotate(180 650 1000)"/></svg>`;
}

/** Modules `virtual:courts/Ks.svg` whose default is the address of a picture, its name made from its content. */
export function courtArt(): Plugin {
  let drawn: Record<string, Draw> = {};
  let serving = false;
  const picture = (card: string) => reframed(card, (drawn[card.slice(-1).toUpperCase() + card.slice(0, 1).toLowerCase()] as Draw)({}));
  return {
    name: "court-art",
    configResolved: (config) => void (serving = config.command === "serve"),
    buildStart: async () => void (drawn = await drawings()),
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${NAME}`)) return null;
      const name = id.slice(NAME.length + 1);
      const source = picture(name.replace(".svg", ""));
      if (serving) return `export default "data:image/svg+xml;base64,${Buffer.from(source).toString("base64")}"`;
      return `export default import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: "asset", name, source })}`;
    },
  };
}
