/** The large parts of the page, each loaded when it is first wanted. */
export const PARTS = {
  table: () => import("../table/Place.svelte"),
  replay: () => import("../after/Replay.svelte"),
  game: () => import("../lobby/GamePage.svelte"),
  waiting: () => import("../lobby/Waiting.svelte"),
  end: () => import("../table/End.svelte"),
  scores: () => import("../table/Standing.svelte"),
  rules: () => import("../reading/Rules.svelte"),
  lesson: () => import("../lesson/Lesson.svelte"),
  puzzle: () => import("../puzzle/Puzzle.svelte"),
  today: () => import("../puzzle/Today.svelte"),
  room: () => import("../room/Room.svelte"),
  roomPanel: () => import("../room/RoomPanel.svelte"),
  talk: () => import("../room/TalkPanel.svelte"),
  people: () => import("../table/People.svelte"),
  devices: () => import("../devices/MyDevices.svelte"),
  joining: () => import("../devices/Joining.svelte"),
  settings: () => import("./Settings.svelte"),
  seat: () => import("../table/SeatCard.svelte"),
};

/** How long a browser without a better word for it is given to draw what is there. */
const LATER = 1500;

/** Fetches a part while nothing else is to be done, unless the person saves data; returns what keeps it from doing so. */
export function whenIdle(part: () => Promise<unknown>): () => void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return () => {};
  const fetch = () => void part().catch(() => {}); // it is tried again when it is wanted
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(fetch, LATER);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(fetch, { timeout: 10_000 });
  return () => cancelIdleCallback(asked);
}
