/** Scenes written by hand, to draw the page without a server. */
import type { Move, Scene, SeatView, ZoneView } from "../src/protocol.ts";
import { signed } from "../src/cards.ts";

const cards = (text: string) => text.split(" ").filter(Boolean);
const play = (text: string): Move[] => cards(text).map((card) => ({ text: card, verb: "", cards: [card], label: `Play ${signed(card)}` }));
const say = (text: string, label: string): Move => ({ text, verb: text.split(" ")[0] ?? "", cards: [], label });
const bids = (low: number, high: number): Move[] =>
  Array.from({ length: high - low + 1 }, (_, step) => ({ text: `bid ${low + step}`, verb: "bid", cards: [], number: low + step, label: `Bid ${low + step}` }));
const with_ = (verb: string, text: string, label: string): Move => ({ text: `${verb} ${text}`, verb, cards: cards(text), label });
const tack = (card: string, meld: number): Move =>
  ({ text: `tack ${card} ${meld}`, verb: "tack", cards: [card], number: meld, zone: `meld-${meld}`, label: `Add ${signed(card)} to meld ${meld}` });
const marks = (text: string) => cards(text).map((pair) => ({ label: pair.split("=")[0] ?? "", value: pair.split("=")[1] ?? "" }));

function seats(count: number, held: number, each: (seat: number) => Partial<SeatView>): SeatView[] {
  return Array.from({ length: count }, (_, seat) => ({
    seat, cards: held, open: [], dealer: false, to_act: false, leader: false, partner: null, marks: [], score: 0, ...each(seat),
  }));
}

const meld = (number: number, owner: number, text: string): ZoneView =>
  ({ id: `meld-${number}`, kind: "meld", label: String(number), owner, number, count: cards(text).length, cards: cards(text) });

const base = { seat: 0, deal: 2, trump: null, last_trick: null, result: [], done: false, winners: [], to_act: [0] };

export const SCENES: Record<string, Scene> = {
  "sixty-six": {
    ...base, game: "sixty-six", title: "Sixty-Six", players: 2, phase: "lead", trump: "h",
    headline: "Deal 2 · hearts are trumps", prompt: "Your turn: lead a card",
    hand: cards("As Td 9d 9h Qh Kh"),
    seats: seats(2, 6, (seat) => ({ dealer: seat === 1, to_act: seat === 0, leader: seat === 0, score: seat ? 3 : 4, marks: marks(seat ? "Tricks=1 Points=14" : "Tricks=2 Points=31"), open: seat ? cards("Kc Qc") : [] })),
    zones: [
      { id: "trick", kind: "trick", label: "Trick", cards: [] },
      { id: "stock", kind: "pile", label: "Stock", count: 5, cards: [] },
      { id: "upcard", kind: "pile", label: "Upcard", count: 1, cards: ["Jh"] },
    ],
    last_trick: { cards: [{ card: "9s", seat: 1 }, { card: "Ts", seat: 0 }], taker: 0 },
    moves: [...play("As Td 9d 9h Qh Kh"), with_("meld", "Kh Qh", "Show the marriage K♥ Q♥"), say("exchange", "Exchange the 9♥ for the J♥"), say("close", "Close the stock"), say("declare", "Declare 66")],
  },
  "oh-hell": {
    ...base, game: "oh-hell", title: "Oh Hell", players: 5, phase: "bid", trump: "d", deal: 10,
    headline: "Deal 10 of 20 · ten cards · diamonds are trumps", prompt: "Bid: how many tricks will you take?",
    hand: cards("As Ks 4s Qh 7h 2h Tc 9c Jd 3d"), to_act: [0, 2, 3],
    seats: seats(5, 10, (seat) => ({ dealer: seat === 4, to_act: [0, 2, 3].includes(seat), score: [57, 62, 10, 48, 33][seat]!, marks: marks(`Bid=${[1, 4].includes(seat) ? "✓" : "–"} Tricks=0`) })),
    zones: [{ id: "trick", kind: "trick", label: "Trick", cards: [] }, { id: "upcard", kind: "pile", label: "Upcard", count: 1, cards: ["8d"] }],
    moves: bids(0, 10),
  },
  rounds: {
    ...base, game: "rounds", title: "Rounds", players: 2, phase: "play", trump: "c",
    headline: "Game 2, round 3 · clubs and jacks are trumps", prompt: "Your turn: follow to K♦",
    hand: cards("9s Ks 5h Ad 3d Jd Jh 7c Qc"),
    seats: seats(2, 9, (seat) => ({ dealer: seat === 0, to_act: seat === 0, leader: seat === 1, cards: seat ? 8 : 9, score: seat ? 100 : 62, marks: marks(seat ? "Tricks=2 Points=24" : "Tricks=1 Points=18") })),
    zones: [
      { id: "trick", kind: "trick", label: "Trick", cards: [{ card: "Kd", seat: 1 }] },
      { id: "stock", kind: "pile", label: "Stock", count: 31, cards: [] },
      { id: "pile", kind: "row", label: "Trump pile", count: 3, cards: cards("3c 9h Jc") },
    ],
    moves: [...play("Ad 3d Jd"), say("call", "Call the revoke")],
  },
  kalooki: {
    ...base, game: "kalooki", title: "Kalooki", players: 5, phase: "play",
    headline: "Contract 6 · three threes and a four", prompt: "Your turn: lay, tack on or discard",
    hand: cards("Ks Ks 9s 8s 7s Qh 8h 5h Kd 8d 2d Jc 8c 3c 2c * *"),
    seats: seats(5, 11, (seat) => ({ dealer: seat === 3, to_act: seat === 0, cards: [17, 11, 4, 13, 9][seat]!, score: [120, 88, 214, 35, 310][seat]!, marks: marks(`Calls=${seat % 3} Down=${[0, 2, 4].includes(seat) ? "yes" : "no"}`) })),
    zones: [
      { id: "stock", kind: "pile", label: "Stock", count: 23, cards: [] },
      { id: "discards", kind: "pile", label: "Discards", count: 14, cards: cards("4d 9h Qs") },
      meld(1, 2, "9s Ts * Qs Ks"), meld(2, 2, "4s 4h 4c"), meld(3, 2, "Qs Qd Qc"), meld(4, 2, "Jh Jd Jc"),
      meld(5, 0, "5d * 7d 8d 9d Td"), meld(6, 0, "6s 6h 6h"), meld(7, 0, "As Ah *"), meld(8, 0, "3s 3s 3d"),
      meld(9, 4, "Tc Jc Qc Kc Ac"), meld(10, 4, "2s 2h 2d"), meld(11, 4, "7h 7h 7c"), meld(12, 4, "Th Td Tc"),
    ],
    moves: [
      ...cards("Ks 9s 8s 7s Qh 8h 5h Kd 8d 2d Jc 8c 3c 2c").map((card) => with_("discard", card, `Discard ${signed(card)}`)),
      ...cards("8h|8d|8c 8s|8h|8d 8s|8h|8c 8s|8d|8c Ks|Ks|Kd Ks|Ks|* Ks|Kd|* 8h|8d|* 8h|8c|* 8d|8c|* 8s|8h|* 8s|8d|* 8s|8c|* 7s|8s|9s|* *|7s|8s|9s 7s|8s|*|*").map((one) => with_("lay", one.replaceAll("|", " "), `Lay ${one.split("|").map(signed).join(" ")}`)),
      tack("Qh", 3), tack("Jc", 4), tack("*", 3), tack("*", 2), tack("2c", 10), tack("2d", 10), tack("3c", 8), tack("*", 9), tack("Jd", 5),
    ].filter((move) => move.text !== "tack Jd 5"),
  },
  loo: {
    ...base, game: "loo", title: "Loo", players: 10, phase: "play", trump: "s", deal: 7,
    headline: "Deal 7 of 20 · pot 35 · spades are trumps", prompt: "Your turn: trump if you can",
    hand: cards("Jc 4s Ts Kd 3d"),
    seats: seats(10, 5, (seat) => ({ dealer: seat === 2, to_act: seat === 0, leader: seat === 3, cards: [5, 5, 0, 4, 4, 0, 4, 4, 0, 4][seat]!, score: [12, -5, 40, -15, 0, 3, -20, 8, -30, 7][seat]!, marks: marks([2, 5, 8].includes(seat) ? "Out=–" : "Tricks=0") })),
    zones: [
      { id: "trick", kind: "trick", label: "Trick", cards: [{ card: "9h", seat: 3 }, { card: "Th", seat: 4 }, { card: "8h", seat: 5 }, { card: "2h", seat: 6 }, { card: "6s", seat: 7 }, { card: "Kh", seat: 8 }, { card: "Ah", seat: 9 }] },
      { id: "pot", kind: "pile", label: "Pot", count: 35, cards: [] },
    ],
    moves: play("Jc Ts"),
  },
  roundup: {
    ...base, game: "roundup", title: "Roundup!", players: 4, phase: "play",
    headline: "Round 3 · 10 points win", prompt: "Your turn: play a face-up card that fits",
    hand: cards("Qs 4s 9h 2d Td Kc 7c 5c Jc"),
    seats: seats(4, 9, (seat) => ({ dealer: seat === 1, to_act: seat === 0, cards: 9 + seat, open: [cards("4s 9h"), cards("3s 8s Th 2h 6d"), cards("Ac 9c"), cards("")][seat]!, score: seat * 2, marks: [{ label: "Guess", value: ["♠", "♥", "♣", "♠"][seat]! }] })),
    zones: [
      { id: "stack-s", kind: "row", label: "Spades", cards: cards("6s 5s") }, { id: "stack-h", kind: "row", label: "Hearts", cards: cards("7h 8h") },
      { id: "stack-d", kind: "row", label: "Diamonds", cards: [], count: 0 }, { id: "stack-c", kind: "row", label: "Clubs", cards: cards("4c") },
    ],
    moves: [...play("4s 9h"), ...[1, 2, 3].flatMap((to) => [..."shdc"].map((suit) => ({ text: `queen Qs ${to} ${suit}`, verb: "queen", cards: ["Qs"], label: `Q♠: ask seat ${to} for ${suit}` })))],
  },
  "ninety-nine": {
    ...base, game: "ninety-nine", title: "Ninety-Nine", players: 3, phase: "bid", trump: "d", headline: "Round 2 · diamonds are trumps", prompt: "Lay three cards aside as your bid",
    hand: cards("As Js 9s Kh Th 8h 6h Qc 9c 7c Ad 6d"),
    seats: seats(3, 12, (seat) => ({ dealer: seat === 2, to_act: true, score: seat * 20 })),
    zones: [{ id: "trick", kind: "trick", label: "Trick", cards: [] }],
    moves: triples(cards("As Js 9s Kh Th 8h 6h Ad 6d Qc 9c 7c")).map((text) => with_("bid", text, `Bid with ${cards(text).map(signed).join(" ")}`)),
  },
  cinch: {
    ...base, game: "cinch", title: "Cinch", players: 4, phase: "bid", headline: "Deal 1", prompt: "Waiting for seat 2 to bid", to_act: [2],
    hand: cards("As 5s 9h Qh 2c 7c Jc 5d Kd"),
    seats: seats(4, 9, (seat) => ({ dealer: seat === 3, to_act: seat === 2, partner: seat % 2, score: seat % 2 ? 12 : 30, marks: marks(`Bid=${["pass", "6", "–", "–"][seat]}`) })),
    zones: [{ id: "trick", kind: "trick", label: "Trick", cards: [] }],
    moves: [],
  },
};

function triples(from: string[]): string[] {
  return from.flatMap((a, i) => from.slice(i + 1).flatMap((b, j) => from.slice(i + j + 2).map((c) => `${a} ${b} ${c}`)));
}
