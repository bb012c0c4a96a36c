/** The line to one table: comes back by itself, and says an unanswered move again under the same id. */
import type { FromTable, ToTable } from "./protocol.ts";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

export class Connection {
  state = $state<"connecting" | "open" | "away">("connecting");
  unanswered = $state.raw<ToTable[]>([]);
  /** The event that the last accepted move became: before it has been shown there is nothing more to do. */
  acted = $state(-1);
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;
  private ended = false;

  constructor(
    private readonly table: string,
    private readonly hear: (message: FromTable) => void,
    private readonly lost: () => void,
  ) {
    addEventListener("online", this.now);
    document.addEventListener("visibilitychange", this.now);
    this.connect();
  }

  say(text: string, seq: number): void {
    const move: ToTable = { type: "move", id: newId(), seq, text };
    this.unanswered = [...this.unanswered, move];
    this.send(move);
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.now);
    document.removeEventListener("visibilitychange", this.now);
    this.socket?.close();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/play`);
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as FromTable);
    socket.onclose = () => {
      if (!this.ended && this.socket === socket) this.retry();
    };
  }

  private receive(message: FromTable): void {
    if (message.type === "welcome") {
      this.state = "open";
      this.wait = FIRST_WAIT;
      this.acted = -1;
      this.unanswered.forEach((move) => this.send(move));
    } else if (message.type === "accepted" || message.type === "refused") {
      const answered = this.unanswered.find((move) => move.id === message.id);
      if (answered && message.type === "accepted") this.acted = message.seq;
      this.unanswered = this.unanswered.filter((move) => move.id !== message.id);
    }
    this.hear(message);
  }

  private send(move: ToTable): void {
    if (this.state === "open" && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(move));
  }

  private retry(): void {
    this.state = "away";
    this.socket = null;
    this.lost();
    this.timer = window.setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** The network or the person is back: do not wait any longer. */
  private now = (): void => {
    if (this.ended || this.socket || document.hidden) return;
    clearTimeout(this.timer);
    this.connect();
  };
}

/** `crypto.randomUUID` needs https, which a table in a home network has not. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("");
}
