/** Frames: what is measured when one begins is laid out for it anyway, and what is changed then is painted with it. */

/** Does something before the next frame is painted, or at once where none is seen; the answer calls it off. */
export function beforePaint(act: () => void): () => void {
  const begin = () => {
    cancel();
    act();
  };
  const frame = document.hidden ? 0 : requestAnimationFrame(begin);
  const unseen = document.hidden ? setTimeout(begin) : 0;
  document.addEventListener("visibilitychange", begin);
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(unseen);
    document.removeEventListener("visibilitychange", begin);
  };
  return cancel;
}

/** The beginning of the next frame. */
export const nextFrame = (): Promise<void> => new Promise((resolve) => void beforePaint(resolve));
