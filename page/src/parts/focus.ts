/** Who plays by keyboard, or by ear, goes on where they were. */
import { tick } from "svelte";

/** What opens over the table or beside it, and is gone again. */
const PASSING = "dialog, aside, .passing";

let last: HTMLElement | null = null;
let within = false;
addEventListener("focusin", ({ target }) => {
  const node = target as HTMLElement;
  within = node.closest(PASSING) !== null;
  if (!within) last = node;
});

/** When what had the focus may be gone: back to where it was before, or to the hand if that is gone too. */
export async function comeBack(): Promise<void> {
  await tick();
  const at = document.activeElement;
  if (!within || (at && at !== document.body && !at.closest("dialog:not([open])"))) return;
  const to = last?.isConnected ? last : document.querySelector<HTMLElement>(".hand [tabindex='0']");
  to?.focus({ preventScroll: true });
}

/** Opens a dialog as long as it is there. */
export function modal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  return () => void comeBack();
}
