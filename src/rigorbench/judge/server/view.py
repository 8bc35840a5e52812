"""What the author of a submission is shown of it: as much as the feedback level allows, and nothing before the end."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from ...problems.model import Problem
from ...problems.verdicts import ROWS
from ..model import GroupResult, Judgement, PointResult, Usage
from .model import Budget, Entry, Token

_LONGEST_MESSAGE, _LONGEST_LOG = 1000, 16_384
# One status for all that is unknown to the author: with no feedback, not even that judging is over shows.
RECEIVED = "received"
_STATES = {"queued": "pending", "running": "judging", "aborted": "aborted", "failed": "judge_error"}
_MESSAGES = {
    "aborted": "Taken back by its author; it counts, and has no result.",
    "failed": "The judge failed, not the submission. It does not count; submit again.",
}
_NOTHING: dict[str, Any] = {"groups": []}


def status(entry: Entry, token: Token) -> str:
    """A state of the way ("pending", "judging", "received"), or an end: a verdict, "aborted", "judge_error"."""
    if token.feedback == "none" and entry.state != "aborted":
        return RECEIVED
    if entry.state == "done" and entry.judgement is not None:
        return entry.judgement.verdict
    return _STATES[entry.state]


def over(entry: Entry, token: Token) -> bool:
    """Whether nothing more will be shown than is shown now."""
    return token.feedback == "none" or entry.over


def budget(found: Budget) -> dict[str, int | None]:
    return {"limit": found.limit, "used": found.used, "remaining": found.remaining}


def summary(entry: Entry, token: Token) -> dict[str, Any]:
    """A submission as a line of a list."""
    judgement = _shown(entry, token)
    return {
        "id": entry.id,
        "problem": entry.problem,
        "language": entry.language,
        "revision": entry.submission.revision,
        "status": status(entry, token),
        "over": over(entry, token),
        "score": None if judgement is None else judgement.score,
        "full_score": None if judgement is None else judgement.full,
        "created_at": _date(entry.created),
    }


def submission(entry: Entry, token: Token, found: Budget, version: str) -> dict[str, Any]:
    """A submission with as much of its result as its author may see."""
    judgement = _shown(entry, token)
    details, message = _NOTHING, _MESSAGES.get(entry.state, "") if status(entry, token) != RECEIVED else ""
    time = memory = None
    if judgement is not None:
        details, message = _details(judgement, token), _message(judgement)
        time, memory = _total(judgement)
    return summary(entry, token) | {
        "message": message,
        "time_msecs": time,
        "memory_bytes": memory,
        "finished_at": None if judgement is None else _date(entry.finished),
        "feedback": token.feedback,
        "abort_url": None if over(entry, token) else f"/api/v1/submission/{entry.id}/abort",
        "package": None if judgement is None else judgement.package,
        "submission": entry.submission.digest,
        "judge": (None if judgement is None else judgement.judge) or version,
        "details": details,
        "budget": budget(found),
    }


def _shown(entry: Entry, token: Token) -> Judgement | None:
    # A failed judging may have judged some test points: they are not shown, or failures would be free looks.
    return entry.judgement if entry.state == "done" and token.feedback != "none" else None


def _message(judgement: Judgement) -> str:
    compilation = judgement.compilation
    if judgement.verdict == "compile_error" and compilation is not None:
        return _cut(compilation.log, _LONGEST_LOG)
    return ""


def _details(judgement: Judgement, token: Token) -> dict[str, Any]:
    if token.feedback == "tests":
        return {"groups": [_group(group, group.points) for group in judgement.groups]}
    if token.feedback == "first-failure":
        for group in judgement.groups:
            for point in group.points:
                if ROWS[point.verdict].failed:
                    return {"groups": [_group(group, [point])]}
    return _NOTHING


def _group(group: GroupResult, points: list[PointResult]) -> dict[str, Any]:
    return {
        "id": group.id,
        "name": group.id.rpartition("/")[2],
        "result": group.verdict,
        "score": group.score,
        "full_score": group.full,
        "message": _cut(group.message, _LONGEST_MESSAGE),
        "testpoints": [_point(point) for point in points],
    }


def _point(point: PointResult) -> dict[str, Any]:
    return {
        "id": point.id,
        "result": point.verdict,
        "message": _cut(point.message, _LONGEST_MESSAGE),
        "score": point.score,
        "resource_usage": _usage(point.usage),
    }


def _usage(usage: Usage) -> dict[str, int | None]:
    return {
        "time_msecs": None if usage.cpu is None else round(usage.cpu * 1000),
        "memory_bytes": usage.memory,
        "file_count": usage.files,
        "file_size_bytes": usage.disk,
    }


def _total(judgement: Judgement) -> tuple[int | None, int | None]:
    """CPU milliseconds of all test points together, and the largest memory of one."""
    usages = [point.usage for group in judgement.groups for point in group.points]
    times = [usage.cpu for usage in usages if usage.cpu is not None]
    memories = [usage.memory for usage in usages if usage.memory is not None]
    return round(sum(times) * 1000) if times else None, max(memories, default=None)


def problem(
    found: Problem, token: Token, used: Budget, languages: list[str], attachments: int | None
) -> dict[str, Any]:
    limits = found.limits
    return {
        "id": found.id,
        "title": found.name,
        "statement": found.statement,
        "languages_accepted": languages,
        "limits": {
            "time_msecs": round(limits.time * 1000),
            "memory_bytes": limits.memory,
            "output_bytes": limits.output,
            "disk_bytes": limits.disk,
            "file_count": limits.files,
            "code_bytes": limits.code,
            "compile_time_msecs": round(limits.compile_time * 1000),
            "submissions": token.budget,
        },
        "full_score": found.full,
        "feedback": token.feedback,
        "repository": token.repository is not None,
        "attachments": None
        if attachments is None
        else {"url": f"/api/v1/problem/{found.id}/attachments", "size_bytes": attachments},
        "package": found.digest,
        "budget": budget(used),
    }


def _date(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
