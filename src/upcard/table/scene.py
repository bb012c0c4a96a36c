"""What a seat sees and hears, in words and plain data: docs/protocol.md. Every face draws from this.

A scene is made from a `View`, a line of the log from a `Told`; both come from `upcard.views`, which has hidden already
what this seat may not know. Nothing here ever looks at a match's own state, except to keep the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from typing import Any

from upcard.engine.events import Event, Notice
from upcard.engine.match import Match
from upcard.engine.views import View, tell, view
from upcard.rules import cards
from upcard.rules.cards import JOKER, NO_SUIT, SUITS, Card, Suit
from upcard.rules.game import Game
from upcard.rules.scene import Scene, Zone
from upcard.rules.state import DEAL, DRAW, NOBODY, NOTHING, RESHUFFLE

Trick = Sequence[tuple[int, Card]]
KINDS = {"trick": "trick", "row": "row", "meld": "meld", "aside": "row", "dummy": "row"}
RED = (cards.DIAMONDS, cards.HEARTS)

# ------------------------------------------------------------------------------------------------------------- scenes


def describe(seen: View[Any], last_trick: Trick = (), names: Sequence[str] | None = None) -> dict[str, Any]:
    """The scene of a view. `last_trick` is the last finished trick, which lay open; `names` are the players'."""
    game, state = seen.game, seen.state
    if names is None:
        names = unnamed(state.players)
    told = game.scene(state, seen.options, seen.seat)
    done = state.to_act == 0 and state.awaiting == NOTHING
    zones = [_zone(zone, state.players) for zone in told.zones]
    return {
        "game": game.slug,
        "title": game.title,
        "seat": seen.seat,
        "players": state.players,
        "phase": seen.phase,
        "deal": state.deals,
        "trump": None if told.trump == NO_SUIT else SUITS[told.trump],
        "headline": told.headline,
        "prompt": _prompt(seen, told, done, names),
        "to_act": seen.to_act,
        "hand": [] if seen.seat is None else list(map(cards.text, sort_hand(_seen_cards(seen, seen.seat), told))),
        "seats": [_seat(seen, told, seat) for seat in range(state.players)],
        "zones": zones,
        "last_trick": _last_trick(seen, last_trick),
        "moves": [_move(game, move, told, zones, names) for move in seen.legal_moves()],
        "result": [line.format(*names) for line in told.result],
        "done": done,
        "winners": _winners(seen) if done else [],
    }


def unnamed(players: int) -> list[str]:
    """What players are called who have not said their names."""
    return [f"Seat {seat}" for seat in range(players)]


def _winners(seen: View[Any]) -> list[int]:
    return [seat for seat in range(seen.state.players) if seen.state.winners >> seat & 1]


def _prompt(seen: View[Any], told: Scene, done: bool, names: Sequence[str]) -> str:
    if done:
        winners = _listed([names[seat] for seat in _winners(seen)])
        return f"The match is over: {winners} {'win' if ' and ' in winners else 'wins'}" if winners else "It is over"
    if seen.seat in seen.to_act:
        return f"Your turn: {told.prompt}" if told.prompt else "Your turn"
    waited_for = _listed([names[seat] for seat in seen.to_act])
    return f"Waiting for {waited_for}" if waited_for else "Waiting for the cards"


def _listed(words: Sequence[str]) -> str:
    """`Ann`, `Ann and Bo`, `Ann, Bo and Cy`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _seen_cards(seen: View[Any], seat: int) -> list[Card]:
    return [card for card in seen.hand(seat) if card is not None]


def _seat(seen: View[Any], told: Scene, seat: int) -> dict[str, Any]:
    opened = [] if seat == seen.seat else sort_hand(_seen_cards(seen, seat), told)
    return {
        "seat": seat,
        "cards": seen.sizes[seat],
        "open": list(map(cards.text, opened)),
        "dealer": seat == seen.state.dealer,
        "to_act": seat in seen.to_act,
        "leader": seat == told.leader,
        "partner": told.sides[seat] if told.sides else None,
        "marks": [{"label": label, "value": str(value)} for label, value, *_ in told.marks[seat]],
        "score": seen.state.scores[seat],
    }


def _zone(zone: Zone, players: int) -> dict[str, Any]:
    drawn: dict[str, Any] = {"id": zone.id, "kind": KINDS.get(zone.role, "pile"), "label": zone.label}
    if zone.role == "trick":
        drawn["cards"] = _played(zip(zone.seats, zone.cards, strict=False), players)
    else:
        drawn["count"] = len(zone.cards) if zone.count is None else zone.count
        drawn["cards"] = list(map(cards.text, zone.cards))
    if zone.owner is not None:
        drawn["owner"] = zone.owner
    if zone.number is not None:
        drawn["number"] = zone.number
    return drawn


def _played(trick: Any, players: int) -> list[dict[str, Any]]:
    return [{"card": cards.text(card), "seat": _who(seat, players)} for seat, card in trick]


def _who(seat: int, players: int) -> int | str:
    """Who plays or takes: a seat or the dummy."""
    return seat if seat < players else "dummy"


def _last_trick(seen: View[Any], last_trick: Trick) -> dict[str, Any] | None:
    taker = getattr(seen.state, "taker", NOBODY)
    if not last_trick or taker == NOBODY:
        return None
    players = seen.state.players
    return {"cards": _played(last_trick, players), "taker": _who(taker, players)}


def _move(
    game: Game[Any], move: int, told: Scene, zones: Sequence[dict[str, Any]], names: Sequence[str]
) -> dict[str, Any]:
    spec = game.notation.spec(move)
    drawn: dict[str, Any] = {
        "text": game.notation.text(move),
        "verb": spec.word,
        "cards": list(map(cards.text, game.notation.cards(move))),
        "label": in_words(spec.label, game, move, names),
    }
    place = spec.zone
    for kind, number in zip(game.notation.kinds(move), game.notation.items(move), strict=True):
        if kind == "number":
            drawn["number"] = number
            place = told.target.format(number=number) if told.target else place
    if any(zone["id"] == place for zone in zones):
        drawn["zone"] = place
    return drawn


_IN_WORDS: dict[str, Callable[[int, Sequence[str]], str]] = {
    "card": lambda item, names: cards.sign(item),
    "suit": lambda item, names: cards.SUIT_SIGNS[item],
    "rank": lambda item, names: cards.RANKS[item].replace("T", "10"),
    "number": lambda item, names: str(item),
    "seat": lambda item, names: names[item],
}


def in_words(template: str, game: Game[Any], move: int, names: Sequence[str]) -> str:
    """A verb's label or log text with a move's items in it: {0}, {1}, … and {cards}."""
    items = zip(game.notation.kinds(move), game.notation.items(move), strict=True)
    words = [_IN_WORDS[kind](item, names) for kind, item in items]
    return template.format(*words, cards=" ".join(map(cards.sign, game.notation.cards(move))))


# -------------------------------------------------------------------------------------------------------------- hands


def sort_hand(held: Sequence[Card], told: Scene) -> list[Card]:
    """A hand as people hold it: suits together in alternating colours, the strong cards left, trumps at the right end.

    Jokers come last of all.
    """
    side = {card % 52 // 13 for card in held if card != JOKER and not told.trumps >> card & 1}
    order = _suit_order(side, told.trump)

    def place(card: Card) -> tuple[int, int, int]:
        if card == JOKER:
            return 6, 0, 0
        suit, rank = divmod(card, 13)
        strength = told.trump_strength if told.trump_strength and suit == told.trump else told.strength
        weakness = -(strength[rank] if strength else rank)
        if told.trumps >> card & 1:
            return 5, weakness, -suit
        return order.index(suit), weakness, 0

    return sorted(held, key=place)


def _suit_order(suits: set[Suit], trump: Suit) -> tuple[Suit, ...]:
    """These suits with the trump suit last and as often as possible a black one beside a red one."""
    plain = [suit for suit in (3, 2, 0, 1) if suit in suits and suit != trump]
    last = (trump,) if trump in suits else ()
    orders = [order + last for order in permutations(plain)]
    return max(orders, key=lambda order: sum((a in RED) != (b in RED) for a, b in pairwise(order)))


# ---------------------------------------------------------------------------------------------------------------- log


class Log:
    """The story of one match, as each seat heard it. It keeps everything and tells only what may be told."""

    def __init__(self, game: Game[Any], options: Any) -> None:
        self._game = game
        self._options = options
        self._events: list[tuple[Event, str]] = []
        self._kept_from = self._trick_from = 0

    def note(self, before: Match[Any], after: Match[Any], event: Event) -> None:
        """Take down an event of `after`, which `before` has not."""
        self._events.append((event, _outcome(before, after, event)))
        if after.last_trick is not before.last_trick and after.last_trick:
            self._kept_from, self._trick_from = self._trick_from, len(self._events)

    @property
    def oldest(self) -> int:
        """The first event, from 0, that may still be read: where tricks cannot be looked through, the last's."""
        forgets = self._game.forgets is not None and self._game.forgets(self._options)
        return self._kept_from if forgets else 0

    def line(self, number: int, seat: int | None, names: Sequence[str]) -> str:
        """What a seat hears of an event, counted from 0, on one line."""
        event, outcome = self._events[number]
        return say(self._game, tell(self._game, event, seat), names) + outcome.format(*names)


def say(game: Game[Any], told: Notice, names: Sequence[str]) -> str:
    """What a seat is told, in words."""
    if told.seat is None:
        return {DEAL: "Deal", RESHUFFLE: "The stock is made anew"}.get(told.move or 0, "A card is drawn by lot")
    if told.opened:
        return f"All is open: {', '.join(_said(game, seat, move, names) for seat, move in told.opened)}"
    if told.move is not None:
        return _said(game, told.seat, told.move, names)
    quiet = next(verb.quiet for verb in game.notation.verbs if verb.word == told.word)
    return f"{names[told.seat]} {quiet}" + (f" ({told.count} card{'s' * (told.count != 1)})" if told.count else "")


def _said(game: Game[Any], seat: int, move: int, names: Sequence[str]) -> str:
    return f"{names[seat]} {in_words(game.notation.spec(move).said, game, move, names)}"


def _outcome(before: Match[Any], after: Match[Any], event: Event) -> str:
    """What everybody sees come of an event, with {0} for the name of seat 0."""
    if event.word == "deal":
        return f" {after.state.deals}: {{{before.state.dealer}}} deals"
    outcome = _drawn(after, event) if event.seat is None and event.move == DRAW else ""
    taker = getattr(after.state, "taker", NOBODY)
    if after.last_trick is not before.last_trick and after.last_trick and taker != NOBODY:
        name = f"{{{taker}}}" if taker < after.players else "the dummy"
        outcome = " and takes the trick" if event.seat == taker else f"; {name} takes the trick"
    if after.done or after.state.awaiting == DEAL:
        everybody = view(after.setup, after.state, None)
        outcome += "".join(f". {line}" for line in after.game.scene(everybody.state, after.options, None).result)
    return outcome


def _drawn(after: Match[Any], event: Event) -> str:
    """The card just drawn by lot, if it lies open now."""
    card = event.items[0]
    everybody = view(after.setup, after.state, None)
    return f": {cards.sign(card)}" if card in after.game.all_cards(everybody.state) else ""
