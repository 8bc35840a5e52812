"""Who follows a judgement while it is made."""

from __future__ import annotations

from ..model import GroupResult, PointResult


class Observer:
    """Hears what happens; nothing in here may be slow or raise. Called from several threads, one at a time.

    A point is told as it came; in a "min" group that stops at its first failure, what was run after that point is
    skipped in the group's result, which is what counts.
    """

    def compiled(self, ok: bool) -> None: ...

    def point(self, group: str, result: PointResult) -> None: ...

    def group(self, result: GroupResult) -> None: ...
