"""The small parts of all games: cards, records, options, moves, tricks, and what a seat sees and hears."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_game import SmallGame

from upcard.engine.events import Event, SeenEvent, chance_event, move_event
from upcard.engine.setup import Setup
from upcard.engine.views import audience, seen_event, told_text, view
from upcard.games.linger_longer import LingerLonger
from upcard.rules import (
    DEAL,
    Attempt,
    Audience,
    Cards,
    Clauses,
    Game,
    GameState,
    Holding,
    Notation,
    Pile,
    Reasons,
    brief,
    card_set,
    cards,
    choice,
    digits,
    everybody,
    face_down,
    face_down_set,
    flag,
    held,
    item,
    items_of,
    only,
    open_card,
    open_field,
    open_pile,
    open_set,
    override,
    own,
    per_seat,
    say,
    say1,
    say2,
    sealed,
    seats_of,
    secret,
    tricks,
    verb_of,
    whole,
    words,
)  # fmt: skip
from upcard.rules.cards import JOKER, NO_CARD, NO_SUIT
from upcard.rules.marks import mark_of
from upcard.rules.options import BadOption
from upcard.rules.state import Record
from upcard.rules.twins import twins_of

CARD_SETS = st.integers(0, (1 << 53) - 1)


def as_set(texts: str) -> int:
    return cards.as_set(named(texts))


def named(texts: str) -> list[int]:
    found = [cards.read(text) for text in texts.split()]
    assert None not in found
    return [card for card in found if card is not None]


# -------------------------------------------------------------------------------------------------------------- cards


def test_every_card_has_one_text_and_reads_back() -> None:
    texts = [cards.text(card) for card in range(53)]
    assert len(set(texts)) == 53
    assert [cards.read(text) for text in texts] == list(range(53))
    assert [cards.read(cards.sign(card)) for card in range(52)] == list(range(52))
    assert texts[:13] == [rank + "c" for rank in "23456789TJQKA"]
    assert texts[52] == "*"


@pytest.mark.parametrize("text", ["As", "as", "AS", "aS", "A♠", "a♠", "A♤"])
def test_spellings_of_a_card(text: str) -> None:
    assert cards.read(text) == cards.card(cards.ACE, cards.SPADES)


@pytest.mark.parametrize("text", ["Td", "td", "10d", "10D", "10♦", "T♢", "t♦"])
def test_spellings_of_a_ten(text: str) -> None:
    assert cards.read(text) == cards.card(cards.TEN, cards.DIAMONDS)


@pytest.mark.parametrize(
    "text", ["", "A", "s", "sA", "1s", "0s", "11s", "Ax", "As ", " As", "A s", "10", "**", "Joker"]
)
def test_what_is_no_card(text: str) -> None:
    assert cards.read(text) is None


def test_suits_and_ranks_read() -> None:
    assert [cards.read_suit(letter) for letter in ("c", "D", "♥", "♤", "x", "", "cd")] == [0, 1, 2, 3, None, None, None]
    assert [cards.read_rank(text) for text in ("2", "T", "10", "a", "1", "")] == [0, 8, 8, 12, None, None]


def test_signs_for_people() -> None:
    assert [cards.sign(card) for card in named("As Td *")] == ["A♠", "10♦", "Joker"]


def test_packs_and_tables() -> None:
    assert len(cards.pack()) == len(set(cards.pack())) == 52
    assert [cards.text(card) for card in cards.pack("AK")] == ["As", "Ks", "Ah", "Kh", "Ad", "Kd", "Ac", "Kc"]
    strength = cards.ranking("A T K")
    assert [strength[rank] for rank in (cards.ACE, cards.TEN, cards.KING, cards.TWO)] == [3, 2, 1, 0]
    assert cards.values(A=11, T=10)[cards.ACE] == 11
    assert sum(cards.values(A=11, T=10)) == 21


@given(CARD_SETS)
def test_sets(bits: int) -> None:
    listed = cards.as_list(bits)
    assert cards.as_set(listed) == bits
    assert cards.count(bits) == len(listed)
    if bits:
        assert cards.lowest(bits) == min(listed)
        assert cards.highest(bits) == max(listed)
    for suit in range(4):
        assert cards.as_list(cards.of_suit(bits, suit)) == [card for card in listed if card // 13 == suit]
    for rank in range(13):
        same = [card for card in listed if card != JOKER and card % 13 == rank]
        assert cards.as_list(cards.of_rank(bits, rank)) == same


def test_a_set_is_listed_in_pack_order() -> None:
    assert cards.as_list(as_set("2c * Ah Ks As 9d")) == named("As Ks Ah 9d 2c *")


def test_suit_and_rank_of_every_card() -> None:
    for card in range(52):
        assert (cards.suit_of(card), cards.rank_of(card)) == divmod(card, 13)
        assert cards.card(cards.rank_of(card), cards.suit_of(card)) == card
        assert cards.all_of(cards.suit_of(card)) & cards.bit(card)
    assert cards.suit_of(JOKER) == 4


# ------------------------------------------------------------------------------------------------------------- tricks


def test_which_card_takes_the_trick() -> None:
    def beats(card: str, best: str, trump: str = "") -> bool:
        first, second = named(f"{card} {best}")
        suit = cards.read_suit(trump)
        return tricks.beats(first, second, NO_SUIT if suit is None else suit)

    assert beats("As", "Ks")
    assert not beats("Ks", "As")
    assert not beats("Ah", "2s")
    assert beats("2h", "As", "h")
    assert not beats("2h", "3h", "h")
    assert not beats("As", "2h", "h")
    assert not beats("Ad", "2s", "h")


def test_ranks_of_another_order() -> None:
    strength = cards.ranking("A T K Q J 9")
    ten, king, nine = named("Ts Ks 9h")
    assert tricks.beats_by(ten, king, NO_SUIT, strength)
    assert not tricks.beats(ten, king, NO_SUIT)
    assert tricks.beats_by(nine, ten, cards.HEARTS, strength)
    assert not tricks.beats_by(ten, nine, cards.HEARTS, strength)
    assert tricks.higher(as_set("As Ts Qs Ah"), king, strength) == as_set("As Ts")
    assert tricks.higher(as_set("Qs Ah"), king, strength) == 0


def test_following_suit() -> None:
    assert tricks.follow(as_set("As 9s Kh"), cards.SPADES) == as_set("As 9s")
    assert tricks.follow(as_set("As 9s Kh"), cards.CLUBS) == as_set("As 9s Kh")


# ------------------------------------------------------------------------------------------------------------ records


def test_a_field_of_which_is_not_said_who_sees_it_does_not_load() -> None:
    with pytest.raises(TypeError, match=r"Leaky\.hand: say who may see it"):

        class Leaky(Record):
            hand: int

    with pytest.raises(TypeError, match=r"Leaky2\.hand: say who may see it"):

        class Leaky2(GameState, seats=2):
            hand: int = 0


def test_a_pile_is_counted_by_a_number_that_all_see() -> None:
    """Compiled views show that number as the size of the pile."""
    with pytest.raises(TypeError, match=r"Counted\.stock: counted='left' is no number that all see"):

        class Counted(GameState, seats=3):
            stock: Any = face_down(4, counted="left")
            left: int = secret()


class Numbers(Record, seats=3):
    one: int = open_field(7)
    card: int = open_card()
    row: Any = per_seat(1)
    pile: Any = open_pile(2)


def test_a_record_begins_blank() -> None:
    numbers = Numbers()
    assert (numbers.one, numbers.card, numbers.row, numbers.pile) == (7, NO_CARD, [1, 1, 1], [NO_CARD] * 2)


def test_a_copy_is_a_record_of_its_own() -> None:
    numbers = Numbers()
    twin = numbers.copy()
    assert twin == numbers
    twin.row[0] = 5
    assert numbers.row == [1, 1, 1]
    assert twin != numbers
    assert numbers != object()
    with pytest.raises(TypeError):
        hash(numbers)


def test_sets_of_seats() -> None:
    assert everybody(3) == only(0) | only(1) | only(2)
    assert seats_of(everybody(10)) == list(range(10))
    assert seats_of(0) == []


def test_holding_a_double_pack() -> None:
    class Hands(Record, seats=2):
        hand: Any = held()
        second: Any = held(cards="second")
        jokers: Any = held(cards="jokers")

    hands, holding = Hands(), Holding("hand", "second", "jokers")
    holding.put(hands, 1, named("As Kh * As *"))
    assert holding.cards(hands, 1) == named("As As Kh * *")
    assert holding.cards(hands, 0) == []
    assert hands.second[1] == as_set("As")
    assert hands.jokers[1] == 2
    holding.put(hands, 1, named("Kh"))
    assert holding.cards(hands, 1) == named("Kh")


# ------------------------------------------------------------------------------------------------------------ options


class Switches(SmallGame):
    title = "Switches"
    clauses = Clauses(event="TT-8", options="TT-9")
    target: int = whole(lambda players: 10 * players, 1, lambda players: 20 * players, clause="TT-1", help="")
    style: int = choice("soft", "hard", clause="TT-2", help="")
    bonus: int = choice(0, 10, 25, clause="TT-3", help="")
    fast: int = flag(False, clause="TT-4", help="")
    order: int = digits("123", 4, clause="TT-5", help="")


def test_options_by_default() -> None:
    options = Switches(3, {})
    assert (options.target, options.style, options.bonus, options.fast, options.order) == (30, 0, 0, 0, 123)
    assert options.chosen == {}


def test_options_chosen() -> None:
    values = {"target": 40, "style": "hard", "bonus": 25, "fast": True, "order": "9999"}
    options = Switches(2, values)
    assert (options.target, options.style, options.bonus, options.fast, options.order) == (40, 1, 25, 1, 9999)
    assert options.chosen == values


@pytest.mark.parametrize(
    ("name", "values", "clause"),
    [
        ("target", [0, 41, "20", 20.0, True, None, []], "TT-1"),
        ("style", ["Soft", "", 0, 1, True, None], "TT-2"),
        ("bonus", [5, "10", 10.0, False, None], "TT-3"),
        ("fast", [0, 1, "true", None], "TT-4"),
        ("order", ["", "12345", "102", "1 2", "²", 12, None, "1\n"], "TT-5"),
        ("other", [0, None], "TT-9"),
        ("", [0], "TT-9"),
    ],
)
def test_options_refused(name: str, values: list[object], clause: str) -> None:
    for value in values:
        with pytest.raises(BadOption) as refused:
            Switches(2, {name: value})
        assert refused.value.clause == clause


def test_one_clause_for_all_wrong_values() -> None:
    class Strict(SmallGame):
        title = "Strict"
        refused = "TT-7"
        style: int = choice("soft", "hard", clause="TT-2", help="")

    with pytest.raises(BadOption) as refused:
        Strict(2, {"style": "mild"})
    assert refused.value.clause == "TT-7"


def test_options_as_typed_and_in_words() -> None:
    options = Switches.declared_options
    assert options["target"].read("12") == 12
    assert options["target"].read("-1") == -1
    assert options["target"].read("many") == "many"
    assert options["target"].read("9" * 5000) == "9" * 5000
    assert options["style"].read("HARD") == "hard"
    assert options["bonus"].read("25") == 25
    assert options["fast"].read("True") is True
    assert options["order"].read("321") == "321"
    assert [option.describe(2) for option in options.values()] == [
        "a whole number from 1 to 40",
        "soft or hard",
        "0, 10 or 25",
        "false or true",
        "1 to 4 digits from 1 to 9",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (5, "5"),
        (-(10**40), "a very large number"),
        (1.5, "1.5"),
        ("a\nb", r"'a\nb'"),
        ("x" * 10**6, "'" + "x" * 59 + "…"),
        ([[]], "a list"),
        ({"a": 1}, "an object"),
        (np.int64(5), "5"),
        (np.True_, "a bool"),
        (np.float32(5), "a float32"),
        (np.float64(5), "np.float64(5.0)"),
        ((1, 2), "a tuple"),
        (ValueError(), "a ValueError"),
        (ImportError(), "an ImportError"),
    ],
)
def test_values_from_outside_in_a_message(value: object, text: str) -> None:
    assert brief(value) == text


def test_a_number_too_long_to_write_in_a_message() -> None:
    assert brief(10**5000) == "a very large number"


# -------------------------------------------------------------------------------------------------------------- moves

MOVES = Notation()
BID = MOVES.verb("bid", "number", heard=Audience.SEALED, label="Bid {0}", said="bids {0}", quiet="has bid")
CALL = MOVES.verb("call", heard=Audience.ALL, label="Call", said="calls")
AIM = MOVES.verb("aim", "card seat suit rank", heard=Audience.WORD, label="Aim", said="aims")
THROW = MOVES.verb("throw", "card+", heard=Audience.COUNT, label="Throw {cards}", said="throws {cards}")
NOT_GOOD = MOVES.verb("not good", heard=Audience.ALL, label="Not good", said="says not good")
NOT = MOVES.verb("not", "suit", heard=Audience.ALL, label="Not {0}", said="says not {0}")

ITEMS = {"card": (0, 52), "suit": (0, 3), "rank": (0, 12), "number": (0, 63), "seat": (0, 9)}


@st.composite
def moves(draw: st.DrawFn) -> int:
    verb = draw(st.integers(0, len(MOVES.verbs) - 1))
    kinds = MOVES.verbs[verb].items
    if kinds == ("card+",):
        kinds = ("card",) * draw(st.integers(1, 8))
    return say(verb << 51, [draw(st.integers(*ITEMS[kind])) for kind in kinds])


@given(moves())
def test_a_move_and_its_text_are_the_same(move: int) -> None:
    said = MOVES.read(MOVES.text(move))
    assert said.move == move < 1 << 62
    assert said.verb == verb_of(move)
    assert list(said.items or ()) == MOVES.items(move)
    assert [item(move, i) for i in range(len(MOVES.items(move)))] == MOVES.items(move)
    assert not MOVES.items(move) or items_of(move) == len(MOVES.items(move))


@given(st.lists(st.sampled_from(["bid", "aim", "throw", "not", "good", "As", "3", "h", "", "x"]), max_size=10))
def test_any_text_is_read_without_fail(words: list[str]) -> None:
    said = MOVES.read(" ".join(words))
    if said.move is not None:
        assert MOVES.read(MOVES.text(said.move)).move == said.move


def test_texts_of_moves() -> None:
    ace, king = named("As Kh")
    assert MOVES.text(ace) == "As"
    assert MOVES.text(say1(BID, 12)) == "bid 12"
    assert MOVES.text(CALL) == "call"
    assert MOVES.text(say2(THROW, ace, king)) == "throw As Kh"
    assert MOVES.text(say(AIM, (ace, 1, cards.HEARTS, cards.TEN))) == "aim As 1 h T"
    assert MOVES.cards(say(AIM, (ace, 1, cards.HEARTS, cards.TEN))) == [ace]
    assert MOVES.text(NOT_GOOD) == "not good"
    assert MOVES.text(say1(NOT, cards.CLUBS)) == "not c"


@pytest.mark.parametrize(
    ("text", "verb", "fits"),
    [
        ("A♠", 0, True),
        ("10♦", 0, True),
        ("As Kh", 0, False),
        ("bid 3", BID, True),
        ("bid", BID, False),
        ("bid 03", BID, False),
        ("bid -1", BID, False),
        ("bid 64", BID, False),
        ("bid 99999999999999999999", BID, False),
        ("bid ３", BID, False),
        ("bid  3", BID, False),
        ("bid 3 4", BID, False),
        ("call", CALL, True),
        ("call me", CALL, False),
        ("throw", THROW, False),
        ("throw a♠ 10H", THROW, True),
        ("throw As x", THROW, False),
        ("throw" + " As" * 8, THROW, True),
        ("throw" + " As" * 9, THROW, False),
        ("not good", NOT_GOOD, True),
        ("not ♥", NOT, True),
        ("not", NOT, False),
        ("not bad", NOT, False),
        ("Call", None, False),
        ("", None, False),
        ("fold 3", None, False),
    ],
)
def test_reading_moves(text: str, verb: int | None, fits: bool) -> None:
    said = MOVES.read(text)
    assert said.verb == verb
    assert (said.move is not None) == fits
    assert said.text == text


# ------------------------------------------------------------------------------------------ what a seat sees and hears

BIDDING, PLAYING = range(2)


class ToyState(GameState, seats=3):
    hand: Any = held(shown="shown")
    shown: Any = per_seat()
    stock: Any = face_down(4)
    kitty: int = face_down_set()
    out: int = open_set()
    bid: Any = sealed(until=PLAYING, blank=-1)
    tip: Any = sealed(until=PLAYING, unless="aloud", blank=-1)
    memory: Any = own(-1)
    secret: int = secret(-1)


class Toy(Game[ToyState]):
    title = "Toy"
    player_counts = (3,)
    notation = MOVES
    phases = words("bidding playing")
    clauses = Clauses(event="TT-1")
    most_moves = 8
    pack = card_set("A")
    aloud: int = flag(False, clause="TT-1", help="")

    @override
    def deal(self, s: ToyState, order: Pile) -> None:
        """No test deals."""

    @override
    def playable(self, s: ToyState, me: int) -> Cards:
        return s.hand[me]

    @override
    def apply(self, s: ToyState, me: int, move: int) -> None:
        """No test makes a move."""


@pytest.fixture
def toy() -> ToyState:
    state = ToyState()
    state.players = 3
    state.to_act = everybody(3)
    for seat, hand in enumerate(("As Ks", "Ah Kh", "Ad Kd Qd")):
        state.hand[seat] = as_set(hand)
    state.shown[1] = as_set("Kh")
    state.stock[:2] = named("2c 3c")
    state.kitty = as_set("4c 5c 6c")
    state.out = as_set("7c")
    state.bid[:] = [1, 2, 3]
    state.tip[:] = [4, 5, 6]
    state.memory[:] = [7, 8, 9]
    state.secret = 10
    return state


SILENT, ALOUD = Setup(Toy), Setup(Toy, 3, {"aloud": True})


def test_a_seat_sees_its_own_and_what_lies_open(toy: ToyState) -> None:
    seen = view(SILENT, toy, 0)
    state: Any = seen.state
    assert state.hand == [as_set("As Ks"), as_set("Kh"), 0]
    assert (state.bid, state.tip, state.memory) == ([1, -1, -1], [4, -1, -1], [7, -1, -1])
    assert (state.stock, state.kitty, state.secret) == ([NO_CARD] * 4, 0, -1)
    assert (state.out, state.shown) == (toy.out, toy.shown)
    assert seen.sizes == (2, 2, 3)
    assert seen.piles == {"stock": 2, "kitty": 3}


def test_a_view_in_words(toy: ToyState) -> None:
    seen = view(SILENT, toy, 0)
    assert seen.text() == "0: As Ks | 1: Kh ·· | 2: ·· ·· ··"
    assert seen.hand() == named("As Ks")
    assert seen.hand(1) == [*named("Kh"), None]
    assert (seen.phase, seen.to_act) == ("bidding", [0, 1, 2])
    assert set(seen.legal()) == {"As", "Ks"}


def test_somebody_who_only_watches(toy: ToyState) -> None:
    seen = view(SILENT, toy, None)
    assert seen.text() == "0: ·· ·· | 1: Kh ·· | 2: ·· ·· ··"
    assert (seen.hand(), seen.legal(), seen.legal_moves()) == ([], [], [])
    assert (seen.state.bid, seen.state.memory) == ([-1] * 3, [-1] * 3)


def test_a_seat_that_is_not_to_act_has_no_moves(toy: ToyState) -> None:
    toy.to_act = only(1)
    assert view(SILENT, toy, 0).legal() == []
    assert set(view(SILENT, toy, 1).legal()) == {"Ah", "Kh"}


def test_sealed_fields_open_with_their_phase(toy: ToyState) -> None:
    toy.phase = PLAYING
    for viewer in (0, 1, 2, None):
        state: Any = view(SILENT, toy, viewer).state
        assert (state.bid, state.tip) == ([1, 2, 3], [4, 5, 6])
        assert state.memory.count(-1) == (3 if viewer is None else 2)


def test_an_option_opens_what_is_sealed(toy: ToyState) -> None:
    state: Any = view(ALOUD, toy, 2).state
    assert (state.bid, state.tip) == ([-1, -1, 3], [4, 5, 6])


def test_a_view_changes_nothing(toy: ToyState) -> None:
    before = toy.copy()
    view(SILENT, toy, 0).state.hand[0] = 0
    assert toy == before


def test_every_card_of_the_state_is_found(toy: ToyState) -> None:
    assert sorted(SILENT.all_cards(toy)) == sorted(named("As Ks Ah Kh Ad Kd Qd 2c 3c 4c 5c 6c 7c"))


class Refusing(Toy):
    title = "Refusing"

    @override
    def refusal(self, s: ToyState, me: int, attempt: Attempt) -> Reasons:
        yield "TT-2", attempt.items is None
        yield "TT-3", not s.hand[me] >> attempt.card & 1
        yield "TT-4", attempt.card == cards.read("As")


def test_a_refusal_names_the_first_reason_that_holds(toy: ToyState) -> None:
    attempts = [MOVES.read(text) for text in ("nonsense", "Ah", "As", "Ks")]
    assert [Setup(Refusing).forbidding(toy, 0, attempt) for attempt in attempts] == ["TT-2", "TT-3", "TT-4", "TT-1"]
    assert [SILENT.forbidding(toy, 0, attempt) for attempt in attempts] == ["TT-1"] * 4


def test_every_method_of_a_game_is_a_rule_but_its_words() -> None:
    """Methods need no mark; functions outside the class do."""
    twins = twins_of(LingerLonger)
    assert mark_of(twins["draw"]) is not None and mark_of(twins["choose"]) is not None
    assert mark_of(LingerLonger.draw) is None
    assert mark_of(cards.bit) is not None and mark_of(named) is None


def event(move: int, heard: Audience) -> Event:
    return move_event(MOVES, 0, move, heard, ())


def told_moves() -> Iterator[tuple[int, str, SeenEvent]]:
    ace, king = named("As Kh")
    yield ace, "As", SeenEvent(0, "", ace)
    yield CALL, "call", SeenEvent(0, "call", CALL)
    yield say1(BID, 3), "bid", SeenEvent(0, "bid", None)
    yield say(AIM, (ace, 1, 2, 3)), "aim", SeenEvent(0, "aim", None)
    yield say2(THROW, ace, king), "throw ·· ··", SeenEvent(0, "throw", None, 2)


@pytest.mark.parametrize(("move", "text", "told"), list(told_moves()))
def test_what_others_are_told_of_a_move(toy: ToyState, move: int, text: str, told: SeenEvent) -> None:
    heard = audience(SILENT, (toy.phase, toy.to_act), toy, 0, move)
    for seat in (1, None):
        assert seen_event(event(move, heard), seat) == told
        assert told_text(Toy, seen_event(event(move, heard), seat)) == text
    assert seen_event(event(move, heard), 0).move == move
    assert told_text(Toy, seen_event(event(move, Audience.WORD), 0)) == MOVES.text(move)


def test_a_sealed_move_is_told_when_the_phase_ends(toy: ToyState) -> None:
    before = toy.phase, toy.to_act
    toy.phase = PLAYING
    assert audience(SILENT, before, toy, 0, say1(BID, 3)) is Audience.ALL
    assert audience(SILENT, before, toy, 0, say(AIM, (1, 1, 1, 1))) is Audience.WORD


def test_chance_is_told_by_its_kind_only() -> None:
    assert seen_event(chance_event(DEAL, (5, 6)), 1) == SeenEvent(None, "deal", DEAL)


@pytest.mark.parametrize("values", [(), ("a", "a"), (1, "a"), (2, 2)])
def test_the_values_of_a_choice_are_told_apart(values: tuple[Any, ...]) -> None:
    """By the rules too, which see the places of words, and whole numbers as they are."""
    with pytest.raises(TypeError, match="a choice is between different words, or between whole numbers"):
        choice(*values, clause="", help="")


def test_tables_by_rank_have_ranks_once() -> None:
    for wrong in ("A K X", "A A K", "A=11"):
        with pytest.raises(ValueError, match="the strongest first, each once"):
            cards.ranking(wrong)
    with pytest.raises(ValueError, match="worths by rank"):
        cards.values(A=11, t=10)
