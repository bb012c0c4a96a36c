"""The page without a server: a folder of files, Python in a worker, matches in the browser's own database."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from folder_page import COMPILED, START, Alone, FileHost, come_and_close
from playing import GAMES
from playing_page import some_move
from playwright.sync_api import Browser, expect

from upcard.players import LEVELS

pytestmark = [pytest.mark.browser, pytest.mark.long]

TEN_MOVES = Path(__file__).with_name("ten_moves.js").read_text()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileHost]:
    started = FileHost(tmp_path_factory.mktemp("host"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def window(browser: Browser, host: FileHost) -> Iterator[Alone]:
    """A window whose worker several tests use; the last of them closes it."""
    with Alone(browser, host) as person:
        yield person
        assert person.faults == []


@pytest.fixture
def ann(browser: Browser, host: FileHost) -> Iterator[Alone]:
    with Alone(browser, host) as person:
        yield person
        assert person.faults == []


def play(ann: Alone, moves: int = 500) -> str:
    """Play by clicks on what is offered; returns what has ended, if the match has."""
    rng = Random(1)
    for _ in range(moves):
        now = ann.wait()
        if now["end"] == "match":
            return "match"
        if now["end"]:
            ann.go_on()
        else:
            ann.act(some_move(ann.scenes[now["seq"]].offers, rng))
    return ""


def test_two_matches_are_played_by_clicks_and_go_to_another_browser(
    browser: Browser, host: FileHost, ann: Alone, tmp_path: Path
) -> None:
    ann.come()
    for offered in ("welcome-friend", "my-devices", "settings-devices"):
        expect(ann.see(offered)).to_have_count(0)
    ann.open("sixty-six", {"target": 1})
    assert play(ann) == "match"
    expect(ann.see("review-match")).to_have_count(1)
    with ann.page.expect_download() as saving:
        ann.see("match-end").get_by_test_id("record").click()
    record = json.loads(saving.value.path().read_text())
    assert record["game"] == "sixty-six"
    ann.see("watch").click()
    expect(ann.see("replay")).to_have_attribute("data-deal", "1")
    ann.open("oh-hell", {"max_cards": 2})
    assert play(ann) == "match"
    ann.see("leave").click()
    expect(ann.see("finished-tables").locator("li")).to_have_count(2)
    expect(ann.see("statistics")).to_contain_text("Oh Hell")
    assert not [message for message in ann.heard if message["type"] == "refused"]
    with ann.page.expect_download() as saving:
        ann.see("save-matches").click()
    file = tmp_path / "matches.json"
    saving.value.save_as(file)
    with Alone(browser, host) as elsewhere:
        elsewhere.come()
        elsewhere.see("open-matches").set_input_files(file)
        expect(elsewhere.see("lobby-notice")).to_contain_text("Matches added: 2")
        expect(elsewhere.see("finished-tables").locator("li")).to_have_count(2)
        (tmp_path / "other.json").write_text("{}")
        elsewhere.see("open-matches").set_input_files(tmp_path / "other.json")
        expect(elsewhere.page.get_by_role("alert")).to_contain_text("does not have saved matches")
        assert elsewhere.faults == []


def test_every_game_is_played_in_one_worker(window: Alone) -> None:
    window.come()
    for game in GAMES:
        level = (
            "medium" if game is GAMES[0] else "casual"
        )  # all play against all in test_browser_house.py, in less time
        played: dict[str, Any] = window.page.evaluate(TEN_MOVES, [game.slug, game.default_players, level])
        assert played["refused"] == [], game.slug
        assert played["made"] == 10 or played["done"], game.slug


@pytest.mark.parametrize("level", ["strong", "expert"])
def test_strong_players_think_in_the_browser(host: FileHost, window: Alone, level: str) -> None:
    [slug] = COMPILED
    window.come()
    played: dict[str, Any] = window.page.evaluate(TEN_MOVES, [slug, 3, level])
    assert played["refused"] == []
    assert played["made"] == 10 or played["done"]
    assert f"compiled/{slug}.wasm.gz" in host.fetched


def test_a_hint_is_computed_in_the_browser(window: Alone) -> None:
    [slug] = COMPILED
    window.open(slug, {})
    window.wait()
    window.see("ask-hint").click()
    expect(window.see("hint").locator(".best")).to_be_visible(timeout=START * 1000)


def test_lessons_and_rules_of_a_table_are_fetched_when_they_are_opened(host: FileHost, window: Alone) -> None:
    [slug] = COMPILED
    window.page.goto(f"{host.url}#/g/{slug}/learn")
    expect(window.see("lesson")).to_be_visible(timeout=START * 1000)
    window.page.goto(f"{host.url}#/puzzle")
    expect(window.see("puzzle")).to_be_visible(timeout=START * 1000)
    window.open(slug, {"cards": 4})
    window.wait()
    window.page.keyboard.press("r")  # the page asks while it computes what it shows
    expect(window.see("rules")).to_contain_text("Linger")
    assert {"python/lessons.files.gz", "python/rules.files.gz"} <= {*host.fetched}


def test_a_deal_is_set_up_by_the_form(host: FileHost, window: Alone) -> None:
    window.page.goto(f"{host.url}#/g/sixty-six")
    window.see("set-up").locator("summary").click()
    window.see("given").fill("0=As Ts; upcard=Kd")
    window.see("start").click()
    expect(window.see("brought")).to_have_text("A deal that somebody set up: it counts in no statistics")
    expect(window.see("hand-As")).to_be_visible()
    expect(window.see("hand-Ts")).to_be_visible()


def test_todays_deal_is_begun_and_found_again(window: Alone) -> None:
    window.come()
    expect(window.see("todays-deal")).to_contain_text("same for all")
    window.see("play-today").click()
    window.wait()
    table = window.table
    window.come()
    expect(window.see("todays-deal")).to_contain_text("Go on with the deal of the day")
    window.see("play-today").click()
    window.wait()
    assert window.table == table


def test_a_clause_opens_in_a_window_of_its_own(browser: Browser, host: FileHost, window: Alone) -> None:
    window.page.goto(f"{host.url}#/g/oh-hell/rules")
    link = window.see("rules").locator("a.clause").first
    expect(link).to_have_attribute("href", re.compile("/rulebook#OH-"))
    address = link.evaluate("node => node.href")
    other = Alone(browser, host, window.context)
    other.page.goto(address)
    clause = address.rpartition("#")[2]
    expect(other.see("rules").locator(f"#{clause}")).to_have_class("clause-found")
    other.page.close()
    assert other.faults == []


def test_two_windows_share_one_house(browser: Browser, host: FileHost, window: Alone) -> None:
    window.open("sixty-six", {})
    play(window, 1)
    with_worker = window.page
    other = Alone(browser, host, window.context)
    other.page.goto(with_worker.url)
    other.wait()
    assert len(with_worker.workers) == 1
    assert other.page.workers == []
    play(other, 1)
    seq = other.wait()["seq"]
    expect(window.see("scene")).to_have_attribute("data-seq", str(seq))
    with_worker.close()  # the other window takes over
    play(other, 2)
    assert len(other.page.workers) == 1
    assert other.faults == []


def test_later_visits_restore_python_and_deal_other_cards(browser: Browser, host: FileHost) -> None:
    with Alone(browser, host) as ann:
        ann.come()
        ann.until(lambda: ann.page.evaluate("caches.match('python/snapshot').then(Boolean)"))
        ann.page.close()
        hands = [hand_of_a_later_visit(browser, host, ann) for _ in range(2)]
        assert hands[0] != hands[1]


def hand_of_a_later_visit(browser: Browser, host: FileHost, ann: Alone) -> list[str]:
    """The cards that are dealt in a new window, whose worker begins with the memory that was stored."""
    later = Alone(browser, host, ann.context)
    later.open("sixty-six", {})
    later.wait()
    hand: list[str] = later.page.locator("[data-testid^=hand-]").evaluate_all(
        "cards => cards.map((card) => card.dataset.testid)"
    )
    [worker] = later.page.workers
    assert worker.evaluate("performance.getEntriesByName('restored').length") == 1
    play(later, 3)
    later.page.close()
    assert later.faults == []
    return hand


def test_a_new_edition_is_used_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    host = FileHost(tmp_path)
    with Alone(browser, host) as ann:
        ann.open("sixty-six", {})
        play(ann, 1)
        table = ann.page.url
        ann.page.wait_for_function("navigator.serviceWorker.controller !== null")
        host.replace("index.html", "<title>Upcard</title>", "<title>Upcard</title><meta name='edition' content='2'>")
        fetch_code = "fetch('compiled/linger-longer.wasm.gz').then(({ ok }) => ok, () => false)"
        host.replace("files.json", '"upcard": "', '"upcard": "2')
        assert not ann.page.evaluate(fetch_code), "code of another edition"
        ann.faults.clear()
        host.replace("offline.js", 'BUILD = "', 'BUILD = "2')
        ann.page.goto(host.url)
        ann.page.reload()
        ann.see("use-new-edition").click()
        ann.page.wait_for_function("document.querySelector('meta[name=edition]') !== null")
        expect(ann.see("new-edition")).to_have_count(0)
        assert ann.page.evaluate(fetch_code)
        editions = "caches.keys().then((names) => names.filter((name) => !name.endsWith(' snapshot')).length)"
        assert ann.page.evaluate(editions) == 1, "the files of the earlier edition are gone"
        ann.page.goto(table)
        play(ann, 2)
        assert ann.faults == []
    host.close()


def test_a_match_against_players_of_every_level_is_played_without_a_network(browser: Browser, tmp_path: Path) -> None:
    """`whole_matches.py` plays those of all games."""
    [slug] = COMPILED
    with come_and_close(browser, FileHost(tmp_path), COMPILED) as ann:
        ann.page.goto(f"{ann.host.url}#/g/{slug}")
        ann.see("start").wait_for()
        ann.see(f"players-{1 + len(LEVELS)}").locator("..").click()
        for seat, level in enumerate(LEVELS, 1):
            ann.see(f"seat-choice-{seat}").select_option(f"computer {level}")
        ann.fill_in({"deals": 1, "cards": 2})
        assert play(ann) == "match"
        assert not [message for message in ann.heard if message["type"] == "refused"]
        assert ann.faults == []


def test_it_opens_and_plays_without_a_network(browser: Browser, tmp_path: Path) -> None:
    host = FileHost(tmp_path)
    with Alone(browser, host) as ann:
        ann.open("sixty-six", {})
        play(ann, 1)
        ann.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        host.close()
        ann.page.reload()  # in mid-match
        play(ann, 2)
        ann.page.goto(f"{host.url}#/g/loo/rules")
        expect(ann.see("rules")).to_contain_text("Pam")
