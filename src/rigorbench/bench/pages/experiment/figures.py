"""What the templates of an experiment call: which figures there are, their places in drawings, and names of things."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from ....review.pages import words
from ....review.result import PILLAR_TITLES
from ....review.review import Review
from ...experiment.compare import (
    MEASURES,
    SIGNIFICANT,
    Comparison,
    Condition,
    ConditionGroup,
    Effect,
    Mean,
    Measure,
    Pair,
)
from ...experiment.records import Manifest, RunResult, Subject
from ..text import experiment as say
from ..text.verdict import verdict
from .flags import FlagTable, flag_table

PRIMARY = tuple(m for m in MEASURES if m.primary)
MEASURE = {m.name: m for m in MEASURES}
# With more links than this the tab key skips a drawing; the list of runs has them all.
_WALKED = 40


# -- groups


class GroupView(Struct):
    """Conditions that may be compared: models, or scripted policies."""

    anchor: str
    group: ConditionGroup
    labels: say.Labels
    verdict: list[str]
    """The answer in sentences."""
    flags: FlagTable | None
    """None without a run that counts."""
    counted: int

    @property
    def single(self) -> bool:
        """Whether there is no more than one run: it has no statistics and no maps."""
        return self.counted <= 1


def groups(comparison: Comparison, results: Sequence[RunResult], reviews: Mapping[str, Review]) -> list[GroupView]:
    return [
        GroupView(
            f"g{n}",
            group,
            say.Labels(group),
            verdict(group),
            flag_table(group, results, reviews),
            sum(condition.counted for condition in group.conditions),
        )
        for n, group in enumerate(comparison.groups)
    ]


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


def task_note(means: Mapping[str, Mean] | None, measure: Measure) -> str:
    """What the mean of a condition on a task rests on."""
    if means is None:
        return "not planned"
    evidence = means["evidence_share"].value if measure.name == "rigor_score" else None
    return say.mean_note(means[measure.name]) + (
        f"; evidence share {words.percent(evidence)}" if evidence is not None else ""
    )


# -- differences


class Differences(Struct):
    lines: list[tuple[Measure, Effect]]

    @property
    def summary(self) -> str:
        return ", ".join(f"{m.title} {say.effect_value(effect, m)}" for m, effect in self.lines if m.primary)

    @property
    def remark(self) -> str:
        """What is to be said of every difference; "" if that differs."""
        remarks = {effect.reason for _, effect in self.lines if effect.value is not None}
        return remarks.pop() if len(remarks) == 1 else ""

    @property
    def sized(self) -> bool:
        return any(say.effect_size(effect) != say.NO_VALUE for _, effect in self.lines)

    @property
    def read(self) -> bool:
        return any(reading_of(*line)[0] for line in self.lines)

    @property
    def tested(self) -> bool:
        return any(effect.p is not None for _, effect in self.lines)


def differences(pair: Pair) -> Differences:
    lines = [(m, pair.effects[m.name]) for m in MEASURES]
    return Differences([(m, effect) for m, effect in lines if m.name != "cost" or effect.value is not None])


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
    manifest: Manifest, results: Sequence[RunResult], comparison: Comparison, links: Mapping[str, str]
) -> dict[bool, list[tuple[Markup, str]]] | None:
    """Figure 1 and its caption, of models (False) and scripted policies (True); None: what draws it is not installed.

    ``links``: address of the page of each run, by cell id.
    """
    try:
        from ..tables.figure import figure_svg, figures

        drawn = [(figure, figure_svg(figure, links)) for figure in figures(manifest, results, comparison)]
    except ImportError:
        return None
    found: dict[bool, list[tuple[Markup, str]]] = {False: [], True: []}
    for figure, svg in drawn:
        if svg.count("<a href=") > _WALKED:
            svg = svg.replace("<a href=", '<a tabindex="-1" href=')
        # tables/figure.py has escaped every name.
        found[figure.scripted].append((Markup(svg), figure.caption))
    return found


# -- how it was run


def size(comparison: Comparison) -> str:
    return f"{words.count(comparison.counted)} of {words.plural(comparison.planned, 'run')}"


def facts(manifest: Manifest, comparison: Comparison) -> list[tuple[str, str]]:
    """(name, value) of what applies to all runs, as far as it is known."""
    budget = manifest.budget
    tokens = "no token limit" if budget.tokens is None else f"{words.tokens(budget.tokens)} tokens ({budget.metering})"
    cost = "" if budget.context is None else f", {words.tokens(budget.context)} tokens in one request"
    cost += "" if budget.cost is None else f", ${budget.cost:g}"
    found = [
        ("Experiment", manifest.id),
        ("Started", words.moment(manifest.created)),
        ("Runs counted", size(comparison)),
        ("Tasks", words.count(len(manifest.tasks) or len({c.task for c in manifest.cells}))),
        ("Budget of a run", f"{words.duration(budget.seconds)}, {tokens}" + cost),
        ("Model options", ", ".join(f"{name} {value}" for name, value in manifest.generation.items())),
        ("Sandbox", manifest.sandbox),
    ]
    return [(name, value) for name, value in found if value]


def command(words: Sequence[str]) -> str:
    return shlex.join(words)


def call(entry: Mapping[str, Any]) -> tuple[str, str, int | None]:
    """A later call of `rigor run`, from the history of the manifest: when, its command, how many runs it added."""
    time, command, added = entry.get("time"), entry.get("command"), entry.get("added")
    return (
        words.moment(time) if isinstance(time, int | float) else "",
        shlex.join(map(str, command)) if isinstance(command, list) else "",
        len(added) if isinstance(added, list) else None,
    )


def subjects(manifest: Manifest, comparison: Comparison) -> dict[str, dict[str, Subject]]:
    """Everything that the experiment names, by kind."""
    scripted = {c.key.model for g in comparison.groups if g.scripted for c in g.conditions}
    kinds = {
        "Tasks": manifest.tasks,
        "Agents": manifest.agents,
        "Harnesses": manifest.harnesses,
        "Models": {n: s for n, s in manifest.models.items() if n not in scripted},
        "Scripted policies": {say.policy(n): s for n, s in manifest.models.items() if n in scripted},
    }
    return {kind: named for kind, named in kinds.items() if named}


def subject_facts(subject: Subject) -> str:
    return ", ".join(
        f"{k} {say.lead(plain(v)) if k == 'title' else plain(v)}"
        for k, v in subject.facts.items()
        if isinstance(v, str | int | float) and v != ""
    )


def task_fact(manifest: Manifest, task: str, key: str) -> str:
    """A fact of a task that is text; "" without one."""
    known = manifest.tasks[task].facts if task in manifest.tasks else {}
    return found if isinstance(found := known.get(key), str) else ""


def by_category(manifest: Manifest, tasks: Mapping[str, str]) -> dict[str, list[str]]:
    """The tasks of each category ("": of none), in the order of the manifest."""
    found: dict[str, list[str]] = {}
    for task in tasks:
        found.setdefault(task_fact(manifest, task, "category"), []).append(task)
    return found


def machine(name: str, value: Any) -> str:
    return f"{value / (1 << 30):.1f} GiB" if name == "memory" and isinstance(value, int) else plain(value)


def plain(value: Any) -> str:
    """A value of the manifest as text; "" where it is not known."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
