/** The house of this page. */
import type { House } from "./house.ts";
import { HttpHouse } from "./http.svelte.ts";
import { WorkerHouse } from "./worker.svelte.ts";

export let house: House = import.meta.env.MODE === "static" ? new WorkerHouse() : new HttpHouse();

/** Another house, before anything has been asked. */
export function useHouse(other: House): void {
  house = other;
}
