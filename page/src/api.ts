/** What is asked of the house. */
import { house } from "./house/index.ts";
import { Refusal } from "./house/house.ts";
import { pledge } from "./live/pledges.ts";
import type { Action, Club, DeviceInfo, DeviceLink, GameInfo, GettingReady, Hint, JoinedPerson, LessonAnswer, LessonTry, LessonView, LevelInfo, LinkedPerson, LinkedSeat, NewFork, NewTable, OpenedMatches, Page, PuzzleAnswer, PuzzleOfDay, PuzzleSolution, PuzzleTry, PuzzleView, Replay, Review, ScoreSheet, SeatLink, Statistic, TableView, TodaysDeal } from "./protocol.ts";
import { offer, t } from "./language.svelte.ts";

export { Refusal };

/** What an error says to people. */
export function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const get = <T>(path: string, body?: unknown): Promise<T> => house.ask<T>(body === undefined ? "GET" : "POST", path, body);

const remembered = new Map<string, Promise<unknown>>();

/** Asked once a visit; a failure is not remembered. */
function once<T>(path: string): Promise<T> {
  const known = remembered.get(path) as Promise<T> | undefined;
  if (known) return known;
  const answer = get<T>(path);
  remembered.set(path, answer);
  answer.catch(() => remembered.delete(path));
  return answer;
}

/** Asks everything once more: in another language. */
export const forget = (): void => remembered.clear();

async function getClub(path: string, body?: object): Promise<Club> {
  const club = await get<Club>(path, body);
  house.can = club.can;
  offer(club.languages);
  return club;
}
export const club = () => getClub("club");
export const enter = (passphrase: string) => getClub("club/enter", { passphrase });
export const privacy = () => once<Page>("club/privacy");
export const games = () => once<GameInfo[]>("games");
export const levels = () => once<LevelInfo[]>("levels");
/** The computer players of one game, from the weakest. */
export async function levelsOf(slug: string): Promise<LevelInfo[]> {
  const [all, known] = await Promise.all([levels(), games()]);
  const offered = known.find((game) => game.slug === slug)?.levels ?? [];
  return all.filter((level) => offered.includes(level.name));
}
export function rules(slug: string, table?: { players: number; options: Record<string, unknown> }): Promise<Page> {
  const asked = table && new URLSearchParams({ players: String(table.players), options: JSON.stringify(table.options) });
  return once<Page>(`games/${slug}/rules${asked ? `?${asked}` : ""}`);
}
export const lesson = (slug: string, number: number) => once<LessonView>(`games/${slug}/lessons/${number}`);
export const tryInLesson = (slug: string, number: number, tried: LessonTry) => get<LessonAnswer>(`games/${slug}/lessons/${number}`, tried);
export const puzzle = (slug: string, number: number) => once<PuzzleView>(`games/${slug}/puzzles/${number}`);
export const tryInPuzzle = (slug: string, number: number, tried: PuzzleTry) => get<PuzzleAnswer>(`games/${slug}/puzzles/${number}`, tried);
export const puzzleSolution = (slug: string, number: number) => get<PuzzleSolution>(`games/${slug}/puzzles/${number}/solution`);
export const puzzleOfDay = () => get<PuzzleOfDay>("puzzles/today");
/** The deal of the day, with everybody's results once this person's is there. */
export const today = () => get<TodaysDeal>("today");
export const playToday = (name: string) => getSeat("today", { name });
export const rulebook = (slug: string) => once<Page>(`games/${slug}/rulebook`);
/** Where this browser sits, newest first; those made before a moment. */
export const tables = (before?: number) => get<TableView[]>(before === undefined ? "tables" : `tables?before=${before}`);
export const statistics = () => get<Statistic[]>("statistics");
export const listed = () => get<TableView[]>("lobby");
export const table = (id: string) => get<TableView>(`tables/${id}`);
/** Asks for a seat, which is kept for this browser by a cookie. */
export async function getSeat<T = TableView>(path: string, body: object): Promise<T> {
  if (!navigator.cookieEnabled) {
    throw new Refusal(t("Your browser keeps no cookies for this page, so no seat can be kept for you. Allow them for this page and try again."), 0, null);
  }
  return get<T>(path, body);
}
export const open = async (wish: NewTable) => getSeat("tables", { ...wish, pledge: pledge() });
export async function ask(id: string, action: Action): Promise<TableView> {
  const sits = action.do === "sit" || action.do === "rematch";
  const path = `tables/${id}/actions`;
  return sits ? getSeat(path, { ...action, pledge: pledge() }) : get<TableView>(path, action);
}
export const seatLink = (id: string) => get<SeatLink>(`tables/${id}/link`, {});
export const cancelLink = (id: string) => house.ask<unknown>("DELETE", `tables/${id}/link`);
/** The seat that a link moves, which stays where it is for now. */
export const linked = (id: string, secret: string) => get<LinkedSeat>(`tables/${id}/linked`, { secret });
export const redeem = (id: string, secret: string) => getSeat(`tables/${id}/redeem`, { secret });
/** The devices of this person, the latest used first. */
export const devices = () => get<DeviceInfo[]>("devices");
export const deviceLink = (settings: JoinedPerson["settings"]) => getSeat<DeviceLink>("devices/link", { settings });
export const cancelDeviceLink = () => house.ask<unknown>("DELETE", "devices/link");
export const removeDevice = (id: string) => house.ask<unknown>("DELETE", `devices/${id}`);
/** Whose device this browser would become by a link. */
export const linkedPerson = (secret: string) => get<LinkedPerson>("devices/linked", { secret });
export const joinPerson = (secret: string, bring: boolean) => getSeat<JoinedPerson>("devices/join", { secret, bring });
export const score = (id: string) => get<ScoreSheet>(`tables/${id}/score`);
/** `eyes`: a seat's number, "all", or "" for what everybody saw. */
export const replay = (id: string, deal: number, eyes: string) => get<Replay>(`tables/${id}/replay?deal=${deal}${eyes && `&seat=${eyes}`}`);
export const hint = (id: string) => get<Hint | GettingReady>(`tables/${id}/hint`, {});
/** Begun when it is first asked for, told as far as it is. */
export const review = (id: string, seat: number) => get<Review>(`tables/${id}/review?seat=${seat}`, {});
export const fork = async (id: string, wish: NewFork) => getSeat(`tables/${id}/fork`, { ...wish, pledge: pledge() });
export const bring = (record: unknown) => get<TableView>("records", record);
/** The record of a finished match, as a file. */
export const record = (id: string) => house.file(`tables/${id}/record`);
/** All matches of this person, as a file. */
export const savedMatches = () => house.file("matches");
/** Takes the matches of such a file. */
export const openMatches = (saved: unknown) => get<OpenedMatches>("matches", saved);
