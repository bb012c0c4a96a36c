import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_OFFERS } from "../src/live/scenes.ts";
import { Sounds, soundsOf } from "../src/live/sound.ts";
import type { SceneView } from "../src/protocol.ts";
import { settings } from "../src/settings.svelte.ts";

const scene = (more: Partial<SceneView> = {}, trick: string[] = []): SceneView => ({
  game: "rounds", title: "Rounds", seat: 0, players: 2, phase: "play", deal: 1, trump: null, headline: "", prompt: "", to_act: [1], hand: [], open: [], order: {}, seats: [],
  zones: [{ id: "trick", role: "trick", label: "Trick", cards: trick, seats: [] }], ahead: null, last_trick: null, offers: NO_OFFERS, result: [], finished: [], pot: null, done: false, winners: [], ...more,
});
const at = (told: SceneView, taker: number | null = null) => ({ scene: told, taker });

describe("what is heard", () => {
  it.each([
    ["nothing when the table is opened", { scene: null, taker: null }, at(scene()), []],
    ["a card", at(scene()), at(scene({}, ["9h"])), ["play"]],
    ["a card and one's turn", at(scene()), at(scene({ to_act: [0] }, ["9h"])), ["play", "turn"]],
    ["one's turn once", at(scene({ to_act: [0] })), at(scene({ to_act: [0] })), []],
    ["no turn of others", at(scene({ to_act: [0] })), at(scene({ to_act: [1] })), []],
    ["no turn of one's own where one only watches", at(scene({ seat: null })), at(scene({ seat: null, to_act: [0] })), []],
    ["a trick that is taken", at(scene({}, ["9h", "Th"]), 0), at(scene({ to_act: [0] })), ["gather", "turn"]],
    ["a deal", at(scene({}, ["9h"])), at(scene({ deal: 2 })), ["deal"]],
    ["a match that one wins", at(scene()), at(scene({ done: true, winners: [0] })), ["good end"]],
    ["a match that one loses", at(scene()), at(scene({ done: true, winners: [1], to_act: [0] })), ["bad end"]],
  ])("is %s", (_, before, after, heard) => expect(soundsOf(before, after)).toEqual(heard));
});

vi.mock("../src/settings.svelte.ts", () => ({ settings: { sound: true, vibration: true } }));

/** Notes what is asked of an audio context. */
const calls: string[] = [];
class StandIn {
  state = "suspended";
  currentTime = 0;
  sampleRate = 100;
  destination = {};
  constructor() { calls.push("new"); }
  resume() { calls.push("resume"); this.state = "running"; return Promise.resolve(); }
  close() { calls.push("close"); return Promise.resolve(); }
  private node(kind: string) {
    const node = { type: "", buffer: null, frequency: { value: 0 }, Q: { value: 0 }, gain: { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} }, connect: (to: unknown) => to, start: () => calls.push(kind), stop: () => {} };
    return node;
  }
  createOscillator() { return this.node("tone"); }
  createBufferSource() { return this.node("noise"); }
  createBiquadFilter() { return this.node("filter"); }
  createGain() { return this.node("gain"); }
  createBuffer() { return { getChannelData: () => new Float32Array(25) }; }
}

describe("sounds", () => {
  const listeners = new Map<string, () => void>();
  const vibrate = vi.fn();
  let touch = true;
  beforeEach(() => {
    calls.length = 0;
    vibrate.mockClear();
    touch = true;
    [settings.sound, settings.vibration] = [true, true];
    vi.useFakeTimers();
    vi.stubGlobal("AudioContext", StandIn);
    vi.stubGlobal("addEventListener", (kind: string, hear: () => void) => listeners.set(kind, hear));
    vi.stubGlobal("removeEventListener", (kind: string) => listeners.delete(kind));
    vi.stubGlobal("document", { hidden: false });
    vi.stubGlobal("navigator", { vibrate });
    vi.stubGlobal("matchMedia", () => ({ matches: touch }));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const press = () => listeners.get("pointerdown")?.();
  function play(sounds: Sounds): void {
    sounds.follow(scene(), null);
    sounds.follow(scene({ to_act: [0] }, ["9h"]), null);
    vi.runAllTimers();
  }

  it("come only after a gesture", () => {
    const sounds = new Sounds();
    play(sounds);
    expect(calls).toEqual([]);
    press();
    expect(calls).toEqual(["new", "resume"]);
    play(sounds);
    expect(calls.slice(2).sort()).toEqual(["noise", "noise", "tone", "tone"]);
    sounds.close();
    expect(calls.at(-1)).toBe("close");
    expect(listeners.size).toBe(0);
  });
  it("are off where the person wants none", () => {
    settings.sound = false;
    const sounds = new Sounds();
    press();
    play(sounds);
    expect(calls).toEqual([]);
    settings.sound = true;
    press();
    settings.sound = false;
    play(sounds);
    expect(calls).toEqual(["new", "resume"]);
  });
  it("mix with what plays already", () => {
    const audioSession = { type: "auto" };
    vi.stubGlobal("navigator", { vibrate, audioSession });
    new Sounds();
    press();
    expect(audioSession.type).toBe("ambient");
  });
  it.each([
    ["there is no audio", undefined], ["it refuses to begin", class { constructor() { throw new Error("no"); } }],
    ["it refuses to play", class extends StandIn { override createOscillator(): never { throw new Error("no"); } }],
  ])("are missing without a word where %s", (_, context) => {
    vi.stubGlobal("AudioContext", context);
    const sounds = new Sounds();
    press();
    expect(() => play(sounds)).not.toThrow();
  });
  it("are not heard from a page that is not seen", () => {
    vi.stubGlobal("document", { hidden: true });
    const sounds = new Sounds();
    press();
    play(sounds);
    expect(calls).toEqual(["new", "resume"]);
  });
  it.each([[true, true, 1], [false, true, 0], [true, false, 0]])("vibrate on one's turn: wanted %s, a device that one touches %s: %i times", (wanted, touched, times) => {
    settings.vibration = wanted;
    touch = touched;
    play(new Sounds());
    expect(vibrate).toHaveBeenCalledTimes(times);
  });
});
