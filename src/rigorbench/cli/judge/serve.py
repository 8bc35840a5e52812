"""``rigor judge serve``: the HTTP judge; tokens for runs, and what they submitted."""

from __future__ import annotations

import argparse
import shlex
import shutil
import signal
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import asdict

from ...bench.tasks.suite import SuiteError, load_suite
from ...judge.client import CLIENT_FILE
from ...judge.judgement import JudgeError
from ...judge.problems.load import load_problem
from ...session.task import TaskError
from ..common import UsageError, add_json, message, needs, parser, whole, write_line

if TYPE_CHECKING:
    from ...judge.problems.problem import Problem
    from ...judge.server.store import SubmissionStore

_EPILOG = """examples:
  rigor judge serve suites/projdev/* --data judge          serve packages on a free port of 127.0.0.1
  rigor judge serve --suite projdev --data judge --unix judge.sock
  eval "$(rigor judge serve --data judge --issue run-1 --problem sum)"      a token, in the client's environment
  rigor judge serve --data judge --results > results.jsonl
  rigor judge serve --client sandbox/              oj_client.py, for Python 3.8 or newer: submit, status, list, ...
Ctrl-C ends it; submissions that are not judged yet are judged when it is started again with the same DIR.
"""


def command(arguments: list[str]) -> int:
    p = parser(
        "judge serve",
        "Serve problem packages over HTTP: agents submit with a token and get their verdicts. The queue, the\n"
        "submissions and the verdicts are kept in DIR. Only this machine can reach the server.",
        _EPILOG,
    )
    p.add_argument("packages", nargs="*", metavar="PACKAGE", help="directories with a problem.yaml")
    p.add_argument("--suite", metavar="NAME", help="all packages of a suite: projdev, or a directory")
    p.add_argument("--data", metavar="DIR", help="where the queue and the verdicts are kept")
    where = p.add_mutually_exclusive_group()
    where.add_argument("--bind", metavar="HOST:PORT", help="a loopback address (default: 127.0.0.1, any free port)")
    where.add_argument("--unix", metavar="PATH", help="a unix socket instead, to be mounted in a sandbox")
    p.add_argument("--public", action="store_true", help="let other machines reach --bind, unencrypted")
    p.add_argument(
        "--workers", type=whole("a number of submissions"), metavar="N",
        help="submissions at a time (default: one for each core)",
    )  # fmt: skip
    p.add_argument("--issue", metavar="RUN", help="do not serve: print a token for this run and --problem")
    p.add_argument("--problem", metavar="ID", help="problem of --issue; with --results: only this problem")
    p.add_argument(
        "--budget", type=whole("a number of submissions", 0), metavar="N",
        help="with --issue: how many submissions count (default: set by the package)",
    )  # fmt: skip
    p.add_argument(
        "--hints", type=whole("a number of hints", 0), default=0, metavar="N",
        help="with --issue: how many hints the run may ask for (default: 0)",
    )  # fmt: skip
    p.add_argument("--feedback", metavar="LEVEL", help="with --issue: none, verdict, first-failure or tests")
    p.add_argument("--repository", metavar="DIR", help="with --issue: a bare repository whose revisions are submitted")
    p.add_argument("--results", action="store_true", help="do not serve: print all submissions as JSON lines")
    p.add_argument("--run", metavar="RUN", help="with --results: only this run")
    p.add_argument("--client", metavar="PATH", help="do not serve: copy the client for sandboxes there, one file")
    add_json(p, "print the address, or the token, as one JSON document")
    args = p.parse_args(arguments)
    if args.client is not None:
        target = Path(args.client)
        if target.is_dir():
            target = target / CLIENT_FILE.name
        shutil.copyfile(CLIENT_FILE, target)
        target.chmod(0o755)
        print(target)
        return 0
    if args.data is None:
        raise UsageError("give --data DIR")
    if args.issue is not None and args.results:
        raise UsageError("give --issue or --results, not both")
    if (args.issue is not None or args.results) and (args.packages or args.suite):
        raise UsageError("--issue and --results take no packages: they read a directory that was served before")
    needs("judge", "yaml", "starlette", "uvicorn", "python_multipart")
    try:
        if args.issue is not None:
            return _issue(args)
        if args.results:
            return _results(args)
        return _serve(args)
    except JudgeError as error:
        message(f"rigor judge serve: {error}")
        return 1


def _serve(args: argparse.Namespace) -> int:
    from ...judge.engine.resources import default_slots
    from ...judge.server import JudgeServer

    directories = [Path(name) for name in args.packages]
    if args.suite is not None:
        try:
            found = [task.directory for task in load_suite(args.suite).tasks if task.project]
        except (SuiteError, TaskError) as error:
            raise UsageError(f"--suite: {error}") from None
        if not found:
            raise UsageError(f"--suite: {args.suite} has no problem package")
        directories += found
    problems = load(directories)
    if not problems:
        raise UsageError("give the packages to serve, or --suite projdev")
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    workers = args.workers or default_slots()
    server = JudgeServer(args.data, problems, unix=args.unix, bind=args.bind, public=args.public, workers=workers)
    try:
        with server:
            if args.json:
                write_line(_encoded({"url": server.url, "problems": sorted(server.problems)}))
            else:
                print(f"RIGOR_OJ_URL={server.url}")
                print(
                    f"serving {', '.join(sorted(server.problems))}. Ctrl-C ends; submissions that wait are kept.",
                    flush=True,
                )
            stop.wait()
            message("shutting down")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0


def load(directories: list[Path]) -> list[Problem]:
    """The packages in directories. Raises: PackageError."""
    return [load_problem(directory) for directory in directories]


def _issue(args: argparse.Namespace) -> int:
    from ...judge.server.owner import address, issue

    if args.problem is None:
        raise UsageError("--issue needs --problem ID")
    if args.repository is not None and not Path(args.repository).is_dir():
        raise UsageError(f"--repository: {args.repository}: no such directory")
    with opened(args.data) as store:
        token = issue(store, args.issue, args.problem, args.budget, args.feedback, args.repository, args.hints)
    found = {"RIGOR_OJ_URL": address(Path(args.data)), "RIGOR_OJ_PROBLEM": args.problem, "RIGOR_OJ_TOKEN": token}
    if args.json:
        write_line(_encoded(found))
    else:
        for name, value in found.items():
            if value is not None:
                print(f"export {name}={shlex.quote(value)}")
    if found["RIGOR_OJ_URL"] is None:
        message("no server runs on this directory: start one, and set RIGOR_OJ_URL to its address")
    return 0


# What the server keeps of a submission for itself.
_INTERNAL = ("content", "request", "interruptions")


def _results(args: argparse.Namespace) -> int:
    from ...judge.server.owner import records

    with opened(args.data) as store:
        for record in records(store, args.run, args.problem):
            own = {name: value for name, value in asdict(record).items() if name not in _INTERNAL}
            write_line(_encoded(own))
    return 0


def opened(data: str) -> closing[SubmissionStore]:
    """The store of a directory that a server has used. Raises: Usage."""
    from ...judge.server.store import DATABASE, SubmissionStore

    if not (Path(data) / DATABASE).is_file():
        raise UsageError(f"{data}: no judge has used this directory yet; start one with packages")
    return closing(SubmissionStore(Path(data).absolute()))


def _encoded(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=str)
