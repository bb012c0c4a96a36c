"""The commands for players: names, options, saved matches, pages, and what the terminal does without."""

import asyncio
import contextlib
import io
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playing import GAMES
from sitting import heard, session, texts

from upcard import cli, games
from upcard.engine.errors import UpcardError
from upcard.languages.localizing import reader
from upcard.players import levels_of
from upcard.table.errors import NotWritten
from upcard.table.journal import Hinted
from upcard.terminal.film import Film
from upcard.terminal.local_store import LocalStore, usual_file
from upcard.terminal.preferences import Preferences, load_preferences
from upcard.terminal.session import Session

Run = Callable[..., tuple[int, str, str]]
LEVELS_THERE = ", ".join(levels_of(games.load("sixty-six")))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs a command line: its exit status and what it wrote."""
    before = reader.get()

    def running(*words: str) -> tuple[int, str, str]:
        reader.set(before)
        monkeypatch.setattr(sys, "argv", ["upcard", *words])
        with pytest.raises(SystemExit) as end:
            cli.main()
        out, err = capsys.readouterr()
        return int(str(end.value.code or 0)), out, err

    yield running
    reader.set(before)


def elsewhere(code: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Python in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        timeout=300,
    )


# ---------------------------------------------------------------------------------------------------- names and options


@pytest.mark.parametrize("name", ["sixtysix", "Sixty-Six", "sixty_six", "SIXTY SIX"])
def test_a_game_is_found_however_it_is_written(run: Run, name: str) -> None:
    assert run("options", name)[1].startswith("Sixty-Six for 2")


def test_what_comes_near_is_suggested(run: Run) -> None:
    status, out, err = run("play", "kaluki")
    assert (status, out, err) == (2, "", "upcard: there is no game 'kaluki': did you mean kalooki?\n")
    assert run("learn", "whist")[2].startswith("upcard: there is no game 'whist' (there are: cinch, ")
    assert "did you mean target?" in run("play", "sixty-six", "-o", "targt=5")[2]


def test_options_are_listed_with_their_values(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for game in GAMES:
        out = run("options", game.slug)[1]
        assert max(map(len, out.splitlines())) <= 80
        first = {tuple(line.split()[:2]) for line in out.splitlines() if line and not line.startswith(" ")}
        for name, option in game.declared_options.items():
            assert (name, str(option.default_for(game.default_players)).lower()) in first
            assert not any(f"{value}:" in out for value in option.values)
        told = json.loads(run("options", game.slug, "--json")[1])
        assert list(told["options"]) == list(game.declared_options)
        assert {*told["numbers"]} == {name for name, one in game.declared_numbers.items() if not one.derived}


def test_games_as_json(run: Run) -> None:
    told = json.loads(run("games", "--json")[1])
    assert {one["game"]: one["players"] for one in told} == {
        slug: list(games.load(slug).player_counts) for slug in games.names()
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("play", "upcard: which game? `upcard games` lists them"),
        ("play sixty-six --pace slow", "upcard: --pace must be steady, fast or instant, not 'slow'"),
        ("play sixty-six --level weak", f"upcard: There is no level 'weak' (there are: {LEVELS_THERE})"),
        ("watch nothing.json --level weak", f"upcard: There is no level 'weak' (there are: {LEVELS_THERE})"),
        ("play sixty-six --seat 2", "upcard: --seat must be 0 to 1"),
        ("play --resume", "upcard: there is no match to continue"),
        (
            "play --resume --seat 1 --level strong",
            "upcard: --resume continues a match as it was begun: --level, --seat cannot be changed",
        ),
        ("play nobody --resume", "upcard: there is no saved match 'nobody'; `upcard play --list` lists them"),
        ("watch nowhere.json", "upcard: there is no file or saved match 'nowhere.json'"),
    ],
)
def test_what_goes_wrong_is_one_line(run: Run, words: str, said: str) -> None:
    status, _, err = run(*words.split())
    assert (status, err) == (2, said + "\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("play", "Welches Spiel? `upcard games` zeigt alle"),
        ("play kaluki", "Es gibt kein Spiel 'kaluki': Meintest du kalooki?"),
        ("play whist", "Es gibt kein Spiel 'whist' (es gibt: cinch, "),
        ("play sixty-six -o targt=5", "Es gibt keine Option 'targt': Meintest du target?"),
        ("play sixty-six -o target", "--option erwartet NAME=WERT, nicht 'target'"),
        ("play sixty-six -o target=99", "„Ziel“ ist eine ganze Zahl von 1 bis 21, nicht 99 (SS-43)"),
        ("play sixty-six --players 5", "Sechsundsechzig geht mit 2 Spielern, nicht mit 5 (SS-1)"),
        ("play sixty-six --preset tiny", "Es gibt keine Voreinstellung 'tiny' (es gibt: usual, "),
        ("play sixty-six --given 0=2s", "2♠ gehört nicht zum Kartenspiel"),
        ("play sixty-six --given 0", "--given erwartet PLATZ=KARTEN, wie in 0='As Ks' oder upcard=Td, nicht '0'"),
        ("play sixty-six --pace slow", "--pace muss steady, fast oder instant sein, nicht 'slow'"),
        ("play sixty-six --level weak", "Die Stufe 'weak' gibt es nicht (es gibt: "),
        ("play sixty-six --seat 2", "--seat muss zwischen 0 und 1 liegen"),
        ("play sixty-six --seat x", "--seat muss eine ganze Zahl sein"),
        ("play sixty-six --seat -1", "--seat muss mindestens 0 sein"),
        ("play sixty-six --seat 0 --seat 1", "--seat ist zweimal angegeben"),
        ("play sixty-six --hole", "Es gibt keine Option --hole (ähnlich: --help, "),
        ("play --resume", "Es gibt keine Partie, die sich fortsetzen lässt"),
        ("play nobody --resume", "Es gibt keine gespeicherte Partie 'nobody'; "),
        ("learn whist", "Es gibt kein Spiel 'whist' (es gibt: "),
        ("puzzle sixty-six --number 999", "--number muss zwischen 1 und "),
        ("watch nowhere.json", "Es gibt weder eine Datei noch eine gespeicherte Partie 'nowhere.json'"),
    ],
)
def test_what_goes_wrong_is_explained_in_german(run: Run, words: str, said: str) -> None:
    status, _, err = run(*words.split(), "--language", "de")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(f"upcard: {said}")


def test_the_commands_of_authors_speak_english(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    assert run("play", "whist")[2].startswith("upcard: Es gibt kein Spiel 'whist'")
    assert run("check-game", "whist")[2].startswith("upcard: there is no game 'whist'")


# -------------------------------------------------------------------------------------------------------- saved matches


def test_a_match_goes_on_where_it_was_left(places: Path) -> None:
    file = places / "matches.sqlite3"
    table = session("sixty-six", seed=3, store=LocalStore(file))
    heard(table, "Th\nJh\n")
    hand = table.scene.hand
    store = LocalStore(file)
    again = Session.resumed(store, store.wanted(None))
    lines = heard(again, "hand\n")
    assert again.scene.hand == hand
    assert any(line.startswith("You play Th") for line in lines)
    assert [kept.plan.id for kept in store.all()] == [table.plan.id]
    assert not store.all()[0].done


def test_a_finished_match_is_kept_as_over(places: Path) -> None:
    store = LocalStore(places / "matches.sqlite3")
    table = session("sixty-six", store=store)
    heard(table, lambda: texts(table.scene)[0] + "\n")
    kept = store.wanted(store.all()[0].plan.id)
    assert kept.done
    assert Film(kept.standing().match.record(), table.names).scene(0, "all").seats
    with pytest.raises(UpcardError, match="there is no match to continue"):
        store.wanted(None)


def test_only_the_match_that_goes_on_is_read_whole() -> None:
    store = LocalStore(None)
    for seed in range(3):
        heard(session("sixty-six", seed=seed, store=store), "hand\n")
    last, *others = store.all()
    store._base.execute("UPDATE journal SET entry = 'damaged' WHERE match_id <> ?", [last.plan.id])
    assert store.wanted(None).plan == last.plan
    with pytest.raises(NotWritten):
        store.find(others[0].plan.id)


def test_matches_of_a_newer_program_are_left_alone(places: Path) -> None:
    import sqlite3

    file = places / "matches.sqlite3"
    LocalStore(file).close()
    with sqlite3.connect(file) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(UpcardError, match="saved by a newer version of Upcard"):
        LocalStore(file)


def test_a_match_that_cannot_be_read_is_told() -> None:
    store = LocalStore(None)
    store._base.execute("INSERT INTO matches VALUES ('k3x9f', 1.0, 0, '{}')")
    for look in (store.all, lambda: store.find("k3x9f")):
        with pytest.raises(NotWritten, match="The matches cannot be read just now"):
            look()


def test_kept_matches_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("play", "--list")[1] == "There are no saved matches yet.\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    status, out, err = run("play", "oh-hell", "--plain", "--name", "Bo", "--pace", "fast")
    assert (status, err) == (0, "")
    name = out.split()[-1]
    listed = run("play", "--list")[1]
    assert re.match(rf"{name}  oh-hell +5 players  in play  ", listed)
    assert load_preferences() == Preferences(name="Bo", pace="fast")


def play_first_moves(game: str, seed: int, store: LocalStore) -> Session:
    """A match whose person has always made the first move offered, to its end."""
    table = session(game, seed=seed, store=store)
    heard(table, lambda: texts(table.scene)[0] + "\n")
    return table


def test_finished_matches_count_in_the_statistics(run: Run) -> None:
    assert run("play", "--statistics")[1] == "There are no finished matches yet that count.\n"
    store = LocalStore(usual_file())
    won = sum(play_first_moves("sixty-six", seed, store).scene.winners == [0] for seed in range(3))
    heard(session("sixty-six", seed=9, store=store), "hand\n")  # in play
    hinted = play_first_moves("oh-hell", 1, store)
    asyncio.run(store.append(hinted.plan.id, hinted.seq + 1, [Hinted(seat=0)], done=True))
    status, out, err = run("play", "--statistics")
    assert (status, err) == (0, "")
    head, line = out.splitlines()
    assert head.split() == ["game", "against", "matches", "won"]
    assert re.fullmatch(rf"Sixty-Six  casual players +3  {won} \({100 * won / 3:.0f} %\)", line)


def test_the_scores_of_a_saved_match_are_printed(run: Run) -> None:
    assert run("play", "--scores")[2] == "upcard: there are no saved matches yet\n"
    assert run("play", "x", "--scores")[2] == ("upcard: there is no saved match 'x'; `upcard play --list` lists them\n")
    store = LocalStore(usual_file())
    table = play_first_moves("sixty-six", 1, store)
    title, head, *deals, won = run("play", "--scores")[1].splitlines()
    assert title == f"Sixty-Six, match {table.plan.id}, over"
    assert head.split() == ["deal", "dealer", *table.names]
    assert [line.split()[0] for line in deals] == [str(deal) for deal in range(1, table.match.state.deals + 1)]
    assert deals[-1].split()[2:] == [str(score) for score in table.match.scores]
    assert won == f"Won by {table.names[table.match.winners[0]]}"
    begun = session("sixty-six", seed=4, store=store)
    heard(begun, "hand\n")
    assert run("play", begun.plan.id, "--scores")[1].splitlines()[1] == "No deal is finished yet."


def test_of_a_match_in_play_the_finished_deals_are_watched(run: Run) -> None:
    store = LocalStore(usual_file())
    begun, table = (session("sixty-six", seed=seed, store=store) for seed in (1, 2))
    heard(begun, "hand\n")
    name = begun.plan.id
    resume = f"upcard play --resume {name}"
    assert run("watch", name, "--plain")[2] == (
        f"upcard: match {name} has no finished deal yet; to continue it: {resume}\n"
    )
    heard(table, lambda: f"{texts(table.scene)[0]}\n" if table.scene.deal == 1 else "")
    assert table.scene.deal == 2
    status, out, err = run("watch", table.plan.id, "--plain")
    assert (status, err) == (0, "")
    assert "Deal 1: " in out
    assert "Deal 2: " not in out
    assert run("review", table.plan.id)[2].startswith(f"upcard: match {table.plan.id} is not over; ")


# ------------------------------------------------------------------------------------------------ what is not needed

WITHOUT = "import sys; sys.modules['numba'] = sys.modules['numpy'] = sys.modules['filelock'] = None\n"


def test_casual_play_needs_neither_numba_nor_numpy() -> None:
    """All games in one process that can import neither, some moves each, in lines; and the screen's modules load."""
    code = WITHOUT + (
        "import asyncio\n"
        "import upcard.terminal.app, upcard.cli\n"
        "from upcard import games\n"
        "from upcard.engine.setup import Setup\n"
        "from upcard.terminal import choosing\n"
        "from upcard.terminal.session import Session\n"
        "from upcard.terminal.local_store import LocalStore\n"
        "async def some(slug):\n"
        "    table = Session.new(LocalStore(None), Setup(games.load(slug), None, {}), name='Ann', seed=1)\n"
        "    await table.open()\n"
        "    for _ in range(5):\n"
        "        await table.settle()\n"
        "        offers = table.scene.offers\n"
        "        picks = [' '.join([p.verb, *p.cards[:p.sizes[0]]]).strip() for p in offers.picks]\n"
        "        assert await table.move((picks + [m.text for m in offers.moves])[0]) is None\n"
        "    print(slug)\n"
        "for slug in games.SLUGS: asyncio.run(some(slug))\n"
    )
    done = elsewhere(code)
    assert done.stderr == ""
    assert done.stdout.split() == [game.slug for game in GAMES] or len(GAMES) < 11


def test_strong_players_say_what_they_need() -> None:
    line = "upcard play loo --level strong --plain"
    code = f"{WITHOUT}from upcard.cli import main; sys.argv = {line!r}.split(); main()"
    done = elsewhere(code)
    assert done.returncode == 2
    assert re.match(r"upcard: strong computer players need more packages: pip install .+\n$", done.stderr)


# ---------------------------------------------------------------------------------------------------------------- pages


def paged(pager: str, less: str | None) -> bytes:
    """What a terminal shows when a page is read with this pager."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PAGER", "MANPAGER", "LESS")}
    environment |= {"PAGER": pager, "TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path)}
    if less:
        environment["LESS"] = less
    main, other = pty.openpty()
    command = [sys.executable, "-m", "upcard", "learn", "sixty-six", "--text"]
    child = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=environment, start_new_session=True)
    os.close(other)
    seen = b""
    while child.poll() is None:
        if select.select([main], [], [], 0.5)[0]:
            with contextlib.suppress(OSError):  # the other end is closed
                seen += os.read(main, 65536)
        elif b"Sixty-Six" in seen:
            os.write(main, b"q")
    os.close(main)
    return seen


@pytest.mark.parametrize(("pager", "less"), [("cat", None), ("less", "-FX"), ("less", None)])
def test_pages_on_a_terminal_show_no_raw_codes(pager: str, less: str | None) -> None:
    """What a pager cannot turn into colours is not sent to it."""
    if shutil.which(pager) is None:
        pytest.skip(f"{pager} is not on this machine")
    seen = paged(pager, less)
    assert b"Sixty-Six" in seen
    assert b"ESC[" not in seen
    assert pager != "cat" or b"\x1b" not in seen


def test_a_page_is_shown_without_the_pager_if_that_is_missing() -> None:
    seen = paged("no-such-pager --quiet", None)
    assert b"Sixty-Six" in seen
    assert b"not found" not in seen
