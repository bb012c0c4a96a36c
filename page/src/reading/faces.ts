import { mount, unmount } from "svelte";
import Card from "../cards/Card.svelte";

/** Draws card faces in place of the signs of a page: cards that stand alone at this width, cards inside a line small.
 * Returns what takes them away again. */
export function drawFaces(body: HTMLElement | undefined, widthAlone: number): () => void {
  const faces: Record<string, unknown>[] = [];
  for (const group of body?.querySelectorAll<HTMLElement>(".cards") ?? []) {
    const alone = group.parentElement?.tagName === "P" && group.parentElement.textContent === group.textContent;
    group.classList.toggle("hand", alone);
    for (const target of group.querySelectorAll<HTMLElement>("[data-face]")) {
      const card = target.dataset.face ?? "";
      target.textContent = "";
      faces.push(mount(Card, { target, props: { card, named: true, width: alone ? widthAlone : 26 } }));
    }
  }
  return () => {
    for (const face of faces) void unmount(face);
  };
}
