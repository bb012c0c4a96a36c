/** Who may sit down at a table. */
import type { TableView } from "../protocol.ts";
import { secretAt } from "../router.svelte.ts";

/** Whether a seat can be taken from this address: the server does not see whether it is that of an invitation. */
export function maySit({ free, may }: TableView): boolean {
  return may.includes("sit") && (free === "held" || free === "open" || (free === "invited" && secretAt("invite") !== null));
}
