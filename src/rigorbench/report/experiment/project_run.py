"""What the page of a run shows of a project: points, their curve over turns, submissions, failures, hints."""

from __future__ import annotations

from msgspec import Struct

from ...experiment.model import FAILURE_MODES, HintFact, ProjectOutcome, SubmissionFact
from ...judge.scores.formulas import curve
from ..text import experiment as say
from ..text import words

COURSES = {
    "solved": "all points reached",
    "plateau": "a plateau: three submissions or more without a gain at the end",
    "improving": "still rising",
    "none": "nothing was judged",
}
_LOCAL = {"passed": "own tests passed", "failed": "own tests failed"}
_SHOWN = 500
# Of the chart, in its own units.
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 640.0, 180.0, 36.0, 8.0, 24.0


class SubmissionView(Struct):
    """A submission to the judge.

    Attributes:
        when: time since the run began.
        turn: model calls made before it.
        local: how the agent's own tests had ended.
        misled: whether they had passed, and the verdict was another than accepted.
    """

    number: int
    when: str
    turn: str
    verdict: str
    tone: str
    score: str
    local: str
    misled: bool
    note: str


class CurveChart(Struct):
    """Best points so far over turns. ``points``: of the line; ``dots``: place and text of each submission."""

    points: str
    dots: list[tuple[float, float, str, str]]
    marks: list[tuple[float, str]]
    left: float
    right: float
    bottom: float
    last: str
    size: tuple[float, float]


class ProjectView(Struct):
    """Points of the judge and of the review.

    Attributes:
        chart: None where the turn of a submission is not known.
        failures: what it is, the submission that shows it, and the evidence.
        hints: what was asked, its answer, and the points before and after.
        missing: why a figure has no value.
    """

    figures: list[tuple[str, str]]
    submissions: list[SubmissionView]
    chart: CurveChart | None
    failures: list[tuple[str, str, str]]
    hints: list[tuple[str, str, str]]
    missing: list[str]


def project_view(project: ProjectOutcome, turns: int | None) -> ProjectView:
    """``turns``: model calls of the run."""
    counted = sum(s.counted for s in project.submissions)
    used = words.count(counted) + ("" if project.budget is None else f" of {words.count(project.budget)}")
    best = ", ".join(_points(value) for value in project.execution_at[:50])
    first, size = project.first_pass, project.size
    figures = [
        ("Execution, of 100", _points(project.execution)),
        ("Code review, of 100", _points(project.review)),
        ("Final, 80 to 20", _points(project.final)),
        ("Submissions used", used),
        ("First submission", _points(project.first)),
        ("Exec@1, 2, ... (best of the first submissions)", best or say.NO_VALUE),
        ("Turn of the first pass", say.NO_VALUE if first is None or first.turn is None else words.count(first.turn)),
        ("Course", COURSES[curve([s.points for s in project.submissions if s.counted]).progress]),
    ]
    if size is not None:
        lines = f"{words.count(size.files)} files, {words.count(size.lines)} lines"
        complexity = f", mean cyclomatic complexity {size.complexity:.1f}" if size.complexity is not None else ""
        figures.append(("Size of the best submission", lines + complexity))
    if project.unsubmitted:
        figures.append(("Not submitted", "the final work tree differs from the last submission"))
    return ProjectView(
        figures,
        [_submission(project, s) for s in project.submissions[:_SHOWN]],
        _chart(project, turns),
        [
            (
                FAILURE_MODES.get(f.kind, f.kind),
                "" if f.submission is None else f"submission {f.submission}",
                f.evidence,
            )
            for f in project.failures
        ],
        [_hint(hint) for hint in project.hints[:_SHOWN]],
        project.missing,
    )


def _points(value: float | None) -> str:
    return say.NO_VALUE if value is None else f"{value:.1f}"


def _submission(project: ProjectOutcome, submission: SubmissionFact) -> SubmissionView:
    verdict = (submission.verdict or "").replace("_", " ")
    tone = "pass" if submission.verdict == "accepted" else "fail" if submission.verdict else "muted"
    known = submission.score is not None and submission.full is not None
    notes = ["the best"] if submission.number == project.best else []
    notes += [] if submission.counted else ["does not count"]
    return SubmissionView(
        submission.number,
        "" if submission.time is None else words.duration(submission.time),
        "" if submission.turn is None else words.count(submission.turn),
        verdict or "no verdict",
        tone,
        f"{submission.score:g} of {submission.full:g}" if known else say.NO_VALUE,
        _LOCAL.get(submission.local or "", ""),
        submission.misled,
        ", ".join([*notes, *([submission.revision[:10]] if submission.revision else [])]),
    )


def _hint(hint: HintFact) -> tuple[str, str, str]:
    where = f" for {hint.group}" if hint.group else ""
    asked = f"question{where}: {hint.question}" if hint.question else f"hint{where}"
    after = "nothing submitted after it" if hint.after is None else f"{_points(hint.after)} after"
    effect = f"turn {words.count(hint.turn)}; {_points(hint.before)} points before, {after}"
    return asked, hint.text if hint.text is not None else "nobody answered", effect


def _chart(project: ProjectOutcome, turns: int | None) -> CurveChart | None:
    counted = [s for s in project.submissions if s.counted]
    known = [
        (s, s.turn, best)
        for s, best in zip(counted, project.execution_at, strict=False)
        if s.turn is not None and best is not None
    ]
    if not known or len(known) < len(counted):
        return None
    last = max(turns or 0, *(turn for _, turn, _ in known), 1)
    bottom = _HEIGHT - _BOTTOM

    def x(turn: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - 12) * turn / last, 1)

    def y(points: float) -> float:
        return round(bottom - (bottom - _TOP) * points / 100, 1)

    line, height = [(x(0), y(0))], 0.0
    for _, turn, best in known:
        line += [(x(turn), y(height)), (x(turn), y(best))]
        height = best
    line.append((x(last), y(height)))
    return CurveChart(
        points=" ".join(f"{a},{b}" for a, b in line),
        dots=[
            (
                x(turn),
                y(s.points or 0.0),
                "pass" if s.verdict == "accepted" else "fail",
                f"submission {s.number}, turn {turn}: {(s.verdict or '').replace('_', ' ')}, {s.score:g} of {s.full:g}"
                if s.score is not None and s.full is not None
                else f"submission {s.number}, turn {turn}: no verdict",
            )
            for s, turn, _ in known
        ],
        marks=[(y(value), f"{value:g}") for value in (0, 50, 100)],
        left=_LEFT,
        right=x(last),
        bottom=_HEIGHT - 6,
        last=words.count(last),
        size=(_WIDTH, _HEIGHT),
    )
