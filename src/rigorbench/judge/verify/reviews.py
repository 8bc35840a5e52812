"""Proves the rules of a package's review: what is accepted keeps them, and the mutant of each rule breaks it alone."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from ...sandbox.record import safegit
from ..codereview.coderules import CHECKS
from ..codereview.result import RuleResult
from ..codereview.reviewing import review
from ..codereview.sources import matches
from ..codereview.spec import RuleMutant, Untouched, load_review
from ..judgement import JudgeError, SubmissionError
from ..problems.problem import ExpectedSubmission, Problem
from ..submission import from_git, from_path
from .proof import PackageCheck, decide

# The commits of what is submitted; the first have less of each file.
COMMITS: Final = ("Begin the program", "Write the first half", "Write most of the rest", "Finish the program")
# Reviews at the same time; each compiles.
_AT_ONCE: Final = 2
_OF_CODE: Final = frozenset(str(kind.__struct_config__.tag) for kind in CHECKS)


def check_review(problem: Problem, progress: Callable[[str], None] = lambda text: None) -> PackageCheck:
    """A reference that is submitted by git keeps every rule, and each mutant of it breaks the one that it is for.

    Other accepted submissions keep the rules about code. Raises: PackageError: ``review.toml`` cannot be used.
    """
    if problem.review is None:
        return PackageCheck("review", "skipped", "no review.toml")
    rules = load_review(problem.review).rules
    accepted = [one for one in problem.submissions if one.label == "accepted"]
    reference = next(one for one in accepted if one.reference)
    problems = [f"rule {rule.id}: has no mutant that breaks it" for rule in rules if rule.mutant is None]
    mutants = [(rule.id, rule.mutant) for rule in rules if rule.mutant is not None]

    def kept(one: ExpectedSubmission) -> list[str]:
        progress(f"review: {one.path.name}")
        return [
            f"submissions/accepted/{one.path.name}: rule {rule.id}: {_why(rule)}"
            for rule in _results(problem, one, RuleMutant() if one.reference else None)
            if rule.outcome != "passed" and (one.reference or rule.kind in _OF_CODE)
        ]

    def broken(mutant: tuple[str, RuleMutant]) -> list[str]:
        name, change = mutant
        progress(f"review: mutant of {name}")
        return [
            f"mutant of rule {name}: rule {rule.id}: {_why(rule) if rule.outcome != 'passed' else 'is kept'}"
            for rule in _results(problem, reference, change)
            if rule.outcome != ("failed" if rule.id == name else "passed")
        ]

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = [*pool.map(kept, accepted), *pool.map(broken, mutants)]
    detail = f"{len(rules)} rules kept by {len(accepted)} accepted submissions, each broken by its mutant alone"
    return decide("review", detail, [*problems, *(text for texts in found for text in texts)])


def _results(problem: Problem, one: ExpectedSubmission, change: RuleMutant | None) -> Sequence[RuleResult]:
    """The rules on a submission as it is (None), or submitted by git with a change.

    What cannot be submitted breaks all of them.
    """
    with tempfile.TemporaryDirectory(prefix="rigor-review-") as name:
        place = Path(name)
        try:
            if change is None:
                taken = from_path(one.path, place / "taken", language=one.language, limit=problem.limits.code)
            else:
                repository = committed(problem, one.path, place / "work", change)
                taken = from_git(repository, "HEAD", place / "taken", language="auto", limit=problem.limits.code)
            return review(problem, taken).rules
        except (SubmissionError, JudgeError) as error:
            return [RuleResult("submission", "submission", "", "error", reason=str(error))]


def committed(problem: Problem, path: Path, place: Path, change: RuleMutant) -> Path:
    """A repository in which a submission was committed in steps, after the files that its author must not touch.

    Raises: SubmissionError: git does not run.
    """
    place.mkdir()
    files = dict(_files(path)) if path.is_dir() else {path.name: path.read_bytes()}
    for name, data in _files(problem.attachments) if problem.attachments is not None else ():
        rules = load_review(problem.review).rules if problem.review is not None else ()
        if any(isinstance(rule, Untouched) and matches(name, rule.files, rooted=True) for rule in rules):
            files.setdefault(name, data)
    for name, target in change.move.items():
        files[target] = files.pop(name)
    files |= {name: text.encode() for name, text in change.write.items()}
    files |= {name: files.get(name, b"") + text.encode() for name, text in change.add.items()}
    subjects = change.commits or COMMITS
    _git(place, "init", "-q")
    for step, subject in enumerate(subjects, 1):
        for name, data in files.items():
            lines = data.splitlines(keepends=True)
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(b"".join(lines[: -(-len(lines) * step // len(subjects))]))
        _git(place, "add", "-A", "-f")
        _git(place, "-c", "user.name=author", "-c", "user.email=author@example.org", "commit", "-qm", subject)
    return place


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix(), path.read_bytes()


def _git(place: Path, *arguments: str) -> None:
    if safegit.run(place / ".git", f"--work-tree={place}", *arguments) is None:
        raise SubmissionError(f"git {arguments[0]} does not run")


def _why(rule: RuleResult) -> str:
    return rule.reason or f"{rule.findings[0].file}: {rule.findings[0].message}"
