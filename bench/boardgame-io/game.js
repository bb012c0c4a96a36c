// A two-handed trick game with a talon, in the form that boardgame.io prefers: 24 cards, six in hand, a trump suit that
// is turned up, both draw after each trick, and suits must be followed once the talon is empty. A match has seven deals.

const { INVALID_MOVE } = require('boardgame.io/core');

const SUITS = 'cdhs';
const POINTS = { 9: 0, J: 2, Q: 3, K: 4, T: 10, A: 11 };
const RANKS = Object.keys(POINTS);
const DEALS = 7;
const PACK = [...SUITS].flatMap((suit) => RANKS.map((rank) => rank + suit));

function deal(random, dealer, scores, deals) {
  const cards = random.Shuffle(PACK);
  return {
    hands: { 0: cards.slice(0, 6), 1: cards.slice(6, 12) },
    talon: cards.slice(13),
    upcard: cards[12],
    trump: cards[12][1],
    trick: [],
    lastTrick: [],
    points: [0, 0],
    scores,
    dealer,
    deals,
  };
}

function isLegal(G, player, card) {
  const hand = G.hands[player];
  if (!hand.includes(card)) return false;
  if (G.trick.length === 0 || G.upcard !== null) return true;
  const suit = G.trick[0].card[1];
  return card[1] === suit || !hand.some((held) => held[1] === suit);
}

function beats(G, one, other) {
  if (one[1] === other[1]) return RANKS.indexOf(one[0]) > RANKS.indexOf(other[0]);
  return one[1] === G.trump;
}

function draw(G, player) {
  const card = G.talon.length > 0 ? G.talon.pop() : G.upcard;
  if (G.talon.length === 0 && card === G.upcard) G.upcard = null;
  G.hands[player].push(card);
}

function play({ G, ctx, random, events }, card) {
  const player = ctx.currentPlayer;
  if (!isLegal(G, player, card)) return INVALID_MOVE;
  G.hands[player] = G.hands[player].filter((held) => held !== card);
  G.trick.push({ player, card });
  if (G.trick.length === 1) {
    events.endTurn();
    return undefined;
  }
  const [led, followed] = G.trick;
  const winner = beats(G, followed.card, led.card) ? followed.player : led.player;
  G.points[winner] += POINTS[led.card[0]] + POINTS[followed.card[0]];
  G.lastTrick = G.trick;
  G.trick = [];
  if (G.upcard !== null) {
    draw(G, winner);
    draw(G, 1 - winner);
  }
  if (G.points[winner] >= 66 || G.hands[winner].length === 0) {
    const scores = [...G.scores];
    scores[winner] += 1;
    if (G.deals + 1 === DEALS) {
      events.endGame({ scores });
      return undefined;
    }
    Object.assign(G, deal(random, 1 - G.dealer, scores, G.deals + 1));
  }
  events.endTurn({ next: winner });
  return undefined;
}

module.exports = {
  name: 'talon',
  setup: ({ random }) => deal(random, 0, [0, 0], 0),
  minPlayers: 2,
  maxPlayers: 2,
  moves: { play: { move: play, client: false } },
  playerView: ({ G, playerID }) => ({
    ...G,
    hands: { [playerID]: G.hands[playerID] },
    sizes: [G.hands[0].length, G.hands[1].length],
    talon: G.talon.length,
  }),
};
