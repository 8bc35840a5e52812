"""Small problems, submissions and checkers, made in place."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from rigorbench.judge.engine import Judge
from rigorbench.judge.judgement import Judgement, PointResult
from rigorbench.judge.problems.problem import BuildKind, Case, Checker, PointGroup, PointLimits, Problem
from rigorbench.judge.submission import Submission, from_bytes

_numbers = itertools.count()
LIMITS = PointLimits(time=0.3, memory=64 << 20, output=1 << 16, disk=1 << 16, files=4, validation_time=0.5)
# Python is judged by the limits as they stand: tests set them for it.
PLAIN = {"python": 1.0}


class Bench:
    """A place for the files of tests, and the judge that they share."""

    def __init__(self, judge: Judge, place: Path) -> None:
        self.judge = judge
        self.place = place

    def problem(self, data: Sequence[tuple[str, str | None]] = (("1 2\n", "3\n"),), **more: Any) -> Problem:
        """A problem with one group of 100 points; ``checker`` and ``interactor``: (contract, source in Python)."""
        number = next(_numbers)
        root = self.place / f"problem-{number}"
        (root / "data").mkdir(parents=True)
        cases = []
        for at, (given, answer) in enumerate(data):
            source = root / "data" / f"{at}.in"
            source.write_text(given)
            if answer is not None:
                (root / "data" / f"{at}.ans").write_text(answer)
            cases.append(Case(f"secret/{at}", source, root / "data" / f"{at}.ans" if answer is not None else None))
        checker, interactor = more.pop("checker", None), more.pop("interactor", None)
        if checker is not None and not isinstance(checker, Checker):
            checker = Checker(None, (), self.script(root / "checker.py", checker[1]), checker[0])
        if interactor is not None:
            assert interactor[0] == (checker or Checker()).contract
            interactor = self.script(root / "interactor.py", interactor[1])
        problem = Problem(
            id="p",
            name="P",
            root=root,
            digest=f"{number:064x}",
            statement="",
            groups=(PointGroup("secret", tuple(cases), 100.0, more.pop("aggregation", "min")),),
            limits=more.pop("limits", LIMITS),
            time_multipliers=PLAIN,
            memory_multipliers=PLAIN,
            build=more.pop("build", BuildKind("source")),
            interactor=interactor,
        )
        return structs.replace(problem, **({"checker": checker} if checker is not None else {}), **more)

    @staticmethod
    def script(path: Path, source: str) -> Path:
        path.write_text(source)
        return path

    def submit(self, source: str, name: str = "main.py", language: str = "python") -> Submission:
        return from_bytes(name, source.encode(), self.place / f"submission-{next(_numbers)}", language=language)

    def run(self, problem: Problem, source: str, **more: Any) -> Judgement:
        return self.judge.judge(problem, self.submit(source, **more))

    def point(self, problem: Problem, source: str, **more: Any) -> PointResult:
        """The first test point."""
        return self.run(problem, source, **more).groups[0].points[0]
