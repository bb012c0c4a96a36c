import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { courtArt } from "./art.ts";

/** `vite build` makes the page of a server, `vite build --mode static` one that may lie in any folder. */
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), courtArt()],
  base: mode === "static" ? "./" : "/",
  build: { outDir: mode === "static" ? "../build/page" : "../src/upcard/server/static", emptyOutDir: true, target: "es2022" },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8018", ws: true } },
  },
}));
