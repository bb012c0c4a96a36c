import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { courtArt } from "./art.ts";

/** What the lobby has, with the little that a table needs beside it, and what a table and a replay share: many small files would take longer to come than two.
 *
 * Nothing in the first may need the second, or the lobby loads both. */
const groups = [
  { name: "common", test: /\/page\/src\/((cards|house)\/|parts\/(?!Settings\b)|stage\/|live\/(?!match|sound)|room\/talk\b)|\/page\/src\/(api|language|reader|router|settings)\b|\/node_modules\/svelte\// },
  { name: "stage", test: /\/page\/src\/live\/(match|sound)\b|\/page\/src\/table\/(Stage|SeatFace|Question|Knocks|Removal)\.svelte/ },
];

/** `vite build` makes the page of a server, `vite build --mode static` one without a server, which may lie in any folder:
 * `upcard page --static` adds to it what Upcard itself has. */
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), courtArt(), ...(mode === "static" ? [withPython()] : [])],
  base: mode === "static" ? "./" : "/",
  build: { outDir: mode === "static" ? "../src/upcard/browser/page" : "../src/upcard/server/static", emptyOutDir: true, target: "es2022", rolldownOptions: { output: { codeSplitting: { groups } } } },
  worker: { format: "es" as const },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8018", ws: true } },
  },
}));

/** Pyodide lies beside the page, in `python/`; what only a server has is left out. */
function withPython(): Plugin {
  let folder = "";
  return {
    name: "upcard-python",
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle() {
      const pyodide = join(import.meta.dirname, "node_modules", "pyodide");
      for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) cpSync(join(pyodide, name), join(folder, "python", name));
      const lock = JSON.parse(readFileSync(join(pyodide, "pyodide-lock.json"), "utf8")) as { packages: object };
      writeFileSync(join(folder, "python", "pyodide-lock.json"), JSON.stringify({ ...lock, packages: {} }));
      cpSync(join(import.meta.dirname, "static", "offline.js"), join(folder, "offline.js"));
      for (const name of ["sw.js", "no-such-page.css", "preview.jpg"]) rmSync(join(folder, name));
    },
  };
}
