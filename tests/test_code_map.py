"""The map of the code is true, and leads somebody with a question to the place that answers it."""

import ast
import re

import pytest
from code_map import PACKAGES, ROOT, SOURCES, code_map, first_sentence, modules_in

FACES = ("server", "terminal", "cli")

QUESTIONS = [
    ("Who may be substituted?", "people's actions", "table/requests.py", "_substitute"),
    ("What can a seat see of the cards?", "view", "engine/views.py", "view"),
    ("Which clause forbids a move, in words?", "refused", "table/refusals.py", "explain"),
    ("How is a move written as text?", "notation", "rules/notation.py", "Notation"),
    ("How does the search choose a move?", "search", "players/search.py", "Search"),
    ("Who may see a replay or take a record?", "who may do what", "house/house.py", "House"),
    ("Which matches count in the statistics?", "wins and losses", "house/statistics.py", "statistics"),
    ("What must a database be able to do?", "stores that a house needs", "house/stores.py", "TableStore"),
    ("How many requests may an address make?", "rate limits", "server/limits.py", "Doorkeeper"),
    ("When does a player's time run out?", "clocks", "table/clocks.py", "Clocks"),
    ("How is a stored match replayed?", "records", "engine/records.py", "replay"),
    ("What does the lab measure?", "measures", "lab/measures.py", "Measure"),
    ("How does the lab play in chunks until there is enough?", "chunks", "lab/experiment.py", "Experiment"),
    ("From which file does an experiment resume?", "resumes", "lab/checkpoint.py", "Checkpoint"),
    ("Where do players meet on the same deals?", "same deals", "lab/arena.py", "seatings"),
    ("How wide is a confidence interval?", "interval", "lab/intervals.py", "Interval"),
    ("Where are intervals widened for repeated looks?", "compar", "lab/comparison.py", "compare"),
    ("How are unseen cards dealt in an imagined world?", "worlds", "engine/worlds.py", "Worlds"),
    ("What must every game hold to?", "cards", "laws/cards.py", "cards_are_conserved"),
]
"""Questions of somebody who has never seen the code, each with a word to look for in the map, and where it leads."""


def test_the_map_is_up_to_date() -> None:
    assert (ROOT / "MAP.md").read_text(encoding="utf-8") == code_map(), "python tests/code_map.py > MAP.md"


def test_every_module_says_in_a_sentence_what_it_has() -> None:
    for package in (*PACKAGES, *FACES):
        for file in [SOURCES / package / "__init__.py", *modules_in(SOURCES / package)]:
            assert 3 < len(first_sentence(file)) < 250, file


@pytest.mark.parametrize(("question", "word", "module", "name"), QUESTIONS)
def test_a_question_leads_to_its_answer(question: str, word: str, module: str, name: str) -> None:
    [line] = [line for line in code_map().splitlines() if f"(src/upcard/{module})" in line]
    assert word in line.lower(), line
    nodes = ast.walk(ast.parse((SOURCES / module).read_text(encoding="utf-8")))
    assert name in {getattr(node, "name", None) for node in nodes}


def test_the_files_on_the_way_of_a_move_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("From a move in the browser")[2]
    files = re.findall(r"^\d+\. `(.+?)`", text, re.MULTILINE)
    assert len(files) == 20
    for file in files:
        place = ROOT if file.startswith("page/") else SOURCES
        assert (place / file.replace("games/x/", "games/sixty_six/")).is_file(), file
