/** What the expert would do now, when somebody has asked; it is gone with the next move. */
import * as api from "../api.ts";
import type { Match } from "../live/match.svelte.ts";
import type { Hint } from "../protocol.ts";

export class Adviser {
  asking = $state(false);
  trouble = $state("");
  private told = $state.raw<Hint | null>(null);

  constructor(private readonly match: Match) {}

  readonly hint: Hint | null = $derived.by(() => (this.told?.seq === this.match.playback.seq ? this.told : null));

  get may(): boolean {
    return this.match.table.may.includes("hint");
  }

  async ask(): Promise<void> {
    if (this.asking || !this.may || this.hint) return;
    this.asking = true;
    this.trouble = "";
    try {
      this.told = await api.hint(this.match.table.id);
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
    this.asking = false;
  }

  close(): void {
    this.told = null;
    this.trouble = "";
  }
}
