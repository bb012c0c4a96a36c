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

/** File name by picture: `As.svg`, `Td.svg`, `joker.svg`. */
async function pictures(): Promise<Map<string, string>> {
  const home = dirname(createRequire(import.meta.url).resolve("@letele/playing-cards/package.json"));
  const source = readFileSync(join(home, "dist/index.esm.js"), "utf8").replace(/^import .*;$/gm, "");
  const module: Record<string, Draw> = await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(STUB + source).toString("base64")}`
  );
  const drawn = new Map<string, string>();
  for (const [name, draw] of Object.entries(module)) {
    const card = name === "J1" ? "joker" : /^[SHDC](10|[2-9ajqk])$/.test(name) ? cardName(name) : null;
    if (card) drawn.set(`${card}.svg`, draw({}));
  }
  if (drawn.size !== 53) throw new Error(`expected 53 card pictures, found ${drawn.size}`);
  return drawn;
}

function cardName(name: string): string {
  const rank = name.slice(1).toUpperCase();
  return (rank === "10" ? "T" : rank) + name.slice(0, 1).toLowerCase();
}

export function cardArt(): Plugin {
  return {
    name: "card-art",
    async buildStart() {
      if (this.meta.watchMode) return;
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
