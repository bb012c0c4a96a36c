import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { courtArt } from "./art.ts";

/** What the lobby has anyway, and what a table and a replay share: many small files would take longer to come than two. */
const groups = [
  { name: "common", test: /\/page\/src\/(cards|parts|house)\/|\/page\/src\/(api|router|settings)\b|\/node_modules\/svelte\// },
  { name: "stage", test: /\/page\/src\/(live|stage)\/|\/page\/src\/table\/(Stage|SeatFace|Question|Knocks|Removal)\.svelte/ },
];

/** `vite build` makes the page of a server, `vite build --mode static` one that may lie in any folder. */
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), courtArt()],
  base: mode === "static" ? "./" : "/",
  build: { outDir: mode === "static" ? "../build/page" : "../src/upcard/server/static", emptyOutDir: true, target: "es2022", rolldownOptions: { output: { codeSplitting: { groups } } } },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8018", ws: true } },
  },
}));
