"""``rigor judge verify``: prove packages by running them."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from ...base.sanitize import one_line
from ...judge.judgement import JudgeError
from ...judge.problems.problem import PackageError, Problem
from ...judge.problems.verdicts import SHORT
from ...judge.verify.proof import (
    PackageProof,
    check_writable,
    is_current,
    judged_digest,
    read_record,
    with_statement,
    write_proofs,
)
from ...sandbox.cell.spec import CellError
from ..common import UsageError, add_json, message, parser, whole, write_line

if TYPE_CHECKING:
    from ...judge.build.program import BuiltProgram
    from ...judge.submission import Submission

_EPILOG = """The proof runs the package and checks these points: there is a statement, and its samples are those of
data/sample; a project states its category, difficulty and start; the validators accept every input and reject
damaged ones; the reference is accepted; every submission gets the verdict of its label; there is a mutant for each
of WA, TLE, MLE, RE, CE, and for each sanitizer; the starter scores no more than its floor; repeated judgings agree;
the limits are at least twice what the reference needs; a reference that is submitted by git keeps the rules of the
review, and the mutant of each rule breaks that rule alone.

  rigor judge verify packages/sum
  rigor judge verify packages/* --record proofs.json --changed

--record FILE keeps the outcome with the digest of each package; --changed skips packages that FILE lists as proved in
their present state, and checks only the statement and review of those of which nothing else has changed. Exit status:
0 all proved, 1 something is not proved, 2 wrong usage.
"""


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    if args.changed and args.record is None:
        raise UsageError("--changed needs --record FILE, in which proofs are kept")
    from ...judge.build.compile import build
    from ...judge.engine import Judge, JudgeSettings
    from ...judge.problems.load import load_problem
    from ...judge.verify.inputs import validators
    from ...judge.verify.package import verify
    from ...judge.verify.reviews import check_review
    from ...judge.verify.statement import check_classification, check_statement

    if args.record is not None:
        # Proofs take minutes: find out now that they cannot be kept.
        try:
            check_writable(args.record)
        except OSError as error:
            raise UsageError(f"--record {args.record}: cannot be written ({error.strerror})") from None
    record = read_record(args.record) if args.record is not None else {}
    failed = False

    def program(problem: Problem, submission: Submission) -> BuiltProgram | None:
        programs = build(problem, submission, trust=args.trust).programs
        return next(iter(programs.values()), None)

    with contextlib.closing(Judge(JudgeSettings(slots=args.slots, trust=args.trust))) as judge:
        for name in args.package:
            try:
                problem = load_problem(name)
                # A proof by an earlier version, which did not ask for the keys, is not one of a project without them.
                classified = check_classification(problem).status != "failed"
                before = record.get(problem.id) if args.changed and classified else None
                if before is not None and is_current(before, problem.digest):
                    message(f"{problem.id}: already proved ({before.date})")
                    continue
                if (
                    before is not None
                    and is_current(before, before.package)
                    and before.judged == judged_digest(problem.root)
                ):
                    message(f"{problem.id}: only statement, review or hints have changed since ({before.date})")
                    with _progress(problem.id) as progress:
                        reviewed = check_review(problem, progress)
                    anew = [check_statement(problem), check_classification(problem), reviewed]
                    proof = with_statement(before, problem.digest, anew)
                else:
                    with _progress(problem.id) as progress, validators(problem, trust=args.trust) as validate:
                        proof = verify(
                            problem, judge, validate, programs=program, repeats=args.repeats, progress=progress
                        )
            except (PackageError, JudgeError, CellError) as error:
                message(f"{problem.id}: {error}" if isinstance(error, CellError) else str(error))
                failed = True
                continue
            failed |= not proof.proved
            if args.json:
                write_line(msgspec.json.encode(proof))
                sys.stdout.flush()
            else:
                _show(proof)
            if args.record is not None:
                record[proof.problem] = proof
                write_proofs(args.record, record)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    count = whole("a number", 1, 100)
    p = parser("judge verify", "Prove problem packages by running them.", _EPILOG)
    p.add_argument("package", metavar="PACKAGE", nargs="+", help="directory of a problem package")
    p.add_argument("--repeats", type=count, default=3, metavar="N", help="judgings of each submission (default: 3)")
    p.add_argument("--slots", type=count, metavar="N", help="test points at a time (default: one for each core)")
    p.add_argument("--record", type=Path, metavar="FILE", help="keep the proofs in this file")
    p.add_argument("--changed", action="store_true", help="skip packages that FILE lists as proved, if unchanged")
    p.add_argument("--trust", action="store_true", help="run without a sandbox if there is none: own code only")
    add_json(p, "print one JSON document (rigor-package-proof/1) per package and line")
    return p


@contextlib.contextmanager
def _progress(name: str) -> Iterator[Any]:
    """Progress on stderr: in place on a terminal, else one line for each submission."""
    if not sys.stderr.isatty():
        seen: set[str] = set()

        def tell(text: str) -> None:
            what = text.partition(" (")[0]
            if what not in seen:
                seen.add(what)
                message(f"{name}: {what}")

        yield tell
        return
    with Console(stderr=True).status(name) as status:
        yield lambda text: status.update(escape(f"{name}: {text}"))


def _show(proof: PackageProof) -> None:
    console = Console(highlight=False)
    names: dict[str, str] = dict(SHORT.items())
    colour = {"ok": "green", "failed": "red", "skipped": "yellow"}
    checks = Table("", "check", "evidence", box=None, padding=(0, 1), show_header=False)
    for check in proof.checks:
        checks.add_row(Text(check.status, colour[check.status]), check.name, Text(one_line(check.detail, 400)))
        for problem in check.problems:
            checks.add_row("", "", Text(one_line(problem, 400), "red"))
    for note in proof.notes:
        checks.add_row(Text("note", "yellow"), "", Text(one_line(note, 400)))
    table = Table("submission", "verdict", "score", "CPU s", "MiB", box=None, padding=(0, 1), header_style="dim")
    for tried in proof.submissions:
        verdict = "none" if tried.verdict is None else names.get(tried.verdict, tried.verdict)
        table.add_row(
            Text(one_line(tried.path.removeprefix("submissions/"), 60) + (" (reference)" if tried.reference else "")),
            Text(verdict, "" if tried.holds else "red"),
            "" if tried.score is None else f"{tried.score:g}",
            "" if tried.cpu is None else f"{tried.cpu:.3f}",
            "" if tried.memory is None else f"{tried.memory / (1 << 20):.1f}",
        )
    standing = Text("proved", "green") if proof.proved else Text("not proved", "red")
    where = f"  package {proof.package[:12]}, {proof.sandbox}, {proof.seconds:.1f} s"
    console.print(Text.assemble(f"{proof.problem} ", standing, where))
    console.print(checks)
    console.print()
    console.print(table)
