/** Who plays by keyboard, or by ear, goes on where they were. */
import { tick } from "svelte";

/** What opens over the table or beside it, and is gone again. */
const PASSING = "dialog, aside, .passing";

/** What had the focus last on the table and in each thing that passes, the latest last. */
let trail: HTMLElement[] = [];
let within = false;
addEventListener("focusin", ({ target }) => {
  const node = target as HTMLElement;
  const place = node.closest(PASSING);
  within = place !== null;
  trail = [...trail.filter((one) => one.isConnected && one.closest(PASSING) !== place), node];
});

/** What covers all the rest, which cannot have the focus then. */
const cover = () => [...document.querySelectorAll("dialog:modal")].at(-1);

function isThere(node: Element): boolean {
  const over = cover();
  return node.isConnected && node !== document.body && !node.closest("dialog:not([open])") && (!over || over.contains(node));
}

/** When what had the focus may be gone: back to where it was before, or to the hand if that is gone too. */
export async function comeBack(): Promise<void> {
  await tick();
  const at = document.activeElement;
  if (!within || (at && isThere(at))) return;
  const to = trail.findLast(isThere) ?? (cover() ?? document).querySelector<HTMLElement>("[autofocus], .hand [tabindex='0']");
  to?.focus({ preventScroll: true });
}

/** Whoever has pressed a button that is gone for it stays where it was, or goes back to where they came from. */
export const keep = (stay: (node: HTMLElement) => void = () => void comeBack()) => (node: HTMLElement) => {
  const observer = new MutationObserver((changes) => {
    const had = trail.at(-1);
    const isGone = had && changes.some(({ removedNodes }) => [...removedNodes].some((removed) => removed.contains(had)));
    if (isGone && document.activeElement === document.body) stay(node);
  });
  observer.observe(node, { childList: true, subtree: true });
  return () => observer.disconnect();
};

/** Opens a dialog as long as it is there. */
export function modal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  return () => void comeBack();
}
