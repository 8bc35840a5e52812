"""The failure modes of a project, each decided on evidence: verdicts of points, findings of rules, paths, turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...judge.codereview.result import ReviewResult
from ...judge.judgement import GroupResult, Judgement, PointResult
from ..experiment.records import FailureMode, ProjectOutcome
from .scores.formulas import GAIN, PLATEAU

_WRONG = frozenset({"wrong_answer", "presentation_error"})
_TOO_MUCH = frozenset({"time_limit_exceeded", "memory_limit_exceeded", "disk_limit_exceeded", "output_limit_exceeded"})
_UNSAFE = frozenset({"runtime_error", "invalid_access", "uninitialised_read", "memory_leak"})
# A group of which this share of the points is right was understood; what fails are cases that nobody thought of.
_UNDERSTOOD = 0.5
# A group in which nothing is right was misread if it has at least so many points.
_FEWEST = 2
# So many turns after the last gain, and this share of all turns, are long.
_LONG = 20
_LONG_SHARE = 0.5
_NAMED = 3


def failure_modes(
    project: ProjectOutcome, judgement: Judgement | None, review: ReviewResult | None, turns: int | None
) -> list[FailureMode]:
    """What the project failed by; nothing if it has all points."""
    if project.execution is not None and project.execution >= 100 - GAIN:
        return []
    best = project.best
    found: list[FailureMode] = []
    if judgement is not None and judgement.compilation is not None and not judgement.compilation.ok:
        return [*_by_the_tree(project), *_by_the_course(project, turns)]
    if judgement is not None:
        found += [FailureMode(kind, best, evidence) for kind, evidence in _by_points(judgement.groups)]
    if review is not None:
        for rule in review.rules:
            # A broken rule of style costs points of the review, and is no reason why points of the task are missing.
            if rule.id in review.disqualified:
                at = rule.findings[0]
                place = at.file + (f":{at.line}" if at.line is not None else "") if at.file else "the submission"
                found.append(FailureMode("misread-specification", best, f"rule {rule.id}: {place}: {at.message}"))
    return [*found, *_by_the_tree(project), *_by_the_course(project, turns), *_by_local_tests(project)]


def _by_points(groups: Sequence[GroupResult]) -> Iterator[tuple[str, str]]:
    """Of each kind the groups that show it. What other points of a group did tells a misreading from an edge case."""
    basics = any(g.full and g.points and all(p.verdict == "accepted" for p in g.points) for g in groups)
    for group in groups:
        judged = [p for p in group.points if p.verdict not in ("skipped", "judge_error")]
        right = [p for p in judged if p.verdict == "accepted"]
        wrong = [p for p in judged if p.verdict in _WRONG]
        example = not group.full and group.id.partition("/")[0] == "sample"
        every = len(group.points)
        left = f"; {every - len(judged)} not judged" if every > len(judged) else ""
        if wrong and (example or (len(wrong) == len(judged) and (len(judged) >= _FEWEST or not basics))):
            what = "an example of the statement" if example else f"nothing in {group.id} is right"
            yield "misread-specification", f"{what}: {_points(wrong)}{left}"
        elif wrong and (basics or len(right) >= _UNDERSTOOD * every):
            yield "edge-cases", f"{group.id}: {len(right)} of {every} points are right; not {_points(wrong)}{left}"
        slow = [p for p in judged if p.verdict in _TOO_MUCH]
        if slow and any(p.verdict == "accepted" for g in groups for p in g.points):
            yield "complexity", f"{group.id}: {_points(slow)}"
        unsafe = [p for p in judged if p.verdict in _UNSAFE]
        if unsafe:
            yield "exceptions-and-leaks", f"{group.id}: {_points(unsafe)}"


def _points(points: Sequence[PointResult]) -> str:
    named = [f"{p.id.rpartition('/')[2]} {p.verdict.replace('_', ' ')}" for p in points[:_NAMED]]
    more = f" and {len(points) - _NAMED} more" if len(points) > _NAMED else ""
    return ", ".join(named) + more


def _by_the_tree(project: ProjectOutcome) -> Iterator[FailureMode]:
    if project.unsubmitted:
        files = project.unsubmitted_files
        more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
        last = project.submissions[-1].number if project.submissions else None
        evidence = f"not as submitted last: {', '.join(files[:_NAMED])}{more}"
        yield FailureMode("version-control-gap", last, evidence)


def _by_the_course(project: ProjectOutcome, turns: int | None) -> Iterator[FailureMode]:
    """A run that did not reach all points and went on for long after its last gain."""
    if project.execution is None:
        return
    counted = [s for s in project.submissions if s.counted]
    gained, before = None, 0.0
    for one, best in zip(counted, project.execution_at, strict=False):
        if best is not None and best > before + GAIN:
            gained, before = one, best
    since = len(counted) if gained is None else len(counted) - counted.index(gained) - 1
    where = "from the start" if gained is None else f"after submission {gained.number} ({before:.0f} of 100)"
    if since >= PLATEAU:
        yield FailureMode("no-progress", None, f"{since} submissions without a gain {where}")
        return
    begin = 0 if gained is None else gained.turn
    if turns is None or begin is None or (gained is None and not counted):
        return
    idle = turns - begin
    if idle >= _LONG and idle >= _LONG_SHARE * turns:
        yield FailureMode("no-progress", None, f"{idle} of {turns} turns without a gain {where}")


def _by_local_tests(project: ProjectOutcome) -> Iterator[FailureMode]:
    for one in project.submissions:
        if one.misled:
            said = f"{(one.verdict or '').replace('_', ' ')} ({one.score or 0:g} of {one.full or 0:g} points)"
            yield FailureMode("local-green", one.number, f"own tests passed, and the verdict was {said}")
