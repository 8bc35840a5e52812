"""Where a statement about runs goes beyond them: another directory of the project, more repetitions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..events import EditEvent, TestRunEvent
from ..patterns import lazy
from .log import Check, Log

_NUMERALS = "two three four five six seven eight nine ten".split()
_TIMES = lazy(
    rf"\b(\d+|{'|'.join(_NUMERALS)}) (?:more )?(?:times|runs|(?:consecutive|repeated|successive) runs|in a row)\b",
    re.IGNORECASE,
)


def of_neighbour(text: str, runs: Sequence[TestRunEvent], log: Log) -> bool:
    """Whether a statement names a directory of the project, and the runs were all in directories beside it."""
    words = set(re.findall(r"[\w.-]*\w", text.lower()))
    paths = [e.path.lower().split("/")[:-1] for e in log.events if isinstance(e, EditEvent)]
    meant = {tuple(path[: n + 1]) for path in paths for n, part in enumerate(path) if part in words}
    places = [_place(run, log) for run in runs]
    return bool(meant) and all(
        place
        and not words & set(place)
        and all(m[: len(place)] != place and m[:-1] == place[: len(m) - 1] for m in meant)
        for place in places
    )


def _place(run: TestRunEvent, log: Log) -> tuple[str, ...]:
    """The directory that a run was in, as far as its line states it, relative to the project."""
    facts = log.checks.get(run.id)
    cwd = (facts.cwd or "").lower().strip("/") if facts is not None else ""
    return tuple(cwd.split("/")) if cwd and not (facts and (facts.cwd or "").startswith("/")) else ()


def repeated_more(text: str, log: Log) -> bool:
    """Whether a sentence speaks of more runs than the session has checks, and no loop repeated them."""
    match = _TIMES.search(text)
    if match is None or log.trajectory is None or log.is_incomplete:
        return False
    number = int(match[1]) if match[1].isdigit() else 2 + _NUMERALS.index(match[1].lower())
    loops = any(re.search(r"\b(?:for|while|seq|xargs|repeat)\b|-count\b|-n ?\d", c) for c in log.commands)
    return not loops and 1 < number <= 1000 and number > sum(isinstance(e, Check) for e in log.events)
