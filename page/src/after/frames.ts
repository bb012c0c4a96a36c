/** A deal that is watched again, picture by picture. */
import { changed, finishedTrick, withTrick, type Who } from "../live/scenes.ts";
import type { Replay, SceneView, UtteranceView } from "../protocol.ts";

/** The table at one moment of a replay. */
export interface Frame {
  /** So many events of the match were played before. */
  events: number;
  scene: SceneView;
  /** What happened, in words. */
  text: string;
  /** Whose trick lies there, when it has just been finished. */
  taker: Who | null;
  /** Who did it. */
  actor: number | null;
  /** What is said aloud with it. */
  spoken: UtteranceView[];
}

/** The pictures of a deal; a trick that is finished lies there once before it is taken. With all cards open, `below` sits at the lower rim. */
export function frames({ start, steps, seat }: Replay, below: number): Frame[] {
  const found: Frame[] = [];
  let before = start;
  for (const step of steps) {
    const scene = changed(before, step.changes);
    const moment = { events: step.events, text: withoutResult(step.text, scene.result), actor: step.seat, spoken: step.utterances ?? [] };
    const trick = finishedTrick(before, scene);
    if (trick) found.push({ ...moment, scene: withTrick(before, trick), taker: scene.last_trick?.taker ?? null });
    found.push({ ...moment, scene, taker: null });
    before = scene;
  }
  return seat === "all" ? found.map((frame) => ({ ...frame, scene: seenFrom(frame.scene, below) })) : found;
}

/** Whether this deal has been played to its end, as a scene has it. */
export const isOver = ({ done, phase, deal }: SceneView, asked: number): boolean => (done || phase === "deal" ? deal >= asked : deal > asked);

/** The line of the log that ends a deal tells its result too, which stands apart. */
function withoutResult(text: string, result: string[]): string {
  const told = result[0] ? text.indexOf(result[0]) : -1;
  return told > 0 ? text.slice(0, told).trim() : text;
}

/** With all cards open: one of them as a hand at the lower rim. */
const seenFrom = (scene: SceneView, below: number): SceneView => ({ ...scene, seat: below, hand: scene.seats[below]?.open ?? [], open: [] });

/** The first picture after so many events, or the last of all. */
export function frameAt(all: Frame[], events: number): number {
  const found = all.findIndex((frame) => frame.events >= events);
  return found < 0 ? all.length - 1 : found;
}

/** The last picture before anything more than so many events had happened. */
export function frameBefore(all: Frame[], events: number): number {
  return Math.max(0, all.findLastIndex((frame) => frame.events <= events));
}

/** The next picture in which a trick lies finished, or the last of all; backwards the one before, or the first. */
export function nextTrick(all: Frame[], from: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < all.length; at += step) if (all[at]?.taker !== null) return at;
  return step > 0 ? all.length - 1 : 0;
}
