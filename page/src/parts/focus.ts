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

const isThere = (node: Element) => node.isConnected && node !== document.body && !node.closest("dialog:not([open])");

/** When what had the focus may be gone: back to where it was before, or to the hand if that is gone too. */
export async function comeBack(): Promise<void> {
  await tick();
  const at = document.activeElement;
  if (!within || (at && isThere(at))) return;
  const to = trail.findLast(isThere) ?? document.querySelector<HTMLElement>(".hand [tabindex='0']");
  to?.focus({ preventScroll: true });
}

/** Opens a dialog as long as it is there. */
export function modal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  return () => void comeBack();
}
