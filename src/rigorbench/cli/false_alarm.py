"""``rigor false-alarm``: a finding that is wrong becomes a test case."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from .common import Usage, message, parser, unknown

if TYPE_CHECKING:
    from ..review.model import Fired, Review
    from ..review.score import ReviewedSession
    from ..trajectory.logfile import LogFile

_EPILOG = """examples:
  rigor score session.jsonl --exclusions        the findings with their fingerprints
  rigor false-alarm session.jsonl V-narrow:5f0c2b9d31aa --why "the filter selects the whole suite"
  rigor score --expect rigor-cases              whether any of them is found again
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "false-alarm",
        "Write a finding that is wrong as a test case: the log, and what may not be found in it.\n"
        "Prints the line of rigor.toml that excludes the finding.",
        _EPILOG,
    )
    p.add_argument("log", metavar="LOG", help="the log of the session")
    p.add_argument("finding", metavar="FINDING", help="its fingerprint, or the check where it fired once")
    p.add_argument("--why", default="", metavar="TEXT", help="why it is wrong")
    p.add_argument("--out", default="rigor-cases", metavar="DIR", help="where to write it (default: rigor-cases)")
    args = p.parse_args(arguments)
    from ..trajectory.discovery import Tally
    from ..trajectory.logfile import LogError
    from ..trajectory.registry import discover

    logs = [log for log in discover([args.log], Tally(on_suspicious=message)) if not isinstance(log, LogError)]
    if len(logs) != 1 or logs[0].path is None:
        raise Usage(f"{args.log}: {'contains several logs; name one' if logs else 'is no log that can be read'}")
    log: LogFile = logs[0]
    try:
        session, finding = _found(log, args.finding)
    except LogError as error:
        message(str(error))
        return 1
    folder = _write(log, session, finding, args.why, Path(args.out))
    message(f"{folder}: the case, with the whole log; read it before you share it")
    print(f'exclude."{finding.fingerprint}" = {_quoted(args.why or "a false alarm")}')
    return 0


def _found(log: LogFile, name: str) -> tuple[ReviewedSession, Fired]:
    """The finding of this name in the log. Raises: Usage if there is none, or several."""
    from ..review.score import score_and_review
    from ..trajectory.registry import read_log

    reports = [score_and_review(t, measure=False) for t in read_log(log)]
    every = [(r, c) for r in reports for c in r.review.checks if c.severity != "strength"]
    found = [(r, c) for r, c in every if name in (c.id, c.fingerprint)]
    names = list(dict.fromkeys(c.fingerprint for _, c in found or every))
    if not found:
        raise unknown("finding", name, names) if names else Usage(f"{log.name}: nothing was found in it")
    if len(names) > 1:
        raise Usage(f"{name} fired {len(names)} times; name one: {', '.join(names)}")
    return found[0]


def _write(log: LogFile, session: ReviewedSession, finding: Fired, why: str, out: Path) -> Path:
    """Write the case with its log, whose file keeps its name: other files of the log are found by it."""
    from ..review.case import FILE, Case

    assert log.path is not None
    folder = out / finding.fingerprint.replace(":", "-").lower()
    folder.mkdir(parents=True, exist_ok=True)
    if log.path.is_dir():
        shutil.copytree(log.path, folder / log.path.name, dirs_exist_ok=True)
    else:
        shutil.copyfile(log.path, folder / log.path.name)
        for other in log.siblings:
            try:
                target = folder / other.relative_to(log.path.parent)
            except ValueError:
                message(f"{other}: is a part of the log outside its folder, and not in the case")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(other, target)
    case = Case(
        log=log.path.name,
        session=session.trajectory.id,
        why=why,
        finding=finding.fingerprint,
        at_most={finding.id: _others(session.review, finding)},
    )
    (folder / FILE).write_text(case.text(), "utf-8")
    return folder


def _others(review: Review, finding: Fired) -> int:
    """How often the check fires besides."""
    return sum(c.id == finding.id and c.fingerprint != finding.fingerprint for c in review.checks)


def _quoted(text: str) -> str:
    import msgspec

    return msgspec.json.encode(text).decode()
