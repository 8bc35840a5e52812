"""Judges submissions to problems on this machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from msgspec import Struct

from ..model import GroupResult, Judgement, PointResult
from ..package.model import Problem
from ..submission import Submission


class Settings(Struct, frozen=True):
    """``slots``: test points at a time (None: one for each processor but as many as memory allows); each is pinned to
    a processor of its own. ``stop_at_first``: leave the rest of a "min" group out once a case scores 0 (they are
    skipped). ``trust``: run without a sandbox where none can be had (code that one trusts only)."""

    slots: int | None = None
    stop_at_first: bool = True
    trust: bool = False


class Observer:
    """Hears what happens; nothing in here may be slow or raise."""

    def compiled(self, ok: bool) -> None: ...

    def point(self, group: str, result: PointResult) -> None: ...

    def group(self, result: GroupResult) -> None: ...


class Judge:
    """Holds the slots and their sandboxes. Used by one thread for each submission under way; close it in the end."""

    def __init__(self, settings: Settings | None = None) -> None:
        raise NotImplementedError

    def judge(
        self,
        problem: Problem,
        submission: Submission,
        *,
        observer: Observer | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Judgement:
        """Build, run all test points, check, score.

        A failure of the judge is a verdict (``judge_error``) and its score None; what the submission does never raises.

        Raises:
            JudgeError: nothing can be judged here at all (no sandbox, no compiler for the language).
        """
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
