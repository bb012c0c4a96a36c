"""Modules as a browser fetches them: they do the same, on the same lines."""

import ast
import textwrap
from importlib.resources import files
from types import CodeType
from typing import Any

import pytest

from upcard.browser.bare_source import without_comments
from upcard.browser.python_files import PARTS, walk

MODULE = '''
"""A module.

# With a line like a comment."""

# A comment.
TEXT = """
# not a comment
"""  # stays
NUMBER = f"""{
    1  # in Python 3.12
}
# not a comment either
"""


class One:
    """A class."""; number: int = 1
    """An attribute, with ä, ö and ü."""

    def rule(self):
        """Has nothing else."""

    def other(self): "On one line."; return """
    # not a comment
"""
'''


def test_comments_and_docstrings_are_left_out() -> None:
    module = MODULE.replace("  # in Python 3.12", "")
    bare = without_comments(module.encode()).decode()
    assert bare == textwrap.dedent(
        '''
        ""




        TEXT = """
        # not a comment
        """  # stays
        NUMBER = f"""{
            1
        }
        # not a comment either
        """


        class One:
            ""; number: int = 1
            ""

            def rule(self):
                ""

            def other(self): ""; return """
            # not a comment
        """
        '''
    )


def test_a_module_that_cannot_be_read_stays_as_it_is() -> None:
    module = b"# of a later version of Python\nexcept to the rule"
    assert without_comments(module) == module


def test_a_declared_encoding_stays() -> None:
    module = "# -*- coding: latin-1 -*-\n# A comment.\nx = 'ä'\n".encode("latin-1")
    assert without_comments(module) == module.replace(b"# A comment.", b"")


@pytest.mark.parametrize("part", PARTS)
def test_upcards_modules_do_the_same_on_the_same_lines(part: str) -> None:
    for path, entry in walk(files("upcard") / part, ""):
        if path.endswith(".py"):
            module = entry.read_bytes()
            bare = without_comments(module)
            assert _does(bare) == _does(module), path
            assert not [text for text in map(ast.get_docstring, _documented(bare)) if text], path


def _documented(module: bytes) -> list[Any]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return [node for node in ast.walk(ast.parse(module)) if isinstance(node, kinds)]


def _does(module: bytes) -> list[object]:
    """What a module does: its instructions without docstrings, with their lines."""
    codes: list[CodeType] = [compile(module, "module", "exec", dont_inherit=True, optimize=2)]
    done: list[object] = []
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        done.append((code.co_name, code.co_code, [line for *_, line in code.co_lines()], _constants(code)))
    return done


def _constants(code: CodeType) -> list[object]:
    return [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
