"""The page without a server: a folder of files, Python in a worker, matches in the browser's own database."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from folder_page import Alone, FileHost
from playing import GAMES
from playing_page import some_move
from playwright.sync_api import Browser, expect

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileHost]:
    started = FileHost(tmp_path_factory.mktemp("host"))
    yield started
    started.close()


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


def test_two_matches_are_played_by_clicks_and_kept(ann: Alone, tmp_path: Path) -> None:
    ann.come()
    assert not ann.see("welcome-friend").is_visible()
    ann.open("sixty-six", {"target": 1})
    play(ann, 3)
    ann.page.reload()  # in mid-match
    assert play(ann) == "match"
    expect(ann.see("review-match")).to_have_count(0)
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


def test_matches_move_to_another_browser(browser: Browser, host: FileHost, ann: Alone, tmp_path: Path) -> None:
    ann.come()
    ann.open("sixty-six", {})
    play(ann, 2)
    ann.come()
    with ann.page.expect_download() as saving:
        ann.see("save-matches").click()
    file = tmp_path / "matches.json"
    saving.value.save_as(file)
    with Alone(browser, host) as elsewhere:
        elsewhere.come()
        elsewhere.see("open-matches").set_input_files(file)
        expect(elsewhere.see("lobby-notice")).to_contain_text("Matches added: 1")
        elsewhere.see("mine").get_by_role("link").first.click()
        play(elsewhere, 2)
        elsewhere.come()
        (tmp_path / "other.json").write_text("{}")
        elsewhere.see("open-matches").set_input_files(tmp_path / "other.json")
        expect(elsewhere.page.get_by_role("alert")).to_contain_text("does not have saved matches")


def test_two_windows_share_one_house(browser: Browser, host: FileHost, ann: Alone) -> None:
    ann.open("sixty-six", {})
    play(ann, 1)
    with_worker = ann.page
    other = Alone(browser, host, ann.context)
    other.page.goto(with_worker.url)
    other.wait()
    assert len(with_worker.workers) == 1
    assert other.page.workers == []
    play(other, 1)
    seq = other.wait()["seq"]
    expect(ann.see("scene")).to_have_attribute("data-seq", str(seq))
    with_worker.close()  # the other window takes over
    play(other, 2)
    assert len(other.page.workers) == 1
    assert other.faults == []


def test_it_opens_and_plays_without_a_network(browser: Browser, tmp_path: Path) -> None:
    host = FileHost(tmp_path)
    with Alone(browser, host) as ann:
        ann.open("sixty-six", {})
        play(ann, 1)
        ann.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        host.close()
        ann.page.reload()
        play(ann, 2)
        ann.come()
        expect(ann.see("mine").get_by_role("link").first).to_be_visible()
        ann.page.goto(f"{host.url}#/g/loo/rules")
        expect(ann.see("rules")).to_contain_text("Pam")


def test_a_clause_opens_in_a_window_of_its_own(ann: Alone) -> None:
    ann.page.goto(f"{ann.host.url}#/g/oh-hell/rules")
    link = ann.see("rules").locator("a.clause").first
    clause = str(link.get_attribute("href")).rpartition("#")[2]
    ann.page.goto("about:blank")
    ann.page.goto(f"{ann.host.url}#/g/oh-hell/rulebook#{clause}")
    expect(ann.see("rules").locator(f"#{clause}")).to_have_class("clause-found")


TEN_MOVES = """async ([game, players, level]) => {
  const name = "upcard " + new URL(".", location.href).pathname, channel = new BroadcastChannel(name), from = "test" + Math.random().toString(36).slice(2);
  const answers = new Map(); let scene, seq = -1, you, turn = () => {}, number = 0, refused = [];
  channel.onmessage = ({ data }) => {
    if (data.to !== from) return;
    if (data.say === "answer") return answers.get(data.id)?.(JSON.parse(data.text));
    if (data.say !== "message") return;
    const said = JSON.parse(data.json);
    if (said.type === "welcome") [scene, seq, you] = [said.scene, said.seq, said.table.you];
    else if (said.type === "event" || said.type === "table") [scene, seq] = [{ ...scene, ...said.changes }, said.seq];
    else if (said.type === "refused") refused.push(said.text);
    if (scene.done || scene.to_act.includes(you)) turn();
  };
  const post = (message) => channel.postMessage({ to: "house", from, ...message });
  const seats = [{ who: "me" }, ...Array(players - 1).fill({ who: "computer", level })];
  const table = await new Promise((done) => {
    answers.set(1, done);
    post({ say: "ask", id: 1, method: "POST", path: "tables", body: JSON.stringify({ game, players, options: {}, name: "Ann", seats }) });
  });
  const next = () => new Promise((done) => (turn = done));
  const first = next();
  post({ say: "open", line: 1, table: table.body.id });
  await first;
  const times = [];
  for (let made = 0; made < 10 && !scene.done; made += 1) {
    const { moves, picks } = scene.offers;
    const text = moves[0]?.text ?? [picks[0].verb, ...picks[0].cards.slice(0, picks[0].sizes[0])].filter(Boolean).join(" ");
    const began = performance.now(), moved = next();
    post({ say: "hear", line: 1, text: JSON.stringify({ type: "move", id: `${from}${made}`, seq, text }) });
    await moved;
    times.push(performance.now() - began);
    if (refused.length) break;
  }
  post({ say: "bye" });
  return { made: times.length, done: scene.done, refused, times };
}"""


def test_every_game_is_played_in_one_worker(ann: Alone) -> None:
    ann.come()
    expect(ann.see("house-waits")).to_have_count(0)
    for game in GAMES:
        told: dict[str, Any] = ann.page.evaluate(TEN_MOVES, [game.slug, game.default_players, "medium"])
        assert told["refused"] == [], game.slug
        assert told["made"] == 10 or told["done"], game.slug
