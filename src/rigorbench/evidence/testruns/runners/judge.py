"""What the client of the judge prints of a submission (:mod:`rigorbench.judge.client`): hidden tests, run by others."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, distinct, last

NAME = "judge"
# The closing line of a submission, then one for each group and, with that feedback, for each test point:
# "submission 3: wrong answer, 40 of 100 points", "  1-small: accepted, 40 of 40 points", "    2  wrong answer  1 ms".
_VERDICTS = (
    "accepted|wrong answer|presentation error|compile error|runtime error|(?:time|idleness|memory|output|disk) limit "
    "exceeded|memory leak|invalid access|uninitialised read|skipped|judge error"
)
_WHOLE = lazy(rf"^submission \d{{1,9}}: ({_VERDICTS})\b(?:, [\d.]+ of [\d.]+ points)?", re.M)
_GROUP = lazy(rf"^  (\S[^\n:]{{0,200}}): ({_VERDICTS})\b", re.M)
_POINT = lazy(rf"^    (\S{{1,200}})  ({_VERDICTS})\b", re.M)


def read_judge(text: str) -> RunnerSummary | None:
    match = last(_WHOLE.finditer(text))
    if match is None:
        return None
    summary = RunnerSummary(NAME)
    verdict = match[1]
    if verdict in ("judge error", "skipped"):
        summary.outcome = "unknown"
        return summary
    points = _points(text[match.end() :])
    summary.passed = sum(result == "accepted" for _, result in points)
    summary.skipped = sum(result == "skipped" for _, result in points)
    summary.failed = len(points) - summary.passed - summary.skipped
    summary.failing = distinct(name for name, result in points if result not in ("accepted", "skipped"))
    summary.outcome = "passed" if verdict == "accepted" else "error" if verdict == "compile error" else "failed"
    return summary


def _points(text: str) -> list[tuple[str, str]]:
    """(``group/point``, verdict) of each test point that is listed, and of each group without any."""
    found: list[tuple[str, str]] = []
    groups = list(_GROUP.finditer(text))
    ends = [group.start() for group in groups[1:]] + [len(text)] * bool(groups)
    for group, end in zip(groups, ends, strict=True):
        listed = [(f"{group[1]}/{point[1]}", point[2]) for point in _POINT.finditer(text, group.end(), end)]
        found += listed or [(group[1], group[2])]
    return found


# Without marks: output of another command that looks like it is not believed.
RUNNERS = (KnownRunner(NAME, read_judge, marks=()),)
