import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { courtArt } from "./art.ts";

export default defineConfig({
  plugins: [svelte(), courtArt()],
  build: { outDir: "../src/upcard/server/static", emptyOutDir: true, target: "es2022" },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8018", ws: true } },
  },
});
