"""Random values for random numbers of all games are refused with a sentence, or keep the laws."""

import pytest
from random_numbers import NumbersCase, check

NUMBER, QUICK = 60, 12
"""The number of tables, and of those that the quick checks try."""


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(
            seed, marks=[pytest.mark.xdist_group(NumbersCase(seed).slug), *[pytest.mark.long] * (seed >= QUICK)]
        )
        for seed in sorted(range(NUMBER), key=lambda seed: NumbersCase(seed).slug)
    ],
)
def test_a_table_with_random_numbers_is_refused_or_keeps_the_laws(seed: int) -> None:
    assert check(seed)


def test_the_random_tables_are_of_all_games() -> None:
    cases = [NumbersCase(seed) for seed in range(NUMBER)]
    assert len({case.slug for case in cases}) == 12
    drawn = [case.drawn for case in cases]
    assert {len(numbers) for numbers, _, _ in drawn} == {1, 2, 3}
    assert any("pack" in numbers for numbers, _, _ in drawn) and any(options for _, _, options in drawn)
