"""The presets of a game: in commands, in the lab, and that a match can be played with each."""

from random import Random

import pytest
from playing import play_out

from upcard import Match, Setup, UpcardError, games
from upcard.cli.common import with_preset
from upcard.cli.sides import SideSpec
from upcard.house.game_info import game_info
from upcard.rules import pages
from upcard.rules.game import Game
from upcard.rules.placeholders import fill, values_of
from upcard.rules.presets import preset, presets


def test_every_game_has_the_author_s_preset_and_a_match_of_it_can_be_played(game: type[Game]) -> None:
    author = preset(game, "author")
    assert presets(game)["usual"] == {}
    for players in game.player_counts:
        match = play_out(Match(game, players, options=author), Random(players), 150)
        assert match.options.chosen == author


def test_the_page_names_every_option_that_the_author_sets_and_no_other(game: type[Game]) -> None:
    clause = pages.clauses(game)[game.author_clause]
    assert clause.startswith("*As the author wrote it*:")
    author = preset(game, "author")
    head = clause.partition(".")[0]
    assert [name for name in game.declared_options if f"{name} at" in head] == [*author]
    assert all(f"{name} at {value}" in head for name, value in author.items())


def test_players_read_how_the_usual_table_differs(game: type[Game]) -> None:
    written = pages.written_rules(game) or ""
    page = fill(pages.without_front_matter(written), values_of(Setup(game)))
    last = page.rstrip().rpartition("\n\n")[2]
    assert "author" in last and last.endswith(f"[{game.author_clause}].")


def test_forms_know_the_preset(game: type[Game]) -> None:
    assert (game_info(game).author, game_info(game).author_clause) == (game.author, game.author_clause)


def test_a_variant_has_no_author_unless_it_says_so() -> None:
    schnapsen = games.load("schnapsen")
    assert (schnapsen.author, schnapsen.author_clause) == (None, "")
    assert [*presets(schnapsen)] == ["usual"] + ["short"] * (schnapsen.short is not None)
    rounds = games.load("rounds")
    assert rounds.variant("odd", numbers={"size": 7, "more": 3}).author is None
    assert rounds.variant("odd", author={"target": 300}).author == {"target": 300}
    with pytest.raises(UpcardError, match="Schnapsen has no author's preset"):
        preset(schnapsen, "author")
    with pytest.raises(UpcardError, match="there is no preset 'long' "):
        preset(rounds, "long")
    with pytest.raises(UpcardError, match="Rolling Stone has no short match"):
        preset(games.load("rolling-stone"), "short")


def test_options_that_are_given_come_before_those_of_a_preset() -> None:
    assert with_preset("rounds", None, ["target=100"]) == ["target=100"]
    assert with_preset("rounds", "author", ["target=100"]) == ["revokes=allowed", "target=100"]
    assert with_preset("rounds", "author", ["revokes=enforced"]) == ["revokes=enforced"]
    assert with_preset("rounds", "short", None) == ["target=100"]


def test_a_comparison_with_a_preset_replaces_the_options() -> None:
    side = SideSpec("loo", None, ["rounds=1", "looed=10"], "random")
    assert side.other("preset=author").options == ["flush_pays=all", "looed=10"]
    assert side.other("preset=author;rounds=3").options == ["flush_pays=all", "looed=10", "rounds=3"]
    assert side.other("preset=usual").options == ["looed=10"]
    with pytest.raises(UpcardError, match="changes nothing"):
        side.other("preset=short")
