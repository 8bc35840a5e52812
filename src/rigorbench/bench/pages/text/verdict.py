"""The answer of an experiment in a few sentences, from the figures and tests of its comparison.

That one condition beats another is said only where the adjusted test supports it; where it does not, how many tasks
would be needed is said instead.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping

from ....review.pages import words
from ....review.pages.numbers import number as figure
from ...experiment.compare import MEASURES, SIGNIFICANT, Condition, ConditionGroup, Effect, Mean
from . import experiment as say

# More tasks than anybody will write are not counted out.
_MANY_TASKS = 100_000
_SCORE, _OUTCOME = "rigor_score", "outcome"
_PRIMARY = sum(m.primary for m in MEASURES)


Sides = tuple[Mapping[str, Mapping[str, Mean]], ...]


class _Gap:
    """A difference that is not negative: ``more`` minus ``less``, with both means over the tasks that they share.

    ``sure``: whether the test supports it; ``differences``: of the single tasks.
    """

    def __init__(self, effect: Effect, measure: str, names: tuple[str, str], sides: Sides) -> None:
        of, minus = (
            {t: m.value for t, found in side.items() if (m := found[measure]).value is not None} for side in sides
        )
        shared = [t for t in of if t in minus]
        more, less = (1, 0) if (effect.value or 0.0) < 0 else (0, 1)
        means = [statistics.fmean(values[t] for t in shared) for values in (of, minus)]
        self.more, self.less, self.means = names[more], names[less], (means[more], means[less])
        self.differences = [of[t] - minus[t] for t in shared]
        self.effect, self.sure = effect, is_sure(effect)


def verdict(group: ConditionGroup) -> list[str]:
    """The sentences of a group, the answer first; of conditions without any run that counts, why there is none."""
    labels = say.Labels(group)
    if not any(c.counted for c in group.conditions):
        broke, missing = (sum(getattr(c, name) for c in group.conditions) for name in ("errors", "missing"))
        parts = [f"{words.count(n)} {what}" for n, what in ((broke, "broke"), (missing, "have no result yet")) if n]
        return [f"No run counts: {', '.join(parts)}." if parts else "There are no runs."]

    def place(condition: Condition) -> float:
        value = condition.means[_SCORE].value
        return math.inf if value is None else -value

    # The two best conditions that are compared.
    places = {c.key: n for n, c in enumerate(sorted(group.conditions, key=place))}
    tested = [p for p in group.pairs if p.effects[_SCORE].value is not None]
    pair = min(tested, key=lambda p: sorted((places[p.of], places[p.minus]), reverse=True), default=None)
    if pair is None:
        best = max(group.conditions, key=lambda c: c.counted)
        lack = "No two conditions have a RigorScore on the same task, so there is nothing to compare."
        return [_alone(best, labels.of(best.key)), *([lack] if len(group.conditions) > 1 else [])]
    by_key = {c.key: c for c in group.conditions}
    first, second, context = labels.sides(pair.of, pair.minus)
    names, sides = (first, second), (by_key[pair.of].tasks, by_key[pair.minus].tasks)
    score = _Gap(pair.effects[_SCORE], _SCORE, names, sides)
    sentences = [_comparison(score, f" with {context}" if context else "")]
    if not score.sure and score.effect.value and score.effect.p_adjusted is not None:
        # So many tests the p-values of the primary measures are adjusted for.
        sentences += _needed(score, len(group.pairs) * _PRIMARY)
    if pair.effects[_OUTCOME].value is not None:
        sentences.append(_outcome(_Gap(pair.effects[_OUTCOME], _OUTCOME, names, sides)))
    if len(group.pairs) > 1 and any(p.effects[_SCORE].p_adjusted is not None for p in group.pairs):
        sentences.append(_others(group))
    return sentences


def is_sure(effect: Effect) -> bool:
    """Whether the adjusted p is small and the interval, where there is one, leaves out 0."""
    if effect.value is None or effect.p_adjusted is None or effect.p_adjusted >= SIGNIFICANT:
        return False
    return effect.low is None or effect.high is None or effect.low > 0 or effect.high < 0


def _comparison(gap: _Gap, context: str) -> str:
    effect = gap.effect
    tasks = words.plural(effect.tasks, "task")
    size, against = figure(abs(effect.value or 0.0), "share"), f"{gap.means[0]:.2f} against {gap.means[1]:.2f}"
    if not effect.value:
        return f"{gap.more} and {gap.less} have the same RigorScore{context} on {tasks}: {gap.means[0]:.2f}."
    if gap.sure:
        p = say.p_equals(effect.p_adjusted or 0.0)
        return f"{gap.more} beats {gap.less}{context} by {size} of RigorScore on {tasks} ({against}; adjusted {p})."
    lead = f"{gap.more} scored {size} more than {gap.less}{context} on {tasks} ({against})"
    if effect.p_adjusted is None:
        number = effect.wins if (effect.value or 0.0) > 0 else effect.losses
        return f"{lead}; it was better on {words.count(number)} of them{say.too_few(effect)}."
    within = effect.low is not None and effect.high is not None and effect.low <= 0 <= effect.high
    doubt = "it may be chance" if within else "not certain"
    return f"{lead}: {doubt} (adjusted {say.p_equals(effect.p_adjusted)})."


def _needed(gap: _Gap, tests: int) -> list[str]:
    """How many tasks like these it would take; nothing where that cannot be computed."""
    try:
        from ....base.stats.power import tasks_needed
    except ModuleNotFoundError:  # scipy is not installed
        return []
    # The spread over tasks at the repeats that were run contains both parts of the variance already.
    spread = statistics.stdev(gap.differences) if len(gap.differences) > 1 else 0.0
    found = tasks_needed(
        abs(gap.effect.value or 0.0), within=0.0, between=spread, repeats=1, alpha=SIGNIFICANT / max(1, tests)
    )
    many = found is None or found > _MANY_TASKS
    number = f"More than {words.count(_MANY_TASKS)}" if many else f"About {words.count(found or 0)}"
    return [f"{number} tasks like these would be needed to show a difference of this size."]


def _outcome(gap: _Gap) -> str:
    both = tuple(f"{mean:.2f}" for mean in gap.means)
    if not gap.effect.value:
        return f"Both have an Outcome score of {both[0]}."
    shown = f"Outcome score: {both[0]} for {gap.more}, {both[1]} for {gap.less}"
    if gap.effect.p_adjusted is None:
        return f"{shown}."
    return f"{shown} ({'' if gap.sure else 'not certain, '}adjusted {say.p_equals(gap.effect.p_adjusted)})."


def _others(group: ConditionGroup) -> str:
    sure = sum(is_sure(p.effects[_SCORE]) for p in group.pairs)
    pairs = words.count(len(group.pairs))
    if not sure:
        return f"In none of the {pairs} pairs of conditions is a difference in RigorScore certain."
    verb = "is" if sure == 1 else "are"
    return f"Of the differences in RigorScore between {pairs} pairs of conditions, {words.count(sure)} {verb} certain."


def _alone(condition: Condition, name: str) -> str:
    """What one condition did."""
    score, outcome, solved = (condition.means[name] for name in (_SCORE, _OUTCOME, "solved"))
    where = f"on {words.plural(len(condition.tasks), 'task')}"
    if condition.planned == 1:
        where = f"on {next(iter(condition.tasks), '')}"
    elif condition.counted != len(condition.tasks):
        where += f" ({words.plural(condition.counted, 'run')})"
    parts = [
        f"has a RigorScore of {score.value:.2f} {where}" if score.value is not None else f"has no RigorScore {where}"
    ]
    if outcome.value is not None:
        parts.append(f"has an Outcome score of {outcome.value:.2f}")
    if solved.value is not None:
        one = "solved the task" if solved.value else "did not solve the task"
        parts.append(one if condition.counted == 1 else f"solved the task in {words.percent(solved.value)} of the runs")
    return f"{name} {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}."
