"""Scores of runs and settings (agent, model and harness) from judgements and reviews."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ....judge.problems.verdicts import Verdict
from .documents import Attempt, Documents, JudgedSubmission, Reviewed
from .formulas import (
    GAIN,
    Curve,
    JudgedPart,
    best_of_first,
    curve,
    distribution,
    execution,
    expected_best,
    final_score,
    released_execution,
    released_mean,
    setting_mean,
)

SCORES_SCHEMA = "rigor-judge-scores/1"


class ProblemSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A problem. `parts`: weight by id of what is judged (default: the problem itself); `submissions`: the budget."""

    id: str
    parts: dict[str, float] = field(default_factory=dict)
    submissions: int | None = None


class ProblemList(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of all problems."""

    problem: list[ProblemSpec]


class RunScore(Struct):
    """One run: an agent's submissions to one problem. Scores are out of 100."""

    setting: str
    run: str
    problem: str
    submissions: int
    execution: float | None
    first: float | None
    """Execution score of the first submissions."""
    review: float | None
    final: float | None
    released: float | None
    """Execution score as the public release computes it."""
    curve: Curve
    verdicts: list[Verdict]


class Interval(Struct, frozen=True):
    low: float
    high: float


class SettingScore(Struct):
    """One setting over all problems. Intervals are 95 %, by a bootstrap over problems."""

    setting: str
    problems: int
    runs: int
    failed: int
    submissions: int
    execution: float | None
    execution_interval: Interval | None
    first: float | None
    review: float | None
    final: float | None
    final_interval: Interval | None
    released: float | None
    """The mean as the public release computes it, without clamp and failed runs."""
    at: list[float]
    """Exec@k for k = 1, 2, ..."""
    best_of: dict[str, float]
    pass_at: dict[str, float]
    pass_hat: dict[str, float]
    """Pass_at, pass_hat: pass@k and pass^k over repeated runs (a run passes with 100), by k."""
    verdicts: dict[str, tuple[int, float]]
    progress: dict[str, int]


class Scores(Struct):
    settings: list[SettingScore]
    runs: list[RunScore]
    notes: list[str] = field(default_factory=list)
    schema: str = SCORES_SCHEMA


def score_all(
    found: Documents, problems: Mapping[str, ProblemSpec] | None = None, *, easiest: int | None = None
) -> Scores:
    """Scores of all runs and settings.

    Args:
        problems: a setting is averaged over all of these; default: those of the experiments, and all that occur.
        easiest: keep only so many problems, those with the highest mean execution over all settings.
    """
    specs = dict(problems or {})
    owner = {part: spec.id for spec in specs.values() for part in spec.parts}
    if problems is None:
        names = [*found.planned, *(one.problem for one in found.judged)]
        specs = {name: ProblemSpec(name) for name in names}
    grouped: defaultdict[tuple[str, str, str], list[JudgedSubmission]] = defaultdict(list)
    outside: set[str] = set()
    marks: dict[tuple[str, str, str], float | None] = {}
    documents: list[Attempt | JudgedSubmission | Reviewed] = [*found.attempts, *found.judged, *found.reviewed]
    for one in documents:
        key = (one.setting or "", one.run or "", owner.get(one.problem, one.problem))
        if key[2] not in specs:
            outside.add(one.problem)
            continue
        of_run = grouped[key]
        if isinstance(one, JudgedSubmission):
            of_run.append(one)
        elif isinstance(one, Reviewed):
            marks[key] = one.score
    runs = [_run(*key, specs[key[2]], judged, marks.get(key)) for key, judged in sorted(grouped.items())]
    notes = [*found.notes]
    if outside:
        notes.append(f"{', '.join(sorted(outside))}: not in the list of problems, left out")
    if easiest is not None:
        kept = by_ease(runs, list(specs))[:easiest]
        runs, specs = [run for run in runs if run.problem in kept], {name: specs[name] for name in kept}
        notes.append(f"only the {len(kept)} problems with the highest mean execution: {', '.join(kept)}")
    by_setting: defaultdict[str, list[RunScore]] = defaultdict(list)
    for run in runs:
        by_setting[run.setting].append(run)
    return Scores([_setting(name, made, list(specs)) for name, made in by_setting.items()], runs, notes)


def by_ease(runs: Sequence[RunScore], problems: Sequence[str]) -> list[str]:
    """The problems by the mean over settings of the mean execution over runs, highest first; ties by name."""
    means: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        means[run.problem][run.setting].append(run.execution or 0.0)
    score = {name: _mean([_mean(values) for values in means[name].values()]) for name in problems}
    return sorted(problems, key=lambda name: (-score[name], name))


def _run(
    setting: str, run: str, problem: str, spec: ProblemSpec, judged: list[JudgedSubmission], review: float | None
) -> RunScore:
    counted = sorted((j for j in judged if j.counted), key=lambda j: j.started)
    weights = spec.parts or {problem: 1.0}
    by_part = {part: [j for j in counted if j.problem == part][: spec.submissions] for part in weights}
    parts = _parts(by_part, weights)
    kept = [j for j in counted if any(j is other for found in by_part.values() for other in found)]
    total = execution(parts)
    # A problem of one part has a curve of its score; of several, the score so far after each submission.
    points = [_after(kept[: n + 1], weights) if len(weights) > 1 else _percent(kept[n]) for n in range(len(kept))]
    course = curve(points)
    first = execution(parts, 1)
    released = released_execution(parts)
    final = final_score(total, review)
    return RunScore(
        setting, run, problem, len(kept), total, first, review, final, released, course, [j.verdict for j in kept]
    )


def _percent(judged: JudgedSubmission) -> float | None:
    return None if judged.score is None else 100 * judged.score / judged.full if judged.full > 0 else 0.0


def _after(judged: Sequence[JudgedSubmission], weights: Mapping[str, float]) -> float | None:
    return execution(_parts({name: [j for j in judged if j.problem == name] for name in weights}, weights))


def _parts(by_part: Mapping[str, list[JudgedSubmission]], weights: Mapping[str, float]) -> list[JudgedPart]:
    return [
        JudgedPart(tuple(j.score for j in found), found[0].full if found else 100.0, weights[name])
        for name, found in by_part.items()
    ]


def _setting(name: str, runs: list[RunScore], problems: list[str]) -> SettingScore:
    by_problem: defaultdict[str, list[RunScore]] = defaultdict(list)
    for run in runs:
        by_problem[run.problem].append(run)
    reviewed = any(run.review is not None for run in runs)
    longest = max((run.submissions for run in runs), default=0)
    repeats = {p: [r.execution or 0.0 for r in found] for p, found in by_problem.items()}
    most = min((len(found) for found in repeats.values()), default=0)
    passed = {p: [float(value >= 100 - GAIN) for value in values] for p, values in repeats.items()}

    def means(score: str) -> dict[str, float]:
        return {p: _mean([getattr(r, score) or 0.0 for r in found]) for p, found in by_problem.items()}

    executions, finals = means("execution"), means("final")

    def over(statistic: dict[str, float]) -> float:
        return setting_mean(statistic, problems) or 0.0

    best_of, pass_at, pass_hat = {}, {}, {}
    for k in range(1, most + 1):
        best_of[str(k)] = over({p: expected_best(values, k) for p, values in repeats.items()})
        pass_at[str(k)] = over({p: expected_best(v, k) for p, v in passed.items()})
        pass_hat[str(k)] = over({p: 1 - expected_best([1 - x for x in v], k) for p, v in passed.items()})
    return SettingScore(
        setting=name,
        problems=len(problems),
        runs=len(runs),
        failed=sum(run.execution is None or not run.submissions for run in runs) + len(set(problems) - set(by_problem)),
        submissions=sum(run.submissions for run in runs),
        execution=setting_mean(executions, problems),
        execution_interval=_interval([executions.get(p) or 0.0 for p in problems]),
        first=setting_mean(means("first"), problems),
        review=setting_mean(means("review"), problems) if reviewed else None,
        final=setting_mean(finals, problems) if reviewed else None,
        final_interval=_interval([finals.get(p) or 0.0 for p in problems]) if reviewed else None,
        released=released_mean({str(n): run.released for n, run in enumerate(runs) if run.submissions}),
        at=[_at(k, by_problem, problems) for k in range(1, longest + 1)],
        best_of=best_of,
        pass_at=pass_at,
        pass_hat=pass_hat,
        verdicts=distribution(verdict for run in runs for verdict in run.verdicts),
        progress={
            kind: sum(r.curve.progress == kind for r in runs) for kind in ("solved", "improving", "plateau", "none")
        },
    )


def _at(k: int, by_problem: Mapping[str, list[RunScore]], problems: list[str]) -> float:
    """Exec@k: a run that stopped before the k-th submission keeps its score."""
    found = {
        p: _mean([(best_of_first(r.curve.scores[:k]) or [None])[-1] or 0.0 for r in rs]) for p, rs in by_problem.items()
    }
    return setting_mean(found, problems) or 0.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _interval(values: list[float]) -> Interval | None:
    """95 % interval over problems; None: fewer than 3, all equal, or the statistics extra is not installed."""
    if len(values) < 3 or max(values) == min(values):
        return None
    try:
        import numpy as np

        from ....base.stats.resampling import interval, weights
    except ImportError:
        return None
    found = interval(weights(len(values)) @ np.array(values) / len(values), len(values))
    return None if found is None else Interval(max(0.0, found[0]), min(100.0, found[1]))
