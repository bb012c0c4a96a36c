"""Variants in words: their pages, summaries and short texts have their own numbers."""

from pathlib import Path

import pytest

from upcard import Setup, games
from upcard.games.schnapsen import Schnapsen
from upcard.lab import Arm
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.lineage import differences, literal_twins
from upcard.rules.pages import page
from upcard.rules.placeholders import with_numbers
from upcard.table.players_rules import summary_of

# --------------------------------------------------------------------------------------------------------- in words


def test_a_number_that_a_variant_has_in_place_of_an_option_is_a_difference() -> None:
    """The game that it varies has no such number."""
    looser = Schnapsen.variant("looser", numbers={"endplay": 0})
    line = "endplay is 0 (strict: once suit must be followed, also head the trick and trump, SS-17)"
    assert line in differences(looser)
    assert line in Arm("looser", Setup(looser), "random").rules


DESCRIBED = """
from upcard.games.sixty_six import SixtySix
from upcard.games.sixty_six.rules import SixtySixState
from upcard.rules import *

MORE = SixtySix.notation.copy()
WAVE = MORE.verb("wave", label="Wave", said="waves")


class DescribedState(SixtySixState):
    waves: PerSeat = per_seat()


class Described(SixtySix[DescribedState]):
    title = "Described"
    notation = MORE
    most_moves = 17
    enough = 50
    pack = "AKQJT"
    fetcher = JACK
    value = card_values(A=1)
    last_trick = lambda self: self.size
    endplay = "strict"
    waves: int = number(2, clause="DE-1", help="waves in a deal")
    target: int = whole(3, 1, 9, clause="DE-2", help="points for a match")
    rude: int = flag(False, clause="DE-3", help="no waves")

    @override
    def worth_of_marriage(self, s: DescribedState, suit: Suit) -> int:
        \"\"\"Every marriage is worth 30,
        in whatever suit.

        Nobody knows why.
        \"\"\"
        return 30

    def waved(self, s: DescribedState) -> int:
        return s.waves[0]
"""


def test_the_page_of_a_variant_lists_its_differences(tmp_path: Path) -> None:
    (tmp_path / "described.py").write_text(DESCRIBED)
    game = games.load_file(tmp_path / "described.py")["described"]
    assert differences(game) == [
        "pack is AKQJT (the cards that are played with, SS-2)",
        "value is A=1 (what a card counts, SS-4)",
        "last_trick is worked out (points for the last trick, SS-5)",
        "fetcher is J (the rank whose trump fetches the upcard, SS-23)",
        "enough is 50 (deal points that win a deal, SS-31)",
        "the option endplay is settled at strict: strict: once suit must be followed, also head the trick and trump",
        "waves is 2 (waves in a deal, DE-1)",
        "the option target is chosen anew: points for a match",
        "the option rude is added: no waves",
        "worth_of_marriage: Every marriage is worth 30, in whatever suit.",
        "waved: replaced",
        "a further field: waves",
    ]
    shown = page(game)
    assert shown is not None
    assert shown.startswith("# Described\n\nA variant of Sixty-Six. What differs:\n\n- pack is AKQJT")
    assert "SS-1" in shown, "followed by the page of the game"


def test_a_page_next_to_a_variant_replaces_its_differences(tmp_path: Path) -> None:
    (tmp_path / "described.py").write_text(DESCRIBED)
    (tmp_path / "described.rulebook.md").write_text("# Described\n\nIn my words.\n")
    game = games.load_file(tmp_path / "described.py")["described"]
    shown = page(game)
    assert shown is not None
    assert shown.startswith("# Described\n\nIn my words.")
    assert "What differs" not in shown
    assert "SS-1" in shown


def test_a_file_with_two_games_of_one_name_is_refused(tmp_path: Path) -> None:
    """And one that varies a variant which comes with Upcard is not."""
    file = tmp_path / "odd.py"
    begin = 'from upcard.games import load\none = load("schnapsen")\ntwo = one.variant("odd", numbers={"enough": 50})\n'
    file.write_text(begin)
    assert games.load_file(file).keys() == {"odd"}
    file.write_text(begin + 'three = one.variant("odd", numbers={"enough": 60})\n')
    with pytest.raises(games.UnknownGame, match="two games are called odd"):
        games.load_file(file)


def test_no_declared_number_has_a_literal_twin(game: type[Game]) -> None:
    numbers = {name: number.value for name, number in game.declared_numbers.items() if isinstance(number.value, int)}
    assert {name: twins for name, value in numbers.items() if (twins := list(literal_twins(game, value)))} == {}


# ------------------------------------------------------------------------------------------------ numbers in texts


def test_texts_of_a_variant_have_its_numbers() -> None:
    """Three-card Loo does not say "a fifth of the pot" in the lobby, in refusals or on its page."""
    loo = games.load("loo")
    three = loo.variant("three-card-loo", numbers={"size": 3, "stake": 6, "looed": 3})
    assert summary_of(loo) == (
        "Stay in only if you will take a trick. Every trick is a fifth of the pot; none at all costs five chips."
    )
    assert summary_of(three).endswith("Every trick is one of three parts of the pot; none at all costs three chips.")
    assert with_numbers(three.why["LO-14"], Setup(three)).endswith("three cards of one suit, or two and Pam")
    page = pages.page(three) or ""
    assert "- **LO-7** [source, order by ruling] Three cards each" in page
    assert "Three cards" not in (pages.page(loo) or "")
    assert pages.gist(three(), "LO-7").startswith("Three cards each: one card at a time")
    assert "- **LO-36** [source] After three tricks everyone takes one of three equal parts of the pot" in page
    assert pages.gist(three(), "LO-10") == pages.gist(loo(), "LO-10")


def test_every_short_text_of_a_game_can_be_filled_in() -> None:
    for game in map(games.load, games.SLUGS):
        for players in game.player_counts:
            for text in (game.summary, *game.why.values()):
                filled = with_numbers(text, Setup(game, players))
                assert "{" not in filled and "}" not in filled, (game.slug, text)
    assert with_numbers("a set {1, 2}", Setup("loo")) == "a set {1, 2}"
