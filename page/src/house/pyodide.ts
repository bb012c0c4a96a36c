/** Python in a worker, with Upcard's files and msgspec; from a snapshot of its memory if there is one. */
import type { loadPyodide, PyodideAPI } from "pyodide";

export const SITE = "/lib/upcard";
/** msgspec's compiled part. Emscripten loads it before Python starts, so that its code and data have the same places in
 * every start, which a snapshot of the memory refers to; Python then finds it loaded. */
const EXTENSION = `${SITE}/msgspec/_core.cpython-314-wasm32-emscripten.so`;

/** Python's own files and Upcard's, in one piece: see `in_one_piece` in python_files.py. */
export interface Sources {
  /** A hash of all files that a snapshot depends on. */
  build: string;
  files: Map<string, Uint8Array>;
}

/** Python's memory after its start and the import of Upcard. */
export interface Snapshot {
  memory: Blob;
  /** The number of functions that it can call by number: they must be the same ones. */
  functions: number;
}

/** What Pyodide passes to Emscripten, as far as it is changed here. */
interface Settings {
  wasmTable?: WebAssembly.Table;
  growMemory?: (bytes: number) => void;
  preRun: readonly ((module: Files) => void)[];
  dynamicLibraries?: string[];
  locateFile?: (path: string) => string;
  onRuntimeInitialized?: () => void;
}
interface Files {
  FS: { mkdirTree(path: string): void; writeFile(path: string, content: Uint8Array, how: { canOwn: boolean }): void };
}
interface Loaded {
  python: PyodideAPI;
  functions: number;
}

export function sourcesIn(content: Uint8Array): Sources {
  const end = content.indexOf(10);
  const { build, files } = JSON.parse(new TextDecoder().decode(content.subarray(0, end))) as { build: string; files: [string, number][] };
  let place = end + 1;
  const parts = files.map(([path, size]) => [path, content.slice(place, (place += size))] as const);
  return { build, files: new Map(parts) };
}

/** Starts Python and imports Upcard; `snapshot` is that of the memory then. */
export async function startPython(root: string, sources: Sources): Promise<{ python: PyodideAPI; snapshot: Snapshot }> {
  const { python, functions } = await load(root, sources, null);
  python.runPython(`import sys; sys.path.insert(0, "${SITE}"); from upcard.browser.worker import load_games; load_games(); import gc; gc.collect()`);
  return { python, snapshot: { memory: new Blob([python.makeMemorySnapshot() as Uint8Array<ArrayBuffer>]), functions } };
}

/** Restores Python from a snapshot. Fails if the browser has changed since. */
export async function restorePython(root: string, sources: Sources, snapshot: Snapshot): Promise<PyodideAPI> {
  return (await load(root, sources, snapshot)).python;
}

async function load(root: string, sources: Sources, snapshot: Snapshot | null): Promise<Loaded> {
  const folder = `${root}python/`;
  const [pyodide, emscripten] = (await Promise.all([import(/* @vite-ignore */ `${folder}pyodide.mjs`), import(/* @vite-ignore */ `${folder}pyodide.asm.mjs`)])) as [
    { loadPyodide: typeof loadPyodide },
    { default: (settings: Settings) => Promise<unknown> },
  ];
  let functions = 0;
  const python = await new Promise<PyodideAPI>((done, fail) => {
    const createPyodideModule = (settings: Settings) => {
      settings.dynamicLibraries = [EXTENSION];
      settings.locateFile = () => `${folder}msgspec.so`;
      settings.preRun = [...settings.preRun, (module) => write(module, sources.files)];
      settings.onRuntimeInitialized = () => {
        functions = settings.wasmTable?.length ?? 0;
        if (!snapshot) return;
        if (functions !== snapshot.functions) throw new Error("the browser has changed since the snapshot");
        settings.growMemory?.(snapshot.memory.size);
      };
      return emscripten.default(settings).catch((error: unknown) => (fail(error), new Promise(() => {})));
    };
    const how = { indexURL: folder, createPyodideModule, ...(snapshot ? { _loadSnapshot: snapshot.memory.arrayBuffer() } : { _makeSnapshot: true }) };
    pyodide.loadPyodide(how as unknown as Parameters<typeof loadPyodide>[0]).then(done, fail);
  });
  delete (python as unknown as { _api: { config: { _loadSnapshot?: unknown } } })._api.config._loadSnapshot; // it has been copied
  return { python, functions };
}

/** Writes Upcard's files, or those of a language beside them. */
export function write({ FS }: Files, files: Map<string, Uint8Array>): void {
  const folders = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf("/") + 1)));
  folders.forEach((folder) => FS.mkdirTree(`${SITE}/${folder}`));
  files.forEach((content, path) => FS.writeFile(`${SITE}/${path}`, content, { canOwn: true }));
}
