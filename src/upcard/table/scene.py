"""The scene of a seat: its view as data that any user interface can draw, in one form for all games; see
docs/protocol.md.

A scene is made from a `View`, which already hides what the seat may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from upcard.engine.match import Match
from upcard.engine.views import View
from upcard.rules import cards
from upcard.rules.cards import JOKER, NO_SUIT, SUITS, Card, Cards, Suit
from upcard.rules.notation import Verb
from upcard.rules.phrases import to_follow
from upcard.rules.report import deals_over
from upcard.rules.scene import Mark, Scene, Zone
from upcard.rules.seats import acts
from upcard.rules.sentences import YOUR_TURN, PlayerAt, Sentence, as_sentence, sentence, your_turn
from upcard.rules.state import NOBODY, NOTHING, seats_of
from upcard.rules.tricks import TrickState
from upcard.table.offers import Offers, offers

TrickCards = Sequence[tuple[int, Card]]
SeatOrDummy = int | Literal["dummy"]
"""A seat, or "dummy": a hand without a player, whose cards are in the zone with this role."""
RED = (cards.DIAMONDS, cards.HEARTS)

# ---------------------------------------------------------------------------------------------------------------- data


class MarkView(Struct, omit_defaults=True, frozen=True):
    """A short text about a seat or the table: "Bid 3"."""

    label: str
    value: str
    role: str = ""
    of: int | None = None
    """The largest possible value, or the one to be reached."""


class SeatView(Struct):
    """One seat."""

    seat: int
    cards: int
    """The number of cards in its hand."""
    open: list[str]
    """Those of them that this viewer sees; empty for the viewer's own seat."""
    dealer: bool
    to_act: bool
    leader: bool
    side: int | None
    """The seats that score together share a number here."""
    marks: list[MarkView]
    """The most important first."""
    score: int
    place: int = 1
    """Its rank by the scores: 1 is the best, whether that takes many points or few; equal scores share a rank."""


class ZoneView(Struct, omit_defaults=True):
    """A zone on the table that is not the hand of a seat."""

    id: str
    role: str
    label: str
    cards: list[str] = field(default_factory=list)
    """The visible ones; the top card of a pile is the last."""
    count: int = 0
    seats: list[SeatOrDummy] = field(default_factory=list)
    """For a trick: who played each card."""
    owner: int | None = None
    number: int | None = None
    goal: int | None = None
    """The number of cards at which it is complete."""
    suit: str | None = None
    """The suit of all its cards, if they share one."""
    backers: list[int] = field(default_factory=list)
    """The seats that have bet on it, as far as this viewer knows."""


class LastTrick(Struct):
    """The last finished trick of the deal."""

    cards: list[str]
    seats: list[SeatOrDummy]
    taker: SeatOrDummy


class Order(Struct, omit_defaults=True, frozen=True):
    """The order of the ranks, the weakest first, for sorting a hand."""

    plain: str = cards.RANKS
    trump: str = ""
    """The same for the trump suit, if its ranks have another order."""
    trumps: list[str] = field(default_factory=list)
    """Cards outside the trump suit that are trumps too."""


class SceneView(Struct, omit_defaults=True):
    """A table as one seat sees it."""

    game: str
    title: str
    seat: int | None
    """The viewer's seat; None for a spectator."""
    players: int
    phase: str
    deal: int
    trump: str | None
    headline: str
    prompt: str
    to_act: list[int]
    hand: list[str]
    """This seat's cards, sorted for show, trumps at the right end."""
    open: list[str]
    """Those of them that everybody sees."""
    order: Order
    seats: list[SeatView]
    zones: list[ZoneView]
    """Everything else on the table, in the order to draw it."""
    ahead: SeatOrDummy | None
    """The seat that would take the trick as it is now."""
    last_trick: LastTrick | None
    offers: Offers
    result: list[str]
    """How the last deal ended, in words; empty before."""
    finished: list[list[MarkView]]
    """Per seat, the marks of the last finished deal, apart from those of the next one; empty before."""
    pot: int | None
    done: bool
    winners: list[int]
    marks: list[MarkView] = field(default_factory=list)
    """The marks of the whole table, for what all seats count together."""
    counts: bool = False
    """Whether the numbers of cards in the hands decide the deal."""

    def zone(self, zone_id: str) -> ZoneView:
        """The zone with this id. Raises KeyError."""
        zone = next((zone for zone in self.zones if zone.id == zone_id), None)
        if zone is None:
            raise KeyError(zone_id)
        return zone


class DrawnScene(NamedTuple):
    """A scene, and what it was made from. The next scene of the same viewer shares the parts that are the same."""

    shown: SceneView
    scene: Scene
    names: tuple[str, ...]


# ------------------------------------------------------------------------------------------------------- describing


def describe(seen: View[Any], last_trick: TrickCards = (), names: Sequence[str] | None = None) -> SceneView:
    """The scene of a view. `last_trick` is the last finished trick, which everybody saw; `names` are the players'."""
    return draw_scene(seen, last_trick, unnamed(seen.state.players) if names is None else names).shown


def draw_scene(
    seen: View[Any], last_trick: TrickCards, names: Sequence[str], before: DrawnScene | None = None
) -> DrawnScene:
    """The scene of a view, like `describe`. `before` is an earlier scene of the same viewer at the same table."""
    setup, state = seen.setup, seen.state
    game = setup.game
    names = tuple(names)
    scene = setup.scene(state, seen.seat)
    done = state.to_act == 0 and state.awaiting == NOTHING
    trick = setup.trick(state)
    trump = scene.trump if scene.trump != NO_SUIT else getattr(state, "trump", NO_SUIT)
    leader = getattr(state, "leader", NOBODY) if scene.leader is None else scene.leader
    zones = [_zone(zone, state.players, game) for zone in _with_trick(seen, scene.zones, trick)]
    strength = _Strength(tuple(scene.strength[:]), tuple(scene.trump_strength[:]), scene.trumps)
    held = [game.hand.cards(state, seat) for seat in range(state.players)]
    hands = [_hand_texts(tuple(hand), strength, trump) if hand else () for hand in held]
    marks = _marks_of_seats(scene, state.players, game, before)
    worth = [setup.utility(state, seat) for seat in range(state.players)]
    falling = sorted(worth, reverse=True)
    result, finished = _last_deal(scene, game, names, before) if deals_over(state) > 0 else ([], [])
    shown = SceneView(
        game=game.slug,
        title=as_sentence(game.title, game),
        seat=seen.seat,
        players=state.players,
        phase=seen.phase,
        deal=state.deals,
        trump=None if trump == NO_SUIT else SUITS[trump],
        headline=as_sentence(scene.headline, game) if state.deals else sentence("A new match"),
        prompt=_prompt(seen, scene, done, names),
        to_act=seen.to_act,
        hand=[] if seen.seat is None else [*hands[seen.seat]],
        open=_open(seen),
        order=_order(strength),
        seats=[
            _seat(seen, scene, seat, leader, hands[seat], marks[seat], 1 + falling.index(worth[seat]))
            for seat in range(state.players)
        ],
        zones=zones,
        ahead=_ahead(seen, scene, trick),
        last_trick=_last_trick(seen, last_trick),
        offers=_offers(seen, scene, zones, names),
        result=result,
        finished=finished,
        pot=scene.pot,
        done=done,
        winners=_winners(seen) if done else [],
        marks=_marks(scene.table, game) if state.deals else [],
        counts=scene.counts,
    )
    return DrawnScene(shown, scene, names)


def unnamed(players: int) -> list[str]:
    """The names of players without a name."""
    return [sentence("Seat {seat}", seat=seat) for seat in range(players)]


def _winners(seen: View[Any]) -> list[int]:
    return [seat for seat in range(seen.state.players) if seen.state.winners >> seat & 1]


def _prompt(seen: View[Any], scene: Scene, done: bool, names: tuple[str, ...]) -> Sentence:
    if done:
        winners = [PlayerAt(seat) for seat in _winners(seen)]
        if len(winners) > 1:
            return sentence("The match is over: {players} win", players=winners).format(*names)
        return sentence("The match is over: {player} wins", player=winners[0]).format(*names)
    if seen.seat is not None and acts(seen.state, seen.seat):
        asked = scene.prompt or _asked_in_trick(seen)
        whole = not asked or asked.startswith(YOUR_TURN)
        return as_sentence(asked or "Your turn", seen.game) if whole else your_turn("{asked}", asked=asked)
    return _waiting(seen.state.to_act, names)


@lru_cache(maxsize=1 << 10)
def _waiting(to_act: int, names: tuple[str, ...]) -> Sentence:
    """The prompt of those who wait for these seats, or for the cards."""
    if not to_act:
        return sentence("Waiting for the cards")
    return sentence("Waiting for {players}", players=[PlayerAt(seat) for seat in seats_of(to_act)]).format(*names)


def _asked_in_trick(seen: View[Any]) -> str:
    """The prompt for playing to a trick, where the game has none of its own."""
    state = seen.state
    if not isinstance(state, TrickState) or state.leader == NOBODY:
        return ""
    return to_follow(cards.sign(state.card[state.leader])) if state.in_trick else your_turn("lead any card")


def _open(seen: View[Any]) -> list[str]:
    """The viewer's own cards that everybody sees."""
    if seen.seat is None or seen.game.shown is None:
        return []
    return list(map(cards.text, seen.game.shown.cards(seen.state, seen.seat)))


def _last_deal(
    scene: Scene, game: Any, names: tuple[str, ...], before: DrawnScene | None
) -> tuple[list[str], list[list[MarkView]]]:
    """The result of the last finished deal, and the marks of the seats for it."""
    if before is not None and before.shown.finished and before.names == names:
        if before.scene.result == scene.result and before.scene.finished == scene.finished:
            return before.shown.result, before.shown.finished
    lines: list[str] = [as_sentence(line.format(*names), game) for line in scene.result]
    return lines, [_marks(marks, game) for marks in scene.finished]


def _marks_of_seats(scene: Scene, players: int, game: Any, before: DrawnScene | None) -> list[list[MarkView]]:
    """The marks of each seat."""
    if not scene.marks:
        return [[]] * players
    if before is None or not before.scene.marks:
        return [_marks(marks, game) for marks in scene.marks]
    return [
        seat.marks if marks == were else _marks(marks, game)
        for marks, were, seat in zip(scene.marks, before.scene.marks, before.shown.seats, strict=True)
    ]


def _marks(marks: Sequence[Mark | tuple[str, object]], game: Any) -> list[MarkView]:
    return [_mark(game, *mark) for mark in marks]


@lru_cache(maxsize=4096, typed=True)
def _mark(game: Any, label: str, value: object, role: str = "", of: int | None = None) -> MarkView:
    shown = as_sentence(value, game) if isinstance(value, str) else str(value)
    return MarkView(as_sentence(label, game), shown, role, of)


def _seat(
    seen: View[Any],
    scene: Scene,
    seat: int,
    leader: int,
    hand: Sequence[str],
    marks: list[MarkView],
    place: int,
) -> SeatView:
    """One seat; `hand` are the cards in its hand that this viewer sees."""
    state = seen.state
    return SeatView(
        seat,
        seen.sizes[seat],
        [] if seat == seen.seat else [*hand],
        seat == state.dealer,
        acts(state, seat),
        seat == leader,
        scene.sides[seat] if scene.sides else None,
        marks,
        state.scores[seat],
        place,
    )


def _with_trick(seen: View[Any], zones: Sequence[Zone], trick: TrickCards) -> Sequence[Zone]:
    """The zones of a game, and the trick if it does not describe that itself."""
    if not seen.state.deals or not seen.game.has_tricks() or any(zone.role == "trick" for zone in zones):
        return zones
    played, by = tuple([card for _, card in trick]), tuple([seat for seat, _ in trick])
    return [Zone("trick", "trick", "Trick", played, seats=by), *zones]


def _zone(zone: Zone, players: int, game: Any) -> ZoneView:
    return ZoneView(
        zone.id,
        zone.role,
        as_sentence(zone.label, game),
        list(map(cards.text, zone.cards)) if zone.cards else [],
        len(zone.cards) if zone.count is None else zone.count,
        [_who(seat, players) for seat, _ in zip(zone.seats, zone.cards, strict=False)] if zone.seats else [],
        zone.owner,
        zone.number,
        zone.goal,
        None if zone.suit == NO_SUIT else SUITS[zone.suit],
        [*zone.backers],
    )


def _who(seat: int, players: int) -> SeatOrDummy:
    """A seat number as a seat or the dummy."""
    return seat if seat < players else "dummy"


def _ahead(seen: View[Any], scene: Scene, trick: TrickCards) -> SeatOrDummy | None:
    if not trick:
        return None
    ahead = getattr(seen.state, "ahead", NOBODY) if scene.ahead is None else scene.ahead
    return None if ahead == NOBODY else _who(ahead, seen.state.players)


def _last_trick(seen: View[Any], last_trick: TrickCards) -> LastTrick | None:
    taker = getattr(seen.state, "taker", NOBODY)
    if not last_trick or taker == NOBODY:
        return None
    players = seen.state.players
    played = [cards.text(card) for _, card in last_trick]
    return LastTrick(played, [_who(seat, players) for seat, _ in last_trick], _who(taker, players))


def _offers(seen: View[Any], scene: Scene, zones: Sequence[ZoneView], names: Sequence[str]) -> Offers:
    """The seat's legal moves. A single one is marked as forced if that reveals nothing: everybody knows that a last
    card must be played to a trick, or can work out the moves."""
    moves = seen.legal_moves()
    if not moves or seen.seat is None:
        return Offers()
    arranged = offers(seen.setup, moves, _zone_finder(scene, zones, seen.game), names, scene.worth)
    last_card = seen.sizes[seen.seat] == 1 and seen.game.has_tricks() and seen.game.notation.spec(moves[0]).word == ""
    if len(moves) == 1 and (last_card or seen.setup.moves_are_public(seen.state, seen.seat)):
        arranged.forced = seen.game.notation.text(moves[0])
    return arranged


def _zone_finder(scene: Scene, zones: Sequence[ZoneView], game: Any) -> Any:
    there = {zone.id for zone in zones}

    def zone_of(move: int, verb: Verb) -> str | None:
        place = verb.zone
        if scene.target:
            for kind, number in zip(game.notation.kinds(move), game.notation.items(move), strict=True):
                if kind == "number":
                    place = scene.target.format(number=number)
        return place if place in there else None

    return zone_of


# -------------------------------------------------------------------------------------------------------------- hands


class _Strength(NamedTuple):
    """The order of the cards by `Scene.strength`, `trump_strength` and `trumps`."""

    plain: tuple[int, ...]
    trump: tuple[int, ...]
    trumps: Cards


@lru_cache(maxsize=256)
def _order(strength: _Strength) -> Order:
    trumps = [cards.text(card) for card in cards.as_list(strength.trumps)]
    return Order(_ranks(strength.plain) or cards.RANKS, _ranks(strength.trump), trumps)


def _ranks(strength: Sequence[int]) -> str:
    """The ranks in order of strength, the weakest first."""
    there = [rank for rank in range(13) if strength and strength[rank]]
    return "".join(cards.RANKS[rank] for rank in sorted(there, key=lambda rank: strength[rank]))


def sort_hand(held: Sequence[Card], scene: Scene, trump: Suit) -> list[Card]:
    """A hand sorted as people do it: suits in alternating colours, strong cards left, trumps at the right end.

    Jokers come last of all.
    """
    return _sorted_hand(held, _Strength(tuple(scene.strength[:]), tuple(scene.trump_strength[:]), scene.trumps), trump)


@lru_cache(maxsize=1 << 12)
def _hand_texts(held: tuple[Card, ...], strength: _Strength, trump: Suit) -> tuple[str, ...]:
    """The texts of a hand's cards, sorted; cached, as a hand seldom changes."""
    return tuple(map(cards.text, _sorted_hand(held, strength, trump)))


def _sorted_hand(held: Sequence[Card], strength: _Strength, trump: Suit) -> list[Card]:
    if len(held) < 2:
        return list(held)
    side = frozenset(card // 13 for card in held if card != JOKER and not strength.trumps >> card & 1)
    order = _suit_order(side, trump)

    def place(card: Card) -> tuple[int, int, int]:
        if card == JOKER:
            return 6, 0, 0
        suit, rank = divmod(card, 13)
        by_rank = strength.trump if strength.trump and suit == trump else strength.plain
        weakness = -(by_rank[rank] if by_rank else rank)
        if strength.trumps >> card & 1:
            return 5, weakness, -suit
        return order.index(suit), weakness, 0

    return sorted(held, key=place)


@lru_cache(maxsize=256)
def _suit_order(suits: frozenset[Suit], trump: Suit) -> tuple[Suit, ...]:
    """These suits with the trump suit last, and colours alternating as far as possible."""
    plain = [suit for suit in (3, 2, 0, 1) if suit in suits and suit != trump]
    last = (trump,) if trump in suits else ()
    orders = [order + last for order in permutations(plain)]
    return max(orders, key=lambda order: sum((a in RED) != (b in RED) for a, b in pairwise(order)))


Viewpoint = int | Literal["all"] | None
"""A seat's point of view; "all": all cards face up; None: the public's."""


def scene_for(match: Match[Any], viewpoint: Viewpoint, names: Sequence[str]) -> SceneView:
    """The present scene of a match from this point of view. Use "all" only for matches that are over."""
    if viewpoint != "all":
        return describe(match.view(viewpoint), match.last_trick, names)
    scene = describe(match.view(None), match.last_trick, names)
    for seat in scene.seats:
        seat.open = describe(match.view(seat.seat), match.last_trick, names).hand
    return scene
