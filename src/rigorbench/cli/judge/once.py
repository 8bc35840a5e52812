"""``rigor judge PACKAGE SUBMISSION...``: submissions judged at once, on this machine."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from ...base.sanitize import terminal
from ...judge.judgement import GroupResult, JudgeError, Judgement
from ...judge.problems.load import load_problem
from ..common import ProgressBar, UsageError, add_json, message, parser, whole, write_line

if TYPE_CHECKING:
    from ...judge.engine import Judge
    from ...judge.engine.judge import Progress
    from ...judge.problems.problem import Problem

_EPILOG = """examples:
  rigor judge packages/sum solution.cpp
  rigor judge packages/sum solution.py other.py --json
  rigor judge packages/storage path/to/repository@main
  rigor judge packages/sum solution.cpp --group secret/large --repeat 5 --show-details

A submission is a file, a directory, an archive, a git bundle, or REPOSITORY@REVISION. The table shows, for each test
point, the verdict, its score, CPU time, wall clock and peak memory; --json prints one document (rigor-judgement/1) per
judging and line. `rigor doctor --languages` lists what can be judged here.
Exit status: 0 judged, whatever the verdict; 1 a submission could not be judged, or --repeat found different verdicts;
2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    from ...judge.engine import Judge, JudgeSettings

    problem = load_problem(args.package)
    if problem.time_rule is not None:
        message(f"{problem.id}: no time limit, so {problem.limits.time:g} s is used; `rigor judge import` measures one")
    if args.group:
        problem = _only(problem, args.group)
    failed = False
    with contextlib.closing(Judge(JudgeSettings(slots=args.slots, trust=args.trust))) as judge:
        for name in args.submission:
            try:
                failed |= not _judge(judge, problem, name, args)
            except JudgeError as error:
                message(f"{name}: {error}")
                failed = True
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    count = whole("a number", 1, 1024)
    p = parser(
        "judge",
        "Judge submissions to a problem: build them, run them against the hidden tests, report verdicts.",
        _EPILOG,
    )
    p.add_argument("package", metavar="PACKAGE", help="directory of a problem package")
    p.add_argument("submission", metavar="SUBMISSION", nargs="+", help="file, directory, archive, bundle or REPO@REV")
    p.add_argument("--language", metavar="L", help="language of the submission (default: detected from its files)")
    p.add_argument("--group", action="append", metavar="ID", help="judge these groups only, and those they require")
    p.add_argument("--slots", type=count, metavar="N", help="test points at a time (default: one for each core)")
    p.add_argument("--repeat", type=count, default=1, metavar="K", help="judge K times and compare the verdicts")
    p.add_argument("--show-details", action="store_true", help="print checkers' reports; they may quote hidden tests")
    p.add_argument("--trust", action="store_true", help="run without a sandbox if there is none: own code only")
    add_json(p, "print one JSON document for each judging, one per line")
    return p


def _only(problem: Problem, names: list[str]) -> Problem:
    """The problem with some of its groups, and those that they require."""
    groups = {group.id: group for group in problem.groups}
    chosen: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in groups:
            raise UsageError(f"{problem.id} has no group {name!r}; it has: {', '.join(groups)}")
        if name not in chosen:
            chosen.add(name)
            group = groups[name]
            todo += [*group.requires, *([group.twin_of] if group.twin_of is not None else [])]
    return structs.replace(
        problem,
        groups=tuple(group for group in problem.groups if group.id in chosen),
        overlays=tuple(overlay for overlay in problem.overlays if overlay.group in chosen),
    )


def _judge(judge: Judge, problem: Problem, name: str, args: argparse.Namespace) -> bool:
    """Raises: JudgeError."""
    from ...judge.submission import SubmissionError, take

    judgements: list[Judgement] = []
    with tempfile.TemporaryDirectory(prefix="rigor-submission-") as directory:
        try:
            submission = take(name, Path(directory) / "tree", language=args.language, limit=problem.limits.code)
        except SubmissionError as error:
            message(f"{name}: {error}" if name not in str(error) else str(error))
            return False
        for number in range(args.repeat):
            with _progress(problem, name) as progress:
                judgement = judge.judge(problem, submission, progress=progress)
            judgement.source = name
            judgements.append(judgement)
            if args.json:
                write_line(_encoded(judgement, details=args.show_details))
                sys.stdout.flush()
            elif number == 0:
                from ...bench.pages.judgement import show

                show(judgement, name, details=args.show_details)
    if args.repeat > 1:
        # Whether all judgings agree.
        first, differing = judgements[0], set[str]()
        points = [{p.id: (p.verdict, p.score) for group in each.groups for p in group.points} for each in judgements]
        for other, there in zip(judgements, points, strict=True):
            here = points[0]
            differing |= {f"{key} ({here[key]}, {there.get(key)})" for key in here if here[key] != there.get(key)}
            if (other.verdict, other.score) != (first.verdict, first.score):
                differing.add(f"all together ({first.verdict}, {other.verdict})")
        if differing:
            message(f"{name}: verdicts differ between {args.repeat} judgings: {'; '.join(sorted(differing))}")
            return False
        if not args.json:
            print(f"{args.repeat} judgings agree")
    return all(judgement.verdict != "judge_error" for judgement in judgements)


def _encoded(judgement: Judgement, *, details: bool) -> bytes:
    """Without details unless they are asked for: they quote hidden test data, and documents are shared."""
    if not details:
        judgement = msgspec.json.decode(msgspec.json.encode(judgement), type=type(judgement))
        for group in judgement.groups:
            for point in group.points:
                point.details = ""
    return msgspec.json.encode(judgement)


@contextlib.contextmanager
def _progress(problem: Problem, name: str) -> Iterator[Progress]:
    """A bar on stderr, on a terminal only."""
    bar = ProgressBar("compiling", sum(len(group.cases) for group in problem.groups))

    def show(group: GroupResult | None) -> None:
        bar.advance(0, terminal(Path(name).name, 40)) if group is None else bar.advance(len(group.points))

    with contextlib.closing(bar):
        yield show
