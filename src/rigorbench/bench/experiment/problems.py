"""The problems of an experiment, counted by kind and cause."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

from .records import Cell, Manifest, RunResult
from .values import brief, why

_NUMBERS = re.compile(r"\b(?:0x)?[0-9A-Fa-f]*[0-9][0-9A-Fa-f]*\b")
# The kinds of problems, worst first.
PROBLEMS = (
    "error",
    "crash",
    "breach",
    "harness not loaded",
    "no change",
    "ending",
    "limit",
    "not scored",
    "no outcome",
    "gap",
    "not run",
    "not in the plan",
)

LIMITS = {
    "token": "the limit on tokens sent and written",
    "context": "the context was full",
    "time": "the limit on time without model calls",
    "cost": "the cost limit",
}


class RunProblem(Struct):
    """A problem, and the cells that have it. ``kind`` is one of :data:`PROBLEMS`."""

    kind: str
    what: str
    cells: list[str]
    scripted: bool


def problems(
    manifest: Manifest, done: Mapping[str, RunResult], foreign: Sequence[RunResult], scripted: AbstractSet[str]
) -> list[RunProblem]:
    """All problems, the worst kind first, then by frequency.

    Args:
        done: results by cell id.
        foreign: results of cells that the manifest does not name.
        scripted: models that are scripted policies.
    """
    found: defaultdict[tuple[str, str, bool], list[str]] = defaultdict(list)
    first: dict[str, str] = {}

    def add(cell: Cell, kind: str, what: str) -> None:
        # Process ids, addresses and times make the same error look different in each run.
        same = first.setdefault(_NUMBERS.sub("#", brief(what)), brief(what))
        cells = found[kind, same, cell.model in scripted]
        if cell.id not in cells[-1:]:
            cells.append(cell.id)

    for cell in manifest.cells:
        run = done.get(cell.id)
        if run is None:
            add(cell, "not run", "no result; the same command again runs what is missing")
        else:
            for kind, what in wrong_with(run):
                add(cell, kind, what)
    runs = [run for run in done.values() if run.status != "error"]
    asked = any(run.outcome is not None and run.outcome.solved is not None for run in runs)
    if asked and all(run.changed is False for run in runs):
        for run in runs:
            add(run.cell, "no change", "no run changed anything: this cannot tell conditions apart")
    for run in foreign:
        add(run.cell, "not in the plan", "a result of a cell that the manifest does not name; not counted")
    kinds = {kind: n for n, kind in enumerate(PROBLEMS)}
    ordered = sorted(found.items(), key=lambda kv: (kinds[kv[0][0]], -len(kv[1]), kv[0][1], kv[0][2]))
    return [RunProblem(kind, what, cells, side) for (kind, what, side), cells in ordered]


def wrong_with(run: RunResult) -> Iterator[tuple[str, str]]:
    """(kind, what) of each problem of one run."""
    if run.status == "error":
        yield "error", run.error or "no message"
    if run.status == "crashed":
        yield "crash", run.error or "no message"
    if run.status == "limit":
        yield "limit", LIMITS.get(run.limit or "", run.limit) or "unknown which one"
    if run.ending is not None:
        yield "ending", run.ending
    for breach in run.breaches:
        yield "breach", breach.kind
    if run.manipulation is not None and run.manipulation.loaded is False:
        yield "harness not loaded", run.manipulation.reason or "the agent did not load it"
    if run.status != "error":
        if run.rigor_score is None:
            yield "not scored", f"no RigorScore: {why(run, 'rigor_score')}"
        if run.outcome is None or (run.outcome.pass_rate is None and run.outcome.reason):
            yield "no outcome", why(run, "pass_rate")
    for gap in run.gaps:
        yield "gap", gap
