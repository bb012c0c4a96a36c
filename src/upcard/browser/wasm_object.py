"""From an object file of LLVM's WebAssembly target to a module that a browser runs, without a linker.

An object file is a module already, whose code and data have their places; it only lacks exports. The names of its
functions are in its custom section `linking`, from which an export section is made here; all other custom sections are
left out. This holds for object files that are complete in themselves: those that need other objects are refused.

The formats: https://webassembly.github.io/spec/core/binary/ and
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from upcard.engine.errors import UpcardError

HEADER = b"\0asm\1\0\0\0"
CUSTOM, IMPORT, EXPORT, START = 0, 2, 7, 8
FUNCTION = 0
"""The kind of functions in imports, exports and symbols."""
SYMBOL_TABLE = 8
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
GIVEN = {"__linear_memory", "__stack_pointer", "__indirect_function_table"}
"""The imports that are provided when a module is started."""


class Bytes:
    """Reads numbers and names from bytes, one after another."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def number(self) -> int:
        """An unsigned number in LEB128."""
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.content[self.at - size : self.at]

    def name(self) -> str:
        return self.take(self.number()).decode()

    @property
    def is_over(self) -> bool:
        return self.at >= len(self.content)


def leb128(number: int) -> bytes:
    """An unsigned number in LEB128."""
    encoded = bytearray()
    while True:
        encoded.append(number & 127 | (128 if number > 127 else 0))
        number >>= 7
        if not number:
            return bytes(encoded)


def module_of(binary: bytes, exported: Sequence[str]) -> bytes:
    """The module of an object file, with these functions as its exports. Raises UpcardError if the object needs
    functions of others or lacks one of these."""
    sections = [*sections_of(binary)]
    imported = {name for kind, body in sections if kind == IMPORT for name in imports_of(body)}
    if imported - GIVEN:
        raise UpcardError(f"the compiled code needs {', '.join(sorted(imported - GIVEN))}, which browsers do not have")
    functions = {name: at for kind, body in sections if kind == CUSTOM for name, at in functions_of(body)}
    if missing := set(exported) - {*functions}:
        raise UpcardError(f"the compiled code lacks {', '.join(sorted(missing))}")
    exports = [leb128(len(name)) + name.encode() + bytes([FUNCTION]) + leb128(functions[name]) for name in exported]
    body = leb128(len(exports)) + b"".join(exports)
    others = [(kind, content) for kind, content in sections if kind != CUSTOM]
    before = [one for one in others if one[0] < EXPORT]
    after = [one for one in others if one[0] > EXPORT]
    return HEADER + b"".join(
        bytes([kind]) + leb128(len(content)) + content for kind, content in [*before, (EXPORT, body), *after]
    )


def sections_of(binary: bytes) -> Iterator[tuple[int, bytes]]:
    """The sections of a module, by kind."""
    source = Bytes(binary)
    source.take(len(HEADER))
    while not source.is_over:
        [kind] = source.take(1)
        yield kind, source.take(source.number())


def imports_of(body: bytes) -> Iterator[str]:
    """The names in an import section."""
    source = Bytes(body)
    for _ in range(source.number()):
        source.name()  # that of the module
        yield source.name()
        [kind] = source.take(1)
        if kind == FUNCTION:
            source.number()
        elif kind == 3:  # a global: its type, and whether it changes
            source.take(2)
        else:  # a memory; or a table, of which the type comes first
            source.take(1 if kind == 1 else 0)
            has_most = source.number() & 1
            for _ in range(1 + has_most):
                source.number()


def functions_of(body: bytes) -> Iterator[tuple[str, int]]:
    """The defined functions in the symbol table of a custom section, with their numbers; none in other sections."""
    source = Bytes(body)
    if source.name() != "linking":
        return
    source.number()  # the version
    while not source.is_over:
        [kind] = source.take(1)
        part = Bytes(source.take(source.number()))
        for _ in range(part.number() if kind == SYMBOL_TABLE else 0):
            [symbol] = part.take(1)
            flags = part.number()
            if symbol == 1:  # data: its name, and its place if it is defined
                part.name()
                for _ in range(0 if flags & UNDEFINED else 3):
                    part.number()
            elif symbol == 3:  # a section
                part.number()
            else:
                number = part.number()
                name = part.name() if not flags & UNDEFINED or flags & EXPLICIT_NAME else ""
                if symbol == FUNCTION and not flags & UNDEFINED:
                    yield name, number
