/** The review of one seat's decisions: asked for, then asked again until it is all there. */
import * as api from "../api.ts";
import type { Mistake, Review } from "../protocol.ts";

/** Milliseconds between two looks at how far it is. */
const PAUSE = 1000;

export class Reviewing {
  review = $state.raw<Review | null>(null);
  trouble = $state("");
  private asked = 0;

  constructor(private readonly id: string) {}

  /** Whether there is more to come. */
  get going(): boolean {
    return this.review !== null && (this.review.state === "waiting" || this.review.state === "running");
  }

  /** The mistake that was made at this moment. */
  at(events: number | undefined): Mistake | undefined {
    return this.review?.mistakes.find((mistake) => mistake.events === events);
  }

  async start(seat: number): Promise<void> {
    const mine = ++this.asked;
    if (this.review?.seat !== seat) this.review = null;
    this.trouble = "";
    while (mine === this.asked) {
      try {
        const told = await api.review(this.id, seat);
        if (mine !== this.asked) return;
        this.review = told;
      } catch (error) {
        if (mine === this.asked) this.trouble = api.told(error);
        return;
      }
      if (!this.going) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  stop(): void {
    this.asked += 1;
  }
}
