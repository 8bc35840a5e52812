"""The value of a measure in a run, or why there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ...review.result import PILLAR_TITLES
from .records import RunResult

# Results are files, which may be damaged: with numbers like 1e300 sums would overflow.
_ABSURD = 1e15
_BRIEF = 160  # characters
RESULTS = ("rigor_score", "evidence_share", "seconds", "model_calls", "cost")
OUTCOMES = ("outcome", "fail_to_pass", "features", "kept", "pass_rate", "completeness")
_SHARES = frozenset(("rigor_score", "evidence_share", *OUTCOMES, *PILLAR_TITLES))


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
