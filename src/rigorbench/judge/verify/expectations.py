"""Whether a judgement meets the expectations of a package's submission."""

from __future__ import annotations

from ..judgement import Judgement, PointResult
from ..problems.patterns import matches
from ..problems.problem import ExpectedSubmission
from ..problems.verdicts import SHORT, Verdict


def broken(expected: ExpectedSubmission, judgement: Judgement) -> list[str]:
    """The expectations that a judgement does not meet, a line each."""
    problems = []
    if judgement.verdict == "judge_error":
        details = next((p.details or p.message for p in points_of(judgement) if p.verdict == "judge_error"), "")
        return [f"the judge failed on it: {details or '; '.join(judgement.notes) or 'no reason given'}"]
    verdict = _first(judgement) if expected.first_failure else judgement.verdict
    if expected.verdicts and verdict not in expected.verdicts:
        problems.append(f"is {SHORT[verdict]}, and should be {_shorts(expected.verdicts)}{evidence(judgement)}")
    for expectation in expected.expectations:
        pattern = expectation.pattern
        where = f"{pattern}: " if pattern else ""
        points = [point for point in points_of(judgement) if not pattern or matches(pattern, point.id)]
        if pattern and not points and judgement.verdict != "compile_error":
            problems.append(f"{where}matches no test point; correct submissions.yaml")
            continue
        judged = [point for point in points if point.verdict != "skipped"]
        verdicts = [point.verdict for point in judged] or [judgement.verdict]
        wrong = sorted({v for v in verdicts if v not in expectation.permitted}) if expectation.permitted else []
        if wrong:
            problems.append(f"{where}has {_shorts(tuple(wrong))}; only {_shorts(expectation.permitted)} is permitted")
        if expectation.required and not any(verdict in expectation.required for verdict in verdicts):
            problems.append(f"{where}no test point is {_shorts(expectation.required)}")
        if expectation.score is not None:
            score = _score(judgement, pattern)
            least, most = expectation.score
            if score is None or not least - 1e-6 <= score <= most + 1e-6:
                range_ = f"{least:g}" if least == most else f"{least:g} to {most:g}"
                problems.append(f"{where}scores {'an unknown number' if score is None else f'{score:g}'}, not {range_}")
        if expectation.message and not any(expectation.message in point.details for point in points):
            problems.append(f"{where}no checker message contains {expectation.message!r}")
    return problems


def _first(judgement: Judgement) -> Verdict:
    """The verdict of the first test point that fails; of the whole if none does."""
    failed = (point.verdict for point in points_of(judgement) if point.verdict not in ("accepted", "skipped"))
    return next(failed, judgement.verdict)


def _score(judgement: Judgement, pattern: str) -> float | None:
    """Points of the groups that a pattern matches; of the whole submission for an empty pattern."""
    if not pattern:
        return judgement.score
    scores = [group.score for group in judgement.groups if matches(pattern, group.id)]
    return None if not scores or None in scores else sum(score for score in scores if score is not None)


def points_of(judgement: Judgement) -> list[PointResult]:
    """The test points of all groups."""
    return [point for group in judgement.groups for point in group.points]


def evidence(judgement: Judgement) -> str:
    """The first test point with the verdict of the whole, in brackets; empty if it was accepted."""
    for point in points_of(judgement):
        if point.verdict == judgement.verdict != "accepted":
            return f" ({point.id}: {point.message or point.details or SHORT[point.verdict]})"
    if judgement.compilation is not None and not judgement.compilation.ok:
        lines = judgement.compilation.log.strip().splitlines()
        return f" ({next((line for line in lines if 'error' in line), lines[0] if lines else 'no log')[:160]})"
    return ""


def _shorts(verdicts: tuple[str, ...]) -> str:
    return " or ".join(SHORT.get(verdict, verdict) for verdict in verdicts)  # type: ignore[call-overload]


def points_text(judgement: Judgement) -> str:
    """Such as "40 of 100"."""
    return f"{'unknown' if judgement.score is None else f'{judgement.score:g}'} of {judgement.full:g}"
