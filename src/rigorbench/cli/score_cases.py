"""``rigor score --wrong`` and ``--expect``: a finding that is wrong becomes a test case, which is checked later."""

from __future__ import annotations

import shutil
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from ..base.sanitize import terminal
from ..review.review import Fired
from ..session.discovery import FileTally
from ..session.logfile import LogError, LogFile
from ..session.registry import discover, read_log
from .common import UsageError, message, messages, status, unknown

if TYPE_CHECKING:
    from ..review.config import Config
    from ..review.reviewed import ReviewedSession

FILE = "case.toml"


class CaseError(Exception):
    """A case that cannot be read: one line that names the file."""


class ExpectedLog(Struct, forbid_unknown_fields=True, rename="kebab"):
    """What is expected of one log."""

    log: str
    """Its path, relative to the case's file."""
    session: str = ""
    """The id of the session, of a log with several; "": all of them."""
    why: str = ""
    """Why the finding is wrong."""
    finding: str = ""
    """The fingerprint of the finding that the case is about."""
    at_most: dict[str, int] = field(default_factory=dict)
    """Id of a check -> how often it may fire. By the check and not the fingerprint, so that the same alarm in other
    words is found as well."""
    at_least: dict[str, int] = field(default_factory=dict)
    """Id of a check -> how often it has to fire."""

    def failures(self, checks: Sequence[Fired]) -> list[str]:
        """What is not as expected, a line each."""
        number = Counter(c.id for c in checks)
        first = {c.id: c.message for c in reversed(checks)}
        many = [
            f"{id} fires {number[id]} times, at most {most} expected: {first[id]}"
            for id, most in self.at_most.items()
            if number[id] > most
        ]
        few = [
            f"{id} fires {number[id]} times, at least {least} expected"
            for id, least in self.at_least.items()
            if number[id] < least
        ]
        return [*many, *few]

    def text(self) -> str:
        """The file."""
        quoted = {n: msgspec.json.encode(getattr(self, n)).decode() for n in ("log", "session", "why", "finding")}
        lines = [
            "# A log and what may be found in it; `rigor score --expect` on this folder checks it.",
            *(f"{name} = {value}" for name, value in quoted.items()),
        ]
        for name, numbers in (("at-most", self.at_most), ("at-least", self.at_least)):
            if numbers:
                lines += ["", f"[{name}]", *(f"{id} = {number}" for id, number in numbers.items())]
        return "\n".join(lines) + "\n"


def read_case(file: Path) -> ExpectedLog:
    """Raises: CaseError."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text("utf-8")), ExpectedLog)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CaseError(f"{file}: is no case: {error}") from None


def find_cases(path: Path) -> list[Path]:
    """The files of the cases in a folder, or the file itself. Raises: CaseError if there is none."""
    found = sorted(path.rglob(FILE)) if path.is_dir() else [path] if path.is_file() else []
    if not found:
        raise CaseError(f"{path}: there is no {FILE}; `rigor score LOG --wrong ID` writes one")
    return found


# Where cases are written.
CASES = "rigor-cases"


def write_case(paths: list[str], name: str, why: str) -> int:
    """Write the finding of this name in the one log as a case, and print the line of rigor.toml that excludes it.

    ``name``: the fingerprint of the finding, or the check where it fired once. ``why``: it is wrong. Raises:
    UsageError.
    """
    logs = [log for log in discover(paths, FileTally(on_suspicious=message)) if not isinstance(log, LogError)]
    if len(logs) != 1 or logs[0].path is None:
        raise UsageError(f"{paths[0]}: {'contains several logs; name one' if logs else 'is no log that can be read'}")
    try:
        from ..bench.rigorscore.reviewing import score_and_review

        reports = [score_and_review(t, measure=False) for t in read_log(logs[0])]
        every = [(r, c) for r in reports for c in r.review.checks if c.severity != "strength"]
        found = [(r, c) for r, c in every if name in (c.id, c.fingerprint)]
        names = list(dict.fromkeys(c.fingerprint for _, c in found or every))
        if not found:
            raise unknown("finding", name, names) if names else UsageError(f"{logs[0].name}: nothing was found in it")
        if len(names) > 1:
            raise UsageError(f"{name} fired {len(names)} times; name one: {', '.join(names)}")
        session, finding = found[0]
    except LogError as error:
        message(str(error))
        return 1
    folder = _write(logs[0], session, finding, why)
    message(f"{folder}: the case, with the whole log; read it before you share it")
    print(f'exclude."{finding.fingerprint}" = {msgspec.json.encode(why or "a false alarm").decode()}')
    return 0


def _write(log: LogFile, session: ReviewedSession, finding: Fired, why: str) -> Path:
    """Write the case with its log, whose file keeps its name: other files of the log are found by it."""

    assert log.path is not None
    folder = Path(CASES) / finding.fingerprint.replace(":", "-").lower()
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
    others = [c for c in session.review.checks if c.id == finding.id and c.fingerprint != finding.fingerprint]
    case = ExpectedLog(
        log=log.path.name,
        session=session.trajectory.id,
        why=why,
        finding=finding.fingerprint,
        at_most={finding.id: len(others)},
    )
    (folder / FILE).write_text(case.text(), "utf-8")
    return folder


def check_cases(paths: list[str], config: Config) -> int:
    """A line for each case. 0: all as expected; 3: some not; 1: some could not be read."""
    complete, passed = True, True
    for path in paths:
        try:
            files = find_cases(Path(path))
        except CaseError as error:
            complete = False
            message(str(error))
            continue
        for file in files:
            try:
                case = read_case(file)
                from ..bench.rigorscore.reviewing import score_and_review

                found = [t for t in read_log(LogFile(file.parent / case.log)) if case.session in ("", t.id)]
                if not found:
                    raise CaseError(f"{file}: the log has no session {case.session}")
                reviews = [score_and_review(t, config=config, measure=False).review for t in found]
                failures = case.failures([c for r in reviews for c in r.checks])
            except (CaseError, LogError) as error:
                complete = False
                message(str(error))
                continue
            print(terminal(f"{'FAILED' if failures else 'ok':<7}{file}"), flush=True)
            passed = passed and not failures
            messages([f"  {f}" for f in failures])
    return status(complete, passed)
