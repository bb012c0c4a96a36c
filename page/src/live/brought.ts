/** How a table is marked that shows or continues a record that somebody brought. */
import type { TableView } from "../protocol.ts";
import { t } from "../language.svelte.ts";

/** Empty for a match that was played here from its beginning. */
export const broughtWords = ({ brought }: Pick<TableView, "brought">): string =>
  brought === "record" ? t("A record that somebody brought, not a match played here") : brought ? t("Played on from a record that somebody brought") : "";
