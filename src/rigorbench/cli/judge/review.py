"""``rigor judge review``: the code review of a submission by the rules and criteria of its problem."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.sanitize import terminal
from ...judge.judgement import JudgeError
from ...judge.problems.load import load_problem
from ..common import add_json, existing_directory, message, parser, write_line
from ..reader_options import add_store, may_send, spec_of

if TYPE_CHECKING:
    from ...judge.codereview.result import ReviewResult
    from ...review.reader.ask import Readers

_EPILOG = """examples:
  rigor judge review suites/projdev/storage my-solution/
  rigor judge review suites/projdev/storage work.git --revision main       with the rules about the history
  rigor judge review PACKAGE SUBMISSION --reader claude                    criteria by a reader (docs/reader.md)

The program is not run; C and C++ are compiled in the sandbox. A rule that cannot be decided is reported as `error`
and counts as broken. Without a reader a criterion has an `estimated` score from features of the text, or none. Exit
status: 0 reviewed, whatever the result; 1 the submission cannot be used; 2 wrong usage.
"""
_MARKS = {"passed": "kept", "failed": "BROKEN", "error": "ERROR"}
_SHOWN = 5


def command(arguments: list[str]) -> int:
    args = _parser().parse_args(arguments)
    from ...judge.codereview.reviewing import encode, review
    from ...judge.submission import SubmissionError, from_git, from_path

    try:
        problem = load_problem(args.package)
        if problem.review is None:
            message(f"rigor judge review: {args.package}: no review.toml, so there is nothing to review by")
            return 1
        with tempfile.TemporaryDirectory(prefix="rigor-review-") as place:
            path, limit = Path(args.submission), problem.limits.code
            target = Path(place) / "submission"
            if not path.exists():
                raise SubmissionError(f"{path}: no such file or directory")
            if args.revision is not None:
                submission = from_git(path, args.revision, target, language="auto", limit=limit)
            else:
                submission = from_path(path, target, language=None, limit=limit)
            result = review(problem, submission, _readers(args))
            if args.json:
                write_line(encode(result))
            else:
                _show(result, None if args.all else _SHOWN)
            return 0
    except (SubmissionError, JudgeError) as error:
        message(f"rigor judge review: {error}")
        return 1


def _parser() -> argparse.ArgumentParser:
    p = parser("judge review", "Review a submission by the review.toml of its problem.", _EPILOG)
    p.add_argument("package", metavar="PACKAGE", type=existing_directory, help="the problem package")
    p.add_argument("submission", metavar="SUBMISSION", help="a file, a directory, or a git repository with --revision")
    p.add_argument("--revision", metavar="REV", help="review this revision of a repository, with its history")
    p.add_argument("--reader", metavar="NAME", help="ask NAME, or several, about the criteria: claude,codex,gemini")
    add_store(p)
    p.add_argument("--all", action="store_true", help="print every finding, not the first five of each rule")
    add_json(p, "print one JSON document (rigor-review/1)")
    return p


def _readers(args: argparse.Namespace) -> Readers | None:
    """Who is asked; None: nobody, or what was asked in the terminal was not agreed to."""
    from ...judge.codereview.criteria import MOST_CHARACTERS

    if args.reader is None:
        return None
    asks = spec_of(args.reader, store=args.store).open()
    return asks if may_send(asks, 1, MOST_CHARACTERS, "of the submission, at most, secrets masked") else None


def _show(result: ReviewResult, shown: int | None) -> None:
    for rule in result.rules:
        print(f"{_MARKS[rule.outcome]:<7} {rule.id}: {terminal(rule.text)}")
        if rule.id in result.disqualified:
            print("          this rule is the task: in an experiment the submission has no points")
        if rule.reason:
            print(f"          could not be decided: {terminal(rule.reason)}")
        for finding in rule.findings[:shown]:
            where = ""
            if finding.file:
                line = f":{finding.line}" if finding.line is not None else ""
                where = f"{terminal(finding.file)}{line}: "
            print(f"          {where}{terminal(finding.message)}")
            if finding.excerpt:
                print(f"            | {finding.excerpt}")
        left = len(rule.findings) + rule.more - len(rule.findings[:shown])
        if left:
            print(f"          and {left} more{' (--all)' if shown is not None else ''}")
    for criterion in result.criteria:
        level = "-" if criterion.score is None else f"{criterion.score:g} of 10"
        print(f"{level:<7} {criterion.id}: {terminal(criterion.text)}")
        how = f"{criterion.method}: " if criterion.method and criterion.levels else ""
        detail = ", ".join(map(str, criterion.levels)) if criterion.levels else criterion.reason
        if detail:
            print(f"          {how}{terminal(detail)}")
    for note in result.notes:
        message(note)
    total = "none" if result.score is None else f"{result.score:.2f} of 100"
    over = (
        f"{result.passed} of {len(result.rules)} rules kept, {result.scored} of {len(result.criteria)} criteria scored"
    )
    print(f"review score: {total} ({over})")
