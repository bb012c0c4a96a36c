/** Soft sounds and a short vibration for what happens at a table. They are made here: no files, and silence if anything fails. */
import type { SceneView } from "../protocol.ts";
import { settings } from "../settings.svelte.ts";
import { countOf, type Who } from "./scenes.ts";

export type Sound = "deal" | "play" | "gather" | "turn" | "good end" | "bad end";

/** What is heard of a table. */
export interface Heard {
  scene: SceneView | null;
  /** Whose finished trick lies there. */
  taker: Who | null;
}

const acts = (scene: SceneView) => !scene.done && scene.seat !== null && scene.to_act.includes(scene.seat);
/** How many cards are on the table in the trick, in rows and in melds. */
const played = (scene: SceneView) => scene.zones.filter(({ role }) => ["trick", "row", "meld"].includes(role)).reduce((sum, zone) => sum + countOf(zone), 0);

/** What is to be heard when one thing follows another; nothing of what was there when the table was opened. */
export function soundsOf(before: Heard, after: Heard): Sound[] {
  const [was, is] = [before.scene, after.scene];
  if (!was || !is) return [];
  const sounds: Sound[] = [];
  if (is.deal > was.deal) sounds.push("deal");
  else if (before.taker !== null && after.taker === null) sounds.push("gather");
  else if (played(is) > played(was)) sounds.push("play");
  if (is.done && !was.done) sounds.push(is.seat === null || is.winners.includes(is.seat) ? "good end" : "bad end");
  else if (acts(is) && !acts(was)) sounds.push("turn");
  return sounds;
}

export class Sounds {
  private heard: Heard = { scene: null, taker: null };
  private context: AudioContext | null = null;
  private noise: AudioBuffer | null = null;
  private readonly wake = () => this.begin();

  /** Browsers want a gesture before the first sound: here, or on the page that led here. */
  constructor() {
    for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, this.wake);
    if (navigator.userActivation?.hasBeenActive) this.begin();
  }

  close(): void {
    for (const gesture of ["pointerdown", "keydown"]) removeEventListener(gesture, this.wake);
    void this.context?.close().catch(() => {});
    this.context = null;
  }

  follow(scene: SceneView | null, taker: Who | null): void {
    const now = { scene, taker };
    const sounds = soundsOf(this.heard, now);
    this.heard = now;
    if (document.hidden) return;
    if (sounds.length) setTimeout(() => sounds.forEach((sound) => this.play(sound))); // what is seen comes first
    if (sounds.includes("turn")) vibrate();
  }

  private begin(): void {
    if (!settings.sound) return;
    try {
      if (!this.context) {
        mix();
        this.context = new AudioContext();
      }
      if (this.context.state === "suspended") void this.context.resume().catch(() => {});
    } catch {
      this.context = null; // without sound one plays as well
    }
  }

  private play(sound: Sound): void {
    const { context } = this;
    if (!settings.sound || context?.state !== "running") return;
    try {
      SCORES[sound].forEach((note) => ("tone" in note ? this.ring(context, note) : this.rustle(context, note)));
    } catch {
      // as above
    }
  }

  /** A tone that dies away. */
  private ring(context: AudioContext, { at, tone, length, loud }: Tone): void {
    const start = context.currentTime + at;
    const source = context.createOscillator();
    source.type = "sine";
    source.frequency.value = tone;
    source.connect(fading(context, start, length, loud));
    source.start(start);
    source.stop(start + length);
  }

  /** Paper: filtered noise. */
  private rustle(context: AudioContext, { at, pitch, length, loud }: Rustle): void {
    const start = context.currentTime + at;
    const source = context.createBufferSource();
    source.buffer = this.noise ??= noise(context);
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = pitch;
    filter.Q.value = 0.8;
    source.connect(filter).connect(fading(context, start, length, loud));
    source.start(start);
    source.stop(start + length);
  }
}

/** Seconds from now, hertz, seconds, and a share of the full volume. */
interface Tone {
  at: number;
  tone: number;
  length: number;
  loud: number;
}
interface Rustle {
  at: number;
  pitch: number;
  length: number;
  loud: number;
}

const SCORES: Record<Sound, (Tone | Rustle)[]> = {
  deal: Array.from({ length: 7 }, (_, index) => ({ at: index * 0.075, pitch: 2600 + (index % 3) * 240, length: 0.055, loud: 0.1 })),
  play: [{ at: 0, pitch: 3200, length: 0.05, loud: 0.1 }, { at: 0.03, pitch: 900, length: 0.07, loud: 0.2 }],
  gather: [{ at: 0, pitch: 1500, length: 0.22, loud: 0.1 }, { at: 0.12, pitch: 1000, length: 0.16, loud: 0.08 }],
  turn: [{ at: 0.05, tone: 659.3, length: 0.3, loud: 0.06 }, { at: 0.17, tone: 880, length: 0.42, loud: 0.06 }],
  "good end": [523.3, 659.3, 784, 1046.5].map((tone, index) => ({ at: 0.1 + index * 0.13, tone, length: 0.7, loud: 0.07 })),
  "bad end": [392, 329.6, 261.6].map((tone, index) => ({ at: 0.1 + index * 0.2, tone, length: 0.7, loud: 0.06 })),
};

function fading(context: AudioContext, start: number, length: number, loud: number): AudioNode {
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.012, length / 4));
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  volume.connect(context.destination);
  return volume;
}

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate / 4), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  return buffer;
}

/** What plays already, such as music, goes on. */
function mix(): void {
  const { audioSession } = navigator as { audioSession?: { type: string } };
  if (audioSession) audioSession.type = "ambient";
}

/** Whether this browser can vibrate: the setting is hidden elsewhere. */
export const canVibrate = (): boolean => typeof navigator.vibrate === "function" && matchMedia("(pointer: coarse)").matches;

function vibrate(): void {
  if (!settings.vibration || !canVibrate()) return;
  try {
    navigator.vibrate(35);
  } catch {
    // as above
  }
}
