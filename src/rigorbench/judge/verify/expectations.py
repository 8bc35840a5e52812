"""What is said of a package's submissions, and whether a judgement is like that."""

from __future__ import annotations

from ...problems.model import Expectation, Expected
from ...problems.patterns import matches
from ...problems.verdicts import SHORT, Verdict
from ..model import Judgement, PointResult


def broken(expected: Expected, judgement: Judgement) -> list[str]:
    """Which of the expectations about a submission a judgement does not meet."""
    problems = []
    if judgement.verdict == "judge_error":
        details = next((p.details or p.message for p in points_of(judgement) if p.verdict == "judge_error"), "")
        return [f"the judge failed on it: {details or '; '.join(judgement.notes) or 'no reason given'}"]
    if expected.verdicts and judgement.verdict not in expected.verdicts:
        wanted = _shorts(expected.verdicts)
        problems.append(f"is {short(judgement.verdict)}, and should be {wanted}{evidence(judgement)}")
    for expectation in expected.expectations:
        problems += _unmet(expectation, judgement)
    return problems


def _unmet(expectation: Expectation, judgement: Judgement) -> list[str]:
    pattern = expectation.pattern
    where = f"{pattern}: " if pattern else ""
    points = [point for point in points_of(judgement) if not pattern or matches(pattern, point.id)]
    judged = [point for point in points if point.verdict != "skipped"]
    problems = []
    if pattern and not points and judgement.verdict != "compile_error":
        return [f"{where}matches no test point; mend submissions.yaml"]
    verdicts = [point.verdict for point in judged] or [judgement.verdict]
    if expectation.permitted:
        wrong = sorted({v for v in verdicts if v not in expectation.permitted})
        if wrong:
            allowed = _shorts(expectation.permitted)
            problems.append(f"{where}has {_shorts(tuple(wrong))}, and only {allowed} may be there")
    if expectation.required and not any(verdict in expectation.required for verdict in verdicts):
        problems.append(f"{where}no test point is {_shorts(expectation.required)}")
    if expectation.score is not None:
        score = _score(judgement, pattern)
        least, most = expectation.score
        if score is None or not least - 1e-6 <= score <= most + 1e-6:
            wanted = f"{least:g}" if least == most else f"{least:g} to {most:g}"
            problems.append(f"{where}scores {'nothing known' if score is None else f'{score:g}'}, not {wanted}")
    if expectation.message and not any(expectation.message in point.details for point in points):
        problems.append(f"{where}no checker said {expectation.message!r}")
    return problems


def _score(judgement: Judgement, pattern: str) -> float | None:
    """Points of the groups that a pattern names; of all for the empty one."""
    if not pattern:
        return judgement.score
    scores = [group.score for group in judgement.groups if matches(pattern, group.id)]
    return None if not scores or None in scores else sum(score for score in scores if score is not None)


def points_of(judgement: Judgement) -> list[PointResult]:
    """The test points of all groups."""
    return [point for group in judgement.groups for point in group.points]


def evidence(judgement: Judgement) -> str:
    """The first test point that decided it, as evidence."""
    for point in points_of(judgement):
        if point.verdict == judgement.verdict != "accepted":
            return f" ({point.id}: {point.message or point.details or short(point.verdict)})"
    if judgement.compilation is not None and not judgement.compilation.ok:
        lines = judgement.compilation.log.strip().splitlines()
        return f" ({next((line for line in lines if 'error' in line), lines[0] if lines else 'no log')[:160]})"
    return ""


def short(verdict: Verdict) -> str:
    """Such as "WA"."""
    return SHORT[verdict]


def _shorts(verdicts: tuple[str, ...]) -> str:
    return " or ".join(SHORT.get(verdict, verdict) for verdict in verdicts)  # type: ignore[call-overload]


def points_text(judgement: Judgement) -> str:
    """Such as "40 of 100"."""
    return f"{'unknown' if judgement.score is None else f'{judgement.score:g}'} of {judgement.full:g}"
