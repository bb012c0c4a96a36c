/** Who may sit down at a table, and who can invite others by the address of the page. */
import { house } from "../house/index.ts";
import type { TableView } from "../protocol.ts";
import { secretAt, stayAtTable } from "../router.svelte.ts";

/** Whether a seat can be taken from this address: the server does not see whether it is that of an invitation. */
export function maySit({ free, may }: TableView): boolean {
  return may.includes("sit") && (free === "held" || free === "open" || (free === "invited" && secretAt("invite") !== null));
}

/** For people who sit at a table the address in the bar is the invitation, where the host allows it and until the match
 * is over; it is renewed with it. Others keep the address by which they came. */
export function stayInvited({ id, you, invite, settings, done }: TableView): void {
  if (you !== null && house.can.invite) stayAtTable(id, settings.invite_in_address && !done ? invite : null);
}
