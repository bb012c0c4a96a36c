"""The pages that list everything that a house stores about people."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it import MarkdownIt

from upcard.house.bodies import Page
from upcard.languages.catalogs import DEFAULT, translation
from upcard.rules.sentences import Sentence, sentence

ON_SERVER: Sequence[Sentence] = (
    sentence(
        "This house recognises people by a secret in a cookie of their browser, which lasts a year. It asks for no "
        "account, address or password."
    ),
    sentence(
        "**Kept:** for every table, its game, the names of the people who sat down there or asked for a seat, every "
        "move with its time, and a number computed from the secret, by which a browser finds its seat again. The "
        "secret itself is not kept. The only other cookie, where the house has a passphrase, records that it was "
        "given. There are no images, scripts or trackers of third parties. Your browser itself keeps your name and "
        "settings, how far you are in which lessons, which puzzles you have solved and for how many days in a row, and "
        "your share of the shuffles of matches in play. Where the house has a passphrase, it also keeps the times when "
        "this browser gave it and last visited, and a number computed from the secret in that cookie, until a year has "
        "passed without a visit."
    ),
    sentence(
        "For people who use several devices, for each of them a number computed from its secret, its browser "
        "(“Firefox on Android”) and when it was last used; if it was removed, the number stays, so that it can never "
        "come back by itself. A link to another device is kept until it is used, or for ten minutes to an hour, with "
        "the name and settings that it carries, and without its secret."
    ),
    sentence(
        "For every room, the names of the people in it, who is its host, which matches were played and who won, and "
        "the same number for each of them. A room is deleted {room_days} days after its last change."
    ),
    sentence(
        "For the deal of a day, the name and the score of everybody who has played it to the end, for a week. Others "
        "who have finished the same deal see them."
    ),
    sentence(
        "**Seen by others:** the people at a table see its names and moves. So does anyone who has the link, where "
        "watchers are allowed. Anyone who has the link can watch a finished match again."
    ),
    sentence("The people of a room see its names and results, and who of them is here just now."),
    sentence(
        "**Words:** the server has the latest words that people send each other at a table in its memory, for thirty "
        "days at most, and never writes them down."
    ),
    sentence(
        "**Log:** addresses are counted in memory, against floods, and then forgotten. An access log is written only "
        "if the operator of the house has asked for it."
    ),
    sentence(
        "**Results:** all other results of your finished matches are computed from the tables when you ask for them, "
        "and shown only to you."
    ),
)
KEPT_ALWAYS = sentence(
    "**How long:** until the operator of the house deletes it. Delete the cookie and the house no longer recognises "
    "this browser."
)
IN_BROWSER: Sequence[Sentence] = (
    sentence(
        "Everything that you play stays in this browser, on this device: your matches, your name and your settings. No "
        "server receives any of it, and there are no cookies and no trackers. The host that the page comes from sees "
        "that its files are fetched, as with every page."
    ),
    sentence(
        "A browser can delete what it keeps for a page, when it is short of room or when you clear its data; Safari "
        "does so after seven days without a visit, unless you have added the page to your home screen. **Save all "
        "matches** in the lobby puts them in one file, which you can open here again or in another browser."
    ),
)


def server_privacy(keep_days: int | None, room_days: int, language: str = DEFAULT) -> Page:
    """The page of a server that deletes tables after `keep_days` (None: never) and rooms after `room_days`."""
    how_long = KEPT_ALWAYS if keep_days is None else _deleted_after(keep_days)
    parts = [sentence(part.message, room_days=room_days) if "{" in part.message else part for part in ON_SERVER]
    return _page([*parts, how_long], language)


def browser_privacy(language: str = DEFAULT) -> Page:
    """The page of a house inside a browser."""
    return _page(IN_BROWSER, language)


def _deleted_after(days: int) -> Sentence:
    return sentence(
        "**How long:** a table is deleted {n} day after it was opened, or after the last move if that is later. Delete "
        "the cookie and the house no longer recognises this browser.",
        "**How long:** a table is deleted {n} days after it was opened, or after the last move if that is later. "
        "Delete the cookie and the house no longer recognises this browser.",
        n=days,
    )


def _page(paragraphs: Sequence[Sentence], language: str) -> Page:
    reader = translation(language)
    text = "\n\n".join(part.words(reader) for part in paragraphs)
    title = sentence("What is kept about you").words(reader)
    return Page(title, MarkdownIt("commonmark", {"html": False}).render(text), language)
