"""What the compiled code of a unit refers to: decided by the compiler after all names and templates are resolved."""

from __future__ import annotations

import ctypes
import re
from functools import cache, lru_cache

from msgspec import Struct, field

_FILE = re.compile(r'\t\.file (\d+) "((?:\\.|[^"\\])*)"(?: "((?:\\.|[^"\\])*)")?')
_LOCATION = re.compile(r"\t\.loc (\d+) (\d+)")
_LABEL = re.compile(r"([A-Za-z_.$][\w.$]*):")
_SYMBOL = re.compile(r"(?<![%\w.$])([A-Za-z_$][\w.$]*)")
# Directives that give a symbol of a library another name. Tables of functions are seen in the syntax tree.
_RENAMING = ("\t.weakref", "\t.symver")
# A shell of an inline assembly statement without an instruction, such as a barrier.
_EMPTY = re.compile(r"\s*(?:#.*)?$")


class Reference(Struct, frozen=True):
    """A symbol that compiled code refers to.

    Attributes:
        symbol: The symbol.
        name: Its qualified name without template arguments; the symbol itself for C.
        file: The file of the code; "" for a name that the whole unit gives.
        line: The line.
    """

    symbol: str
    name: str
    file: str = ""
    line: int = 0


class Compiled(Struct):
    """The references of one unit.

    Attributes:
        references: What its code and data refer to.
        assembly: The places of assembly that is not empty, as (file, line).
        directives: The places of assembly with directives, which may read files and define anything.
        defined: The symbols that it defines.
    """

    references: list[Reference] = field(default_factory=list)
    assembly: list[tuple[str, int]] = field(default_factory=list)
    directives: list[tuple[str, int]] = field(default_factory=list)
    defined: set[str] = field(default_factory=set)


def read_assembly(text: str) -> Compiled:
    found = Compiled()
    files: dict[str, str] = {}
    place = ("", 0)
    inline = False
    references: dict[Reference, None] = {}
    for line in text.splitlines():
        if line.startswith("#APP"):
            inline = True
        elif line.startswith("#NO_APP"):
            inline = False
        elif inline:
            # The compiler gives places between two statements; the code itself could give wrong ones.
            if _EMPTY.match(line) or _LOCATION.match(line):
                continue
            found.assembly.append(place)
            for statement in filter(str.strip, line.split(";")):
                operation, *operands = statement.split(None, 1)
                if operation.startswith("."):
                    found.directives.append(place)
                for symbol in _SYMBOL.findall(" ".join(operands)):
                    references[Reference(symbol, demangled(symbol), *place)] = None
        elif line.startswith("\t.loc"):
            match = _LOCATION.match(line)
            if match is not None:
                place = (files.get(match[1], ""), int(match[2]))
        elif line.startswith("\t.file"):
            match = _FILE.match(line)
            if match is not None:
                files[match[1]] = f"{match[2]}/{match[3]}" if match[3] is not None else match[2]
        elif line.startswith("\t.section") or line in ("\t.data", "\t.bss"):
            place = ("", 0)
        elif line.startswith("\t"):
            renames = line.startswith(_RENAMING)
            if renames or (place[0] and not line.startswith("\t.")):
                where = ("", 0) if renames else place
                for symbol in _SYMBOL.findall(line[1:].partition("\t")[2]):
                    references[Reference(symbol, demangled(symbol), *where)] = None
        else:
            label = _LABEL.match(line)
            if label is not None and not label[1].startswith(".L"):
                found.defined.add(label[1])
                place = ("", 0)
    found.references = list(references)
    found.assembly = list(dict.fromkeys(found.assembly))
    return found


@lru_cache(maxsize=100_000)
def demangled(symbol: str) -> str:
    """The qualified name of a C++ symbol, without return type, template arguments and parameters."""
    if not symbol.startswith("_Z"):
        return symbol
    library = _library()
    status = ctypes.c_int()
    made = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not made:
        return symbol
    text = ctypes.cast(made, ctypes.c_char_p).value or b""
    ctypes.CDLL(None).free(ctypes.c_void_p(made))
    return _bare(text.decode("utf-8", "replace"))


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL("libstdc++.so.6")
    library.__cxa_demangle.restype = ctypes.c_void_p
    return library


def _bare(text: str) -> str:
    text = text.replace("(anonymous namespace)", "{anonymous}")
    # The parts of "operator<" and the like would be taken for brackets.
    text = re.sub(r"operator(?:<=>|<<=?|>>=?|<=?|>=?|->\*?|\(\))", "operator", text)
    out: list[str] = []
    depth = 0
    for character in text:
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif character == "(" and depth == 0:
            break
        elif depth == 0:
            out.append(character)
    name = "".join(out)
    return name if "operator new" in name else name.rsplit(" ", 1)[-1]
