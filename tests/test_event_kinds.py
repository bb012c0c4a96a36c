"""Nothing happens unseen or unheard: every kind of event has a bubble or moves a card, and a line in words."""

from event_kinds import PLACE, event_kinds, table

from upcard.rules.game import Game


def test_every_kind_of_event_is_seen_and_heard(game: type[Game]) -> None:
    kinds = event_kinds(game)
    assert [word for word, kind in kinds.items() if not (kind.bubbles or kind.moves)] == []
    assert [word for word, kind in kinds.items() if not kind.line or "made a move" in kind.line] == []
    listed = [line for line in PLACE.read_text().splitlines() if line.split()[0] == game.slug]
    assert [*table(kinds, game.slug)] == listed, "python tests/event_kinds.py > tests/event_kinds.txt"
