"""``rigor events``: the evidence of one or more sessions, one event per line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..base.files import encode_json
from ..base.sanitize import one_line, terminal
from ..evidence.calls import Call, read_calls
from ..evidence.facts import Tampering
from .common import add_jobs, add_json, add_paths, parser, print_lines
from .picks import chosen_sessions, picked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..evidence.events import AnyEvent
    from ..session.logfile import LogFile

# The stages of the extraction, in their order; of those that make events, the kinds.
_STAGES = {
    "calls": (),
    "edits": ("edit",),
    "runs": ("test_run", "build", "lint", "run", "reproduction"),
    "commits": ("commit",),
    "plans": ("plan",),
    "episodes": ("episode",),
    "tampering": (),
    "claims": ("claim",),
}


def command(arguments: list[str]) -> int:
    p = parser("events", "The evidence behind the scores: what happened in a session, one event per line.")
    add_paths(p)
    add_json(p, "print one JSON object per line")
    p.add_argument("--stage", choices=_STAGES, help="print what this stage of the extraction finds, and nothing else")
    add_jobs(p)
    args = p.parse_args(arguments)
    paths, sessions = picked(args.paths)
    work = partial(_events, stage=args.stage, as_json=args.json, sessions=sessions)
    return print_lines(paths, work, jobs=args.jobs, label="logs")


def _events(log: LogFile, *, stage: str | None, as_json: bool, sessions: dict[str, list[str]]) -> list[bytes]:
    from ..evidence.walk.extract import extract
    from ..review.findings import quote

    lines: list[bytes] = []
    for trajectory in chosen_sessions(log, sessions.get(log.name)):
        evidence = extract(trajectory)
        found: Iterable[AnyEvent | Call | Tampering] = evidence.events
        if stage == "calls":
            found = read_calls(trajectory)
        elif stage == "tampering":
            found = evidence.tampering
        elif stage is not None:
            found = [e for e in evidence.events if e.__struct_config__.tag in _STAGES[stage]]
        for event in found:
            if as_json or isinstance(event, Call | Tampering):
                lines.append(encode_json(event))
            else:
                where = f"{event.source.file}:{event.source.line}" if event.source.line else event.source.file
                kind = str(event.__struct_config__.tag)
                front = f"{event.id:<6} step {event.step:<5} {event.lane[:12]:<12} {kind:<10}"
                lines.append(f"{terminal(front)} {one_line(quote(event), 200)}  [{terminal(where)}]".encode())
    return lines
