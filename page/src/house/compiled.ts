/** A game's compiled loops as WebAssembly: src/upcard/browser/wasm_modules.py builds them. */

const PAGE = 1 << 16;
/** Here the data of a module ends at the latest, and its stack begins, which grows down towards it. */
const TOP = 20 * PAGE;
/** Where a loop puts its result, then the place of an exception; the arguments' memory follows. */
const [RESULT, EXCEPTION, MEMORY] = [TOP, TOP + 16, TOP + 64];

type Loop = (...values: (number | bigint)[]) => number;

export class CompiledGame {
  private readonly memory = new WebAssembly.Memory({ initial: TOP / PAGE + 1 });
  private readonly loops: Record<string, Loop>;

  constructor(module: WebAssembly.Module) {
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, TOP);
    const table = new WebAssembly.Table({ element: "anyfunc", initial: 16 });
    const env = { __linear_memory: this.memory, __stack_pointer: stack, __indirect_function_table: table };
    this.loops = new WebAssembly.Instance(module, { env }).exports as Record<string, Loop>;
  }

  /** Runs a loop on a copy of this memory, followed by `room` blank bytes, and copies it back. Returns its result, or NaN
   * if it raises an exception. The arguments: see `CompiledGames` in web_machine.py. */
  call(name: string, listed: string, memory: Uint8Array, room: number): number {
    const end = MEMORY + memory.length;
    const missing = end + room - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.set(memory, MEMORY);
    bytes.fill(0, end, end + room);
    const loop = this.loops[name];
    if (!loop) throw new Error(`there is no compiled loop ${name}`);
    const values = (JSON.parse(listed) as string[]).map(valueOf);
    if (loop(RESULT, EXCEPTION, ...values) !== 0) return NaN;
    memory.set(bytes.subarray(MEMORY, end));
    return Number(new DataView(this.memory.buffer).getBigInt64(RESULT, true));
  }
}

function valueOf(text: string): number | bigint {
  if (text === "n") return 0;
  return text[0] === "p" ? MEMORY + Number(text.slice(1)) : BigInt(text.slice(1));
}
