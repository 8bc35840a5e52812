"""Progress of a judgement while it is made."""

from __future__ import annotations

from ..model import GroupResult, PointResult


class Observer:
    """Receives results as they come. Methods must be quick and must not raise; they are called by one thread at a time.

    Points come as they were run. In a "min" group that stops at its first failure, later points are skipped in the
    group's result, which is what counts.
    """

    def compiled(self, ok: bool) -> None: ...

    def point(self, group: str, result: PointResult) -> None: ...

    def group(self, result: GroupResult) -> None: ...
