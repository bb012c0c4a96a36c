"""A table stands still: in ten moves of a match only cards, scores and the content of the shelf change."""

import pytest
from playwright.sync_api import Browser
from standing import moved, tables

pytestmark = [pytest.mark.browser, pytest.mark.long]

MELDS = {"kalooki", "roundup"}
"""Games that lay more and more before the seats: on a phone the rest makes room for it."""
GROWING = {"klaberjass 2", "ninety-nine 2", "ninety-nine 3", "ninety-nine 4"}
"""Tables of tricks where on a phone the hand gets a second row, or hands are laid open, in the middle of a deal."""
OPEN = {"linger-longer 6"}
"""A hand that is shown before one of five seats in a row needs a line of its own."""


PART = {(1280, 720): slice(0, None, 2), (1440, 900): slice(1, None, 2), (390, 844): slice(None)}
"""The tables that are looked at in each size: each of them on one desk and on a phone."""


@pytest.mark.parametrize("size", PART, ids=lambda size: f"{size[0]}x{size[1]}")
def test_only_cards_scores_and_the_shelf_change(browser: Browser, size: tuple[int, int]) -> None:
    phone = size[0] < 500
    standing = [
        (game, players)
        for game, players in tables([])
        if f"{game.slug} {players}" not in OPEN | (GROWING if phone else set()) and not (phone and game.slug in MELDS)
    ]
    assert len(standing) > 10
    assert moved(browser, size, standing[PART[size]]) == {}
