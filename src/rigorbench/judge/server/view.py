"""What the author of a submission is shown: as much as the feedback level allows, late, and in coarse figures.

A program reads hidden input, and can choose how long it runs, its time, its memory and, with some checkers, its score.
So its author sees the beginning and the end of judging only at certain moments after the submission arrived
(`Settings.first_shown` seconds, and each time a quarter more), no result before the end, and of hidden test points
figures in few steps. docs/judge-server.md states how many bits that carries.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from msgspec import structs

from ..judgement import GroupResult, Judgement, PointResult
from ..problems.problem import Problem
from ..problems.verdicts import ROWS
from . import answers
from .records import GivenHint, HintBudget, State, StoredSubmission, SubmissionBudget, Token

_LONGEST_MESSAGE, _LONGEST_LOG = 1000, 16_384
# Without feedback this is the only status: not even the end of judging is shown.
RECEIVED: Final = "received"
_STATES: Final[dict[State, answers.Status]] = {
    "queued": "pending",
    "running": "judging",
    "aborted": "aborted",
    "failed": "judge_error",
}
_MESSAGES: Final[dict[State, str]] = {
    "aborted": "Aborted by its author; it counts, and has no result.",
    "failed": "The judge failed on it. It counts; the judge's owner may judge it again.",
}
# Words that the engine itself has for points that were not run: they depend on the package and on other verdicts only.
_OWN_WORDS: Final = "skipped"
# The samples' group: its data is in the statement, so all figures may be shown.
_SAMPLES: Final = "sample"
# Between two moments at which something is shown.
_STEP: Final = 1.25
# The smallest steps: 10 ms and 1 MiB. Beyond 100 s and 16 GiB nothing is told apart.
_TIME, _LONGEST_TIME = 10, 100 * 1000
_MEMORY, _LARGEST_MEMORY = 1 << 20, 16 << 30
# Steps from no points to all.
_SCORES: Final = 100

# -- when, and how exactly -----------------------------------------------------------------------------------------


def moment(created: float, happened: float, first: float) -> float:
    """When something is shown that happened to a submission: at the next of its moments."""
    passed = happened - created
    if passed <= first:
        return created + first
    steps = math.ceil(math.log(passed / first, _STEP) - 1e-9)
    return created + first * _STEP**steps


def shown(entry: StoredSubmission, first: float, now: float) -> tuple[StoredSubmission, float | None]:
    """A submission as its author may see it, and when that changes next without a change of the submission.

    Aborts are the author's own, and a later judging (`rigor judge admin rejudge`) is the owner's: both show at once.
    """
    if entry.state == "aborted" or entry.started is None:
        return entry, None
    begun = moment(entry.created, entry.started, first)
    if entry.finished is None and begun <= now:
        return entry, None
    ended = None if entry.finished is None else moment(entry.created, entry.finished, first)
    if ended is not None and ended <= now:
        return structs.replace(entry, finished=ended), None
    hidden = structs.replace(
        entry, state="running" if begun <= now else "queued", attempts=0, interruptions=0, finished=None, judgement=None
    )
    return hidden, begun if begun > now else ended


def coarse_score(value: float | None, full: float) -> float | None:
    """Points, rounded down to a hundredth of `full`: only all points show as all."""
    if value is None or full <= 0 or value >= full:
        return value
    # A score that is a whole number of steps must not fall below it by the last bit of a division.
    return math.floor(value / full * _SCORES + 1e-9) * full / _SCORES


def _step(value: float | None, unit: int, most: int) -> int | None:
    """The next of 1, 1.5, 2, 3, 4, 6, 8, 12 ... units: two values for each doubling."""
    if value is None:
        return None
    units = 1
    while units * unit < min(value, most):
        power = units & (units - 1) == 0
        units = 2 if units == 1 else units * 3 // 2 if power else units * 4 // 3
    return units * unit


# -- how much -------------------------------------------------------------------------------------------------------


def status(entry: StoredSubmission, token: Token) -> answers.Status:
    if token.feedback == "none" and entry.state != "aborted":
        return RECEIVED
    if entry.state == "done" and entry.judgement is not None:
        return entry.judgement.verdict
    if entry.state == "queued" and (entry.attempts or entry.interruptions):
        # It waits for another attempt: that the judge failed on it is shown at the end, as everything else.
        return "judging"
    return _STATES[entry.state]


def over(entry: StoredSubmission, token: Token) -> bool:
    """Whether nothing more will be shown than now."""
    return token.feedback == "none" or entry.over


def summary(entry: StoredSubmission, token: Token) -> answers.SummaryAnswer:
    """A submission as a row of a list."""
    judgement = _shown(entry, token)
    return answers.SummaryAnswer(
        id=entry.id,
        problem=entry.problem,
        language=entry.language,
        revision=entry.submission.revision,
        status=status(entry, token),
        over=over(entry, token),
        score=None if judgement is None else coarse_score(judgement.score, judgement.full),
        full_score=None if judgement is None else judgement.full,
        created_at=_date(entry.created),
    )


def submission(
    entry: StoredSubmission, token: Token, budget: SubmissionBudget, version: str
) -> answers.SubmissionAnswer:
    """A submission with as much of its result as its author may see."""
    judgement = _shown(entry, token)
    message = "" if judgement is not None or status(entry, token) == RECEIVED else _MESSAGES.get(entry.state, "")
    if judgement is not None and judgement.verdict == "compile_error" and judgement.compilation is not None:
        message = _cut(judgement.compilation.log, _LONGEST_LOG)
    finished = None if entry.finished is None else _date(entry.finished)
    details, groups = answers.Details([]), [] if judgement is None else judgement.groups
    if token.feedback == "tests":
        details = answers.Details([_group(group, group.points) for group in groups])
    elif token.feedback == "first-failure":
        failed = (_group(group, [p]) for group in groups for p in group.points if ROWS[p.verdict].failed)
        details = answers.Details(list(islice(failed, 1)))
    # Only of what is shown below: at other levels they would tell about points that are not.
    usages = [point.resource_usage for group in details.groups for point in group.testpoints]
    times = [usage.time_msecs for usage in usages if usage.time_msecs is not None]
    return answers.SubmissionAnswer(
        **structs.asdict(summary(entry, token)),
        message=message,
        time_msecs=sum(times) if times else None,
        memory_bytes=max((usage.memory_bytes for usage in usages if usage.memory_bytes is not None), default=None),
        finished_at=None if judgement is None else finished,
        feedback=token.feedback,
        abort_url=None if over(entry, token) else f"/api/v1/submission/{entry.id}/abort",
        package=None if judgement is None else judgement.package,
        submission=entry.submission.digest,
        judge=(None if judgement is None else judgement.judge) or version,
        details=details,
        budget=budget,
    )


def _shown(entry: StoredSubmission, token: Token) -> Judgement | None:
    # A failed judgement may have results of some test points; showing them would make failures free looks.
    return entry.judgement if entry.state == "done" and token.feedback != "none" else None


def _group(group: GroupResult, points: list[PointResult]) -> answers.GroupAnswer:
    return answers.GroupAnswer(
        id=group.id,
        name=group.id.rpartition("/")[2],
        result=group.verdict,
        score=coarse_score(group.score, group.full),
        full_score=group.full,
        message=_cut(group.message, _LONGEST_MESSAGE),
        testpoints=[_point(point, is_sample=group.id == _SAMPLES) for point in points],
    )


def _point(point: PointResult, *, is_sample: bool) -> answers.TestPoint:
    # Of a hidden test point nothing exact: its program read hidden input, and all that it can choose would tell of it.
    usage = point.usage
    exact_time = None if usage.cpu is None else round(usage.cpu * 1000)
    message = point.message if is_sample or point.verdict == _OWN_WORDS else point.told
    return answers.TestPoint(
        id=point.id,
        result=point.verdict,
        message=_cut(message, _LONGEST_MESSAGE),
        score=point.score if is_sample else coarse_score(point.score, 1.0),
        resource_usage=answers.ResourceUsage(
            time_msecs=exact_time if is_sample else _step(usage.cpu and usage.cpu * 1000, _TIME, _LONGEST_TIME),
            memory_bytes=usage.memory if is_sample else _step(usage.memory, _MEMORY, _LARGEST_MEMORY),
            file_count=usage.files if is_sample else None,
            file_size_bytes=usage.disk if is_sample else None,
        ),
    )


def problem(
    found: Problem, token: Token, budget: SubmissionBudget, languages: list[str], attachments: int | None
) -> answers.ProblemAnswer:
    """A problem; `attachments`: bytes of their archive."""
    limits, url = found.limits, f"/api/v1/problem/{found.id}/attachments"
    return answers.ProblemAnswer(
        id=found.id,
        title=found.name,
        statement=found.statement,
        languages_accepted=languages,
        limits=answers.LimitsAnswer(
            time_msecs=round(limits.time * 1000),
            memory_bytes=limits.memory,
            output_bytes=limits.output,
            disk_bytes=limits.disk,
            file_count=limits.files,
            code_bytes=limits.code,
            compile_time_msecs=round(limits.compile_time * 1000),
            submissions=token.budget,
        ),
        full_score=found.full,
        feedback=token.feedback,
        repository=token.repository is not None,
        attachments=None if attachments is None else answers.Attachments(url=url, size_bytes=attachments),
        package=found.digest,
        budget=budget,
    )


def hint(found: GivenHint, budget: HintBudget) -> answers.HintAnswer:
    same = {name: getattr(found, name) for name in ("id", "group", "question", "source", "text")}
    return answers.HintAnswer(**same, created_at=_date(found.asked), hints=budget)


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
