/** How a table is marked that shows or continues a record that somebody brought. */
import type { TableView } from "../protocol.ts";

const WORDS = { record: "A record that somebody brought, not a match played here", "played on": "Played on from a record that somebody brought" };

/** Empty for a match that was played here from its beginning. */
export const broughtWords = ({ brought }: Pick<TableView, "brought">): string => (brought ? WORDS[brought] : "");
