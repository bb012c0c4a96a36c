/** As much of a browser as the page's modules look for when they are loaded. */
import { vi } from "vitest";

/** `address` is where the page has been opened. */
export function openBrowser(address: string): void {
  const at = { current: new URL(address) };
  const location = new Proxy({} as URL, { get: (_, name) => Reflect.get(at.current, name) as unknown });
  const go = (_state: unknown, _title: string, to: string) => void (at.current = new URL(to, at.current));
  const listening = { addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", { pushState: go, replaceState: go });
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", { ...listening, hidden: false });
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
  vi.stubGlobal("matchMedia", () => ({ ...listening, matches: false }));
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
}
