/** The pictures of kings, queens and jacks; all are fetched before a table is shown, and kept. */
import Jc from "virtual:courts/Jc.svg";
import Jd from "virtual:courts/Jd.svg";
import Jh from "virtual:courts/Jh.svg";
import Js from "virtual:courts/Js.svg";
import Kc from "virtual:courts/Kc.svg";
import Kd from "virtual:courts/Kd.svg";
import Kh from "virtual:courts/Kh.svg";
import Ks from "virtual:courts/Ks.svg";
import Qc from "virtual:courts/Qc.svg";
import Qd from "virtual:courts/Qd.svg";
import Qh from "virtual:courts/Qh.svg";
import Qs from "virtual:courts/Qs.svg";

export const courts: Record<string, string> = { Jc, Jd, Jh, Js, Kc, Kd, Kh, Ks, Qc, Qd, Qh, Qs };

const kept: HTMLImageElement[] = [];

/** Begins to fetch all pictures, once. */
export function fetchCourts(): void {
  if (kept.length) return;
  for (const address of Object.values(courts)) {
    const image = new Image();
    image.src = address;
    kept.push(image);
  }
}
