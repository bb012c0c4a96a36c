"""Random variants play the same plain and compiled, leave their game as it is, and have identities of their own."""

from pathlib import Path
from random import Random

import pytest
from random_subclasses import Chain, check

from upcard import games

QUICK = ("linger-longer", "oh-hell", "rolling-stone", "sixty-six")
"""The games that compile fastest; of each other game there are two chains, of Kalooki one."""
NUMBER = 30


def chains() -> list[int]:
    """The numbers of the chains, among which all games come up."""
    by_game: dict[str, list[int]] = {slug: [] for slug in games.SLUGS}
    for seed in range(400):
        by_game[Random(seed).choice(games.SLUGS)].append(seed)
    seeds = [
        seed for slug, of_game in by_game.items() if slug not in QUICK for seed in of_game[: 2 - (slug == "kalooki")]
    ]
    quick = [by_game[slug][place] for place in range(NUMBER) for slug in QUICK if place < len(by_game[slug])]
    return sorted([*seeds, *quick[: NUMBER - len(seeds)]])


@pytest.mark.long
@pytest.mark.parametrize("seed", chains())
def test_a_random_variant_is_the_same_game_plain_and_compiled(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


def test_the_random_variants_are_of_all_games_and_kinds() -> None:
    variants = [Chain(seed) for seed in chains()]
    assert {variant.slug for variant in variants} == {*games.SLUGS}
    assert {len(variant.names) for variant in variants} == {1, 2, 3}
    for words in ("number(", ".verb(", "    extra_", "super().helper_", "self.helper_"):
        assert sum(words in variant.source for variant in variants) >= 3, words
    assert [Chain(seed).source for seed in chains()] == [variant.source for variant in variants]
