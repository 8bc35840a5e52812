"""The hints of a run, with the points before and after each."""

from __future__ import annotations

from collections.abc import Sequence

from ..experiment.model import HintFact, SubmissionFact
from .submissions import HintGiven


def hint_facts(
    given: Sequence[HintGiven],
    submitted: Sequence[SubmissionFact],
    best: Sequence[float | None],
    started: float,
    calls: Sequence[float],
) -> list[HintFact]:
    """The hints that a run asked for.

    Args:
        best: points of the best of the first k of them, for every k.
        started: of the run, epoch seconds.
        calls: when each model call ended, epoch seconds.
    """
    times = [hint.asked if hint.answered is None else hint.answered for hint in given]
    found = []
    for number, (hint, time) in enumerate(zip(given, times, strict=True), 1):
        known = [n for n, one in enumerate(submitted) if one.time is not None and started + one.time <= time]
        following = times[number] if number < len(times) else None
        until = [
            n
            for n, one in enumerate(submitted)
            if one.time is not None
            and started + one.time > time
            and (following is None or started + one.time <= following)
        ]
        found.append(
            HintFact(
                number=number,
                time=round(time - started, 3),
                turn=sum(call <= time for call in calls),
                group=hint.group,
                question=hint.question,
                source=hint.source,
                text=hint.text,
                before=best[known[-1]] if known else 0.0,
                after=best[until[-1]] if until else None,
            )
        )
    return found
