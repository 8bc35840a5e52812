"""``rigor digest``: a session as one text within a budget, exactly as a reader is sent it."""

from __future__ import annotations

from functools import partial

from ..base.files import encode_json
from ..review.reader.digest import digest
from ..session.logfile import LogError, LogFile
from .common import add_json, message, parser, print_lines, whole
from .picks import chosen_sessions, picked


def command(arguments: list[str]) -> int:
    p = parser("digest", "A session as one text within a budget, exactly as a reader is sent it. Nothing is sent.")
    p.add_argument("log", metavar="LOG", help="a log, a number of the last list, or - for standard input")
    budget = whole("a number of characters", 1_000)
    p.add_argument("--budget", type=budget, default=24_000, metavar="N", help="the most characters (default: 24000)")
    p.add_argument("--session", type=whole("a number"), metavar="N", help="only the Nth session of the log")
    add_json(p, "print one JSON object per session: the text, what was cut and masked, its places and their events")
    args = p.parse_args(arguments)
    paths, sessions = picked([args.log])
    work = partial(_digests, budget=args.budget, number=args.session, as_json=args.json, sessions=sessions)
    return print_lines(paths, work, jobs=1, label="logs")


def _digests(
    log: LogFile, *, budget: int, number: int | None, as_json: bool, sessions: dict[str, list[str]]
) -> list[bytes]:
    from ..evidence.walk.extract import extract

    found = chosen_sessions(log, sessions.get(log.name))
    if number is not None and number > len(found):
        raise LogError(log.name, f"has no session {number}; the last is {len(found)}")
    lines = []
    for trajectory in found if number is None else [found[number - 1]]:
        told = digest(extract(trajectory), budget)
        lines.append(encode_json(told) if as_json else told.text.encode())
        if not as_json:
            cut, masked = (
                ", ".join(f"{what} {n:,}" for what, n in some.items()) or "none" for some in (told.cut, told.masked)
            )
            size = f"{told.characters:,} characters, about {told.tokens:,} tokens"
            message(f"{size}; characters cut: {cut}; secrets masked: {masked}")
    return lines
