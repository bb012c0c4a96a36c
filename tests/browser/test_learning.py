"""Lessons at the table: played with mouse and keyboard, with an answer to every move, left and taken up again."""

import re

import msgspec
import pytest
from playing_page import PHONE, Person, Server
from playwright.sync_api import Browser, Page, ViewportSize, expect

from upcard import games
from upcard.table.lessons import Lesson, lessons_of
from upcard.table.puzzles import puzzles_of

pytestmark = pytest.mark.browser

DESK: ViewportSize = {"width": 1280, "height": 720}
FIRST, SECOND = lessons_of(games.load("sixty-six"))
LESSON = FIRST


def open_lesson(person: Person, slug: str = "sixty-six") -> None:
    person.page.goto(f"{person.server.url}/g/{slug}/learn")
    expect(person.see("words")).not_to_be_empty()


def arrive(page: Page, stop: int) -> None:
    expect(page.locator(f"[data-testid=lesson][data-stop='{stop}'][data-arrived=true]")).to_be_visible()


def choose(person: Person, move: str) -> None:
    """Click on the card or the button of a move."""
    card = person.see(f"hand-{move}")
    (card if re.fullmatch("[2-9TJQKA][cdhs]", move) else person.see(f"move-{move}")).click()


def make(person: Person, move: str) -> None:
    """Make a move of a lesson, and answer with yes if there is a question."""
    stop = person.see("lesson").get_attribute("data-stop")
    choose(person, move)
    question = person.see("question-yes")
    gone_on = person.page.locator(f"[data-testid=lesson]:not([data-stop='{stop}'])")
    expect(question.or_(gone_on)).to_be_visible()
    if question.is_visible():
        question.click()


def hidden_cards(lesson: Lesson, stop: int) -> set[str]:
    """The cards of the other player that nobody has seen at a stop."""
    match = lesson.match(stop)
    named = {word for event in match.events[1:] for word in event.text.split()}
    return set(match.report()["hands"][1 - lesson.file.seat]) - named


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_lesson_is_clicked_through_to_the_first_match(browser: Browser, server: Server, size: ViewportSize) -> None:
    with Person(browser, server, "Ann", tips=True) as ann:
        ann.resize(size)
        open_lesson(ann)
        for number, stop in enumerate(LESSON.stops[:-1]):
            arrive(ann.page, number)
            drawn = set(ann.page.locator("[data-card]").evaluate_all("all => all.map((node) => node.dataset.card)"))
            assert drawn and not drawn & hidden_cards(LESSON, number)
            if stop.glow:
                expect(ann.page.locator("[data-glows]").first).to_be_attached()
            if number == 2:
                ann.see("hand-Kd").click()
                expect(ann.see("answer")).to_contain_text("look at the ace of spades")
                ann.see("show-me").click()
                expect(ann.page.get_by_role("button", name="ace of spades", exact=False).first).to_be_visible()
            if stop.move:
                make(ann, stop.move)
            else:
                ann.see("go-on").click()
        arrive(ann.page, len(LESSON.stops) - 1)
        ann.see("first-match").click()
        expect(ann.see("scene")).to_be_visible()
        expect(ann.see("lesson-offer")).to_have_count(0)
        assert ann.faults == []


def test_an_illegal_move_is_refused_with_its_clause(ann: Person) -> None:
    ann.page.goto(ann.server.url)
    stop = next(at for at, one in enumerate(lessons_of(games.load("loo"))[0].stops) if one.move == "3d")
    keep = f"localStorage.setItem('lesson loo 1', JSON.stringify({{ at: {stop}, done: false }}))"
    ann.page.evaluate(keep)
    open_lesson(ann, "loo")
    arrive(ann.page, stop)
    ann.see("hand-5s").click()
    expect(ann.see("answer")).to_contain_text("so you must follow suit")
    ann.see("answer-clause").click()
    expect(ann.see("rules").locator(".clause-found")).to_be_visible()


def test_a_lesson_is_played_by_keyboard_left_and_taken_up_again(ann: Person) -> None:
    keyboard = ann.page.keyboard
    open_lesson(ann)
    arrive(ann.page, 0)
    expect(ann.see("go-on")).to_be_focused()
    keyboard.press("Enter")
    arrive(ann.page, 1)
    ann.see("move-exchange").focus()
    keyboard.press("Enter")
    arrive(ann.page, 2)
    expect(ann.page.locator("[data-testid^=hand-]:focus")).to_have_count(1)
    ann.see("hand-As").focus()
    keyboard.press("Enter")
    arrive(ann.page, 3)
    ann.see("leave-lesson").click()
    expect(ann.see("start")).to_be_visible()
    ann.see("open-learn").click()
    arrive(ann.page, 3)
    ann.see("lesson-back").click()
    arrive(ann.page, 2)


def take_up(person: Person, number: int, stop: int, done: bool = False) -> None:
    """Let the browser remember how far somebody is in a lesson of Sixty-Six."""
    person.page.goto(person.server.url)
    progress = f"{{ at: {stop}, done: {str(done).lower()} }}"
    person.page.evaluate(f"localStorage.setItem('lesson sixty-six {number}', JSON.stringify({progress}))")


def test_after_the_first_lesson_comes_the_second(ann: Person) -> None:
    take_up(ann, 1, len(FIRST.stops) - 1, done=True)
    ann.page.goto(f"{ann.server.url}/g/sixty-six")
    ann.see("open-learn").click()
    arrive(ann.page, 0)
    expect(ann.page.get_by_role("heading", name=SECOND.file.title)).to_be_visible()
    ann.see("previous-lesson").click()
    expect(ann.page.get_by_role("heading", name=FIRST.file.title)).to_be_visible()
    expect(ann.see("previous-lesson")).to_have_count(0)


@pytest.mark.parametrize("number", [1, 2])
def test_on_a_phone_the_last_words_leave_room_for_the_buttons(ann: Person, number: int) -> None:
    last = len((FIRST, SECOND)[number - 1].stops) - 1
    take_up(ann, number, last)
    ann.resize(PHONE)
    ann.page.goto(f"{ann.server.url}/g/sixty-six/learn?lesson={number}")
    arrive(ann.page, last)
    ann.page.wait_for_function("""() => {
      const shown = [".says", "[data-testid=lesson-again]"].map((one) => document.querySelector(one));
      const [box, button] = shown.map((one) => one?.getBoundingClientRect());
      return box && button && button.bottom <= box.bottom;
    }""")


def test_a_newcomer_is_offered_the_lesson_once(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", tips=True) as ann:
        ann.open("sixty-six", {})
        expect(ann.see("lesson-offer")).to_be_visible()
        expect(ann.see("take-lesson")).to_have_attribute("href", "/g/sixty-six/learn")
        ann.see("decline-lesson").click()
        expect(ann.see("lesson-offer")).to_have_count(0)
        ann.page.reload()
        ann.wait()
        expect(ann.see("lesson-offer")).to_have_count(0)
        assert ann.faults == []


def test_no_lesson_is_offered_where_no_tips_are_wanted(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann", tips=False) as ann:
        ann.open("sixty-six", {})
        ann.wait()
        expect(ann.see("lesson-offer")).to_have_count(0)


def test_what_a_lesson_sends_is_a_view(ann: Person) -> None:
    """The whole lesson is sent at once, but only as the learner's seat sees it."""
    sent = ann.page.request.get(f"{ann.server.url}/api/games/sixty-six/lessons/1").json()
    dealt = msgspec.json.encode(sent["steps"][0], enc_hook=str).decode()
    assert not {card for card in hidden_cards(LESSON, 0) if f'"{card}"' in dealt}


PUZZLES = puzzles_of(games.load("sixty-six"))


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_puzzle_is_tried_and_solved(browser: Browser, server: Server, size: ViewportSize) -> None:
    """A wrong move gets its reason, the right one the proof, and the list of puzzles shows it as solved."""
    puzzle = PUZZLES[0].file
    wrong = next(move for move in puzzle.legal if move != puzzle.move and re.fullmatch("[2-9TJQKA][cdhs]", move))
    with Person(browser, server, "Ann") as ann:
        ann.resize(size)
        ann.page.goto(f"{server.url}/g/sixty-six/puzzles")
        ann.see("puzzle-1").click()
        expect(ann.see("question")).to_contain_text("Find the ")
        choose(ann, wrong)
        expect(ann.see("puzzle-answer")).to_contain_text(re.compile("can fail|not the best"))
        choose(ann, puzzle.move)
        expect(ann.see("puzzle-answer")).to_contain_text("Right!")
        ann.see("leave-puzzle").click()
        expect(ann.see("puzzle-1")).to_contain_text("✓")


def test_the_solution_of_the_day_is_shown(browser: Browser, server: Server) -> None:
    with Person(browser, server, "Ann") as ann:
        ann.page.goto(server.url)
        ann.see("puzzle-of-day").click()
        expect(ann.page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
        expect(ann.see("puzzle-kind")).to_contain_text(re.compile("proved|judged"))
        ann.see("puzzle-course").click()
        expect(ann.see("course").get_by_role("listitem").first).not_to_be_empty()


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_words_of_a_first_lesson_need_no_scrolling_sideways(
    browser: Browser, server: Server, language: str
) -> None:
    """At every stop the words and buttons are seen whole on a phone held sideways."""
    over = []
    with Person(browser, server, "Ann", tips=True, language=language) as ann:
        ann.resize({"width": 844, "height": 390})
        last = "".join(f"localStorage['lesson {slug} 1'] ??= '{{\"at\": 99}}';" for slug in games.names())
        ann.context.add_init_script(last)
        for slug in games.names():
            open_lesson(ann, slug)
            for stop in reversed(range(len(lessons_of(games.load(slug))[0].stops))):
                arrive(ann.page, stop)
                hidden = ann.page.locator(".says").evaluate("says => says.scrollHeight - says.clientHeight")
                if hidden > 0:
                    over.append((slug, stop, hidden))
                if stop:
                    ann.see("lesson-back").click()
    assert over == []
