"""sed: its command line, and what a script (or a Perl substitution) replaces where its text shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

# What sed writes for a letter behind a backslash.
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class SedError(Exception):
    """The text of a script does not show what it replaces."""


class SedCall(Struct, frozen=True):
    """The command line of one ``sed``.

    Attributes:
        files: as written.
        in_place: it edits the files.
        extended: patterns are extended regular expressions.
        script_file: a script is in a file, and so not known.
    """

    scripts: list[str]
    files: list[str]
    in_place: bool
    extended: bool
    script_file: bool


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


def sed_changes(script: str, *, extended: bool) -> list[Change] | None:
    """The changes of a script; None where the text does not show a part of them (``extended``: -E or -r)."""
    try:
        return list(_Parser(script, extended=extended).changes())
    except SedError:
        return None


class _Parser:
    _ADDRESS = re.compile(r"\d+|\$|\+\d+|/")
    _FLAGS = re.compile(r"[gpiImMe0-9]*")

    def __init__(self, script: str, *, extended: bool) -> None:
        self.script, self.at, self.extended = script, 0, extended

    def changes(self) -> Iterator[Change]:
        """The changes of the commands; braces without an address change nothing.

        Raises:
            SedError: a command is not understood, or only the file shows what it changes.
        """
        while True:
            self.skip(" \t\n;{}")
            if self.at >= len(self.script):
                return
            if self.script[self.at] == "#":
                self.line()
            elif (change := self.command()) is not None:
                yield change

    def command(self) -> Change | None:
        first, single = self.address(), True
        self.skip(" \t")
        if first is not None and first.startswith("+"):
            raise SedError
        if first is not None and self.take(","):
            self.skip(" \t")
            single = False
            if self.address() is None:
                raise SedError
            self.skip(" \t")
        self.take("!")
        self.skip(" \t")
        name = self.script[self.at : self.at + 1]
        self.at += 1
        if name == "s":
            return self.substitution(everywhere=first is None)
        if name in ("a", "i", "c"):
            numbered = name != "c" and single and first is not None and first.isdecimal()
            return Change("", self.inserted(), int(first or 0) - (name == "i") if numbered else None)
        if name and name in "pqQ=nNDPxhHgG":
            return None
        raise SedError

    def substitution(self, *, everywhere: bool) -> Change:
        pattern, text, self.at = _delimited(self.script, self.at)
        flags = self._FLAGS.match(self.script, self.at)
        assert flags is not None  # it matches the empty string
        self.at = flags.end()
        literal = substitution(pattern, text, extended=self.extended)
        if literal is None or self.script[self.at : self.at + 1] not in ("", *"; \t\n}#"):
            raise SedError
        return Change(*literal, None, everywhere)

    def address(self) -> str | None:
        """A line number, the last line (``$``), lines from the start of a range (``+2``), or a pattern (``/``)."""
        match = self._ADDRESS.match(self.script, self.at)
        if match is None:
            return None
        self.at = match.end()
        if match[0] == "/":
            _, self.at = _until(self.script, self.at, "/")
            self.take("I")
        return match[0]

    def inserted(self) -> str:
        """The text of ``a``, ``i`` and ``c``: ``a\\`` keeps leading blanks, ``a`` drops them."""
        text = self.line().lstrip(" \t")
        if text.startswith("\\"):
            text = text[1:].removeprefix("\n")
        return re.sub(r"\\(\n|.)", lambda m: ESCAPES.get(m[1], m[1]), text, flags=re.DOTALL)

    def line(self) -> str:
        """The rest of the line, which backslashes may continue."""
        start = self.at
        while self.at < len(self.script) and (self.script[self.at] != "\n" or self.script[self.at - 1] == "\\"):
            self.at += 1
        return self.script[start : self.at]

    def take(self, word: str) -> bool:
        found = self.script.startswith(word, self.at)
        self.at += len(word) * found
        return found

    def skip(self, characters: str) -> None:
        while self.at < len(self.script) and self.script[self.at] in characters:
            self.at += 1


def _until(script: str, at: int, delimiter: str, *, regex: bool = True, escaped: str = "") -> tuple[str, int]:
    """The text up to the delimiter, and the position behind it.

    An escaped delimiter becomes the bare one, as in sed itself, except those in ``escaped``.

    Raises:
        SedError: there is no delimiter.
    """
    out: list[str] = []
    while at < len(script):
        c = script[at]
        if c == "\\" and at + 1 < len(script):
            following = script[at + 1]
            out.append(following if following == delimiter and delimiter not in escaped else c + following)
            at += 2
            continue
        if c == delimiter:
            return "".join(out), at + 1
        if c == "[" and regex:  # the delimiter loses its meaning inside brackets
            close = script.find("]", at + 2)
            if close > 0 and delimiter in script[at:close] and "\n" not in script[at:close]:
                out.append(script[at : close + 1])
                at = close + 1
                continue
        out.append(c)
        at += 1
    raise SedError


def _delimited(script: str, at: int, escaped: str = "") -> tuple[str, str, int]:
    """Pattern and replacement between the delimiters of ``s``, and the position behind them.

    Raises:
        SedError: a delimiter is missing.
    """
    delimiter = script[at : at + 1]
    if delimiter in ("", "\\", "\n"):
        raise SedError
    pattern, at = _until(script, at + 1, delimiter, escaped=escaped)
    replacement, at = _until(script, at, delimiter, regex=False)
    return pattern, replacement, at


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


_CLOSING = {"{": "}", "(": ")", "[": "]", "<": ">"}
# In Perl an escaped delimiter of these is literal.
_PERL_SPECIAL = ".*[]^$+?(){}|"


def perl_changes(program: str) -> list[Change] | None:
    """The changes of a one-line Perl program that only substitutes; None otherwise."""
    changes: list[Change] = []
    for part in filter(None, (p.strip() for p in _statements(program))):
        if not part.startswith("s") or len(part) < 4 or part[1].isalnum() or part[1].isspace():
            return None
        closing = _CLOSING.get(part[1])
        if closing is not None:
            if part.count(closing + part[1]) != 1 or not part.rstrip("gixmse").endswith(closing):
                return None
            old, _, new = part[2:].rstrip("gixmse")[:-1].partition(closing + part[1])
        else:
            try:
                old, new, end = _delimited(part, 1, _PERL_SPECIAL)
            except SedError:
                return None
            if "e" in part[end:]:
                return None
        found = substitution(old, new, extended=True)
        if found is None or "$" in found[0] or "$" in found[1]:
            return None
        changes.append(Change(*found, None, True))
    return changes


def _statements(program: str) -> list[str]:
    """Splits at semicolons that end a substitution (a semicolon inside one would leave it without its delimiter)."""
    parts: list[str] = []
    for piece in program.split(";"):
        if parts and not _whole(parts[-1]):
            parts[-1] += ";" + piece
        else:
            parts.append(piece)
    return parts


def _whole(piece: str) -> bool:
    piece = piece.strip()
    if not piece.startswith("s") or len(piece) < 4 or piece[1] in _CLOSING:
        return True
    try:
        _delimited(piece, 1)
    except SedError:
        return False
    return True
