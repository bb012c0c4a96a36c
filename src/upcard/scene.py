"""What a seat sees and hears, in words and plain data: docs/protocol.md. Every face draws from this.

A scene is made from a `View`, a line of the log from a `Told`; both come from `upcard.views`, which has hidden already
what this seat may not know. Nothing here ever looks at a match's own state, except to keep the log.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from typing import Any

from upcard import cards
from upcard.cards import JOKER, NO_SUIT, SUITS, Card, Suit
from upcard.game import DEAL, DRAW, NOBODY, NOTHING, RESHUFFLE, Game, Heard, Scene, Zone
from upcard.match import Match
from upcard.views import Event, Told, View, hears, tell, view

Trick = Sequence[tuple[int, Card]]
RED = (cards.DIAMONDS, cards.HEARTS)

# ------------------------------------------------------------------------------------------------------------- scenes


def describe(seen: View, last_trick: Trick = (), names: Sequence[str] | None = None) -> dict[str, Any]:
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
        "moves": [_move(game, move, told, zones, names) for move in seen.moves()],
        "result": [line.format(*names) for line in told.result],
        "done": done,
        "winners": _winners(seen) if done else [],
    }


def unnamed(players: int) -> list[str]:
    """What players are called who have not said their names."""
    return [f"Seat {seat}" for seat in range(players)]


def _winners(seen: View) -> list[int]:
    return [seat for seat in range(seen.state.players) if seen.state.winners >> seat & 1]


def _prompt(seen: View, told: Scene, done: bool, names: Sequence[str]) -> str:
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


def _seen_cards(seen: View, seat: int) -> list[Card]:
    return [card for card in seen.hand(seat) if card is not None]


def _seat(seen: View, told: Scene, seat: int) -> dict[str, Any]:
    opened = [] if seat == seen.seat else sort_hand(_seen_cards(seen, seat), told)
    return {
        "seat": seat,
        "cards": seen.sizes[seat],
        "open": list(map(cards.text, opened)),
        "dealer": seat == seen.state.dealer,
        "to_act": seat in seen.to_act,
        "leader": seat == told.leader,
        "partner": told.sides[seat] if told.sides else None,
        "marks": [{"label": label, "value": str(value)} for label, value in told.marks[seat]],
        "score": seen.state.scores[seat],
    }


def _zone(zone: Zone, players: int) -> dict[str, Any]:
    drawn: dict[str, Any] = {"id": zone.id, "kind": zone.kind, "label": zone.label}
    if zone.kind == "trick":
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


def _last_trick(seen: View, last_trick: Trick) -> dict[str, Any] | None:
    taker = getattr(seen.state, "taker", NOBODY)
    if not last_trick or taker == NOBODY:
        return None
    players = seen.state.players
    return {"cards": _played(last_trick, players), "taker": _who(taker, players)}


def _move(game: Game, move: int, told: Scene, zones: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    spec = game.moves.spec(move)
    drawn: dict[str, Any] = {
        "text": game.moves.text(move),
        "verb": spec.word,
        "cards": list(map(cards.text, game.moves.cards(move))),
        "label": in_words(spec.label, game, move, names),
    }
    place = spec.zone
    for kind, number in zip(game.moves.kinds(move), game.moves.items(move), strict=True):
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


def in_words(template: str, game: Game, move: int, names: Sequence[str]) -> str:
    """A verb's label or log text with a move's items in it: {0}, {1}, … and {cards}."""
    items = zip(game.moves.kinds(move), game.moves.items(move), strict=True)
    words = [_IN_WORDS[kind](item, names) for kind, item in items]
    return template.format(*words, cards=" ".join(map(cards.sign, game.moves.cards(move))))


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

    def __init__(self, game: Game, options: Any) -> None:
        self._game = game
        self._options = options
        self._events: list[tuple[Event, str]] = []
        self._kept_from = self._trick_from = 0
        self._sealed: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._events)

    def note(self, before: Match, after: Match) -> None:
        """Take down the last event of `after`, which `before` has not."""
        seat, _, text = after.events[-1].partition(" ")
        if before.state.awaiting != NOTHING:
            event = Event(None, before.state.awaiting)
            self._sealed = []
        else:
            event = self._moved(int(seat), self._game.moves.read(text).move or 0, before, after)
        self._events.append((event, _outcome(before, after)))
        if after.last_trick is not before.last_trick and after.last_trick:
            self._kept_from, self._trick_from = self._trick_from, len(self._events)

    def _moved(self, seat: int, move: int, before: Match, after: Match) -> Event:
        is_sealed = self._game.moves.spec(move).heard is Heard.SEALED
        others_hear = hears(self._game, before.state, after.state, self._options, seat, move, None)
        if not is_sealed:
            return Event(seat, move, others_hear)
        self._sealed.append((seat, move))
        if others_hear is not Heard.ALL:
            return Event(seat, move, others_hear)
        opened, self._sealed = sorted(self._sealed), []
        return Event(seat, move, others_hear, tuple(opened) if len(opened) > 1 else ())

    @property
    def oldest(self) -> int:
        """The first event, from 0, that may still be read: where tricks cannot be looked through, the last's."""
        forgets = self._game.forgets is not None and self._game.forgets(self._options)
        return self._kept_from if forgets else 0

    def line(self, number: int, seat: int | None, names: Sequence[str]) -> str:
        """What a seat hears of an event, counted from 0, on one line."""
        event, outcome = self._events[number]
        return say(self._game, tell(self._game, event, seat), names) + outcome.format(*names)


def say(game: Game, told: Told, names: Sequence[str]) -> str:
    """What a seat is told, in words."""
    if told.seat is None:
        return {DEAL: "Deal", RESHUFFLE: "The stock is made anew"}.get(told.move or 0, "A card is drawn by lot")
    if told.opened:
        return f"All is open: {', '.join(_said(game, seat, move, names) for seat, move in told.opened)}"
    if told.move is not None:
        return _said(game, told.seat, told.move, names)
    quiet = next(verb.quiet for verb in game.moves.verbs if verb.word == told.word)
    return f"{names[told.seat]} {quiet}" + (f" ({told.count} card{'s' * (told.count != 1)})" if told.count else "")


def _said(game: Game, seat: int, move: int, names: Sequence[str]) -> str:
    return f"{names[seat]} {in_words(game.moves.spec(move).said, game, move, names)}"


def _outcome(before: Match, after: Match) -> str:
    """What everybody sees come of an event, with {0} for the name of seat 0."""
    if before.state.awaiting == DEAL:
        return f" {after.state.deals}: {{{before.state.dealer}}} deals"
    outcome = _drawn(after) if before.state.awaiting == DRAW else ""
    taker = getattr(after.state, "taker", NOBODY)
    if after.last_trick is not before.last_trick and after.last_trick and taker != NOBODY:
        by_mover = after.events[-1].startswith(f"{taker} ")
        name = f"{{{taker}}}" if taker < after.players else "the dummy"
        outcome = " and takes the trick" if by_mover else f"; {name} takes the trick"
    if after.done or after.state.awaiting == DEAL:
        everybody = view(after.game, after.state, after.options, None)
        outcome += "".join(f". {line}" for line in after.game.scene(everybody.state, after.options, None).result)
    return outcome


def _drawn(after: Match) -> str:
    """The card just drawn by lot, if it lies open now."""
    card = cards.read(after.events[-1].split(" ")[1]) or 0
    everybody = view(after.game, after.state, after.options, None)
    return f": {cards.sign(card)}" if card in after.game.all_cards(everybody.state) else ""
