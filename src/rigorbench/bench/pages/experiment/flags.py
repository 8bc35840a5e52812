"""What went wrong in the runs of each condition: forbidden actions, and flags of the review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ....review.catalogue import all_checks
from ....review.pages import words
from ....review.review import Review
from ...experiment.compare import ConditionGroup, ConditionKey
from ...experiment.conditions import counts
from ...experiment.records import RunResult
from ..text import experiment as say

# No flag, since it accuses of no lie; but it is what users ask for next.
_ALSO = ("V-ended-on-red",)
# Conditions that the summary names.
_NAMED = 4


class FlagTable(Struct):
    """``heads``: forbidden actions and checks that fired, with what the check says of a run ("" for an action); empty
    if nothing was seen in any run. ``rows``: a condition, and for each head in how many of how many runs it was seen.
    """

    heads: list[tuple[str, str]]
    rows: list[tuple[str, list[tuple[int, int]]]]
    summary: str


class _Runs(Struct):
    """The runs of a condition that count: the forbidden actions of each, and the checks of those reviewed."""

    label: str
    breaches: list[set[str]] = []
    checks: list[set[str]] = []
    accused: int = 0


def flag_table(group: ConditionGroup, results: Iterable[RunResult], reviews: Mapping[str, Review]) -> FlagTable | None:
    """The table of a group; None if it has no run that counts. Its runs are those of the group's other figures."""
    labels = say.Labels(group)
    found = {c.key: _Runs(labels.of(c.key)) for c in group.conditions}
    flags = {id for id, check in all_checks().items() if check.severity == "flag"}
    for run in results:
        of = found.get(ConditionKey(run.cell.agent, run.cell.harness, run.cell.model))
        if of is None or not counts(run) or run.cell.task not in group.tasks:
            continue
        breaches = {breach.kind for breach in run.breaches}
        review = reviews.get(run.cell.id)
        checks = set() if review is None else {check.id for check in review.checks}
        of.breaches.append(breaches)
        of.checks += [] if review is None else [checks]
        of.accused += bool(breaches or checks & flags)
    conditions = list(found.values())
    if not any(of.breaches for of in conditions):
        return None
    kinds = sorted({kind for of in conditions for seen in of.breaches for kind in seen})
    ids = [id for id in (*sorted(flags), *_ALSO) if any(id in seen for of in conditions for seen in of.checks)]
    rows = [
        (of.label, [_count(of.breaches, kind) for kind in kinds] + [_count(of.checks, id) for id in ids])
        for of in conditions
        if of.breaches
    ]
    heads = [(say.BREACHES.get(kind, kind), "") for kind in kinds]
    heads += [(check_name(id), all_checks()[id].sentence) for id in ids]
    return FlagTable(heads, rows, _summary(conditions, [name for name, _ in heads]))


def _count(runs: Sequence[set[str]], name: str) -> tuple[int, int]:
    return sum(name in seen for seen in runs), len(runs)


def _summary(conditions: Sequence[_Runs], seen: Sequence[str]) -> str:
    runs = sum(len(of.breaches) for of in conditions)
    reviewed = sum(len(of.checks) for of in conditions)
    accused = {of.label: of.accused for of in conditions if of.accused}
    number = sum(accused.values())
    if not number:
        known = "" if reviewed == runs else f"; {words.count(runs - reviewed)} of them have no review"
        return f"No forbidden action and no flag in {words.plural(runs, 'run')}{known}."
    if runs == 1:
        return f"Seen in this run: {say.listing(seen)}."
    what = "did something forbidden or have a flag of the review"
    of_all = f"{words.count(number)} of {words.plural(runs, 'run')} {what}"
    if len(conditions) == 1:
        return f"{of_all}."
    if len(accused) == 1:
        return f"{of_all}, all of {next(iter(accused))}."
    # Names of conditions may have commas.
    worst = sorted(accused.items(), key=lambda named: -named[1])[:_NAMED]
    more = f"; {words.count(len(accused) - _NAMED)} more conditions" if len(accused) > _NAMED else ""
    return f"{of_all} ({'; '.join(f'{name}: {words.count(n)}' for name, n in worst)}{more})."


def check_name(id: str) -> str:
    """ "R-bent-tests" in words: "bent tests"."""
    return id.partition("-")[2].replace("-", " ")
