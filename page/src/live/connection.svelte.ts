/** What is said to one table over its line: an unanswered move is said again when the line is back. */
import { house } from "../house/index.ts";
import type { Line } from "../house/house.ts";
import type { FromTable, MakeMove, ToTable } from "../protocol.ts";

export class Connection {
  state = $state<"connecting" | "open" | "away">("connecting");
  unanswered = $state.raw<MakeMove[]>([]);
  /** The event that the last accepted move became: before it has been shown there is nothing more to do. */
  acted = $state(-1);
  private readonly line: Line;

  constructor(
    table: string,
    private readonly hear: (message: FromTable) => void,
    private readonly lost: (why: string) => void,
  ) {
    this.line = house.line(table, (message) => this.receive(message), (why) => this.leave(why));
  }

  move(text: string, seq: number): void {
    const move: MakeMove = { type: "move", id: newId(), seq, text };
    this.unanswered = [...this.unanswered, move];
    this.send(move);
  }

  send(message: ToTable): void {
    if (this.state === "open") this.line.send(message);
  }

  /** There is a reason to come back at once. */
  hurry(): void {
    this.line.hurry();
  }

  close(): void {
    this.line.close();
  }

  private receive(message: FromTable): void {
    if (message.type === "welcome") {
      this.state = "open";
      this.acted = -1;
      this.unanswered.forEach((move) => this.send(move));
    } else if (message.type === "accepted" || message.type === "refused") {
      const answered = this.unanswered.find((move) => move.id === message.id);
      if (answered && message.type === "accepted") this.acted = message.seq;
      this.unanswered = this.unanswered.filter((move) => move.id !== message.id);
    }
    this.hear(message);
  }

  private leave(why: string): void {
    this.state = "away";
    this.lost(why);
  }
}

/** `crypto.randomUUID` needs https, which a table in a home network has not. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("");
}
