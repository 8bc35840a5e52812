"""``rigor hook watch``: follows the log of a running session, and tells flags as they appear."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ...base.sanitize import terminal
from ...session import index
from ...session.logfile import LogError, LogFile
from ...session.registry import read_log, user_logs
from ..common import UsageError, add_action, decimal, message, status

if TYPE_CHECKING:
    from ...evidence.events import AnyEvent
    from ...review.config import Config, Gate
    from ...review.review import Fired

_EPILOG = """Without LOG, the session of this machine that was changed last. Ends with Ctrl-C, or with --idle when
nothing was written for that long. Exit status: 3 if something that was told still holds at the end, 0 if not, 1 if the
log could not be read.
"""
# A review may take this share of the time, so that a large log does not occupy a core.
_SHARE = 0.2


class LogLook(Struct):
    """What one look at the log showed. ``files``: those that it consists of."""

    findings: dict[str, Fired] = field(default_factory=dict)
    events: dict[str, AnyEvent] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)
    problem: str | None = None


def add_watch(to: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``rigor hook watch``."""
    p = add_action(to, "watch", _command, "follow the log of a running session, and tell flags as they appear", _EPILOG)
    p.add_argument("log", nargs="?", metavar="LOG", help="the log (default: the latest session of this machine)")
    p.add_argument(
        "--on", default="flag", metavar="WHAT", help="what is told: flag (default), weak or note, checks, V,H"
    )
    p.add_argument(
        "--idle", type=decimal(0, 1e7, "seconds from 0 on"), metavar="S", help="end when nothing was written for S s"
    )


def _command(args: argparse.Namespace) -> int:
    from ...review.config import gate, load_config

    chosen, config = gate(None, args.on, "--on"), load_config(Path.cwd())
    path = Path(args.log) if args.log is not None else _latest()
    if not path.exists():
        raise UsageError(f"{path}: does not exist")
    message(f"watching {path}; Ctrl-C ends")
    return watch(lambda: look(path, chosen, config), [path], idle=args.idle)


def watch(
    look: Callable[[], LogLook],
    files: list[Path],
    *,
    idle: float | None,
    interval: float = 1.0,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Look every ``interval`` seconds whether a file of the log has changed, until it is quiet.

    ``look`` reads and reviews the log; ``idle``: the seconds after which it counts as quiet.
    """
    last, changed = LogLook(files=files), clock()
    seen: dict[Path, tuple[int, int] | None] = {}
    told: set[str] = set()
    try:
        while True:
            state = _state(last.files)
            pause = interval
            if state != seen:
                changed = clock()
                now = look()
                _tell(last, now, told)
                last = now
                # What is written during the look is seen at the next one.
                seen = {**_state(last.files), **state}
                pause = max(interval, (clock() - changed) * (1 / _SHARE - 1))
            elif idle is not None and clock() - changed >= idle:
                break
            sleep(pause)
    except KeyboardInterrupt:
        pass
    return status(last.problem is None, not last.findings)


def look(path: Path, gate: Gate, config: Config) -> LogLook:
    """Read and review the log as it is now."""
    from ...bench.rigorscore.reviewing import score_and_review

    index.forget()  # a sub-agent may have begun
    log = LogFile(path)
    found = LogLook(files=[path])
    try:
        for trajectory in read_log(log):
            report = score_and_review(trajectory, config=config, measure=False)
            found.findings |= {c.fingerprint: c for c in report.review.checks if gate.stops(c)}
            found.events |= {e.id: e for e in report.events}
    except LogError as error:
        found.problem = str(error)
    found.files += log.siblings
    return found


def _tell(before: LogLook, now: LogLook, told: set[str]) -> None:
    from ...review.pages.proof import finding_lines

    if now.problem is not None and now.problem != before.problem:
        message(now.problem)
    for name, finding in now.findings.items():
        if name not in told:
            told.add(name)
            lines = finding_lines(finding, now.events, f"{time.strftime('%H:%M:%S')} {finding.severity} ")
            print("\n".join(map(terminal, lines)), flush=True)
    # Later events can show that an earlier finding was none.
    for name, finding in before.findings.items():
        if name not in now.findings and now.problem is None:
            told.discard(name)
            print(f"{time.strftime('%H:%M:%S')} no longer holds: {terminal(finding.id)}", flush=True)


def _state(files: list[Path]) -> dict[Path, tuple[int, int] | None]:
    """Size and time of change of each file; of a folder, of the files in it."""
    found: dict[Path, tuple[int, int] | None] = {}
    for file in files:
        for one in [file, *(file.rglob("*") if file.is_dir() else ())]:
            try:
                facts = one.stat()
            except OSError:
                found[one] = None
            else:
                found[one] = (facts.st_size, facts.st_mtime_ns)
    return found


def _latest() -> Path:
    """The log of this machine that was changed last. Raises: Usage if there is none."""
    found = max(user_logs(Path.home()), key=lambda f: f[2], default=None)
    if found is None:
        raise UsageError("no agent sessions found in their usual places; name the log")
    return found[1]
