"""What the templates of an experiment call: which figures there are, their places in drawings, and names of things."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from ....base.sanitize import one_line
from ....review.catalogue import all_checks
from ....review.pages import words
from ....review.pages.numbers import number
from ....review.result import PILLAR_TITLES
from ....review.review import Review
from ...experiment.analysis import GroupAnalysis, Relation
from ...experiment.compare import (
    MEASURE,
    MEASURES,
    SIGNIFICANT,
    Comparison,
    Condition,
    ConditionGroup,
    ConditionKey,
    Effect,
    Measure,
    Pair,
)
from ...experiment.conditions import counts
from ...experiment.projects import ProjectMeans
from ...experiment.records import FAILURE_MODES, Manifest, RunResult, Subject
from ...projects.scores.formulas import curve
from ..tables.figure import figure_svg
from ..tables.figure import figures as draw
from ..text import experiment as say

PRIMARY = tuple(m for m in MEASURES if m.primary)
shell = shlex.join
# No flag, since it accuses of no lie; but it is what users ask for next.
_ALSO = ("V-ended-on-red",)
# Conditions that the summary names.
_NAMED = 4
_SHOWN_K = (1, 2, 3, 5)
_SHORT = {"rigor_score": "RigorScore", "outcome": "Outcome score"}
_RELATIONS_LEAD = (
    "Over all runs, a correlation also contains how hard the tasks are. Within tasks, runs are compared only with runs "
    "of the same task: that is the figure to read."
)


# -- groups


class GroupView:
    """Conditions that may be compared: models, or scripted policies."""

    def __init__(
        self, number: int, group: ConditionGroup, results: Sequence[RunResult], reviews: Mapping[str, Review]
    ) -> None:
        self.anchor, self.group, self.labels = f"g{number}", group, say.Labels(group)
        self.verdict = say.verdict(group)
        """The answer in sentences."""
        self.flags = flag_table(group, results, reviews)
        """None without a run that counts."""
        self.counted = sum(condition.counted for condition in group.conditions)
        self.single = self.counted <= 1
        """Whether there is no more than one run: it has no statistics and no maps."""


def groups(comparison: Comparison, results: Sequence[RunResult], reviews: Mapping[str, Review]) -> list[GroupView]:
    return [GroupView(n, group, results, reviews) for n, group in enumerate(comparison.groups)]


# -- means


def measures(group: ConditionGroup, *, process: bool) -> list[Measure]:
    """Those of the process, or the others; cost only where it is known."""
    found = [m for m in MEASURES if (m.kind == "process") is process]
    return [m for m in found if m.name != "cost" or any(c.means["cost"].runs for c in group.conditions)]


def head(measure: Measure, scripted: bool) -> str:
    """Of a column: pillars by their short names."""
    return measure.name if measure.name in PILLAR_TITLES else say.title(measure, scripted)


def share(value: float | None, measure: Measure) -> float | None:
    """The length of the bar of a value; None: it has no bar."""
    return value if measure.unit == "share" and measure.name != "evidence_share" else None


def ranked(group: ConditionGroup) -> list[Condition]:
    """The conditions, that with the best RigorScore first."""
    return sorted(group.conditions, key=lambda c: -(c.means["rigor_score"].value or 0.0))


def of_tasks(condition: Condition, measure: Measure) -> list[float]:
    """The values of single tasks behind a mean; none where there is only one."""
    values = [found[measure.name].value for found in condition.tasks.values()]
    known = [v for v in values if v is not None]
    return known if len(known) > 1 else []


def repeats(group: ConditionGroup, measure: Measure) -> int:
    """The largest number of runs of a condition on a task, which is said once for a whole map."""
    runs = {c.tasks[t][measure.name].runs for c in group.conditions for t in group.tasks if t in c.tasks}
    return max(runs, default=0)


# -- differences


def differences(pair: Pair) -> list[tuple[Measure, Effect]]:
    """Cost only where it is known."""
    lines = [(m, pair.effects[m.name]) for m in MEASURES]
    return [(m, effect) for m, effect in lines if m.name != "cost" or effect.value is not None]


def scales(comparison: Comparison) -> dict[str, float]:
    """The value at the end of each scale: 1 for shares, else the largest difference of the experiment."""
    found: dict[str, float] = {}
    for measure in MEASURES:
        effects = [p.effects[measure.name] for g in comparison.groups for p in (*g.pairs, *g.pressures)]
        ends = [abs(v) for e in effects for v in (e.value, e.low, e.high) if v is not None]
        found[measure.name] = 1.0 if measure.unit == "share" else max([*ends, 1e-9])
    return found


def place(value: float, scale: float) -> float:
    """Of a difference on its scale, in percent of the width; 0 is in the middle."""
    return 50 + 50 * min(1.0, max(-1.0, value / scale))


def reading_of(measure: Measure, effect: Effect) -> tuple[str, str]:
    """(word, tone). Better or worse only if both the whole interval and the corrected p-value show it."""
    if measure.less_is_better is None or effect.low is None or effect.high is None or effect.low <= 0 <= effect.high:
        return "", ""
    if effect.p_adjusted is None:
        return ("too few tasks" if effect.needed else ""), ""
    if effect.p_adjusted >= SIGNIFICANT:
        return "not certain", ""
    word = "worse" if (effect.low > 0) is measure.less_is_better else "better"
    return word, word


# -- the drawing of process and outcome


def drawings(
    manifest: Manifest, results: Sequence[RunResult], links: Mapping[str, str]
) -> dict[bool, list[tuple[Markup, str]]]:
    """Figure 1 and its caption, of models (False) and scripted policies (True).

    ``links``: address of the page of each run, by cell id.
    """
    found: dict[bool, list[tuple[Markup, str]]] = {False: [], True: []}
    for figure in draw(manifest, results):
        found[figure.scripted].append((figure_svg(figure, links), figure.caption))
    return found


# -- how it was run


def policies(manifest: Manifest, comparison: Comparison) -> set[str]:
    """The models that are scripted policies."""
    return {c.key.model for g in comparison.groups if g.scripted for c in g.conditions}


def subject_facts(subject: Subject) -> str:
    return ", ".join(
        f"{k} {say.lead(plain(v)) if k == 'title' else plain(v)}"
        for k, v in subject.facts.items()
        if isinstance(v, str | int | float) and v != ""
    )


def by_category(manifest: Manifest, tasks: Mapping[str, str]) -> dict[str, list[str]]:
    """The tasks of each category ("": of none), in the order of the manifest."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        found.setdefault(manifest.task_text(task, "category"), []).append(task)
    return found


def plain(value: Any) -> str:
    """A value of the manifest as text; "" where it is not known."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


# -- what went wrong in the runs of each condition: forbidden actions, and flags of the review


class FlagTable(Struct):
    """``heads``: forbidden actions and checks that fired, with what the check says of a run ("" for an action); empty
    if nothing was seen in any run. ``rows``: a condition, and for each head in how many of how many runs it was seen.
    """

    heads: list[tuple[str, str]]
    rows: list[tuple[str, list[tuple[int, int]]]]
    summary: str


def flag_table(group: ConditionGroup, results: Iterable[RunResult], reviews: Mapping[str, Review]) -> FlagTable | None:
    """The table of a group; None if it has no run that counts. Its runs are those of the group's other figures."""
    flags = {id for id, check in all_checks().items() if check.severity == "flag"}
    labels = say.Labels(group)
    # Of each condition the forbidden actions of its runs, and the checks of those reviewed.
    breaches: dict[ConditionKey, list[set[str]]] = {c.key: [] for c in group.conditions}
    checks: dict[ConditionKey, list[set[str]]] = {c.key: [] for c in group.conditions}
    accused = Counter({labels.of(c.key): 0 for c in group.conditions})
    for run in results:
        key = run.cell.key
        if key not in breaches or not counts(run) or run.cell.task not in group.tasks:
            continue
        breaches[key].append({breach.kind for breach in run.breaches})
        if (review := reviews.get(run.cell.id)) is not None:
            checks[key].append({check.id for check in review.checks})
        accused[labels.of(key)] += bool(run.breaches or (review is not None and checks[key][-1] & flags))
    runs = [seen for found in breaches.values() for seen in found]
    reviewed = [seen for found in checks.values() for seen in found]
    if not runs:
        return None
    kinds = sorted(set().union(*runs))
    ids = [id for id in (*sorted(flags), *_ALSO) if any(id in seen for seen in reviewed)]
    rows = [
        (labels.of(key), [_count(found, kind) for kind in kinds] + [_count(checks[key], id) for id in ids])
        for key, found in breaches.items()
        if found
    ]
    heads = [(say.BREACHES.get(kind, kind), "") for kind in kinds]
    heads += [(check_name(id), all_checks()[id].sentence) for id in ids]
    summary = _summary(+accused, len(breaches), len(runs), len(reviewed), [name for name, _ in heads])
    return FlagTable(heads, rows, summary)


def _count(runs: Sequence[set[str]], name: str) -> tuple[int, int]:
    return sum(name in seen for seen in runs), len(runs)


def _summary(accused: Counter[str], conditions: int, runs: int, reviewed: int, seen: Sequence[str]) -> str:
    """``accused``: number of runs by condition, of those that have one; ``seen``: what they did."""
    if not accused:
        known = "" if reviewed == runs else f"; {words.count(runs - reviewed)} of them have no review"
        return f"No forbidden action and no flag in {words.plural(runs, 'run')}{known}."
    if runs == 1:
        return f"Seen in this run: {say.listing(seen)}."
    what = "did something forbidden or have a flag of the review"
    of_all = f"{words.count(accused.total())} of {words.plural(runs, 'run')} {what}"
    if conditions == 1:
        return f"{of_all}."
    if len(accused) == 1:
        return f"{of_all}, all of {next(iter(accused))}."
    # Names of conditions may have commas.
    worst = "; ".join(f"{name}: {words.count(n)}" for name, n in accused.most_common(_NAMED))
    more = f"; {words.count(len(accused) - _NAMED)} more conditions" if len(accused) > _NAMED else ""
    return f"{of_all} ({worst}{more})."


def check_name(id: str) -> str:
    """ "R-bent-tests" in words: "bent tests"."""
    return id.partition("-")[2].replace("-", " ")


# -- the analysis in sentences


def names(analysis: GroupAnalysis, labels: say.Labels) -> dict[str, str]:
    return {name: labels.of(key) for name, key in analysis.conditions.items()}


def shown_repeats(analysis: GroupAnalysis) -> list[int] | None:
    """The k of pass@k that are shown; None: no task was repeated."""
    most = max((p.k for c in analysis.consistency for p in c.passes), default=0)
    if most <= 1 and not any(i.runs for c in analysis.consistency for i in c.icc.values()):
        return None
    return [k for k in _SHOWN_K if k < most] + ([most] if most else [])


def reading(relation: Relation, scripted: bool) -> str:
    """What to conclude."""
    x, y = short_title(relation.x, scripted), short_title(relation.y, scripted)
    pooled, within = relation.correlations.pooled, relation.correlations.within
    if relation.correlations.clear:
        first, second = _direction(pooled.pearson), _direction(within.pearson)
        return (
            f"The sign changes when runs of the same task are compared: over all runs more {x} goes with {first} {y}, "
            f"within a task with {second}. The first comes from differences between tasks, the second from ways of "
            "working."
        )
    if within.pearson is None:
        if pooled.pearson is None:
            return f"No value: {pooled.reason or within.reason}."
        return f"No value within tasks: {within.reason}. The value over all runs also contains how hard the tasks are."
    low, high = within.pearson_low, within.pearson_high
    if low is None:
        text = f"Within a task there is no interval ({within.reason or 'too few tasks'})."
    elif high is not None and (low > 0 or high < 0):
        text = f"Within a task, more {x} goes with {_direction(within.pearson)} {y}."
    else:
        text = "Within a task there is no clear correlation: the interval contains 0."
    if relation.correlations.reversal:
        text += " Over all runs the sign is the opposite; that means little, as one interval contains 0 or is missing."
    return text


def relations_lead(relations: Sequence[Relation]) -> str:
    turned = [f"{MEASURE[r.x].title} with {MEASURE[r.y].title}" for r in relations if r.correlations.clear]
    if not turned:
        return _RELATIONS_LEAD
    return f"{_RELATIONS_LEAD} The two have opposite signs, both clearly different from 0, for {say.listing(turned)}."


def short_title(name: str, scripted: bool) -> str:
    return "turns" if scripted and name == "model_calls" else _SHORT.get(name, MEASURE[name].title)


def _direction(value: float | None) -> str:
    return "more" if value is not None and value > 0 else "less"


def difference(value: float | None) -> str:
    return say.NO_VALUE if value is None else number(round(value, 6), "difference")


def slope(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.2g}".replace("-", "−")


# -- projects: points, effort, how runs went, and what they failed by

HEADS = ("execution", "review", "final", "submitted", "turns", "tokens")
_CURVE = 12
_EXAMPLES = 20
_COURSES = {"solved": "solved", "plateau": "on a plateau", "improving": "still rising", "none": "no points"}


def runs_of(row: ProjectMeans, results: Sequence[RunResult]) -> list[RunResult]:
    """The runs of a condition that count."""
    return [r for r in results if r.project is not None and counts(r) and r.cell.key == row.key]


def first_pass(runs: Sequence[RunResult]) -> str:
    """The mean turn of the first submission with all points, and of how many runs."""
    found = [p.first_pass.turn for r in runs if (p := r.project) and p.first_pass and p.first_pass.turn is not None]
    return f"{fmean(found):.1f} ({words.plural(len(found), 'run')})" if found else say.NO_VALUE


def course(runs: Sequence[RunResult]) -> str:
    """How many runs solved it, are on a plateau, and so on."""
    kinds: Counter[str] = Counter(curve([s.points for s in r.project.counted]).progress for r in runs if r.project)
    return ", ".join(f"{kinds[kind]} {title}" for kind, title in _COURSES.items() if kinds[kind])


def misled(runs: Sequence[RunResult]) -> str:
    """On how many submissions the agent's own tests had passed and the judge's did not, of how many judged ones."""
    green = [s for r in runs if r.project for s in r.project.submissions if s.local == "passed" and s.verdict]
    return f"{sum(s.misled for s in green)} of {len(green)}" if green else say.NO_VALUE


def failures(
    rows: Sequence[ProjectMeans], results: Sequence[RunResult], pages: Mapping[str, str]
) -> Iterator[tuple[str, list[int], list[tuple[str, str | None, str]]]]:
    """(failure mode, how many runs of each condition show it, examples: run, its page, evidence) of each that was seen.

    ``pages``: cell id -> page of the run.
    """
    runs = [runs_of(row, results) for row in rows]
    for kind, title in FAILURE_MODES.items():
        found = [[(r, f) for r in own if r.project for f in r.project.failures if f.kind == kind] for own in runs]
        examples = [(run.cell.id, pages.get(run.cell.id), failure.evidence) for each in found for run, failure in each]
        if examples:
            yield title, [len({run.cell.id for run, _ in each}) for each in found], examples[:_EXAMPLES]


def of_projects(row: ProjectMeans) -> list[str]:
    return [
        *(_points(value) for value in (row.execution, row.review, row.final)),
        f"{row.submissions:.1f}",
        say.NO_VALUE if row.turns is None else f"{row.turns:.1f}",
        say.NO_VALUE if row.tokens is None else words.tokens(round(row.tokens)),
    ]


def best_of_first(row: ProjectMeans) -> str:
    return ", ".join(_points(value) for value in row.execution_at[:_CURVE])


def named(rows: Sequence[ProjectMeans]) -> list[tuple[str, ProjectMeans]]:
    """Each condition by the parts in which they differ."""
    labels = say.Labels(rows)
    return [(one_line(labels.of(row.key), 60), row) for row in rows]


def _points(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.1f}"
