/** What happens on a table that one may want to hear or to mark. */
import type { SceneView } from "../protocol.ts";
import { cardsOf, finishedTrick, withRole } from "./scenes.ts";

/** Cards are dealt, one is played, a trick is taken, it becomes one's own turn. */
export type Moment = "deal" | "play" | "gather" | "turn";

const listeners = new Set<(kind: Moment) => void>();

/** Calls the listener at every moment; what is returned ends that. */
export function onMoment(listener: (kind: Moment) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function moment(kind: Moment): void {
  for (const listener of listeners) listener(kind);
}

/** What happened between two scenes. */
export function momentsBetween(before: SceneView, after: SceneView): Moment[] {
  const lying = (scene: SceneView) => cardsOf(withRole(scene, "trick")).length;
  const acts = ({ seat, to_act }: SceneView) => seat !== null && to_act.includes(seat);
  const found: Moment[] = [];
  if (after.deal !== before.deal) found.push("deal");
  else if (finishedTrick(before, after)) found.push("gather");
  else if (lying(after) > lying(before)) found.push("play");
  if (acts(after) && !acts(before)) found.push("turn");
  return found;
}
