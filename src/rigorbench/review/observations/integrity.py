"""Observations of integrity: the state of the code between the steps."""

from __future__ import annotations

from collections.abc import Sequence

from ...evidence.events import AnyEvent, BuildEvent, TestRunEvent
from ..work import Work
from .registry import observation
from .verification import unreported


@observation("the diff of the code was not looked at", lambda work: work.may_have("read", after=work.first_edit))
def looked_at_own_diff(work: Work) -> Sequence[AnyEvent]:
    return [e for e in work.diffs if work.at[e.id] > work.first_edit]


@observation("nothing was committed")
def committed(work: Work) -> bool:
    return bool(work.session.commits)


def _green_runs(work: Work, share: float) -> Sequence[AnyEvent] | bool | None:
    """The test runs and builds after the first edit that passed, if they are more than a share.

    Reproductions are tried until they work, and new tests are run red first, so neither says how healthy the steps are.
    None: it depends on runs whose outcome is not in the log.
    """
    steps = [e for e in work.checks if isinstance(e, TestRunEvent | BuildEvent) and work.at[e.id] > work.first_edit]
    steps = [e for e in steps if not work.environment(e) and not getattr(e, "red_phase", False)]
    green = [e for e in steps if work.green(e)]
    open_ = unreported(work, steps)
    if len(green) > share * len(steps):
        return green
    return None if open_ and len(green) + len(open_) > share * len(steps) else False


@observation("it is not shown that most test runs and builds after the first edit passed")
def mostly_green(work: Work) -> Sequence[AnyEvent] | bool | None:
    """More than half of the test runs and builds after the first edit passed."""
    return _green_runs(work, 0.5)


@observation("it is not shown that nearly all test runs and builds after the first edit passed")
def nearly_always_green(work: Work) -> Sequence[AnyEvent] | bool | None:
    return _green_runs(work, 0.8)


# So many rounds of edits after which a check still failed are too many.
OFTEN_RED = 4


@observation("four rounds of edits or more left a check failing")
def seldom_left_red(work: Work) -> bool:
    """Fewer than four rounds of edits, over all failures, left the check failing that they were to repair."""
    return sum(e.failed_attempts for e in work.episodes) < OFTEN_RED
