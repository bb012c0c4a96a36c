/** What a stop of a lesson points at: it gets the attribute `data-glows`, which is drawn as a light around it. */

const PLACES: Record<string, string> = { hand: '[data-anchor="hand"] [data-card]', headline: "[data-testid=headline]", moves: ".moves .button, [data-testid^=target-]", trick: ".trick .card" };

/** Where a name of a lesson's file lies on the page. */
export function selectorOf(name: string): string {
  const seat = /^seat (\d+)$/.exec(name);
  if (seat) return `[data-anchor="seat-${seat[1]}"]`;
  return PLACES[name] ?? `[data-card="${CSS.escape(name)}"], [data-anchor="${CSS.escape(name)}"]`;
}

/** Keeps alight what these names mean, however often it is drawn anew. */
export const glow = (names: string[]) => (root: HTMLElement) => {
  const selector = names.map(selectorOf).join(", ");
  function light(): void {
    const lit = new Set(selector ? root.querySelectorAll<HTMLElement>(selector) : []);
    for (const node of root.querySelectorAll<HTMLElement>("[data-glows]")) if (!lit.has(node)) delete node.dataset.glows;
    for (const node of lit) if (node.dataset.glows === undefined) node.dataset.glows = "";
  }
  light();
  const observer = new MutationObserver(light);
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-card", "data-anchor"] });
  return () => {
    observer.disconnect();
    for (const node of root.querySelectorAll<HTMLElement>("[data-glows]")) delete node.dataset.glows;
  };
};
