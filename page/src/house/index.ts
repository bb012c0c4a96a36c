/** The house of this page. */
import type { House } from "./house.ts";
import { HttpHouse } from "./http.svelte.ts";

export let house: House = new HttpHouse();

/** Another house, before anything has been asked. */
export function useHouse(other: House): void {
  house = other;
}
