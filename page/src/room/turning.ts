/** Who sits where in the next match. */
import type { RoomView } from "../protocol.ts";

type Turning = Pick<RoomView, "members" | "turn">;

/** Per seat, the number of the member who is proposed for it; null for a computer player. With as many players as before
 * everybody moves one seat on. Nobody who is here sits out twice as long as another has a seat. */
export function seatsFor({ members, turn }: Turning, players: number): (number | null)[] {
  const here = members.filter((member) => member.doing !== "away").map((member) => member.number);
  const seated = turn.map((number) => (number !== null && here.includes(number) ? number : null));
  const waiting = here.filter((number) => !turn.includes(number));
  if (seated.length === players && waiting.length <= seated.filter((number) => number === null).length) {
    return seated.map((number) => number ?? waiting.shift() ?? null);
  }
  const order = [...waiting, ...seated.filter((number) => number !== null)];
  return Array.from({ length: players }, (_, seat) => order[seat] ?? null);
}
