"""Runners whose closing lines suffice: the engine for the table ``closing_lines.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ....base.patterns import Pattern, lazy
from ...tables import load, rows
from .base import KnownRunner, RunnerSummary, leaves, lines_with, number

_COUNTS = ("passed", "failed", "errors", "skipped")
_PLACEHOLDER = re.compile(r"\{(total|passed|failed|errors|skipped|good|bad)(?::([^}]*))?\}")
_NUMBER = r"\d+"
_LONGEST = 500


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the table, which explains the keys."""

    name: str
    programs: tuple[str, ...]
    lines: dict[str, str]
    failing: dict[str, str] = {}
    failing_name: str = r"\1"
    zero: tuple[str, ...] = ()
    last: bool = False
    nothing_ran: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    strict: bool = False
    unloaded: bool = False
    unfinished: bool = False


class _Reader:
    """Reads the output of one runner."""

    def __init__(self, row: _Row) -> None:
        self.row = row
        self._lines = [
            (mark, lazy(_PLACEHOLDER.sub(lambda m: f"(?P<{m[1]}_{m.start()}>{m[2] or _NUMBER})", template)))
            for mark, template in row.lines.items()
        ]
        self._failing = [(mark, lazy(pattern)) for mark, pattern in row.failing.items()]

    def __call__(self, text: str) -> RunnerSummary | None:
        found: dict[str, int] = {}
        closed = False
        for mark, pattern in self._lines:
            matches = list(_matches(text, mark, pattern))
            for match in matches[-1:] if self.row.last else matches:
                found.update({name: found.get(name, 0) for name in self.row.zero})
                for group, value in match.groupdict().items():
                    if value is not None:
                        name = group.partition("_")[0]
                        found[name] = found.get(name, 0) + number(value)
                closed = True
        if not closed:
            shown = self.failing(text) if self.row.unfinished else []
            nothing = RunnerSummary.nothing_ran(self.row.name, text, *self.row.nothing_ran)
            return nothing or RunnerSummary.of_failures(self.row.name, shown)
        total = found.get("total")
        if total is not None and "passed" not in found:
            others = ("failed", "skipped") if self.row.unloaded else _COUNTS
            found["passed"] = max(0, total - sum(found.get(name, 0) for name in others))
        elif total is not None and "failed" not in found:
            found["failed"] = max(0, total - found["passed"] - found.get("skipped", 0))
        summary = RunnerSummary(self.row.name)
        summary.include(**{name: found[name] for name in _COUNTS if name in found})
        if self.row.unloaded and summary.errors and not summary.failed:
            summary.outcome, summary.never_ran = "error", not summary.passed
        elif "bad" in found:
            summary.outcome = "failed"
        elif "good" in found and summary.passed is None:
            summary.outcome = "passed"
        if "bad" in found or summary.failed or summary.errors:
            summary.failing = self.failing(text)
        return summary

    def failing(self, text: str) -> list[str]:
        """The names of the failed tests."""
        return leaves(m.expand(self.row.failing_name) for rule in self._failing for m in _matches(text, *rule))


def _matches(text: str, mark: str, pattern: Pattern) -> Iterator[re.Match[str]]:
    return (m for _, line in lines_with(text, mark) if (m := pattern.search(line[:_LONGEST])) is not None)


def runners(section: str) -> tuple[KnownRunner, ...]:
    """The runners of a section of the table: "first" or "last"."""
    return tuple(
        KnownRunner(row.name, _Reader(row), row.marks or tuple(row.lines), row.aliases, row.strict)
        for row in rows(_TABLE[section], _Row).values()
    )


_TABLE = load(__file__, "closing_lines.toml")
