/** What this person has chosen so far, and what that makes: a move, a question first, an attempt. */
import { arrange } from "../cards/sorting.ts";
import { copies, type Copy } from "../cards/names.ts";
import type { Shown } from "../live/match.svelte.ts";
import { cardsOf, NO_OFFERS } from "../live/scenes.ts";
import { settings } from "../settings.svelte.ts";
import { namedIn } from "./layout.ts";
import { aboutSeat, attempt, exactly, tapped, targetIn } from "./moves.ts";
import type { Move, Offers } from "../protocol.ts";

interface Kept {
  deal: number;
  laid: string[];
  selection: string[];
}

export class Chooser {
  /** Keys of chosen cards: `Ks#0` in the hand, `meld-2 Ks#0` on the table. */
  selection = $state.raw<string[]>([]);
  /** A move that waits for a yes. */
  question = $state.raw<{ text: string; asks: string } | null>(null);
  /** The hand in the order in which it was laid in this deal, if it was. */
  private laid = $state.raw<string[]>([]);
  private deal = 0;

  constructor(
    private readonly match: Shown,
    private readonly sent: () => void,
  ) {}

  private readonly scene = $derived.by(() => this.match.playback.scene);
  readonly offers: Offers = $derived.by(() => (this.match.mayAct ? (this.scene?.offers ?? NO_OFFERS) : NO_OFFERS));
  readonly playable = $derived.by(() => namedIn(this.offers));
  /** Cards that a tap plays: with none chosen yet. */
  readonly taps = $derived.by(() => new Set(settings.confirm || this.selected.length ? [] : Object.keys(this.offers.taps)));
  private readonly dealt = $derived.by(() => copies(this.scene?.hand ?? []));
  readonly hand: Copy[] = $derived.by(() => arrange(this.dealt, settings.sort, this.laid, this.scene?.order ?? {}, this.scene?.trump ?? null));
  /** The open cards on the table. */
  private readonly lying = $derived.by(() => new Set([...(this.scene?.zones ?? []).flatMap(cardsOf), ...(this.scene?.seats ?? []).flatMap((seat) => seat.open)]));
  /** The chosen cards that are still there. */
  readonly selected: string[] = $derived.by(() =>
    this.selection.flatMap((key) => {
      const onTable = key.split(" ")[1]?.split("#")[0];
      if (onTable === undefined) return this.dealt.filter((copy) => copy.key === key).map((copy) => copy.card);
      return this.lying.has(onTable) ? [onTable] : [];
    }),
  );

  /** A card of the hand (its key is its copy's) or of the table. */
  choose(card: string, key: string): void {
    const { playback } = this.match;
    if (playback.rest === "trick") return playback.skip();
    if (!this.match.mayAct) return;
    if (this.selection.includes(key)) return this.select(this.selection.filter((other) => other !== key));
    const tap = tapped(card, this.offers, this.selected, settings.confirm);
    if (tap.do === "select") return this.select([...this.selection, key]);
    if (tap.do === "try") return this.tryOut(tap.text);
    this.send({ text: tap.text, asks: "" });
  }

  /** A card was dragged onto a place (null: somewhere on the table). */
  throwTo(copy: Copy, zone: string | null): void {
    if (!this.match.mayAct) return;
    const target = zone === null ? undefined : targetIn(zone, this.offers, [copy.card]);
    if (target) return this.send(target);
    const single = this.offers.moves.filter((move) => exactly(move, [copy.card]));
    if (single.length === 1 && single[0]) return this.send(single[0]);
    if (single.length) return this.select([copy.key]);
    this.tryOut(attempt([copy.card], this.offers));
  }

  /** What a tap on a place does. */
  target(zone: string): Move | undefined {
    return targetIn(zone, this.offers, this.selected);
  }

  /** What a tap on a seat's plate does: one of several moves is still to be chosen. */
  about(seat: number): Move[] {
    return aboutSeat(seat, this.offers, this.selected);
  }

  send({ text, asks = "" }: { text: string; asks?: string }): void {
    if (asks && settings.warn && this.question?.text !== text) {
      this.question = { text, asks };
      return;
    }
    this.question = null;
    this.select([]);
    this.match.play(text);
    this.sent();
  }

  tryOut(text: string): void {
    this.send({ text });
  }

  select(keys: string[]): void {
    this.selection = keys;
    this.keep();
  }

  lay(keys: string[]): void {
    this.laid = keys;
    this.keep();
  }

  /** A new deal, or a page that was loaded again in the middle of one. */
  begin(deal: number): void {
    if (deal === this.deal) return;
    const kept = this.deal === 0 ? this.stored() : null;
    this.deal = deal;
    this.laid = kept?.deal === deal ? kept.laid : [];
    this.selection = kept?.deal === deal ? kept.selection : [];
  }

  private get place(): string {
    return `hand ${this.match.table.id}`;
  }

  private keep(): void {
    const kept: Kept = { deal: this.deal, laid: this.laid, selection: this.selection };
    try {
      sessionStorage.setItem(this.place, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  private stored(): Kept | null {
    try {
      return JSON.parse(sessionStorage.getItem(this.place) ?? "null") as Kept | null;
    } catch {
      return null;
    }
  }
}
