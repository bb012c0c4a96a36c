"""Replaying a match: every moment, any seat's view, all cards."""

import io
import json
import os
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import play_on, random_match
from sitting import by_game
from textual.widgets import Footer, Static

from upcard import cli
from upcard.engine.match import Match
from upcard.rules.game import Game
from upcard.table.errors import Unacceptable
from upcard.table.journal import Origin
from upcard.terminal.film import Film
from upcard.terminal.local_store import LocalStore
from upcard.terminal.session import Session
from upcard.terminal.watch import WatchApp, lines


def film(game: type[Game[Any]], seed: int = 3, most: int = 150) -> Film:
    match = random_match(game, seed)
    for _ in play_on(match, Random(seed), most):
        pass
    return Film(match.record())


@by_game
def test_every_moment_can_be_seen(game: type[Game[Any]]) -> None:
    """With all cards open every hand is there whole; as a seat saw it only that seat's, and what lay open."""
    shown = film(game)
    for moment in range(0, len(shown.moments), 10):
        state = shown.moments[moment].state
        every = shown.scene(moment, "all")
        for seat in every.seats:
            assert len(seat.open) == len(game.hand.cards(state, seat.seat))
        one = shown.scene(moment, 1)
        assert one.seat == 1
        assert sorted(one.hand) == sorted(every.seats[1].open)
        assert len(shown.story(moment, "all")) == moment


@by_game
def test_in_lines(game: type[Game[Any]]) -> None:
    shown = film(game)
    told = list(lines(shown, 0, "all"))
    assert len(told) > len(shown.moments)
    assert not any("{" in line for line in told)


async def test_keys() -> None:
    from upcard import games

    app = WatchApp(film(games.load("oh-hell"), 2), speed=50)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "right")
        assert app.moment == 3
        assert app.query_one(Footer).max_scroll_x == 0, "all keys are read at 80 columns"
        await pilot.press("n")
        assert app.moment in app._film.deals
        await pilot.press("v", "v")
        assert app.viewpoint == 1
        assert app.query_one("#hand").display
        await pilot.press("0")
        assert "as Seat 0 saw it" in str(app.query_one("#prompt", Static).render())
        at = app.moment
        await pilot.press("space")
        for _ in range(100):
            await pilot.pause(0.02)
            if app.moment > at:
                break
        assert app.moment > at
        await pilot.press("end", "o")
        assert "Nothing was played after that" in str(app.query_one("#prompt", Static).render())
        await pilot.press("left", "1", "o")
    assert app.return_value == (len(app._film.moments) - 2, 1)


async def test_playing_on_goes_on_from_that_moment_and_is_kept(places: Path) -> None:
    from upcard import games

    shown, store = film(games.load("sixty-six")), LocalStore(places / "matches.sqlite3")
    moment = shown.deals[1] + 3
    table = await Session.forked(store, shown, moment, name="Ann", seat=1, level="casual")
    await table.open()
    assert table.match.events[:moment] == shown.moments[-1].events[:moment]
    assert table.names == ["Ada", "You"] and table.scene.seat == 1
    assert table.scene.hand == shown.scene(moment, 1).hand
    (kept,) = store.all()
    assert not kept.done and kept.plan.origin == Origin(None, moment)
    with pytest.raises(Unacceptable, match="Nothing was played after that"):
        await Session.forked(store, shown, len(shown.moments) - 1, name="Ann", seat=1, level="casual")
    with pytest.raises(Unacceptable, match="There is no level 'weak'"):
        await Session.forked(store, shown, moment, name="Ann", seat=1, level="weak")
    assert len(store.all()) == 1


def test_a_deal_is_played_again_in_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from upcard import games

    shown = film(games.load("sixty-six"))
    file = tmp_path / "match.json"
    file.write_text(json.dumps(shown.moments[-1].record()))
    for words in (f"watch {file} --deal 2 --seat 1 --play-on --plain", "play --list"):
        monkeypatch.setattr("sys.argv", ["upcard", *words.split()])
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert not end.value.code
    told = capsys.readouterr().out
    assert "Deal 2: " in told and "To return: upcard play --resume " in told
    assert told.splitlines()[-1].split()[1:6] == ["sixty-six", "2", "players", "in", "play"]


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from upcard import games

    match = Match(games.load("sixty-six"), 2, dealer=0, chance=Random(1))
    for _ in play_on(match, Random(1)):
        pass
    file = tmp_path / "match.json"
    file.write_text(json.dumps(match.record() | {"about": {"names": ["Ann", "\x1b[31m"]}}))
    for words, status in (("--plain", 0), ("--plain --seat 1 --deal 2", 0), ("--seat 5", 2), ("--deal 99", 2)):
        monkeypatch.setattr("sys.argv", ["upcard", "watch", str(file), *words.split()])
        with pytest.raises(SystemExit) as end:
            cli.main()
        assert (end.value.code or 0) == status
    out, err = capsys.readouterr()
    assert "The match is over: " in out
    assert "Deal 1: Ann deals" in out
    assert "\x1b" not in out
    assert err.splitlines()[0] == "upcard: --seat must be 0 to 1"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(file.read_text(),))
    writer.start()
    monkeypatch.setattr("sys.argv", ["upcard", "watch", str(pipe), "--plain"])
    with pytest.raises(SystemExit):
        cli.main()
    writer.join()
    assert "The match is over: " in capsys.readouterr().out
    file.write_text(json.dumps(match.record() | {"expect": 1}))
    monkeypatch.setattr("sys.argv", ["upcard", "watch", str(file)])
    with pytest.raises(SystemExit):
        cli.main()
    told = capsys.readouterr().err
    assert told == "upcard: this is not a match record: a match record has no field 'expect'\n"
