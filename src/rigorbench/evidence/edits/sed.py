"""sed: its command line, and what a script replaces where its text shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

# What sed writes for a letter behind a backslash.
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class SedCall(Struct, frozen=True):
    """The command line of one ``sed``."""

    scripts: list[str]
    files: list[str]
    in_place: bool
    extended: bool
    """Patterns are extended regular expressions."""
    script_file: bool
    """A script is in a file, and so not known."""


class Change(NamedTuple):
    """One effect of a script: ``old`` becomes ``new``; ``line`` is a 1-based line after which ``new`` is inserted."""

    old: str
    new: str
    line: int | None = None
    everywhere: bool = False


def sed_call(args: Sequence[str]) -> SedCall:
    """Take a sed command line apart."""
    scripts: list[str] = []
    files: list[str] = []
    in_place = extended = script_file = False
    words = iter(args)
    for word in words:
        if word in ("-e", "--expression"):
            scripts += islice(words, 1)
        elif word.startswith("--expression="):
            scripts.append(word[13:])
        elif word in ("-f", "--file"):
            script_file = True
            next(words, None)
        elif word.startswith("--in-place"):
            in_place = True
        elif word == "--regexp-extended":
            extended = True
        elif re.match(r"-[^-]", word):
            letters, i_option, _ = word[1:].partition("i")
            in_place = in_place or bool(i_option)
            extended = extended or "E" in letters or "r" in letters
            if letters.endswith("e") and not i_option:
                scripts += islice(words, 1)
        elif word and not word.startswith("--"):
            files.append(word)
    if not scripts and not script_file:
        scripts, files = files[:1], files[1:]
    return SedCall(scripts, files, in_place, extended, script_file)


_BETWEEN = re.compile(r"(?:[ \t\n;{}]|#[^\n]*)*")
_PLACE = r"(?:\d+|\$|/(?:\\.|[^\\/\n])*/I?)"
_ADDRESS = re.compile(rf"({_PLACE})[ \t]*(,[ \t]*(?:{_PLACE}|\+\d+)[ \t]*)?!?[ \t]*", re.DOTALL)
_SUBSTITUTE = re.compile(
    r"s([^\s\\])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1[gpiImMe0-9]*(?=[; \t\n}#]|$)", re.DOTALL
)
_INSERT = re.compile(r"([aic])[ \t]*(?:\\\n?)?((?:\\.|[^\\\n])*)", re.DOTALL)
_NO_CHANGE = re.compile(r"[pqQ=nNDPxhHgG]")


def sed_changes(script: str, *, extended: bool) -> list[Change] | None:
    """The changes of a script; None where the text does not show a part of them.

    ``extended``: -E or -r.
    """
    found: list[Change] = []
    at = _end(_BETWEEN.match(script))
    while at < len(script):
        address = _ADDRESS.match(script, at)
        at = _end(address) or at
        if (replaced := _SUBSTITUTE.match(script, at)) is not None:
            old, new = (text.replace("\\" + replaced[1], replaced[1]) for text in replaced.group(2, 3))
            literal = substitution(old, new, extended=extended)
            if literal is None:
                return None
            found.append(Change(*literal, None, address is None))
        elif (inserted := _INSERT.match(script, at)) is not None:
            numbered = address is not None and address[1].isdecimal() and not address[2] and inserted[1] != "c"
            line = int(address[1]) - (inserted[1] == "i") if numbered and address is not None else None
            text = re.sub(r"\\(\n|.)", lambda m: ESCAPES.get(m[1], m[1]), inserted[2], flags=re.DOTALL)
            found.append(Change("", text, line))
        elif _NO_CHANGE.match(script, at) is None:
            return None
        at = _end(_BETWEEN.match(script, _end(replaced or inserted) or at + 1))
    return found


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match is not None else 0


def substitution(pattern: str, replacement: str, *, extended: bool) -> tuple[str, str] | None:
    """(old, new) of ``s/pattern/replacement/`` when both are literal text; None when they are not.

    A bare dot counts as a dot, which it nearly always means.
    """
    old = _literal(pattern, "+?(){}|" if extended else "")
    if old is None:
        return None
    new: list[str] = []
    i = 0
    while i < len(replacement):
        c = replacement[i]
        if c == "\\" and i + 1 < len(replacement):
            i += 1
            c = replacement[i]
            if c.isdigit() or c in "LUEul":
                return None
            new.append(ESCAPES.get(c, c))
        elif c == "&":
            new.append(old)
        else:
            new.append(c)
        i += 1
    return old, "".join(new)


def _literal(pattern: str, special: str) -> str | None:
    if pattern.startswith("^"):
        pattern = pattern[1:]
    if pattern.endswith("$") and not pattern.endswith("\\$"):
        pattern = pattern[:-1]
    out: list[str] = []
    i = 0
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            i += 1
            if i >= len(pattern):
                return None
            c = pattern[i]
            if c in ESCAPES:
                c = ESCAPES[c]
            elif c.isalnum() or c in "<>'`" or (not special and c in "+?(){}|"):
                return None  # a class, a boundary, a group
            out.append(c)
        elif c in "*[" or c in special:
            return None
        else:
            out.append(c)
        i += 1
    return "".join(out)
