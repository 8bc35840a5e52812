"""The columns of the tables: one row of scores for each session, one row of failures for each log without any."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...base.version import __version__
from ...evidence.events import EditEvent, EpisodeEvent, TestRunEvent
from ...review.result import WEIGHTS, SubMetric
from ...review.review import GRADES
from ...review.reviewed import ReviewedSession
from ...session.cost import session_cost
from .identity import Stamp

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "rigor-corpus/5"
METADATA = b"rigor-corpus"
EXTENDED = ("honesty", "verify_before_claim", "verify_before_commit", "tampering")
# No session has more tokens, but a damaged log may say so.
_MOST = 2**53
# Name -> type, as pyarrow spells it.
_LOG = {
    "source": "string",
    "digest": "string",
    "size": "int64",
    "mtime_ns": "int64",
    "files": "list<string>",
    "rigorbench": "string",
    "options": "string",
}
_SESSION = {
    "session": "int32",
    "id": "string",
    "format": "string",
    "agent": "string",
    "agent_version": "string",
    "model": "string",
    "started_at": "time",
    "ended_at": "time",
    "steps": "int64",
    "events": "int64",
    "skipped_lines": "int64",
    "unread_calls": "int64",
    "understood": "float64",
    "tokens_input": "int64",
    "tokens_cache_read": "int64",
    "tokens_cache_write": "int64",
    "tokens_output": "int64",
    "complete": "bool",
    "duration": "float64",
    "cost": "float64",
    "cost_basis": "string",
    "tool_calls": "int64",
    "test_runs": "int64",
    "edits": "int64",
    "episodes": "int64",
    "overall": "int64",
    **{part: kind for grade in GRADES for part, kind in ((grade, "int64"), (f"{grade}_status", "string"))},
    "work_size": "string",
    "checks": "list<string>",
    "flags": "list<string>",
    "weak": "int64",
    "task": "string",
    "rigor_score": "float64",
    "evidence_share": "float64",
}
_SUBMETRIC = {
    "": "float64",
    "_status": "string",
    "_method": "string",
    "_n": "int64",
    "_reason": "string",
    "_evidence": "list<string>",
    "_readers": "list<string>",
}
FAILURES = {**_LOG, "reason": "string", "lasting": "bool"}


def column(*names: str) -> str:
    """The column of a pillar or sub-metric: ``column("RE", "f(RAC)")`` is ``re_f_rac``."""
    return re.sub(r"[^a-z0-9]+", "_", "_".join(names).lower()).strip("_")


def _scores() -> dict[str, str]:
    found = {**_LOG, **_SESSION}
    for pillar, (_, weights) in WEIGHTS.items():
        name = column(pillar)
        found |= {name: "float64", f"{name}_status": "string", f"{name}_share": "float64"}
        for sub in weights:
            found |= {column(pillar, sub) + suffix: kind for suffix, kind in _SUBMETRIC.items()}
    for sub in EXTENDED:
        found |= {column("ext", sub) + suffix: kind for suffix, kind in _SUBMETRIC.items() if suffix != "_readers"}
    return found


SCORES = _scores()


def text(value: str) -> str:
    """The text with everything that UTF-8 cannot encode (bytes of a file's name, half a surrogate pair) escaped."""
    return value.encode("utf-8", "backslashreplace").decode()


def log_values(source: str, sha: str | None, seen: Stamp | None, files: list[str], options: str) -> list[Any]:
    """The columns that identify a log, in order. ``sha`` None: the log changed while it was read, or was not read."""
    return [
        text(source),
        sha,
        seen.size if seen is not None else None,
        seen.mtime_ns if seen is not None else None,
        files,
        __version__,
        options,
    ]


def session_values(report: ReviewedSession, session: int, task: str | None) -> list[Any]:
    """The columns of one session that follow those of its log, in order. Only with a task or a replay is there a
    RigorScore; the paper's sub-metrics are those that ``--paper`` prints of any log."""
    score = report.score
    header, tokens = score.trajectory, score.trajectory.tokens
    found: list[Any] = [session, header.id, header.format, header.agent, header.agent_version, header.model]
    first, last = _milliseconds(header.started_at), _milliseconds(header.ended_at)
    found += [first, last]
    found += [header.steps, header.events, header.skipped_lines, report.trajectory.unread_calls, header.understood]
    counts = [tokens.input, tokens.cache_read, tokens.cache_write, tokens.output] if tokens is not None else [None] * 4
    found += [None if n is None or abs(n) > _MOST else n for n in counts]
    # Where two times contradict each other, how long it took is not known.
    found += [header.complete, None if first is None or last is None or last < first else (last - first) / 1000]
    cost = session_cost(report.trajectory)
    found += [None, None] if cost is None else [cost.dollars, cost.basis]
    found.append(sum(len(step.calls) for step in report.trajectory.steps))
    found += [sum(isinstance(e, kind) for e in report.events) for kind in (TestRunEvent, EditEvent)]
    found.append(sum(isinstance(e, EpisodeEvent) and e.counts for e in report.events))
    graded: list[Any] = [report.review.overall]
    for name in GRADES:
        graded += [report.review.grades[name].value, report.review.grades[name].status]
    checks = list(dict.fromkeys(c.id for c in report.review.checks))
    flags = list(dict.fromkeys(c.id for c in report.review.checks if c.severity == "flag"))
    found += [*graded, report.review.size, checks, flags, sum(c.severity == "weak" for c in report.review.checks)]
    found += [task, *((score.rigor_score, score.evidence_share) if report.benchmarked else (None, None))]
    for name, (_, weights) in WEIGHTS.items():
        pillar = score.pillars[name]
        found += [pillar.value, pillar.status, pillar.evidence_share]
        for sub in weights:
            found += [*_submetric(pillar.submetrics[sub]), pillar.submetrics[sub].readers]
    for sub in EXTENDED:
        found += _submetric(score.extended[sub])
    return found


def _submetric(sub: SubMetric) -> list[Any]:
    return [sub.value, sub.status, sub.method, sub.n, sub.reason, sub.evidence]


def _milliseconds(text: str | None) -> int | None:
    return None if text is None else round(datetime.fromisoformat(text).timestamp() * 1000)


def arrow_schema(columns: dict[str, str]) -> pa.Schema:
    """The schema of a table's files, with the version of the tables among its metadata."""
    import msgspec
    import pyarrow as pa

    kinds = {
        "string": pa.string(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float64": pa.float64(),
        "bool": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"),
        "list<string>": pa.list_(pa.string()),
    }
    about = msgspec.json.encode({"schema": SCHEMA, "rigorbench": __version__})
    return pa.schema([pa.field(name, kinds[kind]) for name, kind in columns.items()], metadata={METADATA: about})
