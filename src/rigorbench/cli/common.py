"""What the commands share: arguments, messages, and work over many logs in several processes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from msgspec import Struct

from ..base.errors import GivenError
from ..base.extras import install
from ..base.text import did_you_mean

if TYPE_CHECKING:
    from rich.console import Console

    from ..session.logfile import LogFile
    from ..session.task import Task

T = TypeVar("T")


# What it is for, the extra that installs it, its modules.
EXTRAS = (
    ("Inspect logs", "inspect", ("inspect_ai",)),
    ("reports, queries", "report", ("scipy", "duckdb", "pyarrow", "vl_convert")),
    ("readers by API", "reader", ("pydantic_ai",)),
    ("scoring with Ray", "ray", ("ray", "pyarrow")),
)


class UsageError(GivenError):
    """Wrong usage: one line for stderr, exit status 2."""


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is none of those that there are."""
    names = list(known)
    return UsageError(f"no {what} {name!r}{did_you_mean(name, names)}; one of: {', '.join(names)}")


def run(command: Callable[[list[str]], int], name: str, arguments: list[str]) -> int:
    """Run a command. What was given wrongly, a closed pipe and Ctrl-C end it with a line or quietly."""
    try:
        status = command(arguments)
        sys.stdout.flush()
        return status
    except GivenError as error:
        message(f"rigor {name}: {error}")
        return 2
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module in ("", "rigorbench"):
            raise
        extra = next((extra for _, extra, modules in EXTRAS if module in modules), "report")
        message(f"rigor {name}: needs {module}: {install(extra)}")
        return 2
    except KeyboardInterrupt:
        message("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of our output is gone (`| head`).
        _drop_output()
        return 0
    except OSError as error:
        # A full disk and the like, where no command has a better message.
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
    """Discards what is not written yet, so that the end of the process does not try to write it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Described(BaseException):
    """Instead of parsing, the parser is handed over: see :attr:`Parser.describe`."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


class Parser(argparse.ArgumentParser):
    """Names the nearest option or value where one is mistyped.

    Attributes:
        describe: whether parsers raise :class:`Described` instead of parsing, for who wants to know the options.
    """

    describe = False

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        if Parser.describe:
            raise Described(self)
        return super().parse_known_args(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        prefix = "unrecognized arguments: "
        if message.startswith(prefix):
            given = message.removeprefix(prefix).split()[0]
            message += did_you_mean(given.partition("=")[0], self._option_string_actions)
        super().error(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            raise argparse.ArgumentError(
                action, f"{error.message}{did_you_mean(str(value), map(str, action.choices or ()))}"
            ) from None


def parser(name: str, description: str, epilog: str | None = None) -> argparse.ArgumentParser:
    return Parser(
        prog=f"rigor {name}",
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def actions(p: argparse.ArgumentParser) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    """What the actions of a command are added to with :func:`add_action`."""
    return p.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)


def add_action(
    to: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    function: Callable[[argparse.Namespace], int],
    about: str,
    epilog: str | None = None,
) -> argparse.ArgumentParser:
    """The parser of an action of a command, such as ``rigor hook install``, which ``function`` does."""
    p = to.add_parser(
        name,
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    p.set_defaults(function=function)
    return p


def act(top: argparse.ArgumentParser, arguments: list[str]) -> int:
    """Do the action that the arguments name. Returns its exit status."""
    args = top.parse_args(arguments)
    status: int = args.function(args)
    return status


def message(text: str) -> None:
    """One line to stderr, control characters made visible (file names and log contents are not to be trusted)."""
    from ..base.sanitize import terminal

    print(terminal(text), file=sys.stderr)


def write_line(data: bytes) -> None:
    sys.stdout.buffer.write(data + b"\n")


def write_json(document: object) -> None:
    """One JSON document to stdout, on a line."""
    from ..base.files import encode_json

    write_line(encode_json(document))


def whole(what: str, low: int = 1, high: int | None = None) -> Callable[[str], int]:
    """Reads an argument that is a whole number from ``low`` on. ``what``: how the message calls it."""

    def read(value: str) -> int:
        number = int(value) if value.isascii() and value.isdigit() else -1
        if number < low or (high is not None and number > high):
            limits = f"at least {low}" if high is None else f"from {low} to {high:,}"
            raise argparse.ArgumentTypeError(f"expected {what}, {limits}, not {value!r}")
        return number

    return read


def decimal(low: float, high: float, what: str) -> Callable[[str], float]:
    """Reads an argument that is a number from ``low`` to ``high``. ``what``: the message."""

    def read(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{value}: {what}")
        return number

    return read


def add_suite(p: argparse.ArgumentParser) -> None:
    """Adds SUITE and --variant."""
    p.add_argument("suite", metavar="SUITE", help="name of an installed suite, or the directory of one, or of one task")
    add_variant(p)


def add_variant(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--variant",
        type=_variant,
        metavar="NAME",
        help="the variant of a suite of recipes with this name: the same packages with other faults",
    )


def _variant(value: str) -> str:
    from ..bench.tasks.variants import is_variant

    if not is_variant(value):
        raise argparse.ArgumentTypeError(f"expected letters, digits, dots and hyphens, at most 32, not {value!r}")
    return value


def needs(extra: str, *modules: str) -> None:
    """Raises: Usage when one of these modules is not installed. ``extra``: the one that installs them."""
    from importlib.util import find_spec

    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise UsageError(f"needs {' and '.join(missing)}: {install(extra)}")


def add_paths(p: argparse.ArgumentParser) -> None:
    p.add_argument("paths", nargs="+", metavar="PATH", help="a log, a directory, a glob, or - for standard input")


def add_jobs(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--jobs", type=whole("a number of processes"), metavar="N", help="processes (default: the cores, for many logs)"
    )


def add_json(p: argparse.ArgumentParser, what: str = "print one JSON document") -> None:
    p.add_argument("--json", action="store_true", help=what)


def results(
    paths: list[str],
    work: Callable[[LogFile], T],
    tell: Callable[[str], object],
    *,
    jobs: int | None,
    label: str,
    total: int | None = None,
) -> Iterator[T]:
    """What ``work`` makes of every log under ``paths``, in order.

    Results stream: each process works on a few logs at most. A log that fails does not stop the others: ``tell`` takes
    the message about it. ``total``: how many logs there are, if that is known, for the progress bar.
    """
    import gc
    from itertools import chain, islice

    from ..session.discovery import FileTally
    from ..session.logfile import COLLECT_EVERY, LogError
    from ..session.registry import discover

    gc.set_threshold(COLLECT_EVERY)
    tally = FileTally(on_suspicious=message)
    found = (str(item) if isinstance(item, LogError) else item for item in discover(paths, tally))
    first = list(islice(found, 3))
    logs = chain(first, found)
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    count = jobs if jobs is not None else min(cores, 8)
    if len(first) < 3 and jobs is None:
        count = 1
    bar = ProgressBar(label, total, enabled=len(first) > 1)
    guarded: Callable[[LogFile | str], T | _Failed] = partial(_guarded, work)
    try:
        made: Iterator[T | _Failed]
        if count == 1:
            made = map(guarded, logs)
        else:
            from ..base.processes import in_processes
            from ..bench.rigorscore import score  # noqa: F401

            # Where processes are forks of this one, what is imported now is in memory that they share.
            gc.freeze()
            made = in_processes(logs, guarded, count, _died)
        for result in made:
            bar.advance()
            if isinstance(result, _Failed):
                tell(result.message)
                continue
            yield result
            # The next log may kill this process: what was written about this one must not be lost.
            sys.stdout.flush()
    finally:
        bar.close()


def print_lines(paths: list[str], work: Callable[[LogFile], list[bytes]], *, jobs: int | None, label: str) -> int:
    """Print the lines that ``work`` makes of every log. Returns the exit status: 1 if a log failed, which is said."""
    problems = Problems()
    for lines in results(paths, work, problems, jobs=jobs, label=label):
        sys.stdout.buffer.writelines(line + b"\n" for line in lines if line)
    return 1 if problems.count else 0


class _Failed(Struct):
    """A log of which there is no result."""

    message: str


def _guarded(work: Callable[[LogFile], T], item: LogFile | str) -> T | _Failed:
    """The result of one log. A defect of ours is reported like a bad input, so that the other logs are not stopped.

    ``item`` may be the message about an input that is no log.
    """
    from ..session.logfile import LogError

    if isinstance(item, str):
        return _Failed(item)
    try:
        return work(item)
    except LogError as error:
        return _Failed(str(error))
    except MemoryError:
        return _Failed(f"{item.name}: too large for this machine's memory; split the log or score it elsewhere")
    except Exception as error:
        if os.environ.get("RIGOR_DEBUG"):
            raise
        reason = " ".join(str(error).split())[:200]
        return _Failed(
            f"{item.name}: rigor failed on it ({type(error).__name__}: {reason}); please report it "
            "(RIGOR_DEBUG=1 shows where)"
        )


def _died(item: LogFile | str, how: Exception) -> _Failed:
    name = item if isinstance(item, str) else item.name
    return _Failed(
        f"{name}: the process that read it died ({how}); if it is not too large for this machine's memory, please "
        "report it"
    )


class Problems:
    """Says problems on stderr as they come, of very many only the first, and counts them."""

    def __init__(self, most: int | None = None, rest: str = "") -> None:
        self.count, self._most, self._rest = 0, most, rest

    def __call__(self, problem: str) -> None:
        self.count += 1
        if self._most is None or self.count <= self._most:
            message(problem)

    def close(self) -> None:
        """Says how many more there were, and the ``rest`` about them."""
        if self._most is not None and self.count > self._most:
            message(f"... and {self.count - self._most:,} {self._rest}")


class ProgressBar:
    """A count on stderr, only on a terminal. ``total`` None: not known."""

    def __init__(self, label: str, total: int | None = None, *, enabled: bool = True) -> None:
        self._bar: Any = None
        if enabled and sys.stderr.isatty():
            from rich import progress as rich
            from rich.console import Console

            first = rich.SpinnerColumn() if total is None else rich.BarColumn(bar_width=24)
            times = (rich.TimeElapsedColumn(), rich.TimeRemainingColumn(elapsed_when_finished=True))
            columns = (first, rich.TextColumn("{task.description}", markup=False), rich.MofNCompleteColumn())
            self._bar = rich.Progress(*columns, *times, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(label, total=total)
            self._bar.start()

    def advance(self, number: int = 1, label: str | None = None) -> None:
        if self._bar is not None:
            self._bar.update(self._task, advance=number, description=label)

    def show(self, done: int, total: int | None) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=done, total=total)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def existing_directory(value: str) -> Path:
    path = Path(value)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{value}: no such directory")
    return path


def show_progress(what: str, done: int, total: int) -> None:
    """Progress on one line of a terminal, cleared at the end. ``total`` 0: not known; no ``what``: clear it now."""
    if sys.stderr.isatty():
        from ..base.sanitize import terminal

        text = f"{terminal(what, 60)} {done}" + (f"/{total}" if total else "")
        if not what or done >= total > 0:
            text = ""
        print(f"\r\x1b[K{text}", end="\r", file=sys.stderr, flush=True)


def width() -> int:
    import shutil

    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 140))


def color() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def console() -> Console:
    """Standard output for tables, as wide as the terminal and with colours only on one."""
    from rich.console import Console

    return Console(width=width(), no_color=not color(), highlight=False)


def messages(problems: Sequence[str], most: int = 10) -> None:
    """Messages on stderr; of very many only the first."""
    for problem in problems[:most]:
        message(problem)
    if len(problems) > most:
        message(f"... and {len(problems) - most:,} more of this sort")


def add_gate(p: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Adds --fail-under and --fail-on."""
    p.add_argument(
        "--fail-under", type=whole("a grade", 0, 100), metavar="N", help="a session with an overall grade below N fails"
    )
    p.add_argument(
        "--fail-on", metavar="WHAT", help="a session with these findings fails: flag, weak or note, checks, V,H"
    )


def status(complete: bool, passed: bool) -> int:
    """The exit status: 3 some session fails, else 1 some input could not be read, else 0."""
    return 3 if not passed else 0 if complete else 1


def add_task(p: argparse.ArgumentParser) -> None:
    """Adds --task."""
    p.add_argument("--task", metavar="FILE", help="task file: requirements, commands, whether the task can be done")


def check_task(path: str | None) -> Task | None:
    """The task in a file. Raises: TaskError when it cannot be read."""
    from ..session.task import load_task

    return load_task(Path(path)) if path is not None else None


def add_page(p: argparse.ArgumentParser, help: str, metavar: str = "FILE") -> None:
    """Adds --html and --open."""
    p.add_argument("--html", metavar=metavar, help=help)
    p.add_argument("--open", action="store_true", help="show the page in the browser")


def check_page_options(args: argparse.Namespace) -> None:
    """Raises: Usage when the options of :func:`add_page` do not fit, or the page cannot be written."""
    if args.open and args.html is None:
        raise UsageError("--open needs --html FILE")
    if args.html is not None:
        check_page(Path(args.html))


def is_site(target: str) -> bool:
    """Whether ``--html`` names a folder of pages, and not a page."""
    return not target.endswith((".html", ".htm"))


def check_page(target: Path) -> None:
    """Raises: Usage when a page cannot be written there, which is no fault of the log."""
    folder = target.parent
    if not folder.is_dir():
        raise UsageError(f"--html {target}: there is no folder {folder}; make it first")
    if target.is_dir():
        raise UsageError(f"--html {target}: is a folder; name a file in it")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise UsageError(f"--html {target}: you may not write there")


def check_site(target: Path) -> None:
    """Raises: Usage when no folder of pages can be made there."""
    there = next(p for p in (target, *target.absolute().parents) if p.exists())
    if not there.is_dir():
        raise UsageError(f"--html {target}: {there} is a file, not a folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(f"--html {target}: you may not write to {there}")


def write_page(page: str, target: str, *, show: bool) -> None:
    """Writes a page, says where, and shows it in the browser. Raises: OSError."""
    path = Path(target)
    path.write_text(page, encoding="utf-8", newline="\n")
    message(f"page: {target}")
    if show:
        show_page(path)


def show_page(path: Path) -> None:
    """Shows a page in the browser."""
    import webbrowser

    if not webbrowser.open(path.absolute().as_uri()):
        message("no browser could be started; open the file yourself")
