"""Variants: a subclass of a game, with other numbers, rules, fields or moves, is a game in its own right."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from variant_games import TEN, VARIANTS, Again, Once, scores, small

from upcard import BadRecord, Match, Setup, UpcardError, shuffler
from upcard.cli.sides import SideSpec
from upcard.compiled.program import program
from upcard.engine import records
from upcard.games.loo import Loo
from upcard.games.ninety_nine import NinetyNine
from upcard.games.oh_hell import OhHell
from upcard.games.roundup import Roundup
from upcard.games.roundup.rules import RoundupState
from upcard.games.sixty_six import SixtySix
from upcard.lab.simulate import simulate
from upcard.laws import LAWS
from upcard.rules import BadGame, Buffer, Cards, as_set, card_set, override, pack
from upcard.rules.game import Game
from upcard.rules.lineage import differences, is_counted, root_of

HELD = [
    law for law in LAWS if law.name in ("cards-are-conserved", "matches-end", "moves-can-be-made", "records-replay")
]
[COMPILED] = [law for law in LAWS if law.name == "compiled-equals-plain"]


def test_ten_variants_are_short_and_cover_what_can_be_changed() -> None:
    assert len(VARIANTS) == 10
    assert len({root_of(game).slug for game in VARIANTS.values()}) == 7
    classes = [node for node in ast.parse(TEN.read_text()).body if isinstance(node, ast.ClassDef)]
    lines = TEN.read_text().splitlines()
    for node in classes:
        assert len([*filter(str.strip, lines[node.lineno - 1 : node.end_lineno])]) <= 10, node.name


@pytest.mark.long
@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_keeps_the_laws(name: str) -> None:
    for law in HELD:
        verdict = law.verdict(VARIANTS[name])
        assert not verdict.broken, str(verdict.broken)


@pytest.mark.long
@pytest.mark.parametrize("name", ["twenty", "stacked", "highest", "small-loo", "dear"])
def test_a_variant_is_the_same_game_plain_and_compiled(name: str) -> None:
    verdict = COMPILED.verdict(VARIANTS[name])
    assert not verdict.broken, str(verdict.broken)


@pytest.mark.long
def test_rules_that_count_beyond_the_machine_are_reported(tmp_path: Path) -> None:
    """Plain Python has numbers of any length, compiled rules do not."""
    verdict = COMPILED.verdict(small(tmp_path, "(self.worth << 62) * 4 // (1 << 62)"))
    assert re.search(r"`scores` is \[.*\] compiled and \[.*\] in plain Python", str(verdict.broken)), str(
        verdict.broken
    )


def test_a_replaced_rule_holds_wherever_it_is_called_and_calls_the_original() -> None:
    base = scores(OhHell)
    assert scores(VARIANTS["double"]) == [2 * score for score in base]
    assert scores(OhHell) == base
    assert any(base)


def test_variants_of_variants_keep_both_changes() -> None:
    stacked = VARIANTS["stacked"]
    assert root_of(stacked) is OhHell
    assert stacked.base is VARIANTS["double"]
    assert [line.partition(" ")[0] for line in differences(stacked)] == ["points_for:", "made"]
    assert Match(stacked).setup.setting("made") == 20
    wins = [won for won in scores(stacked) if won]
    assert wins and all(won >= 40 for won in wins)


def test_a_rule_of_a_variant_can_be_replaced_as_one_of_the_game() -> None:
    base = scores(OhHell)
    assert scores(Once) == [3 * base[0], *base[1:]]
    assert scores(Again) == [15 * base[0] + 1, *(5 * score for score in base[1:])]


# --------------------------------------------------------------------------------------------------------- records


def test_a_record_is_replayed_by_its_own_rules_only() -> None:
    variant = VARIANTS["double"]
    record = Match(variant, chance=shuffler(1)).record()
    assert records.replay(record, variant).record() == record
    assert set(record["about"]["rules"]) == {"variant_of", "rules"}
    with pytest.raises(BadRecord, match="other rules"):
        records.replay(record | {"game": "oh-hell"})


@pytest.mark.parametrize("name", ["twenty", "dear"])
def test_a_record_of_other_numbers_is_replayed_without_the_file(name: str) -> None:
    """However the file writes them: as cards, or as a declaration."""
    record = Match(VARIANTS[name], chance=shuffler(1)).record()
    assert record["about"]["rules"].keys() == {"variant_of", "numbers"}
    assert records.replay(record).record() == record


def test_one_number_has_one_identity_however_it_is_written() -> None:
    cards = ("AKQJT", card_set("AKQJT"), card_set(as_set(pack("AKQJT"))), as_set(pack("AKQJT")))
    variants = [SixtySix.variant("short", numbers={"pack": one}) for one in cards]
    assert len({str(one.identity) for one in variants}) == 1
    assert SixtySix.variant("same", numbers={"pack": "AKQJT9"}).identity == {"variant_of": "sixty-six"}


# ---------------------------------------------------------------------------------------------------- counted moves


class Peaceful(Roundup):
    title = "Peaceful"

    @override
    def put_attacks(self, s: RoundupState, me: int, faces: Cards, out: Buffer, n: int) -> int:
        """Nobody attacks."""
        return n


class Keeping(Loo):
    title = "Keeping"

    @override
    def put_discards(self, hand: Cards, most: int, out: Buffer, n: int) -> int:
        """Everybody keeps all cards."""
        return super().put_discards(hand, 0, out, n)


class Foremost(NinetyNine):
    title = "Foremost"

    @override
    def put_bids(self, out: Buffer, n: int, hand: Cards) -> int:
        """Everybody bids with the first three cards."""
        return min(n + 1, super().put_bids(out, n, hand))


def plays_first(game: type[Game]) -> type[Game]:
    """A variant whose computer players make the first move that they can."""

    class First(game):  # type: ignore[misc, valid-type]
        title = "First"
        slug = f"{game.slug}-first"

        @override
        def choose(self, s: Any, me: int, moves: Buffer, n: int, luck: int) -> int:
            return moves[0]

    return First


@pytest.mark.long
@pytest.mark.parametrize("game", [Peaceful, Keeping, Foremost], ids=lambda game: root_of(game).slug)
def test_random_players_of_a_variant_find_its_moves_where_the_game_counts_its_own(game: type[Game]) -> None:
    """These games have a second rule for their moves, which does not list them."""
    assert is_counted(root_of(game))
    assert not is_counted(game)
    assert not is_counted(plays_first(game))
    played: list[dict[str, Any]] = []
    simulate(Setup(plays_first(game)), 3, 1, by="random", records=played.append)
    for record in played:
        assert records.replay(record, plays_first(game)).done
    assert not is_counted(game.variant("cheaper", most_moves=game.most_moves))
    assert is_counted(root_of(game).variant("cheaper", most_moves=game.most_moves))
    assert is_counted(plays_first(root_of(game)))


class Counts(Roundup):
    title = "Counts"

    @override
    def other_moves(self, s: RoundupState, me: int, out: Buffer, n: int) -> int:
        return super().other_moves(s, me, out, n)

    @override
    def count_others(self, s: RoundupState, me: int, out: Buffer) -> int:
        return super().count_others(s, me, out)

    @override
    def nth_other(self, s: RoundupState, me: int, out: Buffer, k: int) -> int:
        return super().nth_other(s, me, out, k)


class CountsFewer(Counts):
    title = "Counts Fewer"

    @override
    def put_attacks(self, s: RoundupState, me: int, faces: Cards, out: Buffer, n: int) -> int:
        return n


def test_a_variant_that_counts_its_moves_is_not_asked_once_its_own_variant_lists_others() -> None:
    assert is_counted(Counts)
    assert is_counted(plays_first(Counts))
    assert not is_counted(CountsFewer)


class Miscounted(Roundup):
    title = "Miscounted"

    @override
    def count_others(self, s: RoundupState, me: int, out: Buffer) -> int:
        return min(1, super().count_others(s, me, out))


def test_moves_that_are_counted_otherwise_than_listed_are_noticed_before_compiled_code_plays() -> None:
    with pytest.raises(UpcardError, match="`count_others` and `nth_other` have other moves than `other_moves`"):
        simulate(Setup(Miscounted), 1, by="random")


# -------------------------------------------------------------------------------------------- options and numbers


def test_a_settled_option_is_none_of_a_short_match() -> None:
    assert OhHell.short == {"max_cards": 5}
    assert OhHell.variant("fives", numbers={"max_cards": 5}).short is None
    assert OhHell.variant("one-way", numbers={"order": 0}).short == OhHell.short


def test_a_sweep_over_a_number_compiles_once() -> None:
    sweep = [SixtySix.variant(f"enough-{number}", numbers={"enough": number}) for number in range(60, 80)]
    assert len({program(game).build for game in sweep}) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": {"points_for": scores}}, "odd: other rules are a subclass: class Mine(OhHell): title = …"),
        ({"fields": {"bids": 0}}, "odd: other fields are a subclass: class Mine(OhHell): title = …"),
        ({"options": {"order": "up"}}, "odd: other options are a subclass: class Mine(OhHell): title = …"),
        (
            {"numbers": {"maid": 20}},
            "odd: 'maid' is no number of this game (there are: pack, made, times)",
        ),
        (
            {"numbers": {"pack": -1}},
            "odd: the number pack is cards, as texts, or ranks in all suits, not -1 (OH-2)",
        ),
        ({"numbers": [("made", 20)]}, "odd: numbers are a dictionary by their names, not a list"),
        ({"numbers": {"made": "many"}}, "odd: the number made is a whole number, not 'many' (OH-24)"),
        ({"player_counts": 4}, "odd: player_counts are a row of whole numbers from 2 to 10, as in (3, 4)"),
        ({"most_moves": 0}, "odd: most_moves is a whole number from 1 to 65536, not 0"),
        (
            {"numbers": {"order": 9}},
            "odd: the option order is settled at up_down, down_up, up or down, not at 9 (OH-3)",
        ),
        ({"title": 3}, "odd: title is a text, not 3"),
    ],
)
def test_a_variant_of_other_numbers_is_refused_in_one_line(change: Any, message: str) -> None:
    with pytest.raises(BadGame) as refused:
        OhHell.variant("odd", **change)
    assert str(refused.value) == message
    assert isinstance(refused.value, UpcardError)


@pytest.mark.parametrize("slug", ["oh-hell", "Odd", "", "1st", "a b"])
def test_a_variant_has_a_slug_of_its_own(slug: str) -> None:
    message = "^a variant has a slug of its own, of small letters, digits and dashes, not"
    with pytest.raises(BadGame, match=message):
        OhHell.variant(slug)


def test_what_a_game_does_not_say_of_itself_is_refused() -> None:
    with pytest.raises(BadGame, match=r"^odd: 'colour' is none of what a game says of itself \(.*most_moves.*\)$"):
        OhHell.variant("odd", colour="red")


def test_numbers_are_written_as_they_are_listed() -> None:
    """`upcard options` writes them so."""
    side = SideSpec("sixty-six", None, [], "random")
    sweep: list[Any] = [*side.swept("value=A=11 T=10 K=4 Q=3 J=2,A=1").values()]
    assert [sum(setup.value) for setup in sweep] == [30, 1]
    side = SideSpec("sixty-six", None, ["fetcher=J"], "random")
    setups: list[Any] = [*side.swept("pack=AKQJ9,AKQJT").values()]
    assert [setup.pack for setup in setups] == [as_set(pack("AKQJ9")), as_set(pack("AKQJT"))]
    with pytest.raises(UpcardError, match="worths by rank, as in 'A=11 T=10', not 'A=11 T=x'"):
        side.swept("value=A=11 T=x,A=1")
