"""The outcome of a run on a project: the judge's verdicts on its submissions, and the review of the best one."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from ...base import journal
from ...base.agent_paths import CLIENT
from ...base.files import read_json, write_json
from ...evidence.events import EditEvent, ReproductionEvent, TestRunEvent
from ...evidence.paths import role
from ...evidence.walk.extract import extract
from ...judge.codereview.result import ReviewResult
from ...judge.judgement import JudgeError, Judgement
from ...judge.problems.problem import PackageError
from ...judge.submission import Submission
from ...sandbox.record.ignoring import Ignoring
from ...session.model import Trajectory
from ...session.products import is_product
from ...session.readers.capture.store import TreeEntry
from ...session.task import TaskError
from ..experiment.records import CodeSize, HintFact, Outcome, ProjectOutcome, SubmissionFact, TestOutcome
from ..experiment.store import RunFacts
from ..outcome.trees import TreeError, read_file, read_tree, write_files
from ..tasks.projects import problem_of
from ..tasks.suite import SuiteTask
from .failure_modes import failure_modes
from .submissions import FILES, HISTORY, INDEX, SUBMISSIONS, HintGiven, SubmissionIndex, Submitted

if TYPE_CHECKING:
    from ...review.reader.ask import Readers

REVIEW = "review.json"
_NOT_COMPILED = "compile_error"
# Paths that are kept of unsubmitted work.
_MOST_FILES = 20


def measure_project(
    task: SuiteTask,
    directory: Path,
    facts: RunFacts,
    final_tree: str | None,
    calls: Sequence[float],
    local: Sequence[Local | None] = (),
) -> tuple[ProjectOutcome, Outcome]:
    """The outcome of a run on a project, as a project and in the terms of all other tasks.

    Args:
        final_tree: the work tree at the end, in the run's store; None: it was not captured.
        calls: when each model call ended, epoch seconds.
        local: how the agent's own tests had ended at each submission that the log shows.

    In the terms of other tasks: hidden tests are the test points of the best submission, completeness is its share of
    the points, and a project is solved if it has all of them. What cannot be measured is None, with the reason.
    """
    from .scores.formulas import best_of_first, final_score

    kept = read_json(directory / SUBMISSIONS / INDEX, SubmissionIndex)
    if kept is None:
        reason = f"{directory / SUBMISSIONS / INDEX}: missing or damaged"
        return ProjectOutcome(missing=[reason]), Outcome(reason=reason)
    # Where the log shows another number of submissions than the judge has, nobody knows which is which.
    own = list(local) if len(local) == len(kept.submitted) else [None] * len(kept.submitted)
    submitted = [_fact(entry, facts, calls, ended) for entry, ended in zip(kept.submitted, own, strict=True)]
    counted = [entry for entry in submitted if entry.counted]
    while True:
        points = [entry.points for entry in counted]
        # The number of the best submission; of equal ones the last, which has the agent's latest code.
        known = [(value, entry.number) for entry, value in zip(counted, points, strict=True) if value is not None]
        best = max(known)[1] if known else None
        review, why = review_of(task, directory, kept.submitted, best, facts.start_commit)
        found = read_json(directory / SUBMISSIONS / str(best) / REVIEW, ReviewResult)
        chosen = next((entry for entry in counted if entry.number == best), None)
        if chosen is None or found is None or chosen.disqualified or not found.disqualified:
            break
        # It has no points, so another one may be the best.
        chosen.disqualified = found.disqualified
    curve = best_of_first(points)
    missing = [f"submission {s.number}: no verdict ({s.reason})" for s in kept.submitted if s.judgement is None]
    if not kept.waited:
        missing.append("not every submission was judged in time")
    execution = curve[-1] if curve else 0.0
    missing += [] if why is None else [why]
    left = None
    if final_tree is not None and kept.submitted:
        last = directory / SUBMISSIONS / str(kept.submitted[-1].number) / FILES
        left = unsubmitted(directory / journal.STORE, final_tree, last)
    project = ProjectOutcome(
        execution=execution,
        review=review,
        final=final_score(execution, review),
        execution_at=curve,
        first=points[0] if points else None,
        best=best,
        budget=kept.budget,
        submissions=submitted,
        verdicts=dict(Counter(s.verdict or "none" for s in counted)),
        package=kept.package,
        unsubmitted=None if left is None else bool(left),
        unsubmitted_files=(left or [])[:_MOST_FILES],
        missing=missing,
        hints=hint_facts(kept.hints, counted, curve, facts.started, calls),
    )
    of_best = chosen.judgement if chosen is not None else None
    judgement = read_json(directory / of_best, Judgement) if of_best is not None else None
    if best is not None:
        project.size = code_size(directory / SUBMISSIONS / str(best) / FILES)
        project.failures = failure_modes(project, judgement, found, len(calls) or None)
    return project, _outcome(project, judgement)


def _fact(entry: Submitted, facts: RunFacts, calls: Sequence[float], local: Local | None) -> SubmissionFact:
    return SubmissionFact(
        number=entry.number,
        time=round(entry.created - facts.started, 3),
        turn=sum(call <= entry.created for call in calls),
        verdict=entry.verdict,
        score=entry.score,
        full=entry.full,
        counted=entry.counted,
        language=entry.language,
        revision=entry.revision,
        judgement=None if entry.judgement is None else f"{SUBMISSIONS}/{entry.judgement}",
        local=local,
    )


def _outcome(project: ProjectOutcome, judgement: Judgement | None) -> Outcome:
    if judgement is None:
        why = "nothing was submitted" if not project.submissions else "no submission was judged"
        value = 0.0 if not project.submissions else None
        return Outcome(value, value, None, None if value is None else False, reason=why, score=value)
    points = [p for group in judgement.groups if group.full for p in group.points]
    tests = [TestOutcome(p.id, "passed" if p.verdict == "accepted" else "failed") for p in points]
    share = project.execution / 100 if project.execution is not None else None
    none = not tests or any(s.disqualified for s in project.submissions if s.number == project.best)
    rate = 0.0 if none else round(sum(t.outcome == "passed" for t in tests) / len(tests), 6)
    # A project begins with nothing, so that every test point is one to gain.
    found = Outcome(
        pass_rate=rate,
        completeness=share,
        regressions=None,
        solved=None if share is None else share == 1.0,
        tests=tests,
        seconds=judgement.seconds,
        fail_to_pass=rate,
        features=share,
    )
    found.score = found.worth()
    return found


def review_of(
    task: SuiteTask,
    directory: Path,
    submitted: Sequence[Submitted],
    best: int | None,
    base: str | None,
    readers: Readers | None = None,
) -> tuple[float | None, str | None]:
    """The review of the best submission, between 0 and 100, or why there is none.

    Without any submission, and for one that does not compile, it is 0: there is no program whose code could be good.

    Args:
        base: the commit that the agent was given.
    """
    from ...judge.codereview.reviewing import review

    entry = next((s for s in submitted if s.number == best), None)
    if entry is None:
        return (0.0, None) if not submitted else (None, "review: no submission was judged")
    if entry.verdict == _NOT_COMPILED:
        return 0.0, None
    try:
        kept = directory / SUBMISSIONS / str(entry.number)
        found = review(
            problem_of(task.directory),
            Submission(
                root=kept / FILES,
                language="auto" if entry.language == "git" else entry.language,  # older runs have the transport
                digest=entry.digest,
                kind=entry.kind,
                revision=entry.revision,
                history=kept / HISTORY if entry.history else None,
            ),
            readers,
            base=base,
        )
    except (JudgeError, PackageError, TaskError) as error:
        return None, f"review: {error}"
    write_json(directory / SUBMISSIONS / str(entry.number) / REVIEW, found)
    return found.score, None if found.score is not None else "review: nothing in it could be scored"


def review_again(
    task: SuiteTask, directory: Path, project: ProjectOutcome, base: str | None, readers: Readers | None
) -> ProjectOutcome:
    """The outcome with the review by the answers of its readers; everything else stays as it is."""
    from .scores.formulas import final_score

    kept = read_json(directory / SUBMISSIONS / INDEX, SubmissionIndex)
    if kept is None:
        return project
    score, _ = review_of(task, directory, kept.submitted, project.best, base, readers)
    return replace(project, review=score, final=final_score(project.execution, score))


# Larger files are data.
_LARGEST = 1 << 20


def code_size(root: Path) -> CodeSize:
    """Files and lines of the program below ``root``, with the complexity of its functions where lizard is installed."""
    files = [p for p in sorted(root.rglob("*")) if p.is_file()]
    sources = [p for p in files if role(p.relative_to(root).as_posix()) == "production"]
    texts = {p: p.read_bytes()[:_LARGEST].decode("utf-8", "replace") for p in sources}
    try:
        analyze_file = import_module("lizard").analyze_file
    except ModuleNotFoundError:
        return CodeSize(len(texts), sum(bool(line.strip()) for text in texts.values() for line in text.splitlines()))
    lines, found = 0, []
    for path, text in texts.items():
        try:
            analysed = analyze_file.analyze_source_code(str(path), text)
        except Exception as error:  # a parser of arbitrary code; one file that it cannot read is counted by its lines
            logging.getLogger(__name__).debug("%s: %s", path, error)
            lines += sum(bool(line.strip()) for line in text.splitlines())
            continue
        lines += int(analysed.nloc)
        found += [int(function.cyclomatic_complexity) for function in analysed.function_list]
    if not found:
        return CodeSize(len(texts), lines)
    return CodeSize(len(texts), lines, len(found), round(sum(found) / len(found), 3), max(found))


def hint_facts(
    given: Sequence[HintGiven],
    submitted: Sequence[SubmissionFact],
    best: Sequence[float | None],
    started: float,
    calls: Sequence[float],
) -> list[HintFact]:
    """The hints that a run asked for.

    Args:
        best: points of the best of the first k of them, for every k.
        started: of the run, epoch seconds.
        calls: when each model call ended, epoch seconds.
    """
    times = [hint.asked if hint.answered is None else hint.answered for hint in given]
    made = [(points, started + one.time) for one, points in zip(submitted, best, strict=True) if one.time is not None]
    found: list[HintFact] = []
    for hint, time, following in zip(given, times, [*times[1:], math.inf], strict=False):
        known = [points for points, at in made if at <= time]
        until = [points for points, at in made if time < at <= following]
        found.append(
            HintFact(
                number=len(found) + 1,
                time=round(time - started, 3),
                turn=sum(call <= time for call in calls),
                group=hint.group,
                question=hint.question,
                source=hint.source,
                text=hint.text,
                before=known[-1] if known else 0.0,
                after=until[-1] if until else None,
            )
        )
    return found


# What CMake writes into the directory in which it builds.
_CACHE = "CMakeCache.txt"
_ELF = b"\x7fELF"


def unsubmitted(store: Path, tree: str, submitted: Path) -> list[str] | None:
    """Paths that the final work tree adds, changes or removes against what was submitted last; None: not known.

    Products are left out: by their names, in a directory in which CMake built, programs, and what the work tree's own
    .gitignore files exclude.
    """
    last: dict[str, str] = {}
    for file in sorted(p for p in submitted.rglob("*") if p.is_file()):
        data = file.read_bytes()
        blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False)  # as git names a content
        last[file.relative_to(submitted).as_posix()] = blob.hexdigest()
    try:
        final = read_tree(store, tree)
        added = {path for path in final if path not in last}
        built = {path.removesuffix(_CACHE) for path in added if path.rpartition("/")[2] == _CACHE}
        # A build in the root of the project mixes products with sources: there only names decide.
        roots = tuple(root for root in built if root)
        added -= {path for path in added if is_product(path, last) or path.startswith(roots)}
        added -= _ignored(store, final, added)
        added -= {path for path in added if read_file(store, final[path]).startswith(_ELF)}
    except (TreeError, OSError):
        return None
    changed = {path for path, sha in last.items() if path not in final or final[path].sha != sha}
    return sorted(added | changed)


def _ignored(store: Path, final: Mapping[str, TreeEntry], paths: Collection[str]) -> set[str]:
    """Those of the paths that the .gitignore files of the tree exclude."""
    rules = [path for path in final if path.rpartition("/")[2] == ".gitignore"]
    if not rules or not paths:
        return set()
    with tempfile.TemporaryDirectory(prefix="rigor-ignored-") as name:
        root = Path(name) / "work"
        root.mkdir()
        write_files(store, {path: final[path] for path in rules}, root)
        with contextlib.closing(Ignoring(root, Path(name) / "rules")) as ignoring:
            found = ignoring.ignored("", [(path, False) for path in paths])
            if ignoring.problem is not None:
                raise OSError(ignoring.problem)
    return found


Local = Literal["passed", "failed"]
_CLIENT = CLIENT.rpartition("/")[2]
_CODE = ("production", "test", "config")


def local_results(trajectory: Trajectory) -> list[Local | None]:
    """For each submission, in order: how the agent's own tests ended since its last edit of code.

    "failed" if the last run of any of them failed; None if none ran, or none said how it ended.
    """
    results: list[Local | None] = []
    last: dict[str, Local] = {}
    for event in extract(trajectory).events:
        if isinstance(event, EditEvent) and event.role in _CODE:
            last.clear()
        elif isinstance(event, TestRunEvent) and event.runner == "judge":
            # To ask for a verdict is no test of the agent's own.
            words = event.command.split()
            client = next((n for n, word in enumerate(words) if word.rpartition("/")[2] == _CLIENT), None)
            if client is not None and "submit" in words[client + 1 :]:
                results.append(None if not last else "failed" if "failed" in last.values() else "passed")
        elif isinstance(event, TestRunEvent | ReproductionEvent):
            outcome = getattr(event, "outcome", None)
            ended: Local | None = (
                "passed" if outcome == "passed" else "failed" if outcome in ("failed", "error") else None
            )
            if ended is not None:
                last[event.command] = ended
    return results
