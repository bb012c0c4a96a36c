import type { Game, Level, NewTable, RulesPage, Table } from "./protocol.ts";

export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly clause: string | null,
  ) {
    super(message);
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const request: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { credentials: "same-origin", ...request });
  } catch {
    throw new Refusal("The server cannot be reached.", 0, null);
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  const { error, clause } = answer as { error?: string; clause?: string | null };
  throw new Refusal(error ?? `The server answered ${response.status}.`, response.status, clause ?? null);
}

const remembered = new Map<string, Promise<unknown>>();

/** Asked once a visit; a failure is not remembered. */
function once<T>(path: string): Promise<T> {
  const known = remembered.get(path) as Promise<T> | undefined;
  if (known) return known;
  const answer = ask<T>(path);
  remembered.set(path, answer);
  answer.catch(() => remembered.delete(path));
  return answer;
}

export const games = () => once<Game[]>("games");
export const levels = () => once<Level[]>("levels");
export const rules = (slug: string) => once<RulesPage>(`games/${slug}/rules`);
export const learn = (slug: string) => once<RulesPage>(`games/${slug}/learn`);
export const tables = () => ask<Table[]>("tables");
export const table = (id: string) => ask<Table>(`tables/${id}`);
export const open = (wish: NewTable) => ask<Table>("tables", wish);
export const sit = (id: string, name: string, seat: number | null) => ask<Table>(`tables/${id}/sit`, { name, seat });
export const fill = (id: string, seat: number, level: string) => ask<Table>(`tables/${id}/fill`, { seat, level });
