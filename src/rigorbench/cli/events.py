"""``rigor events``: the evidence of one or more sessions, one event per line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .common import add_jobs, add_json, add_paths, parser, print_lines
from .picks import chosen_sessions, picked

if TYPE_CHECKING:
    from ..session.logfile import LogFile


def command(arguments: list[str]) -> int:
    p = parser("events", "The evidence behind the scores: what happened in a session, one event per line.")
    add_paths(p)
    add_json(p, "print one JSON object per line")
    add_jobs(p)
    args = p.parse_args(arguments)
    paths, sessions = picked(args.paths)
    work = partial(_events, as_json=args.json, sessions=sessions)
    return print_lines(paths, work, jobs=args.jobs, label="logs")


def _events(log: LogFile, *, as_json: bool, sessions: dict[str, list[str]]) -> list[bytes]:
    from ..base.files import encode_json
    from ..base.sanitize import one_line, terminal
    from ..evidence.walk.extract import extract
    from ..review.findings import quote
    from ..session.registry import read_log

    lines: list[bytes] = []
    for trajectory in chosen_sessions(read_log(log), sessions.get(log.name)):
        for event in extract(trajectory).events:
            if as_json:
                lines.append(encode_json(event))
            else:
                where = f"{event.source.file}:{event.source.line}" if event.source.line else event.source.file
                kind = str(event.__struct_config__.tag)
                front = f"{event.id:<6} step {event.step:<5} {event.lane[:12]:<12} {kind:<10}"
                lines.append(f"{terminal(front)} {one_line(quote(event), 200)}  [{terminal(where)}]".encode())
    return lines
