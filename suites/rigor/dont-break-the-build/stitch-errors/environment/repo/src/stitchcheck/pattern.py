"""Patterns from files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from . import codes
from .codes import Problem
from .rows import Step, parse_row

_LINE = re.compile(r"(cast on|gauge|row(?: (\d+))?|repeat)\s*:\s*(.*)")
_REPEAT = re.compile(r"(\d+)-(\d+) x(\d+)")


@dataclass
class Row:
    """``steps`` is None if the row cannot be read, ``begins`` the number that the author gave."""

    line: int
    steps: list[Step] | None
    begins: int | None = None


@dataclass
class Repeat:
    """Rows ``first`` to ``last`` (from 0) are worked ``times`` more times after row ``after``."""

    line: int
    first: int
    last: int
    times: int
    after: int


@dataclass
class Pattern:
    """``problems``: what could not be read, by line."""

    cast_on: int = 0
    gauge: int | None = None
    rows: list[Row] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read(path: Path) -> tuple[Pattern, None] | tuple[None, Problem]:
    """The pattern in a file, with all problems of its lines, and None; or None and why there is no pattern."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None, (codes.FILE, 0, 0, "no such file")
    except OSError:
        return None, (codes.FILE, 0, 0, "cannot be read")
    except UnicodeDecodeError:
        return None, (codes.FILE, 0, 0, "no text")
    pattern = parse(text)
    return pattern, None


def parse(text: str) -> Pattern:
    """The pattern in a text."""
    pattern = Pattern()
    cast_on = None
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.partition("#")[0].rstrip()
        if not bare:
            continue
        match = _LINE.fullmatch(bare)
        if match is None:
            pattern.problems.append((codes.SYNTAX, number, 1, "expected cast on, gauge, row or repeat"))
            continue
        kind, begins, rest = match[1], match[2], match[3]
        if kind.startswith("row"):
            steps, problem = parse_row(rest)
            if problem is not None:
                code, _, column, message = problem
                place = match.start(3) + column if column else 0
                pattern.problems.append((code, number, place, message))
            pattern.rows.append(Row(number, steps, int(begins) if begins else None))
        elif kind == "repeat":
            problem = _repeat(pattern, number, rest)
            if problem is not None:
                pattern.problems.append(problem)
        elif not rest.isdecimal() or int(rest) == 0:
            pattern.problems.append((codes.SYNTAX, number, match.start(3) + 1, f"expected a number, not {rest!r}"))
        elif kind == "gauge":
            pattern.gauge = int(rest)
        else:
            cast_on = int(rest)
    if cast_on is None:
        pattern.problems.insert(0, (codes.SYNTAX, 0, 0, "no stitches are cast on"))
    pattern.cast_on = cast_on or 0
    return pattern


def _repeat(pattern: Pattern, number: int, rest: str) -> Problem | None:
    """Add a repeat, or tell why not."""
    match = _REPEAT.fullmatch(rest)
    if match is None:
        return codes.SYNTAX, number, 0, f"expected something like 1-2 x3, not {rest!r}"
    first, last, times = int(match[1]), int(match[2]), int(match[3])
    if not 1 <= first <= last <= len(pattern.rows):
        return codes.SYNTAX, number, 0, f"there are no rows {first} to {last} above"
    pattern.repeats.append(Repeat(number, first - 1, last - 1, times, len(pattern.rows) - 1))
    return None
