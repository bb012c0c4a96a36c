/** Cards of any suit that are trumps by their rank: each has a small crown. */
import { getContext, setContext } from "svelte";
import type { SceneView } from "../protocol.ts";
import { rankOf } from "./names.ts";

const KEY = Symbol("crowned");

export const setCrowned = (cards: () => ReadonlySet<string>) => setContext(KEY, cards);
export const crownedCards = () => getContext<(() => ReadonlySet<string>) | undefined>(KEY);

/** Trumps that are not of the trump suit; of a rank that is trump in several suits the card of that suit too. */
export function crownedIn({ order, trump }: SceneView): ReadonlySet<string> {
  const trumps = order.trumps ?? [];
  const ranks = trumps.map(rankOf).filter((rank, index, all) => all.indexOf(rank) !== index);
  return new Set([...trumps, ...(trump ? ranks.map((rank) => rank + trump) : [])]);
}
