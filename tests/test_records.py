"""Broken records of every kind: one line on standard error, status 2, never a traceback."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import GAMES, play_on, random_match

from upcard import BadRecord, IllegalMove, Match, cli, games
from upcard.engine import records

GOOD: dict[str, Any] = json.loads(
    (Path(__file__).parent / "games" / "sixty_six" / "golden" / "pending-marriage.json").read_text(encoding="utf-8")
)["record"]
DEAL = GOOD["events"][0]


def changed(**fields: object) -> str:
    return json.dumps(GOOD | fields)


def without(field: str) -> str:
    return json.dumps({name: value for name, value in GOOD.items() if name != field})


def events(*texts: object) -> str:
    return changed(events=texts)


def raw(**fields: str) -> str:
    """A record with these fields written as they stand."""
    texts = {name: json.dumps(value) for name, value in GOOD.items()} | fields
    return "{" + ", ".join(f'"{name}": {text}' for name, text in texts.items()) + "}"


# --------------------------------------------------------------------------------------------- the command, in process


class Run:
    """What `upcard replay` gave."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def reports(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    def fault(self) -> str:
        """The one line that says what is wrong."""
        assert self.status == 2
        assert self.err.endswith("\n")
        assert len(self.err.splitlines()) == 1, self.err
        assert self.err.startswith("upcard: ")
        assert len(self.err) < 500
        assert self.err[:-1].isprintable()
        return self.err.removeprefix("upcard: ").rstrip("\n")


@pytest.fixture
def replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs `upcard replay` on a file of this content."""

    def run(content: str | bytes, *options: str) -> Run:
        file = tmp_path / "record.json"
        file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        monkeypatch.setattr(sys, "argv", ["upcard", "replay", *options, str(file)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        said = capsys.readouterr()
        return Run(int(left.value.code or 0), said.out, said.err)

    return run


def test_a_good_record(replay: Any) -> None:
    run = replay(json.dumps(GOOD))
    assert (run.status, run.err) == (0, "")
    assert run.reports == [records.replay(GOOD).report()]


def test_steps_begin_before_the_first_event(replay: Any) -> None:
    run = replay(json.dumps(GOOD), "--steps")
    assert len(run.reports) == len(GOOD["events"]) + 1
    assert run.reports[0]["awaiting"] == "deal"
    assert [report["deal"] for report in run.reports] == [0] + [1] * 6
    assert run.reports == [match.report() for match in records.steps(GOOD)]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(GOOD, indent=4),
        json.dumps(GOOD, indent=4).replace("\n", "\r\n"),
        "\ufeff" + json.dumps(GOOD),
        json.dumps(GOOD).encode("utf-16"),
        "\n\n" + json.dumps(GOOD) + "\r\n\r\n",
        json.dumps(dict(reversed(GOOD.items()))),
        json.dumps(GOOD).replace("K", "\\u004b"),
    ],
    ids=["over several lines", "CRLF", "BOM", "UTF-16", "blank lines", "other order", "escapes"],
)
def test_other_spellings_of_a_good_record(replay: Any, content: str | bytes) -> None:
    assert replay(content).reports == [records.replay(GOOD).report()]


NOT_JSON = "this is not a match record: this is not JSON"
NO_OBJECT = "this is not a match record: a match record is a JSON object"
NEITHER = "this is not a match record: this is neither UTF-8 nor UTF-16 text"
TOO_DEEP = "this is not a match record: this is nested too deeply"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "this is not a match record: this is empty"),
        (" \n\r\n\t\n", "this is not a match record: this is empty"),
        ("hello", NOT_JSON),
        ("{", NOT_JSON),
        (json.dumps(GOOD)[:-1], NOT_JSON),
        (json.dumps(GOOD) + "x", NOT_JSON),
        ("'" + json.dumps(GOOD) + "'", NOT_JSON),
        ("\0" * 100, NOT_JSON),
        (json.dumps(GOOD).replace("Kh", "K\0", 1), NOT_JSON),
        (json.dumps(GOOD) + "\r" + json.dumps(GOOD), NOT_JSON),
        (json.dumps(GOOD, indent=1).replace(",", ";"), "record 1: " + NOT_JSON),
        ("null", NO_OBJECT),
        ("true", NO_OBJECT),
        ("12", NO_OBJECT),
        ("NaN", NO_OBJECT),
        ('"text"', NO_OBJECT),
        ("[]", NO_OBJECT),
        (json.dumps([GOOD]), NO_OBJECT),
        ("[" * 100_000, TOO_DEEP),
        ("[" * 100_000 + "]" * 100_000, TOO_DEEP),
        ('{"a":' * 100_000, TOO_DEEP),
        (raw(events="[" * 100_000 + "]" * 100_000), TOO_DEEP),
        ("9" * 5000, "this is not a match record: this has a number that is too long"),
        (b"\xff\xfe{", NEITHER),
        (json.dumps(GOOD).replace("sixty", "s\xefxty").encode("latin-1"), NEITHER),
        (bytes(range(256)) * 40, NEITHER),
    ],
)
def test_what_is_no_record(replay: Any, content: str | bytes, fault: str) -> None:
    assert replay(content).fault().startswith(fault)


def test_a_record_of_an_unknown_game_says_how_to_name_one_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_text(changed(game="thirty"), encoding="utf-8")
    with pytest.raises(BadRecord, match=r"there is no game 'thirty' .*: pass a game of your own as game=$") as failed:
        records.replay(json.loads(file.read_text()))
    assert "game=" not in failed.value.reason  # which the page tells
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)
    for command, way in (
        ("replay", "to use a game of your own, give its file with --game"),
        ("verify", "to use a game of your own, give its file with --game"),
        ("review", "to use a game of your own, set UPCARD_GAMES to its file"),
    ):
        told = only_line(upcard(command, str(file)))
        assert told.startswith("this is not a match record: there is no game 'thirty' (there are: ")
        assert told.endswith(f": {way}")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{}", '"upcard" must be 1'),
        (without("upcard"), '"upcard" must be 1'),
        (changed(upcard=2), '"upcard" must be 1'),
        (changed(upcard="1"), '"upcard" must be 1'),
        (changed(upcard=True), '"upcard" must be 1'),
        (changed(upcard=1.0), '"upcard" must be 1'),
        (without("game"), '"game" is missing or not a text'),
        (changed(game=None), '"game" is missing or not a text'),
        (changed(game="whist"), "there is no game 'whist' (there are: "),
        (changed(game="Sixty-Six"), "there is no game 'Sixty-Six'"),
        (changed(game="../games/sixty-six"), "there is no game"),
        (changed(game="a\nb\x1b[31m\ud800"), "there is no game 'a\\nb\\x1b[31m\\ud800'"),
        (changed(game="x" * 1_000_000), "there is no game 'xxx"),
        (without("players"), '"players" is missing'),
        (changed(players=None), "Sixty-Six is for 2 players, not 'null' (SS-1)"),
        (changed(players=3), "Sixty-Six is for 2 players, not 3 (SS-1)"),
        (changed(players=True), "Sixty-Six is for 2 players, not true (SS-1)"),
        (changed(players=2.0), "Sixty-Six is for 2 players, not 2.0 (SS-1)"),
        (changed(players="2"), "Sixty-Six is for 2 players, not '2' (SS-1)"),
        (changed(players=[2]), "Sixty-Six is for 2 players, not a list (SS-1)"),
        (raw(players="9" * 4000), "Sixty-Six is for 2 players, not a very large number (SS-1)"),
        (raw(players="-1e999"), "Sixty-Six is for 2 players, not -inf (SS-1)"),
        (raw(players="[" * 900 + "]" * 900), "Sixty-Six is for 2 players, not a list (SS-1)"),
        (without("dealer"), '"dealer" is missing'),
        (changed(dealer=None), "the dealer is a seat from 0 to 1, not null (SS-6)"),
        (changed(dealer=2), "the dealer is a seat from 0 to 1, not 2 (SS-6)"),
        (changed(dealer=-1), "the dealer is a seat from 0 to 1, not -1 (SS-6)"),
        (raw(dealer="NaN"), "the dealer is a seat from 0 to 1, not nan (SS-6)"),
        (without("options"), '"options" is missing or not an object'),
        (changed(options=[]), '"options" is missing or not an object'),
        (changed(options={"x" * 999: 1}), "there is no option 'xxx"),
        (changed(options={"target": 22}), "option target is a whole number from 1 to 21, not 22 (SS-43)"),
        (changed(options={"target": {"a": 1}}), "option target is a whole number from 1 to 21, not an object (SS-43)"),
        (raw(options='{"target": Infinity}'), "option target is a whole number from 1 to 21, not inf (SS-43)"),
        (changed(options={"last": None}), "option last is always or open, not null (SS-5)"),
        (without("events"), '"events" is missing or not a list'),
        (changed(events=None), '"events" is missing or not a list'),
        (changed(events=DEAL), '"events" is missing or not a list'),
        (changed(events={}), '"events" is missing or not a list'),
        (changed(winner=0), "a match record has no field 'winner'"),
        (changed(**{"": 0}), "a match record has no field ''"),
        (changed(**{"a\nb\u2028": 0}), "a match record has no field 'a\\nb\\u2028'"),
    ],
)
def test_a_wrong_header(replay: Any, content: str, fault: str) -> None:
    said = replay(content).fault()
    assert said.startswith(f"this is not a match record: {fault}")


@pytest.mark.parametrize(
    ("content", "index", "fault", "clause"),
    [
        (events(5), 0, "5 is not an event", "SS-48"),
        (events(DEAL, None), 1, "null is not an event", "SS-48"),
        (events(DEAL, ["1 Kh"]), 1, "a list is not an event", "SS-48"),
        (events(DEAL, {"seat": 1}), 1, "an object is not an event", "SS-48"),
        (raw(events="[NaN]"), 0, "nan is not an event", "SS-48"),
        (raw(events="[" + "9" * 4000 + "]"), 0, "a very large number is not an event", "SS-48"),
        (events(DEAL, ""), 1, "'' is not an event", "SS-48"),
        (events(DEAL, "² Kh"), 1, "'² Kh' is not an event", "SS-48"),
        (events(DEAL, "1" * 5000 + " Kh"), 1, "there is no seat 1000000000", "SS-48"),
        (events(DEAL, "1 \x00"), 1, r"1 '\x00' is not possible", "SS-48"),
        (events(DEAL, "1 \ud800"), 1, r"1 '\ud800' is not possible", "SS-48"),
        (events(DEAL, "1 a\nb\x1b[2J\u2028"), 1, r"1 'a\nb\x1b[2J\u2028' is not possible", "SS-48"),
        (events(DEAL, "1 " + "Kh " * 100_000), 1, "1 'Kh Kh", "SS-48"),
        (events(DEAL, "1 meld " + "Kh " * 100_000), 1, "1 'meld Kh Kh", "SS-48"),
        (events(DEAL[:-3]), 0, "deal lacks Th: it has 23 cards of 24", "SS-10"),
        (events(DEAL[:-2] + "Kh"), 0, "deal lacks Th", "SS-10"),
        (events(DEAL + " Kh"), 0, "deal has more cards than the 24 available", "SS-10"),
        (events(DEAL[:-2] + "Xx"), 0, "deal names something that is not a card", "SS-10"),
        (events("deal " + "As " * 100_000), 0, "deal has more cards than the 24 available", "SS-10"),
        (events("1 Kh"), 0, "1 'Kh' is not possible", "SS-48"),
        (events(DEAL, DEAL), 1, "deal is not awaited", "SS-48"),
        (events(DEAL, "draw Kh"), 1, "draw is not awaited", "SS-48"),
        (events(DEAL, "0 Ah"), 1, "0 'Ah' is not possible", "SS-48"),
        (events(DEAL, "7 Ah"), 1, "there is no seat 7", "SS-48"),
        (events(DEAL, "1 Ah"), 1, "1 'Ah' is not possible", "SS-11"),
        (events(DEAL, "1 Kh", "0 declare"), 2, "0 'declare' is not possible", "SS-30"),
        (changed(options={"target": 3}, events=[DEAL, "1 declare", "0 Ah"]), 2, "0 'Ah' is not possible", "SS-48"),
        (changed(options={"target": 3}, events=[DEAL, "1 declare", DEAL]), 2, "deal is not awaited", "SS-48"),
        (changed(options={"target": 3}, events=[DEAL, "1 declare", 0]), 2, "0 is not an event", "SS-48"),
    ],
)
def test_an_impossible_event(replay: Any, content: str, index: int, fault: str, clause: str) -> None:
    said = replay(content).fault()
    assert said.startswith(f"event {index}: {fault}")
    assert said.endswith(f"({clause})")
    run = replay(content, "--steps")
    assert run.fault() == said
    assert len(run.reports) == index + 1


# ---------------------------------------------------------------------------------------------------------- JSON Lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n", " \n\t\n"])
def test_one_record_a_line(replay: Any, end: str) -> None:
    other = changed(dealer=1, events=[])
    run = replay(end.join([json.dumps(GOOD), other, json.dumps(GOOD), ""]))
    assert [report["dealer"] for report in run.reports] == [0, 1, 0]
    run = replay(end.join([json.dumps(GOOD), other, json.dumps(GOOD), ""]), "--steps")
    assert [report["deal"] for report in run.reports] == [0, *[1] * 6, 0, 0, *[1] * 6]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("nope", "this is not a match record: this is not JSON: Expecting value, column 1"),
        ("{", "this is not a match record: this is not JSON"),
        ("\x0c", "this is not a match record: this is not JSON"),
        ("[" * 100_000, "this is not a match record: this is nested too deeply"),
        ("null", "this is not a match record: a match record is a JSON object"),
        (changed(dealer=7), "this is not a match record: the dealer is a seat from 0 to 1, not 7 (SS-6)"),
        (events(DEAL, "1 Ah"), "event 1: 1 'Ah' is not possible: "),
    ],
)
def test_a_bad_record_in_the_middle(replay: Any, line: str, fault: str) -> None:
    run = replay("\n".join([json.dumps(GOOD), "", line, json.dumps(GOOD)]))
    assert run.fault().startswith(f"record 2: {fault}")
    assert run.reports == [records.replay(GOOD).report()]


def test_the_first_line_is_bad(replay: Any) -> None:
    run = replay("{\n" + json.dumps(GOOD))
    assert run.fault().startswith("record 1: this is not a match record: this is not JSON")
    assert run.out == ""


@pytest.mark.parametrize("garbage", ["x", "x\n", "[", '"a', "9", "\0", " ", "\n", "{}\n", '{"a":['], ids=repr)
def test_twenty_megabytes_of_garbage(replay: Any, garbage: str) -> None:
    assert replay(garbage * (20_000_000 // len(garbage))).fault()


# -------------------------------------------------------------------------------------------- the command from outside


def upcard(*arguments: str, **given: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "upcard", *arguments], capture_output=True, timeout=300, **given)


def only_line(run: subprocess.CompletedProcess[bytes]) -> str:
    assert run.returncode == 2
    assert run.stdout == b""
    return Run(2, "", run.stderr.decode()).fault()


def test_standard_input() -> None:
    run = upcard("replay", "-", input=json.dumps(GOOD).encode())
    assert (run.returncode, run.stderr) == (0, b"")
    assert json.loads(run.stdout) == records.replay(GOOD).report()
    assert only_line(upcard("replay", "-", input=b"\xff")) == NEITHER


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert only_line(upcard("replay", str(tmp_path / "none"))).endswith("none: No such file or directory")
    assert only_line(upcard("replay", str(tmp_path))).endswith(": Is a directory")
    assert only_line(upcard("replay", "\x1b[31m")) == r"\x1b[31m: No such file or directory"
    assert only_line(upcard("replay")) == "FILE is missing: see upcard replay -h"


def shell(line: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """A line of shell with the command in it as `replay`, run where the file many.jsonl is."""
    (tmp_path / "many.jsonl").write_text((json.dumps(GOOD) + "\n") * 200)
    command = f'replay() {{ "{sys.executable}" -m upcard replay "$@"; }}; {line}'
    env = os.environ | {"PYTHONPATH": str(Path(cli.__file__).parents[1])}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300
    )


@pytest.mark.parametrize("line", ["replay --steps many.jsonl | head -n 1", "replay many.jsonl | head -c 1"])
def test_a_closed_pipe_ends_it_quietly(line: str, tmp_path: Path) -> None:
    run = shell(line, tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("{")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said(tmp_path: Path) -> None:
    run = shell("replay many.jsonl > /dev/full", tmp_path)
    assert (run.returncode, run.stderr) == (2, "upcard: No space left on device\n")


@pytest.mark.parametrize(
    ("line", "status"), [("replay - <&-", 2), ("replay many.jsonl >&-", 0), ("replay none 2>&-", 2)]
)
def test_closed_streams_are_empty(line: str, status: int, tmp_path: Path) -> None:
    run = shell(line, tmp_path)
    assert run.returncode == status
    assert "Traceback" not in run.stderr


# ------------------------------------------------------------------------------------------------- anything whatsoever


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.sampled_from(
    ["deal", "reshuffle", "draw", "bid", "pass", "meld", "lay", "tack", "discard", "call", "correct", "accept"]
    + ["0", "1", "2", "9", "12", "64", "As", "Kh", "Td", "9s", "2c", "*", "xx"]
)
TEXTS = st.text(max_size=20) | st.lists(WORDS, max_size=6).map(" ".join)


def some_record(slug: str) -> dict[str, Any]:
    match = random_match(games.load(slug), 5)
    for _ in play_on(match, Random(5), 60):
        pass
    return match.record()


RECORDS = [some_record(game.slug) for game in GAMES]


@st.composite
def mutations(draw: st.DrawFn) -> dict[str, Any]:
    """A good record with something done to it."""
    record: dict[str, Any] = json.loads(json.dumps(draw(st.sampled_from(RECORDS))))
    played: list[Any] = record["events"]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(played) - 1)) if played else 0
        match draw(st.sampled_from(["field", "gone", "more", "insert", "replace", "cut", "swap", "words"])):
            case "field":
                record[draw(st.sampled_from(sorted(record)))] = draw(JSON)
            case "gone":
                record.pop(draw(st.sampled_from(sorted(record))), None)
            case "more":
                record[draw(st.text(max_size=5))] = draw(JSON)
            case "insert":
                played.insert(at, draw(JSON | TEXTS))
            case "replace":
                played[at : at + 1] = [draw(JSON | TEXTS)]
            case "cut":
                del played[at : at + draw(st.integers(1, 3))]
            case "swap":
                played[at : at + 2] = played[at : at + 2][::-1]
            case "words":
                words = str(played[at]).split(" ") if played else []
                played[at : at + 1] = [" ".join(draw(st.permutations(words[:30])) + [draw(TEXTS)])]
    return record


def outcome(text: str) -> Iterator[Match]:
    for _, record in records.parse(text):
        if isinstance(record, BadRecord):
            raise record
        yield from records.steps(record)


def only_known_faults(text: str) -> None:
    fault = ""
    try:
        for match in outcome(text):
            match.report()
    except (BadRecord, IllegalMove) as error:
        fault = str(error)
    assert fault.isprintable()


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(mutations())
def test_mutated_records(record: dict[str, Any]) -> None:
    only_known_faults(json.dumps(record))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from(RECORDS), st.data())
def test_mutated_texts(record: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(record)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    only_known_faults(text[:start] + data.draw(st.text(max_size=10)) + text[end:])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from(RECORDS), st.lists(TEXTS, max_size=4))
def test_any_text_as_the_next_event(record: dict[str, Any], texts: list[str]) -> None:
    """A refusal changes nothing: the match goes on as if the text had never been said."""
    match = records.replay(record)
    for text in texts:
        before, index = match.state.copy(), len(match.events)
        try:
            match.event(text)
        except IllegalMove as refused:
            index = refused.index
        else:
            continue
        assert index == len(match.events)
        assert match.state == before
    assert records.replay(match.record()).state == match.state


@settings(max_examples=200, deadline=None, derandomize=True)
@given(JSON)
def test_a_record_of_any_json(value: object) -> None:
    with pytest.raises(BadRecord):
        records.replay(value)
