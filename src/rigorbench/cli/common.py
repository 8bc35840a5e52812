"""What the commands share: arguments, messages, and work over many logs in several processes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ..trajectory.logfile import LogFile

if TYPE_CHECKING:
    from ..trajectory.logfile import LogFile

if TYPE_CHECKING:
    from ..trajectory.logfile import LogFile

T = TypeVar("T")
# The result of one log or None, and messages about what failed.
_Outcome = tuple[T | None, list[str]]


class Usage(Exception):
    """Wrong usage: one line for stderr, exit status 2."""


def run(command: Callable[[list[str]], int], name: str, arguments: list[str]) -> int:
    """Run a command; a closed pipe and Ctrl-C end it quietly."""
    try:
        return command(arguments)
    except Usage as error:
        message(f"rigor {name}: {error}")
        return 2
    except KeyboardInterrupt:
        message("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is left to say to it.
        _drop_output()
        return 0
    except OSError as error:
        # A full disk and the like, met where no command knows a better answer.
        if os.environ.get("RIGOR_DEBUG"):
            raise
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        message(f"rigor {name}: {where}{error.strerror or error} (RIGOR_DEBUG=1 shows where)")
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return 1


def _drop_output() -> None:
    """What was not written yet goes nowhere, so that the end of the process does not try it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def subcommand(group: str, arguments: list[str], usage: str, commands: tuple[str, ...]) -> int:
    """Run ``rigor GROUP COMMAND``: the function ``command`` of the module ``GROUP_COMMAND``, imported only now."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage, end="")
        sys.stdout.flush()
        return 0 if arguments else 2
    if arguments[0] not in commands:
        raise Usage(f"no command {arguments[0]!r}; one of: {', '.join(commands)}")
    result: int = import_module(f".{group}_{arguments[0]}", __package__).command(arguments[1:])
    return result


def parser(name: str, description: str, epilog: str | None = None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(
        prog=f"rigor {name}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def message(text: str) -> None:
    """One line to stderr, control characters made visible (file names and log contents are not to be trusted)."""
    from ..base.sanitize import terminal

    print(terminal(text), file=sys.stderr)


def write_line(data: bytes) -> None:
    sys.stdout.buffer.write(data + b"\n")


def jobs_argument(value: str) -> int:
    number = int(value) if value.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError("a number of processes, at least 1")
    return number


def over_logs(paths: list[str], work: Callable[[LogFile], T], *, jobs: int | None, label: str) -> Iterator[_Outcome[T]]:
    """Apply ``work`` to every log under ``paths``, in order: (its result or None, messages about failures).

    Results stream: at most a few logs per process are under way. One log that fails never stops the others.
    """
    import gc
    from itertools import chain, islice

    from ..trajectory.logfile import COLLECT_EVERY, LogError
    from ..trajectory.registry import discover

    gc.set_threshold(COLLECT_EVERY)
    found = (str(item) if isinstance(item, LogError) else item for item in discover(paths))
    first = list(islice(found, 3))
    logs = chain(first, found)
    count = jobs if jobs is not None else min(_cores(), 8)
    if len(first) < 3 and jobs is None:
        count = 1
    bar = _Progress(label, enabled=len(first) > 1)
    guarded: Callable[[LogFile | str], _Outcome[T]] = partial(_guarded, work)
    try:
        results: Iterator[_Outcome[T]]
        if count == 1:
            results = map(guarded, logs)
        else:
            from ..base.processes import in_processes
            from ..metrics import score  # noqa: F401

            # Imported once for all the processes, where they are forks of this one, and left to lie in shared memory.
            gc.freeze()
            results = in_processes(logs, guarded, count, _died)
        for result in results:
            bar.advance()
            yield result
            # What the caller wrote about this log outlives us, should the next one be our end.
            sys.stdout.flush()
    finally:
        bar.close()


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _guarded(work: Callable[[LogFile], T], item: LogFile | str) -> _Outcome[T]:
    """The boundary at which nothing may stop the other logs: a defect of ours is reported like a bad input.

    ``item`` may be the message about an input that is no log.
    """
    from ..trajectory.logfile import LogError

    if isinstance(item, str):
        return None, [item]
    try:
        return work(item), []
    except LogError as error:
        return None, [str(error)]
    except MemoryError:
        return None, [f"{item.name}: too large for this machine's memory; split the log or score it elsewhere"]
    except Exception as error:
        if os.environ.get("RIGOR_DEBUG"):
            raise
        reason = " ".join(str(error).split())[:200]
        return None, [
            f"{item.name}: rigor failed on it ({type(error).__name__}: {reason}); please report it "
            "(RIGOR_DEBUG=1 shows where)"
        ]


def _died(item: LogFile | str, how: Exception) -> _Outcome[Any]:
    name = item if isinstance(item, str) else item.name
    return None, [
        f"{name}: the process that read it died ({how}); too large for this machine's memory? else please report it"
    ]


class _Progress:
    """A count on stderr, only on a terminal and only when there is more than one log."""

    def __init__(self, label: str, *, enabled: bool) -> None:
        self._bar: Any = None
        if enabled and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(label, total=None)
            self._bar.start()

    def advance(self) -> None:
        if self._bar is not None:
            self._bar.advance(self._task)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def existing_directory(value: str) -> Path:
    path = Path(value)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{value}: no such directory")
    return path


def tell(what: str, done: int, total: int) -> None:
    """The replay's progress, on one line of a terminal."""
    if sys.stderr.isatty():
        from ..base.sanitize import terminal

        print(f"\r\x1b[K{terminal(what, 60)} {done}/{total}", end="\r" if done >= total else "", file=sys.stderr)


def width() -> int:
    import shutil

    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 140))


def color() -> bool:
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def tell_some(problems: list[str], most: int = 10) -> None:
    """Messages on stderr; of very many only the first."""
    for problem in problems[:most]:
        message(problem)
    if len(problems) > most:
        message(f"... and {len(problems) - most} more of this sort")
