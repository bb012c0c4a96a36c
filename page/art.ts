/** The picture faces: SVG files drawn from the CC0 React components of `@letele/playing-cards`, without React. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

type Draw = (props: Record<string, never>) => string;

const STUB = `
const kebab = (name) => (["viewBox", "preserveAspectRatio", "patternUnits", "patternTransform"].includes(name) ? name
  : name === "className" ? "class" : name === "xlinkHref" ? "href" : name.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase()));
const text = (value) => typeof value === "object" ? Object.entries(value).map(([k, v]) => kebab(k) + ":" + v).join(";") : String(value);
const React = {
  createElement: (tag, props, ...children) => "<" + tag + Object.entries(props ?? {})
    .filter(([k, v]) => v !== undefined && k !== "className" && k !== "aria-labelledby")
    .map(([k, v]) => " " + kebab(k) + '="' + text(v).replaceAll('"', "&quot;") + '"').join("")
    + ">" + children.flat().filter((c) => c != null).join("") + "</" + tag + ">",
};
const _extends = Object.assign;
`;

const FOUR_COLOURS: Record<string, string> = { d: "#0b57c4", c: "#0a6e2c" };

/** Pictures by file name: `As.svg`, `Td.svg`, `joker.svg`, and for four colours `four/Td.svg`. */
async function pictures(): Promise<Map<string, string>> {
  const home = dirname(createRequire(import.meta.url).resolve("@letele/playing-cards/package.json"));
  const source = readFileSync(join(home, "dist/index.esm.js"), "utf8").replace(/^import .*;$/gm, "");
  const module: Record<string, Draw> = await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(STUB + source).toString("base64")}`
  );
  const drawn = new Map<string, string>();
  for (const [name, draw] of Object.entries(module)) {
    const card = name === "J1" ? "joker" : /^[SHDC](10|[2-9ajqk])$/.test(name) ? cardName(name) : null;
    if (!card) continue;
    const picture = largerIndex(draw({}).replace(/<text\b.*?<\/text>/gs, ""));
    drawn.set(`${card}.svg`, picture);
    const colour = FOUR_COLOURS[card.slice(-1)];
    if (colour) drawn.set(`four/${card}.svg`, inked(picture, colour));
  }
  if (drawn.size !== 53 + 26) throw new Error(`expected 79 card pictures, found ${drawn.size}`);
  return drawn;
}

/** Rank and suit in the corners, a third larger than drawn: a fan shows little else. */
function largerIndex(picture: string): string {
  return picture
    .replaceAll('height="32" width="32" x="-114.4" y="-156"', 'height="44" width="44" x="-120.4" y="-162"')
    .replaceAll('height="26.769" width="26.769" x="-111.784" y="-119"', 'height="34" width="34" x="-115.4" y="-117"');
}

/** The suit's pips and index in another colour; a court keeps its clothes. */
function inked(picture: string, colour: string): string {
  return picture.replace(/<symbol [^>]*viewBox="-[56]00 .*?<\/symbol>/gs, (symbol) =>
    symbol.replace(/(stroke|fill)="(red|#000)"/g, `$1="${colour}"`).replace(/(<path d="[^"]*")>/g, `$1 fill="${colour}">`),
  );
}

function cardName(name: string): string {
  const rank = name.slice(1).toUpperCase();
  return (rank === "10" ? "T" : rank) + name.slice(0, 1).toLowerCase();
}

export function cardArt(): Plugin {
  return {
    name: "card-art",
    async generateBundle() {
      for (const [file, source] of await pictures())
        this.emitFile({ type: "asset", fileName: `cards/${file}`, source });
    },
    async configureServer(server) {
      const drawn = await pictures();
      server.middlewares.use("/cards/", (request, response, next) => {
        const source = drawn.get((request.url ?? "").slice(1));
        if (!source) return next();
        response.setHeader("Content-Type", "image/svg+xml").end(source);
      });
    },
  };
}
