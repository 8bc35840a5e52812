"""Asking judges the probes of :mod:`.bias`. The votes go to ``bias`` in the votes directory and count for no score."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ask import Summary, ask
from ..model import Case, Judge, Kind, Rubric
from ..rubrics import RUBRICS
from ..votes import VoteStore
from .bias import probes


async def ask_twice(
    cases: Sequence[Case],
    judges: Sequence[Judge],
    store: VoteStore,
    *,
    concurrency: int = 4,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Ask about each case and its probes, except for votes that are stored; those of ``store`` on the cases are used.

    Raises:
        StoreError: the votes cannot be written.
    """
    apart = VoteStore(store.directory / "bias")
    # One round per rubric: first the case as it is, its items reversed and padded; then the questions reversed.
    normal: list[Case] = []
    turned: list[Case] = []
    other: dict[Kind, Rubric] = {}
    for case in cases:
        rubric = RUBRICS[case.kind]
        for vote in store.find(case.digest, rubric.digest, counting=False):
            if apart.answered(vote.key) is None:
                apart.add(vote)
        for name, (probe, asked) in probes(case, rubric).items():
            if name == "questions":
                turned.append(probe)
                other[case.kind] = asked
            else:
                normal.append(probe)
    total = Summary()
    for round_cases, rubrics in ((normal, dict(RUBRICS)), (turned, other)):
        _add(total, await ask(round_cases, judges, apart, rubrics=rubrics, concurrency=concurrency, progress=progress))
    return total


def _add(total: Summary, part: Summary) -> None:
    for name in ("wanted", "cached", "voted", "failed", "unasked", "attempts"):
        setattr(total, name, getattr(total, name) + getattr(part, name))
    for name in ("input_tokens", "output_tokens", "cost"):
        a, b = getattr(total, name), getattr(part, name)
        setattr(total, name, None if a is None or b is None else a + b)
    total.problems += [line for line in part.problems if line not in total.problems]
