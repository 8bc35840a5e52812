"""Test programs that the agent wrote in C or C++ and compiled itself: what a command built, and from which sources."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from ...trajectory.model import FileChange
from ..code.assertions import asserts, effective
from ..commands.classify import Classified
from ..patterns import lazy

SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|C)$")
_COMPILERS = re.compile(r"(?:[\w.-]+-)?(?:g\+\+|gcc|clang\+\+|clang|c\+\+|cc)(?:-\d+)?$")
_MAKES_NO_PROGRAM = frozenset(("-c", "-S", "-E", "-fsyntax-only", "-shared"))
_TARGET = lazy(r"^[ \t]*add_executable\s*\(\s*([\w.+-]+)\s+([^()]*)\)", re.MULTILINE | re.IGNORECASE)
_MAIN = lazy(r"\bint\s+main\s*\(")
_OF_PROJECT = lazy(r"^[ \t]*#[ \t]*include[ \t]*\"", re.MULTILINE)
# What lets a program end with a failure.
_FAILS = lazy(
    r"\bassert\b|\babort\s*\(|\bexit\s*\(\s*(?!0\s*\))|\breturn\s+(?!0\s*;)|\bthrow\b|\b(?:EXPECT|REQUIRE|CHECK)"
)
# A program that works on input is the product, or a tool to try it, however much it asserts.
_READS_INPUT = lazy(r"\bcin\b|\bscanf\s*\(|\bgetchar\s*\(|\bstdin\b|\bSTDIN_FILENO\b|\bargv\b")
# The head of a helper's definition, which asserts nothing yet, and a call that cannot fail.
_HEAD = lazy(r"\b(?:void|bool|int)\s+\w+\s*\(")
_IDLE = lazy(r"\b\w+\s*\(\s*(?:true|[\d\s.=<>!+*/-]+)\s*(?:,[^()]*)?\)\s*;")
_LARGEST = 200_000

Absolute = Callable[[str, str | None, str | None], str | None]


class CompiledPrograms:
    """The agent's own sources, and the programs that were built from them.

    Args:
        absolute: the absolute path of (a word, directory of the command, directory of the call); None: not known.
    """

    def __init__(self, absolute: Absolute) -> None:
        self._absolute = absolute
        self._texts: dict[str, str] = {}
        self._targets: dict[str, list[str]] = {}
        self._built: dict[str, list[str]] = {}

    def record_edit(self, path: str, change: FileChange, new_path: str | None) -> None:
        """Records an edit of a source or of a CMake file."""
        if posixpath.basename(path) == "CMakeLists.txt" and change.after is not None:
            for name, words in _TARGET.findall(change.after):
                sources = [w for w in words.split() if SOURCE.search(w)]
                self._targets[name] = [posixpath.join(posixpath.dirname(path), w) for w in sources]
        if not SOURCE.search(new_path or path):
            return
        place = self._place(path)
        text = self._texts.pop(place, None)
        if change.operation == "delete":
            return
        if change.after is not None:
            text = change.after
        elif text is not None:
            for old, new in change.hunks:
                text = text.replace(old, new) if change.replace_all else text.replace(old, new, 1)
        if text is not None and len(text) <= _LARGEST:
            self._texts[self._place(new_path or path)] = text

    def note_build(self, part: Classified, cwd: str | None) -> None:
        """Records which program a compiler call builds, and from which sources."""
        command = part.command
        if not _COMPILERS.match(command.program) or not _MAKES_NO_PROGRAM.isdisjoint(command.args):
            return
        words = command.args
        output = next((words[n + 1] for n, word in enumerate(words[:-1]) if word == "-o"), None)
        if output is None:
            output = next((word[2:] for word in words if word.startswith("-o") and len(word) > 2), "a.out")
        self._built[self._place(output, command.cwd, cwd)] = [
            self._place(word, command.cwd, cwd) for word in words if SOURCE.search(word)
        ]

    def test_source(self, part: Classified, cwd: str | None) -> tuple[str, str] | None:
        """Path and text of the agent's test behind a command that runs a compiled program; None: there is none."""
        command = part.command
        if "/" not in command.path:
            return None
        sources = self._built.get(self._place(command.path, command.cwd, cwd))
        if sources is None:
            sources = [self._place(source) for source in self._targets.get(posixpath.basename(command.path), ())]
        return next((found for found in self._known(sources) if is_test_program(*found, len(sources))), None)

    def _known(self, sources: list[str]) -> Iterator[tuple[str, str]]:
        for source in sources:
            if source in self._texts:
                yield source, self._texts[source]

    def _place(self, path: str, inner: str | None = None, cwd: str | None = None) -> str:
        return self._absolute(path, inner, cwd) or posixpath.normpath(posixpath.join(inner or "", path))


@lru_cache(maxsize=64)
def is_test_program(path: str, text: str, sources: int) -> bool:
    """Whether a source is a test: a program that uses other code, asserts, can fail by it, and takes no input.

    Args:
        sources: that are compiled together.
    """
    return (
        _MAIN.search(text) is not None
        and (sources > 1 or _OF_PROJECT.search(text) is not None)
        and asserts("cpp", _HEAD.sub("", _IDLE.sub("", effective(path, text))))
        and _FAILS.search(text) is not None
        and _READS_INPUT.search(text) is None
    )
