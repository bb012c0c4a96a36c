/** The line to one table: comes back by itself, notices when it is dead, says an unanswered move again. */
import type { FromTable, MakeMove, ToTable } from "../protocol.ts";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** A line that the house closes with this code is closed to this person just now; its reason says why. */
const REFUSED = 1008;
/** With this code for good: the page is taken for one of another site. */
const FOREIGN = 4403;
/** Milliseconds of silence after which it is asked whether the line lives, and after which it is taken for dead. */
const ASK_AFTER = 4000;
const DEAD_AFTER = 9000;

export class Connection {
  state = $state<"connecting" | "open" | "away">("connecting");
  unanswered = $state.raw<MakeMove[]>([]);
  /** The event that the last accepted move became: before it has been shown there is nothing more to do. */
  acted = $state(-1);
  private socket: WebSocket | null = null;
  private wait = FIRST_WAIT;
  private timer = 0;
  private ended = false;
  private heard = 0;
  private readonly watch: number;

  constructor(
    private readonly table: string,
    private readonly hear: (message: FromTable) => void,
    private readonly lost: (why: string) => void,
  ) {
    addEventListener("online", this.now);
    document.addEventListener("visibilitychange", this.now);
    this.watch = window.setInterval(() => this.beat(), 1000);
    this.connect();
  }

  move(text: string, seq: number): void {
    const move: MakeMove = { type: "move", id: newId(), seq, text };
    this.unanswered = [...this.unanswered, move];
    this.send(move);
  }

  send(message: ToTable): void {
    if (this.state === "open" && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearInterval(this.watch);
    removeEventListener("online", this.now);
    document.removeEventListener("visibilitychange", this.now);
    this.socket?.close();
  }

  /** There is a reason to come back at once. */
  hurry(): void {
    if (this.ended || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/play`);
    this.socket = socket;
    this.heard = Date.now();
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as FromTable);
    socket.onclose = ({ code, reason }) => {
      if (this.ended || this.socket !== socket) return;
      if (code === REFUSED) this.wait = LONGEST_WAIT;
      this.ended = code === FOREIGN;
      this.retry(code === REFUSED || this.ended ? reason : "");
    };
  }

  /** A browser notices a dead line only after a minute or more. */
  private beat(): void {
    if (!this.socket || document.hidden) return;
    const silence = Date.now() - this.heard;
    if (silence > DEAD_AFTER) {
      const dead = this.socket;
      dead.onclose = dead.onmessage = null;
      dead.close();
      this.retry();
    } else if (silence > ASK_AFTER) this.send({ type: "ping" });
  }

  private receive(message: FromTable): void {
    this.heard = Date.now();
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

  private retry(why = ""): void {
    this.state = "away";
    this.socket = null;
    this.lost(why);
    if (this.ended) return;
    this.timer = window.setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** The network or the person is back: do not wait any longer. */
  private now = (): void => {
    if (!document.hidden) this.heard = Math.max(this.heard, Date.now() - ASK_AFTER);
    if (!document.hidden) this.hurry();
  };
}

/** `crypto.randomUUID` needs https, which a table in a home network has not. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("");
}
