/** What the expert would do now, when somebody has asked; it is gone with the next move. */
import * as api from "../api.ts";
import { house } from "../house/index.ts";
import type { Match } from "../live/match.svelte.ts";
import { cardsIn } from "../after/decisions.ts";
import type { Hint, RatedMove } from "../protocol.ts";

/** Milliseconds until it is asked again for what gets ready. */
const AGAIN = 2000;

export class Adviser {
  asking = $state(false);
  trouble = $state("");
  /** What is to be waited for. */
  waiting = $state("");
  private round = 0;
  private told = $state.raw<Hint | null>(null);

  constructor(private readonly match: Match) {}

  readonly hint: Hint | null = $derived.by(() => (this.told?.seq === this.match.playback.seq ? this.told : null));

  /** The moves to mark. */
  readonly advised: string[] = $derived(this.hint ? equallyGood(this.hint.moves) : []);

  get may(): boolean {
    return house.can.hints && this.match.table.may.includes("hint");
  }

  async ask(): Promise<void> {
    if (this.asking || !this.may || this.hint) return;
    this.asking = true;
    this.trouble = "";
    const round = (this.round += 1);
    try {
      await this.insist(round);
    } catch (error) {
      if (round === this.round) this.trouble = api.told(error);
    }
    if (round === this.round) this.rest();
  }

  /** Asks until there is an answer, somebody has moved or it is not wanted any more. */
  private async insist(round: number): Promise<void> {
    const { seq } = this.match.playback;
    while (round === this.round && seq === this.match.playback.seq) {
      const answer = await api.hint(this.match.table.id);
      if (round !== this.round) return;
      if (!("says" in answer)) return void (this.told = answer);
      this.waiting = answer.says;
      await new Promise((again) => setTimeout(again, AGAIN));
    }
  }

  private rest(): void {
    this.asking = false;
    this.waiting = "";
  }

  close(): void {
    this.round += 1;
    this.rest();
    this.told = null;
    this.trouble = "";
  }
}

/** The best move and those that are as good as far as the search knows; of moves with several cards each only the best, since their cards would mix. */
export function equallyGood(moves: RatedMove[]): string[] {
  const good = moves.filter(({ worse }) => !worse);
  return (good.every(({ text }) => cardsIn(text).length < 2) ? good : moves.slice(0, 1)).map(({ text }) => text);
}
