"""What every runner module shares: the summary it returns, and the helpers that read numbers and lines out of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec import Struct, field

from ....base.patterns import Pattern, lazy
from ...events import Outcome

MAX_FAILING = 500
_T = TypeVar("_T")
_MAX_NAME = 1000


class RunnerSummary(Struct):
    """What the output of a runner states about a run (several runs of one runner in an output are added up)."""

    runner: str
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    errors: int | None = None
    """Counts; None: not stated."""
    failing: list[str] = field(default_factory=list)
    final: bool = True
    """The output contains a closing summary; False: only single results (a ``--- FAIL`` line), so that tests which are
    not shown may have failed."""
    outcome: Outcome | None = None
    """Set only where the output states more than its counts do; otherwise :func:`conclude` derives it."""
    never_ran: bool = False
    vague: bool = False
    """A build without tests ends with the same words: they count only if the command asked for tests."""
    reason: str = ""
    """Why no test ran."""

    @classmethod
    def nothing_ran(cls, runner: str, text: str, *words: str) -> RunnerSummary | None:
        """The summary of a run that stopped before its first test, if one of ``words`` in ``text`` says so."""
        found = next((w for w in words if w in text), None)
        return None if found is None else cls(runner, outcome="error", never_ran=True, reason=found.strip())

    @classmethod
    def of_failures(cls, runner: str, failing: list[str]) -> RunnerSummary | None:
        """The summary of output without a closing line that shows failing tests; None if it shows none."""
        return cls(runner, final=False, failing=failing) if failing else None

    def include(
        self,
        *,
        passed: int | None = None,
        failed: int | None = None,
        skipped: int | None = None,
        errors: int | None = None,
    ) -> None:
        """Adds the counts of one more summary line; None: the line does not state this count."""
        for name, value in (("passed", passed), ("failed", failed), ("skipped", skipped), ("errors", errors)):
            if value is not None:
                setattr(self, name, (getattr(self, name) or 0) + value)


Read = Callable[[str], RunnerSummary | None]


class KnownRunner(Struct, frozen=True):
    """A test runner."""

    name: str
    read: Read
    """Takes clean text (no colours, line ends as ``\n``); None if nothing in it is from this runner."""
    marks: tuple[str, ...]
    """Substrings, rare elsewhere. Everything that ``read`` can use contains one of them, which makes it cheap to
    recognise the runner."""
    aliases: tuple[str, ...] = ()
    strict: bool = False
    """Exit status 0 proves that at least one test ran and that none failed."""
    closing: Pattern | None = None
    """The line with which a run ends; None: it has none, or details follow it."""
    by_package: bool = False
    """``closing`` is that of a package (its group 1), of which a run may have several."""


def conclude(summary: RunnerSummary) -> tuple[Outcome, bool]:
    """The outcome, and whether nothing ran. If all tests were skipped, the outcome is ``unknown``."""
    if summary.outcome is not None:
        return summary.outcome, summary.never_ran
    if summary.failed or summary.errors or summary.failing:
        return "failed", False
    if not summary.final or summary.passed is None:
        return "unknown", False
    if summary.passed:
        return "passed", False
    return ("unknown", False) if summary.skipped else ("error", True)


def number(text: str | None) -> int:
    """A count as runners print it ("1", "1,024", "no", missing): 0 where there is no number of sane size."""
    if not text:
        return 0
    digits = text.replace(",", "")
    return int(digits) if len(digits) < 10 and digits.isdecimal() else 0


def counts(pattern: Pattern, text: str) -> Counter[str]:
    """Counts by word from phrases such as ``3 failed, 2 passed``: group 1 is the number, group 2 the word."""
    found: Counter[str] = Counter()
    for match in pattern.finditer(text):
        found[match[2]] += number(match[1])
    return found


def last(found: Iterable[_T]) -> _T | None:
    """The last of ``found``, or None."""
    item = None
    for item in found:  # noqa: B007
        pass
    return item


def distinct(names: Iterable[str]) -> list[str]:
    """The names in order without repeats, with ``>`` between groups, at most :data:`MAX_FAILING` of them."""
    found = dict.fromkeys(name.replace(" › ", " > ") for name in names if name and len(name) < _MAX_NAME)
    return list(found)[:MAX_FAILING]


def leaves(names: Iterable[str]) -> list[str]:
    """The names, sorted, without the tests that are listed only because a subtest of theirs failed."""
    known = sorted(names)
    parents = {name[:at] for name in known for at in range(len(name)) if name[at] == "/"}
    return distinct(name for name in known if name not in parents)


def lines_with(text: str, mark: str) -> Iterator[tuple[int, str]]:
    """The lines that contain ``mark``, each once, with their offset; costs one substring search per line found."""
    at = text.find(mark)
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        if end < 0:
            end = len(text)
        yield start, text[start:end]
        at = text.find(mark, end)


LineRule = tuple[str, Pattern]
# Longer lines are data, not diagnostics; their beginning is enough.
_MAX_LINE = 1000


def line_rules(table: dict[str, str]) -> tuple[LineRule, ...]:
    """The rules of a table of messages: by a substring of the line, the pattern to search in it."""
    return tuple((mark, lazy(pattern)) for mark, pattern in table.items())


def first_match(rules: Iterable[LineRule], text: str) -> re.Match[str] | None:
    """The first match of the first rule that matches anywhere."""
    for mark, pattern in rules:
        for _, line in lines_with(text, mark):
            if (match := pattern.search(line[:_MAX_LINE])) is not None:
                return match
    return None


def first_line(rules: Iterable[LineRule], text: str) -> str | None:
    """The line of :func:`first_match`, as far as a reason can show it."""
    match = first_match(rules, text)
    return None if match is None else match.string.strip()[:160]


def line_at(text: str, position: int) -> str:
    """The line around ``position``, trimmed to what a reason can show."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return text[start : end if end >= 0 else len(text)].strip()[:160]
