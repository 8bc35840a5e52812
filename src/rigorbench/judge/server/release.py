"""When the author of a submission sees what became of it: at few moments, so that the moment tells little.

A program reads hidden input and chooses how long it runs. So its author sees the beginning and the end of judging only
at certain moments after the submission arrived: `Settings.first_shown` seconds, and each time a quarter more.
"""

from __future__ import annotations

import math
from typing import Final

from msgspec import structs

from .model import Entry

_STEP: Final = 1.25


def moment(created: float, happened: float, first: float) -> float:
    """When something is shown that happened to a submission: at the next of its moments."""
    passed = happened - created
    if passed <= first:
        return created + first
    steps = math.ceil(math.log(passed / first, _STEP) - 1e-9)
    return created + first * _STEP**steps


def shown(entry: Entry, first: float, now: float) -> tuple[Entry, float | None]:
    """A submission as its author may see it, and when that changes next without a change of the submission.

    Aborts are the author's own, and a later judging (`rigor judge rejudge`) is the owner's: both show at once.
    """
    if entry.state == "aborted" or entry.started is None:
        return entry, None
    begun = moment(entry.created, entry.started, first)
    if entry.finished is None and begun <= now:
        return entry, None
    ended = None if entry.finished is None else moment(entry.created, entry.finished, first)
    if ended is not None and ended <= now:
        return structs.replace(entry, finished=ended), None
    hidden = structs.replace(
        entry, state="running" if begun <= now else "queued", attempts=0, interruptions=0, finished=None, judgement=None
    )
    return hidden, begun if begun > now else ended
