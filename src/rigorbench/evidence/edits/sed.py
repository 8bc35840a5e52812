"""What a sed script (or a Perl substitution) replaces, where its text alone tells."""

from __future__ import annotations

import re
from typing import NamedTuple


class Change(NamedTuple):
    """One effect of a script: ``old`` becomes ``new``; ``line`` is a 1-based line after which ``new`` is inserted."""

    old: str
    new: str
    line: int | None = None
    everywhere: bool = False


_ADDRESS = re.compile(
    r"\s*(?:(?P<first>\d+|\$|/(?:\\.|[^/\\\n])*/I?)(?:\s*,\s*(?P<last>[+~]?\d+|\$|/(?:\\.|[^/\\\n])*/I?))?)?\s*!?\s*"
)
_FLAGS = re.compile(r"[gpiImMe0-9]*")
_NAMES = {"n": "\n", "t": "\t", "r": "\r"}


def sed_changes(script: str, *, extended: bool) -> list[Change] | None:
    """The changes of a script; None where a part of it cannot be told from the text (``extended``: -E or -r)."""
    changes: list[Change] = []
    position = 0
    while position < len(script):
        if script[position] in " \t\n;{}":
            position += 1
            continue
        if script[position] == "#":
            position = _line_end(script, position)
            continue
        address = _ADDRESS.match(script, position)
        if address is None or address.end() >= len(script):
            return None
        position = address.end()
        command = script[position]
        position += 1
        first, last = address["first"], address["last"]
        if command == "s":
            parts = _delimited(script, position)
            if parts is None:
                return None
            pattern, replacement, position = parts
            flags = _FLAGS.match(script, position)
            position = flags.end() if flags else position
            change = substitution(pattern, replacement, extended=extended)
            if change is None:
                return None
            changes.append(Change(*change, None, first is None))
        elif command in "aic":
            end = _line_end(script, position)
            text = _text(script[position:end])
            position = end
            line = _insert_at(command, first)
            if last is not None or command == "c":
                line = None
            changes.append(Change("", text, line))
        elif command in "dpqQ=nNDPxhHgG":
            if command == "d":
                return None  # which lines these are, only the file knows
        else:
            return None
    return changes


def _insert_at(command: str, address: str | None) -> int | None:
    if address is None or not address.isdigit():
        return None
    return int(address) - (command == "i")


def _line_end(script: str, position: int) -> int:
    """The end of a line that backslashes may continue."""
    while True:
        end = script.find("\n", position)
        if end < 0:
            return len(script)
        if script[end - 1] != "\\":
            return end
        position = end + 1


def _text(raw: str) -> str:
    """The text of ``a``, ``i`` and ``c``: ``a\\`` keeps leading blanks, ``a`` drops them."""
    stripped = raw.lstrip(" \t")
    if stripped.startswith("\\"):
        raw = stripped[1:]
        raw = raw.removeprefix("\n")
    else:
        raw = stripped
    return re.sub(r"\\(\n|.)", lambda m: _NAMES.get(m[1], m[1]), raw, flags=re.DOTALL)


def _delimited(script: str, position: int) -> tuple[str, str, int] | None:
    """Pattern and replacement between the delimiters of ``s``, and where they end."""
    if position >= len(script):
        return None
    delimiter = script[position]
    parts: list[str] = []
    start = at = position + 1
    while at < len(script) and len(parts) < 2:
        c = script[at]
        if c == "\\":
            at += 2
            continue
        if c == "[" and not parts:  # the delimiter loses its meaning inside brackets
            close = script.find("]", at + 2)
            if close > 0 and delimiter in script[at:close] and "\n" not in script[at:close]:
                at = close + 1
                continue
        if c == delimiter:
            parts.append(script[start:at])
            start = at + 1
        at += 1
    if len(parts) < 2:
        return None
    if delimiter not in "\\n":
        parts = [
            p.replace("\\" + delimiter, delimiter if delimiter not in ".*[]^$+?(){}|" else "\\" + delimiter)
            for p in parts
        ]
    return parts[0], parts[1], at


def substitution(pattern: str, replacement: str, *, extended: bool) -> tuple[str, str] | None:
    """(old, new) of ``s/pattern/replacement/`` when both are literal text; None when they are not.

    A bare dot counts as a dot: it nearly always stands for one.
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
            new.append(_NAMES.get(c, c))
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
            if c in _NAMES:
                c = _NAMES[c]
            elif c.isalnum() or c in "<>'`" or (not special and c in "+?(){}|"):
                return None  # a class, a boundary, a group
            out.append(c)
        elif c in "*[" or c in special:
            return None
        else:
            out.append(c)
        i += 1
    return "".join(out)


def perl_changes(program: str) -> list[Change] | None:
    """The changes of a one-line Perl program that only substitutes; None otherwise."""
    changes: list[Change] = []
    for part in filter(None, (p.strip() for p in _statements(program))):
        if not part.startswith("s") or len(part) < 4 or part[1].isalnum() or part[1].isspace():
            return None
        text = part
        closing = {"{": "}", "(": ")", "[": "]", "<": ">"}.get(part[1])
        if closing is not None:
            if part.count(closing + part[1]) != 1 or not part.rstrip("gixmse").endswith(closing):
                return None
            old, _, new = part[2:].rstrip("gixmse")[:-1].partition(closing + part[1])
            found = substitution(old, new, extended=True)
        else:
            parts = _delimited(text, 1)
            if parts is None or "e" in text[parts[2] :]:
                return None
            found = substitution(parts[0], parts[1], extended=True)
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
    if not piece.startswith("s") or len(piece) < 4 or piece[1] in "{([<":
        return True
    return _delimited(piece, 1) is not None
