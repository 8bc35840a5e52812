"""The value of a measure in a run, or why there is none; and the problems of runs, counted by kind and cause."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct

from ...review.result import PILLAR_TITLES
from .records import Cell, Manifest, RunResult

# Results are files, which may be damaged: with numbers like 1e300 sums would overflow.
_ABSURD = 1e15
_BRIEF = 160  # characters
RESULTS = ("rigor_score", "evidence_share", "seconds", "model_calls", "cost")
OUTCOMES = ("outcome", "fail_to_pass", "features", "kept", "pass_rate", "completeness")
_SHARES = frozenset(("rigor_score", "evidence_share", *OUTCOMES, *PILLAR_TITLES))
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


def value(result: RunResult, measure: str) -> float | None:
    """The value of a measure in a run; None if it has none (see :func:`why`)."""
    found = stored(result, measure)
    return found if found is not None and 0 <= found <= (1 if measure in _SHARES else _ABSURD) else None


def stored(result: RunResult, measure: str) -> float | None:
    """The value in the file of a run, which may be damaged."""
    outcome = result.outcome
    match measure:
        case _ if measure in RESULTS:
            found: float | None = getattr(result, measure)
            return found
        case "tokens":
            return result.metered
        case "regressions":
            return None if outcome is None or outcome.regressions is None else len(outcome.regressions)
        case _ if measure in OUTCOMES:
            return None if outcome is None else getattr(outcome, "score" if measure == "outcome" else measure)
        case "solved":
            return None if outcome is None or outcome.solved is None else float(outcome.solved)
    return result.pillars.get(measure) if result.pillar_status.get(measure, "scored") == "scored" else None


def why(result: RunResult, measure: str) -> str:
    """Why a run has no value for a measure, in a few words."""
    if stored(result, measure) is not None:
        return "no plausible number"
    if measure in PILLAR_TITLES:
        status = result.pillar_status.get(measure)
        return {"not_applicable": "not applicable", "unscorable": "unscorable"}.get(status or "", "not scored")
    if measure == "rigor_score":
        return "too little evidence" if result.evidence_share is not None else "not scored"
    if measure in (*OUTCOMES, "regressions", "solved"):
        if result.outcome is None:
            return "outcome not measured"
        if result.outcome.tests and result.outcome.pass_rate is None and not result.outcome.reason:
            return "the task is impossible"
        return brief(result.outcome.reason or "none for this task")
    return "not recorded"


def impossible(result: RunResult) -> str | None:
    """The name of a number in a result that cannot be right; None: there is none."""
    measures = (*sorted(_SHARES), "tokens", "seconds", "model_calls", "cost")
    wrong = [name for name in measures if stored(result, name) is not None and value(result, name) is None]
    amounts = {"working": result.working, **(result.tokens or {})}
    if result.project is not None:
        amounts |= {name: getattr(result.project, name) for name in ("execution", "review", "final")}
    wrong += [name for name, amount in amounts.items() if amount is not None and not 0 <= amount <= _ABSURD]
    return wrong[0] if wrong else None


def by_task(runs: Iterable[RunResult], of: str | Callable[[RunResult], float | None]) -> dict[str, list[float]]:
    """The values of a measure by task, of the runs that have one; tasks in order of their names."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for run in runs:
        number = value(run, of) if isinstance(of, str) else of(run)
        if number is not None:
            found[run.cell.task].append(number)
    return dict(sorted(found.items()))


def digits(value: Any) -> Any:
    """The floats of a value to six digits, wherever the point is: the last ones depend on the machine, and a small
    p-value is not rounded to zero."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: digits(v) for key, v in value.items()}
    return [digits(v) for v in value] if isinstance(value, list) else value


def brief(text: str) -> str:
    """``text`` on one line, cut."""
    line = " ".join(text[: 4 * _BRIEF].split())
    return line if len(line) <= _BRIEF else line[: _BRIEF - 1] + "…"


# -- problems


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
