"""After a deal and after a match: the score sheet; replaying, sharing and playing on from a match; practice."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from axe import violations
from playing import play_out, random_match
from playing_page import PHONE, Person, Server
from playwright.sync_api import Browser, Request, Route, expect

from upcard import games
from upcard.players.review import decisions
from upcard.rules import cards

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def ann(browser: Browser, server: Server) -> Iterator[Person]:
    with Person(browser, server, "Ann", worker=False) as person:
        yield person
        assert person.faults == []


def to_the_end_of_the_deal(person: Person) -> None:
    rng = Random(1)
    while not (now := person.wait())["end"]:
        person.act(rng.choice(person.moves(now["seq"])))


def is_at(person: Person, frame: int) -> None:
    expect(person.see("replay")).to_have_attribute("data-frame", str(frame))


def test_alone_a_deal_is_played_and_looked_at_again(ann: Person) -> None:
    ann.open("oh-hell", {"max_cards": 1}, players=3)
    first = ann.scenes[ann.wait()["seq"]].hand
    ann.until_shows(first)
    to_the_end_of_the_deal(ann)
    ann.context.set_offline(True)
    ann.see("same-deal").click()
    expect(ann.see("banner")).to_contain_text("cannot be reached")
    ann.context.set_offline(False)
    ann.faults.clear()  # the browser's own line about the network
    ann.see("same-deal").click()
    expect(ann.see("deal-end")).to_have_count(0)
    ann.wait()
    ann.until_shows(first)
    to_the_end_of_the_deal(ann)
    ann.see("all-cards").click()
    expect(ann.see("replay").locator("[data-card]")).to_have_count(4)  # three hands and the upcard
    expect(ann.see("deal").locator("option")).to_have_count(1)
    ann.page.go_back()
    assert ann.wait()["end"] == "deal"
    ann.go_on()
    assert ann.wait()["end"] == ""
    expect(ann.page).to_have_url(re.compile(f"/t/{ann.heard[0]['table']['id']}(#|$)"))


def test_a_finished_match_is_told_watched_and_leads_on(ann: Person, bo: Person) -> None:
    ann.open("oh-hell", {"max_cards": 1}, players=3)
    to_the_end_of_the_deal(ann)
    ann.go_on()
    to_the_end_of_the_deal(ann)
    end = ann.see("match-end")
    expect(end.get_by_test_id("sheet").locator("tbody tr")).to_have_count(2)
    expect(end.get_by_test_id("again")).to_have_text("Rematch")
    scores = [int(cell) for cell in end.locator("[data-testid=sheet] tr:last-child td b").all_inner_texts()]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    expect(end.get_by_role("heading", level=2)).to_contain_text(re.compile(r"won|tied"))
    if scores[0] > scores[1]:  # where two have tied it turned in no deal
        expect(end.get_by_test_id("story")).to_contain_text("deal")
    assert violations(ann.page) == []
    expect(end.get_by_test_id("next-game")).to_have_attribute("href", "/g/ninety-nine")
    end.get_by_test_id("deal-2").click()
    end.get_by_test_id("watch-2").click()
    expect(ann.see("replay")).to_have_attribute("data-deal", "2")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        ann.page.keyboard.press(key)
    is_at(ann, 1)
    ann.page.keyboard.press("End")
    expect(ann.see("result")).to_contain_text("The deal is over")
    ann.page.keyboard.press("PageUp")
    expect(ann.see("replay")).to_have_attribute("data-deal", "1")
    assert violations(ann.page) == []
    ann.page.keyboard.press("ArrowDown")
    ann.see("eyes").select_option("all")
    ann.see("share").click()
    expect(ann.see("replay-link")).to_have_value(re.compile("seat=all"))
    link = ann.see("replay-link").input_value()
    bo.page.goto(link)
    expect(bo.see("replay")).to_have_attribute("data-frame", ann.see("replay").get_attribute("data-frame") or "")
    expect(bo.see("eyes")).to_have_value("all")
    bo.page.keyboard.press("Home")
    bo.see("play-on").click()
    bo.see("play-on-start").click()
    assert bo.wait()["end"] == ""
    expect(bo.page.locator("[data-testid^=hand-]")).to_have_count(1)


def opens_a_table(request: Request) -> bool:
    return request.method == "POST" and re.search(r"/api/tables(/\w+/fork)?$", request.url) is not None


def test_a_double_click_opens_one_table(ann: Person, tmp_path: Path) -> None:
    asked: list[Route] = []
    ann.page.route("**/api/**", lambda route: asked.append(route) if opens_a_table(route.request) else route.fallback())
    ann.page.goto(f"{ann.server.url}/g/sixty-six")
    double_click(ann, "start")
    ann.until(lambda: asked)
    assert len(asked) == 1
    asked.pop().continue_()
    ann.wait()
    watch_several_deals(ann, tmp_path)
    ann.see("play-on").click()
    double_click(ann, "play-on-start")
    ann.until(lambda: asked)
    assert len(asked) == 1
    asked.pop().continue_()
    ann.wait()


def double_click(person: Person, button: str) -> None:
    """And wait until whatever it asks of the server has been heard of here."""
    with person.page.expect_request(opens_a_table):
        person.see(button).dblclick()
    person.page.evaluate("new Promise((done) => setTimeout(done, 100))")


def test_a_replay_that_is_watched_again_runs_as_fast_as_before(ann: Person, tmp_path: Path) -> None:
    watch_several_deals(ann, tmp_path)
    ann.see("speed").select_option("fast")
    ann.page.keyboard.press("End")
    for key in ("Home", "PageDown", "PageUp"):
        ann.page.keyboard.press(key)
    ann.see("run").click()
    expect(ann.see("replay")).not_to_have_attribute("data-frame", "0")
    expect(ann.see("speed")).to_have_value("fast")


def watch_several_deals(person: Person, folder: Path) -> None:
    """Bring a match along, and watch it from its first deal."""
    record = folder / "match.json"
    record.write_text(json.dumps(play_out(random_match(games.load("sixty-six"), 3), Random(3)).record()))
    person.page.goto(person.server.url)
    person.see("bring").set_input_files(record)
    expect(person.see("replay")).to_have_attribute("data-deal", "1")


def test_where_there_is_no_replay_nothing_of_it_is_offered(ann: Person) -> None:
    ann.open("sixty-six", {})
    ann.wait()
    for table in (ann.page.url.split("#")[0], f"{ann.server.url}/t/nosuchtable"):
        ann.page.goto(f"{table}/replay")
        expect(ann.page.get_by_role("alert")).to_be_visible()
        for button in ("play-on", "share"):
            expect(ann.see(button)).to_have_count(0)
    ann.faults.clear()  # the browser's own lines about the answers


def test_an_address_that_names_no_deal_shows_the_first(ann: Person, tmp_path: Path) -> None:
    watch_several_deals(ann, tmp_path)
    ann.page.goto(f"{ann.page.url.split('?')[0]}?deal=x&at=y")
    expect(ann.see("replay")).to_have_attribute("data-deal", "1")
    is_at(ann, 0)


def test_a_replay_shows_the_deal_that_was_asked_for_last(ann: Person, tmp_path: Path) -> None:
    watch_several_deals(ann, tmp_path)
    late: list[Route] = []
    ann.page.route("**/replay?deal=2*", lambda route: late.append(route))
    with ann.page.expect_request("**/replay?deal=2*"):
        ann.see("deal").select_option("2")
    ann.see("deal").select_option("3")
    expect(ann.see("replay")).to_have_attribute("data-deal", "3")
    ann.until(lambda: late)
    with ann.page.expect_event("requestfinished", lambda request: "deal=2" in request.url):
        late[0].continue_()
    ann.page.evaluate("new Promise((done) => setTimeout(done, 100))")
    expect(ann.see("replay")).to_have_attribute("data-deal", "3")
    expect(ann.see("deal")).to_have_value("3")


def test_a_deal_and_then_the_eyes_are_chosen_at_once(ann: Person, tmp_path: Path) -> None:
    watch_several_deals(ann, tmp_path)
    late: list[Route] = []
    ann.page.route("**/replay?deal=2&seat=all", lambda route: late.append(route))
    with ann.page.expect_request("**/replay?deal=2&seat=all"):
        ann.see("deal").select_option("2")
    ann.see("eyes").select_option("1")
    expect(ann.see("replay")).to_have_attribute("data-deal", "2")
    expect(ann.see("replay")).to_have_attribute("data-frame", "0")
    expect(ann.see("deal")).to_have_value("2")
    expect(ann.see("eyes")).to_have_value("1")
    ann.until(lambda: late)
    late[0].continue_()


def test_a_choice_that_fails_is_taken_back(ann: Person, tmp_path: Path) -> None:
    watch_several_deals(ann, tmp_path)
    eyes = ann.see("eyes").input_value()
    ann.page.route("**/replay?deal=*", lambda route: route.abort())
    ann.see("deal").select_option("2")
    expect(ann.page.get_by_role("alert")).to_be_visible()
    expect(ann.see("deal")).to_have_value("1")
    ann.see("eyes").select_option("1")
    expect(ann.see("eyes")).to_have_value(eyes)
    ann.page.unroute("**/replay?deal=*")
    ann.see("deal").select_option("2")
    expect(ann.see("replay")).to_have_attribute("data-deal", "2")
    expect(ann.page.get_by_role("alert")).to_have_count(0)
    ann.faults.clear()  # the browser's own lines about the network


REVIEW = {"seat": 0, "state": "running", "done": 3, "of": 9, "summary": "9 decisions", "mistakes": []}


def test_a_review_leads_to_the_moves_that_cost_most(ann: Person, tmp_path: Path) -> None:
    match = play_out(random_match(games.load("sixty-six"), 3), Random(3))
    found = [*decisions(match, 0)]
    one, two = found[1], next(decision for decision in found if decision.deal == 2)
    move = {"text": "9s", "label": "9♠", "says": "worse", "worse": True}
    says = "about 2.1 points worse than A♠, fairly sure"
    mistakes = [
        {"events": at.events, "deal": at.deal, "played": move, "better": move, "cost": 2, "margin": 1, "says": says}
        for at in (two, one)
    ]
    answers = [REVIEW]
    ann.page.route("**/review?seat=0", lambda route: route.fulfill(json=answers[-1]))
    ann.page.goto(ann.server.url)
    record = tmp_path / "match.json"
    record.write_text(json.dumps(match.record()))
    ann.see("bring").set_input_files(record)
    ann.see("open-review").click()
    expect(ann.see("review")).to_contain_text("3 of 9 decisions")
    answers.append(REVIEW | {"state": "done", "done": 9, "mistakes": mistakes})
    expect(ann.see("review")).to_have_attribute("data-state", "done")
    ann.see(f"mistake-{two.events}").click()
    expect(ann.see("replay")).to_have_attribute("data-deal", "2")
    expect(ann.see("replay")).to_have_attribute("data-at", str(two.events))
    expect(ann.see("eyes")).to_have_value("0")
    ann.until_shows([cards.text(card) for card in two.seen.hand() if card is not None])
    ann.see(f"mistake-{one.events}").click()
    expect(ann.see("replay")).to_have_attribute("data-at", str(one.events))
    ann.page.keyboard.press("Home")
    expect(ann.see("mistake")).to_have_count(0)
    ann.see(f"mark-{one.events}").click()
    expect(ann.see("replay")).to_have_attribute("data-at", str(one.events))
    expect(ann.see("mistake")).to_contain_text(says.split("♠")[0].removesuffix("A"))
    assert violations(ann.page) == []
    ann.see("mistake").get_by_role("button").click()
    expect(ann.see("play-on-start")).to_be_enabled()
    ann.resize(PHONE)
    ann.page.keyboard.press("Escape")
    ann.see("open-review").click()
    ann.see(f"mistake-{two.events}").click()
    expect(ann.see("review")).to_have_count(0)
    assert violations(ann.page) == []


def test_the_end_shows_the_decisions_that_mattered_when_asked(ann: Person) -> None:
    ann.open("sixty-six", {"target": 1})
    to_the_end_of_the_deal(ann)
    last = ann.scenes[max(ann.scenes)]
    move = {"text": "9s", "label": "9♠", "says": "worse", "worse": True}
    better = {"text": "As", "label": "A♠", "says": "best", "worse": False}
    says = "about 2.1 points worse than A♠, fairly sure"
    mistakes = [
        {"events": events, "deal": 1, "played": move, "better": better, "cost": 2.1, "margin": 1, "says": says}
        for events in (3, 5, 7, 9)
    ]
    asked: list[Route] = []
    ann.page.route("**/review?seat=*", lambda route: asked.append(route))
    assert last.done
    ann.page.wait_for_selector("[data-testid=review-match]")
    assert asked == []
    with ann.page.expect_request("**/review?seat=*"):
        ann.see("review-match").click()
    expect(ann.see("decisions").get_by_role("status")).to_be_visible()
    ann.until(lambda: asked)
    done = REVIEW | {"state": "done", "done": 9, "mistakes": mistakes}
    asked[0].fulfill(json=done)
    expect(ann.page.locator("[data-testid^=decision-]")).to_have_count(3)
    expect(ann.see("decision-3")).to_contain_text("+2.1 points")
    expect(ann.see("decision-3").locator(".card")).to_have_count(2)
    ann.see("why-3").click()
    expect(ann.see("why")).to_contain_text("fairly sure")
    assert violations(ann.page) == []
    table = ann.table
    ann.see("try-3").click()
    ann.until(lambda: ann.table != table)
    assert ann.wait()["end"] == ""


def test_a_record_is_opened_and_runs_by_itself(browser: Browser, server: Server, tmp_path: Path) -> None:
    match = play_out(random_match(games.load("sixty-six"), 3), Random(3))
    record, *others = (tmp_path / f"{name}.json" for name in ("match", "no-json", "a-list"))
    for file, text in zip((record, *others), (json.dumps(match.record()), "no record", "[1, 2]"), strict=True):
        file.write_text(text)
    with Person(browser, server, "Ann") as ann:
        ann.resize(PHONE)
        for other in others:
            ann.page.goto(server.url)
            ann.see("bring").set_input_files(other)
            expect(ann.page.get_by_role("alert")).to_have_text("This file is not a match record.")
        ann.see("bring").set_input_files(record)
        expect(ann.see("eyes")).to_have_value("all")
        ann.see("speed").select_option("fast")
        ann.see("run").click()
        # a slow page leaves frames out
        expect(ann.see("replay")).not_to_have_attribute("data-frame", re.compile("^[01]$"))
        ann.see("run").click()
        ann.page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        assert violations(ann.page) == []
        ann.resize({"width": 844, "height": 390})
        ann.see("moment").press("End")
        expect(ann.see("moment")).not_to_have_value("2")
        expect(ann.see("moment")).to_be_in_viewport(ratio=1)
        assert ann.faults == []
