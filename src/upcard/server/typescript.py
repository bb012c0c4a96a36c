"""Generate the page's types from the server's: `python -m upcard.server.typescript > page/src/protocol.ts`."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as types

from upcard.server import bodies
from upcard.table.actions import AnyAction
from upcard.table.advising import Hint
from upcard.table.messages import AnyMessage, TableView

FROM_TABLE, TO_TABLE, ACTION = "FromTable", "ToTable", "Action"
ANSWERS = (
    bodies.Failure,
    bodies.Club,
    bodies.GameInfo,
    bodies.Page,
    bodies.LevelInfo,
    TableView,
    bodies.SeatLink,
    bodies.LinkedSeat,
    bodies.ScoreSheet,
    bodies.Replay,
    Hint,
    bodies.GettingReady,
    bodies.Review,
    bodies.Statistic,
    bodies.Health,
)
BODIES = (bodies.NewTable, bodies.NewFork, bodies.Enter, bodies.Redeem)
HEAD = "/** What the server and the page say to each other: docs/protocol.md. Made by upcard.server.typescript. */\n"
WORDS: dict[type, str] = {
    types.StrType: "string",
    types.IntType: "number",
    types.FloatType: "number",
    types.BoolType: "boolean",
    types.NoneType: "null",
    types.AnyType: "unknown",
}


def protocol() -> str:
    """The whole TypeScript file."""
    unions = {FROM_TABLE: AnyMessage, TO_TABLE: bodies.ToTable, ACTION: AnyAction}
    told = set(_structs([AnyMessage, *ANSWERS]))
    every = _structs([*unions.values(), *ANSWERS, *BODIES])
    parts = [HEAD]
    parts += [_interface(struct, struct in told) for struct in every]
    parts += [f"export type {name} = {_word(types.type_info(union))};\n" for name, union in unions.items()]
    return "\n".join(parts)


def _structs(roots: Iterable[Any]) -> list[type[msgspec.Struct]]:
    """All structs reachable from these types, each after those it is made of."""
    found: dict[type[msgspec.Struct], None] = {}

    def visit(info: types.Type) -> None:
        if isinstance(info, types.StructType) and info.cls not in found:
            for field in info.fields:
                visit(field.type)
            found[info.cls] = None
        for part in _parts(info):
            visit(part)

    for root in roots:
        visit(types.type_info(root))
    return [*found]


def _parts(info: types.Type) -> Iterator[types.Type]:
    """The component types of a compound type."""
    if isinstance(info, types.UnionType):
        yield from info.types
    elif isinstance(info, types.ListType):
        yield info.item_type
    elif isinstance(info, types.TupleType):
        yield from info.item_types
    elif isinstance(info, types.DictType):
        yield info.value_type
    elif isinstance(info, types.Metadata):
        yield info.type


def _word(info: types.Type) -> str:
    """A type in TypeScript's notation. Raises TypeError for one that has none."""
    if type(info) in WORDS:
        return WORDS[type(info)]
    if isinstance(info, types.Metadata):
        return _word(info.type)
    if isinstance(info, types.StructType):
        return info.cls.__name__
    if isinstance(info, types.LiteralType):
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in info.values)
    if isinstance(info, types.UnionType):
        return " | ".join(dict.fromkeys(_word(part) for part in info.types))
    if isinstance(info, types.ListType):
        item = _word(info.item_type)
        return f"({item})[]" if "|" in item else f"{item}[]"
    if isinstance(info, types.TupleType):
        return f"[{', '.join(map(_word, info.item_types))}]"
    if isinstance(info, types.DictType):
        return f"Record<string, {_word(info.value_type)}>"
    raise TypeError(f"{info} has no word in TypeScript")


def _interface(struct: type[msgspec.Struct], told: bool) -> str:
    """A struct as an interface. `told` structs come from the server, which always sends fields with defaults unless the
    struct omits them."""
    info = types.type_info(struct)
    assert isinstance(info, types.StructType)
    docs, lines = _field_docs(struct), []
    if info.tag_field:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    for field in info.fields:
        always = field.required or (told and not struct.__struct_config__.omit_defaults and _has_default(field))
        lines += [f"  /** {docs[field.name]} */"] if field.name in docs else []
        lines.append(f"  {field.encode_name}{'' if always else '?'}: {_word(field.type)};")
    body = "\n".join(lines)
    return f"/** {_doc(struct.__doc__ or '')} */\nexport interface {struct.__name__} {{\n{body}\n}}\n"


def _doc(text: str) -> str:
    """A docstring on one line, with `None` as `null`."""
    return re.sub(r"\bNone\b", "null", " ".join(text.split()))


def _has_default(field: types.Field) -> bool:
    """Whether leaving a field out stands for some value, rather than for "unchanged"."""
    return field.default is not NODEFAULT or field.default_factory is not NODEFAULT


@cache
def _field_docs(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The docstring below each field in the source, by field."""
    parsed = ast.parse(textwrap.dedent(inspect.getsource(struct))).body[0]
    assert isinstance(parsed, ast.ClassDef)
    docs = {}
    for field, text in zip(parsed.body, parsed.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            if isinstance(text.value, ast.Constant):
                docs[field.target.id] = _doc(str(text.value.value))
    return docs


if __name__ == "__main__":
    print(protocol(), end="")
