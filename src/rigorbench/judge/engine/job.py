"""What is to be run for a test point, and what one run of it gave."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ...problems.model import Case, Group, Problem, Sanitizer
from ...problems.verdicts import Verdict
from ..build.model import Program
from ..model import PointResult, Usage


class Tools(Struct, frozen=True):
    """The package's own programs, built. ``data``: what their cells see of the package. ``static``: what looks at the
    submission's files."""

    checker: Program | None
    interactor: Program | None
    data: Path
    static: Program | None = None


class Trial(Struct):
    """What one run of a test point gave. ``retry``: the stretch of the wall clock limit with which it is to be run
    again, alone. ``unchecked``: it ended well, but left in a way that its memory could not be looked at."""

    verdict: Verdict
    score: float | None
    message: str = ""
    details: str = ""
    usage: Usage = Usage()
    exit_code: int | None = None
    signal: str | None = None
    metric: float | None = None
    retry: float | None = None
    unchecked: bool = False

    def result(self, name: str, *, runs: int = 1, twin: str | None = None) -> PointResult:
        return PointResult(
            id=name,
            verdict=self.verdict,
            score=self.score,
            message=self.message,
            details=self.details,
            usage=self.usage,
            exit_code=self.exit_code,
            signal=self.signal,
            metric=self.metric,
            runs=runs,
            twin=twin,
        )


class Job(Struct, frozen=True):
    """What is run: a case of a group, as it is or under a sanitizer. ``fresh``: it shares no disk with the next."""

    problem: Problem
    group: Group
    case: Case
    tools: Tools
    sanitizer: Sanitizer | None = None
    fresh: bool = True
    stretch: float = 1.0
