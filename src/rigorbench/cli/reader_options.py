"""Options of the commands that work with a reader of sessions, and what asking would mean."""

from __future__ import annotations

import argparse
import os
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from ..base.text import count as plural
from ..review.reader.ask import Readers, ReaderSpec
from ..review.reader.digest import CHARACTERS_PER_TOKEN
from ..session.registry import read_log
from ..session.task import Task, load_task
from .common import Problems, UsageError, message, results, whole

if TYPE_CHECKING:
    from ..base.points import Points
    from ..evidence.facts import Evidence
    from ..review.config import Config
    from ..review.reader.request import Request
    from ..session.logfile import LogFile
    from ..session.model import Trajectory


def add_store(p: argparse._ActionsContainer) -> None:
    p.add_argument("--store", metavar="DIR", help="directory of the answers (default: in the user's cache directory)")


def add_budget(p: argparse._ActionsContainer, name: str = "--budget") -> None:
    p.add_argument(
        name, type=whole("a number of characters", 1_000), metavar="N",
        help="characters of a session that are shown to a reader (default: 24,000)",
    )  # fmt: skip
    add_store(p)


def add_readings(p: argparse._ActionsContainer, default: int | None = 1) -> None:
    """Adds --readings. ``default`` None: as the configuration says."""
    p.add_argument(
        "--readings", type=whole("a number of answers", 1, 9), default=default, metavar="N",
        help="independent answers of each reader (default: 1)",
    )  # fmt: skip


def add_dry_run(p: argparse._ActionsContainer) -> None:
    """Adds --dry-run and --preview."""
    p.add_argument("--dry-run", action="store_true", help="say what would be asked, and send nothing")
    p.add_argument("--preview", action="store_true", help="print the exact text that would be sent, and send nothing")


def add_reader(p: argparse.ArgumentParser) -> None:
    """Adds the options of who reads the sessions."""
    group = p.add_argument_group("a reader", "a model or a person gives the grades (docs/reader.md)")
    group.add_argument("--reader", metavar="NAME", help="ask NAME, or several: claude,codex,gemini; none: nobody")
    add_readings(group, None)
    add_budget(group, "--reader-budget")
    add_dry_run(group)


def reader_options(args: argparse.Namespace, config: Config) -> ReaderSpec | None:
    """Who is to be asked, by the command line, else by the configuration; None: nobody. Raises: Usage."""
    given = args.reader if args.reader is not None else config.reader or ""
    if given.strip(" ,") not in ("", "none"):
        found = spec_of(given, args.readings or config.readings, args.store, config)
        return replace(found, budget=args.reader_budget or config.reader_budget)
    for name in ("readings", "reader_budget", "store", "dry_run", "preview"):
        if getattr(args, name):
            raise UsageError(f"--{name.replace('_', '-')} needs --reader NAME")
    return None


@lru_cache(4)
def readers(options: ReaderSpec) -> Readers:
    """Those of these options; one object for all sessions of a process."""
    return options.open()


def tell_requests(
    paths: list[str], options: ReaderSpec | None, jobs: int | None, *, whole_text: bool, task: str | None = None
) -> int:
    """Prints what would be asked, or the text itself. Returns the exit status.

    Args:
        task: path of the task file of all sessions.
    """
    assert options is not None  # `reader_options` asks for one
    sessions, complete = _planned(paths, options, jobs, task)
    for request, _ in sessions if whole_text else ():
        print(f"{request.system}\n{request.user}")
    for name in () if whole_text else options.names:
        requests, characters, tokens, price = sums(readers(options), name, sessions)
        stored = len(sessions) * options.readings - requests
        size = f"{plural(requests, 'request')}, {characters:,} characters, about {tokens:,} tokens"
        print(f"{name}: {size}, {told(price)}; {plural(stored, 'answer')} stored before")
    if not whole_text:
        print("Nothing was sent. --preview prints the text.")
    return 0 if complete else 1


def agreed(
    paths: list[str], options: ReaderSpec | None, jobs: int | None, task: str | None = None
) -> ReaderSpec | None:
    """The readers if they may be asked: in a terminal that is asked once for each, else naming one is consent."""
    if options is None or not (sys.stdin.isatty() and sys.stderr.isatty()) or "-" in paths:
        return options
    sessions, _ = _planned(paths, options, jobs, task)
    asked = all(confirm(name, *sums(readers(options), name, sessions)) for name in options.names)
    return options if asked else None


def confirm(
    reader: str,
    requests: int,
    characters: int,
    tokens: int,
    price: float | str | None,
    what: str = "of your sessions, secrets masked",
    more: str = " --preview shows it.",
) -> bool:
    """Whether so many requests may be sent to a reader: asked once for each, in a terminal.

    Where nobody can answer, naming the reader was the consent.

    Args:
        price: US dollars, or words such as "subscription"; None: unknown.
        what: of what the characters are; ``more``: how it can be looked at before.
    """
    if not requests or os.environ.get("CI") or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return True
    base = os.environ.get("XDG_CONFIG_HOME", "")
    kept = (Path(base) if base.startswith("/") else Path.home() / ".config") / "rigor" / "readers"
    try:
        known = kept.read_text("utf-8", "replace").splitlines()
    except OSError:
        known = []
    if reader in known:
        return True
    message(
        f"{reader} has not been used before. {plural(requests, 'request')} would be sent to it: {characters:,} "
        f"characters {what}, about {tokens:,} tokens; price: {'unknown' if price is None else told(price)}.{more}"
    )
    print("Send this, and ask no more about this reader? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        message("nothing was sent")
        return False
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(f"{reader}\n")
    except OSError as error:
        message(f"{kept}: {error.strerror}; you will be asked again")
    return True


_Planned = list[tuple["Request", dict[str, int]]]


def _planned(paths: list[str], options: ReaderSpec, jobs: int | None, task: str | None) -> tuple[_Planned, bool]:
    """The request about each session with the answers that are missing, and whether every log could be read."""
    sessions, problems = _Planned(), Problems()
    for found in results(paths, partial(_missing, options=options, task=task), problems, jobs=jobs, label="sessions"):
        sessions += found
    return sessions, not problems.count


def sums(asks: Readers, name: str, sessions: _Planned) -> tuple[int, int, int, float | str | None]:
    """Requests to a reader, their characters and tokens, and the price, or words for it; None: unknown."""
    asked = [(request, missing[name]) for request, missing in sessions if name in missing]
    prices = [asks.price(name, request.tokens) for request, _ in asked]
    price: float | str | None = prices[0] if prices else None
    if isinstance(price, float):
        price = sum(one * n for one, (_, n) in zip(prices, asked, strict=True) if isinstance(one, float))
    characters, tokens = (sum(n * r.characters for r, n in asked), sum(n * r.tokens for r, n in asked))
    return sum(n for _, n in asked), characters, tokens, price


def _missing(log: LogFile, options: ReaderSpec, task: str | None) -> list[tuple[Request, dict[str, int]]]:
    asks, known = readers(options), None if task is None else load_task(Path(task))
    return [asks.missing(*to_be_read(trajectory, known)) for trajectory in read_log(log)]


def told(price: float | str | None) -> str:
    """A price in words."""
    return "price unknown" if price is None else price if isinstance(price, str) else f"about ${price:.2f}"


def may_send(asks: Readers, requests: int, characters: int, what: str) -> bool:
    """Whether requests of so many characters each, at most, may be sent to these readers; see :func:`confirm`."""
    tokens = round(characters / CHARACTERS_PER_TOKEN)
    for name in asks.names:
        one = asks.price(name, tokens)
        price = one * requests if isinstance(one, float) else one
        if not confirm(name, requests, requests * characters, requests * tokens, price, what, ""):
            return False
    return True


def to_be_read(trajectory: Trajectory, task: Task | None = None) -> tuple[Evidence, Points | None]:
    """What a reader is asked about a session: its evidence, and the points of its task where it has one."""
    from ..bench.rigorscore.score import open_session, points_of
    from ..evidence.walk.extract import extract

    if task is None and trajectory.recording is None:
        return extract(trajectory), None
    context: dict[str, Any] = {"task": task}
    if task is None:
        from ..bench.run.scoring.finish import context_of  # late: few logs are recorded runs

        context, _ = context_of(trajectory)
        context.pop("reader", None)
    session = open_session(trajectory, **context)
    return session.evidence, points_of(session)


def spec_of(names: str, readings: int = 1, store: str | None = None, config: Config | None = None) -> ReaderSpec:
    """Readers as the user named them, with the tables of rigor.toml. Raises: Usage."""
    from ..review.config import load_config

    tables = msgspec.json.encode((config or load_config(Path.cwd())).readers).decode()
    listed = tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not listed:
        raise UsageError("--reader: no name is given")
    return ReaderSpec(listed, readings, store=store, tables=tables)
