"""Proves a package by running it: its author's claims are compared with what happens on this machine."""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, structs

from ...base.version import __version__
from ..build.compile import choose
from ..build.program import BuiltProgram
from ..build.sources import SourceError
from ..build.table import LanguageError
from ..judgement import JudgeError, Judgement, PointResult, Submission, SubmissionError, ToolMissing
from ..problems.files import matches
from ..problems.problem import ExpectedSubmission, Problem, TimeRule
from ..problems.verdicts import ROWS, SHORT, Verdict
from ..submission import from_path
from .inputs import Validate, check_inputs
from .proof import PackageCheck, PackageProof, Tried, decide, judged_digest, now
from .reviews import check_review
from .statement import check_classification, check_statement

# Seconds that an accepted submission may take while the limit is not known.
_MOST: Final = 60.0


class Judging(Protocol):
    """The part of `rigorbench.judge.engine.judge.Judge` that is used here."""

    def judge(self, problem: Problem, submission: Submission) -> Judgement: ...


def find_time_limit(
    problem: Problem, judge: Judging, place: Path, progress: Callable[[str], None] = lambda text: None
) -> tuple[Problem, PackageCheck]:
    """The problem with a time limit, and the evidence for it. `place`: a directory for copies of the submissions."""
    rule = problem.time_rule or TimeRule()
    generous = structs.replace(problem, limits=structs.replace(problem.limits, time=_MOST))
    slowest, by = 0.0, ""
    for index, expected in enumerate(problem.submissions):
        if expected.label != "accepted":
            continue
        progress(f"time limit: {expected.path.name}")
        # What cannot be judged is reported where its label is checked.
        for judgement in _try(generous, expected, judge, place / str(index), 1, lambda _: None).judgements:
            taken = max((point.usage.cpu or 0.0 for point in points_of(judgement)), default=0.0)
            if judgement.verdict == "accepted" and taken >= slowest:
                slowest, by = taken, expected.path.name
    if not by:
        text = f"none is given and no accepted submission shows one; {problem.limits.time:g} s is used"
        return problem, PackageCheck("time limit", "skipped", text)
    # The smallest multiple of the resolution.
    limit = max(1, math.ceil(slowest * rule.factor / rule.resolution - 1e-9)) * rule.resolution
    text = f"{limit:g} s, {rule.factor:g} times the {slowest:.3f} s of {by}, rounded up"
    return structs.replace(problem, limits=structs.replace(problem.limits, time=limit)), PackageCheck(
        "time limit", "ok", text
    )


def broken(expected: ExpectedSubmission, judgement: Judgement) -> list[str]:
    """The expectations that a judgement does not meet, a line each."""
    problems = []
    if judgement.verdict == "judge_error":
        details = next((p.details or p.message for p in points_of(judgement) if p.verdict == "judge_error"), "")
        return [f"the judge failed on it: {details or '; '.join(judgement.notes) or 'no reason given'}"]
    verdict = _first(judgement) if expected.first_failure else judgement.verdict
    if expected.verdicts and verdict not in expected.verdicts:
        problems.append(f"is {SHORT[verdict]}, and should be {_shorts(expected.verdicts)}{evidence(judgement)}")
    for expectation in expected.expectations:
        pattern = expectation.pattern
        where = f"{pattern}: " if pattern else ""
        points = [point for point in points_of(judgement) if not pattern or matches(pattern, point.id)]
        if pattern and not points and judgement.verdict != "compile_error":
            problems.append(f"{where}matches no test point; correct submissions.yaml")
            continue
        judged = [point for point in points if point.verdict != "skipped"]
        verdicts = [point.verdict for point in judged] or [judgement.verdict]
        wrong = sorted({v for v in verdicts if v not in expectation.permitted}) if expectation.permitted else []
        if wrong:
            problems.append(f"{where}has {_shorts(tuple(wrong))}; only {_shorts(expectation.permitted)} is permitted")
        if expectation.required and not any(verdict in expectation.required for verdict in verdicts):
            problems.append(f"{where}no test point is {_shorts(expectation.required)}")
        if expectation.score is not None:
            score = _score(judgement, pattern)
            least, most = expectation.score
            if score is None or not least - 1e-6 <= score <= most + 1e-6:
                range_ = f"{least:g}" if least == most else f"{least:g} to {most:g}"
                problems.append(f"{where}scores {'an unknown number' if score is None else f'{score:g}'}, not {range_}")
        if expectation.message and not any(expectation.message in point.details for point in points):
            problems.append(f"{where}no checker message contains {expectation.message!r}")
    return problems


def _first(judgement: Judgement) -> Verdict:
    """The verdict of the first test point that fails; of the whole if none does."""
    failed = (point.verdict for point in points_of(judgement) if point.verdict not in ("accepted", "skipped"))
    return next(failed, judgement.verdict)


def _score(judgement: Judgement, pattern: str) -> float | None:
    """Points of the groups that a pattern matches; of the whole submission for an empty pattern."""
    if not pattern:
        return judgement.score
    scores = [group.score for group in judgement.groups if matches(pattern, group.id)]
    return None if not scores or None in scores else sum(score for score in scores if score is not None)


def points_of(judgement: Judgement) -> list[PointResult]:
    """The test points of all groups."""
    return [point for group in judgement.groups for point in group.points]


def evidence(judgement: Judgement) -> str:
    """The first test point with the verdict of the whole, in brackets; empty if it was accepted."""
    for point in points_of(judgement):
        if point.verdict == judgement.verdict != "accepted":
            return f" ({point.id}: {point.message or point.details or SHORT[point.verdict]})"
    if judgement.compilation is not None and not judgement.compilation.ok:
        lines = judgement.compilation.log.strip().splitlines()
        return f" ({next((line for line in lines if 'error' in line), lines[0] if lines else 'no log')[:160]})"
    return ""


def _shorts(verdicts: tuple[str, ...]) -> str:
    return " or ".join(SHORT.get(verdict, verdict) for verdict in verdicts)  # type: ignore[call-overload]


def points_text(judgement: Judgement) -> str:
    """Such as "40 of 100"."""
    return f"{'unknown' if judgement.score is None else f'{judgement.score:g}'} of {judgement.full:g}"


# A limit must be at least so many times what the reference uses.
MARGIN: Final = 2.0
# Verdicts that some submission of a package must get. A sanitizer adds its own.
_MUTANTS: Final = tuple(name for name, row in reversed(ROWS.items()) if row.required_in_proof)
# Submissions that are judged at the same time.
_AT_ONCE: Final = 2
_FINDINGS: Final = {row.sanitizer: name for name, row in ROWS.items() if row.sanitizer is not None}


# How a submission is run; None: not known.
Programs = Callable[[Problem, Submission], BuiltProgram | None]


class _Judged(Struct):
    """A submission of the package, its judgements, and what is wrong with them."""

    expected: ExpectedSubmission
    submission: Submission | None
    judgements: list[Judgement]
    problems: list[str]
    left_out: str = ""
    """Why it was not judged at all, which says nothing about the package."""

    @property
    def name(self) -> str:
        return f"submissions/{self.expected.label}/{self.expected.path.name}"

    @property
    def agreed(self) -> bool | None:
        """Whether the result was the same each time; None: it was judged once.

        Without single test points where it fails: which of them are skipped depends on what runs at the same time.
        """
        if len(self.judgements) < 2:
            return None
        whole = all(judgement.verdict == "accepted" for judgement in self.judgements)
        outcomes = [
            (
                *(judgement.verdict, judgement.score),
                [(g.id, g.verdict, g.score) for g in judgement.groups],
                [(p.id, p.verdict, p.score) for p in points_of(judgement) if whole],
            )
            for judgement in self.judgements
        ]
        return all(outcome == outcomes[0] for outcome in outcomes)

    @property
    def peak(self) -> tuple[float | None, int | None]:
        """The largest CPU seconds and bytes of any test point, each the median over the judgements."""
        used: tuple[dict[str, list[float]], dict[str, list[float]]] = ({}, {})
        for point in (point for judgement in self.judgements for point in points_of(judgement) if point.twin is None):
            for values, value in zip(used, (point.usage.cpu, point.usage.memory), strict=True):
                if value is not None:
                    values.setdefault(point.id, []).append(value)
        cpu, memory = (max(map(statistics.median, values.values()), default=None) for values in used)
        return cpu, None if memory is None else round(memory)


def verify(
    problem: Problem,
    judge: Judging,
    validate: Validate,
    *,
    programs: Programs,
    repeats: int = 3,
    progress: Callable[[str], None] = lambda text: None,
) -> PackageProof:
    """Run all checks of a package.

    `programs`: how a submission is run, for the limits of its language; None: the problem's limits as they are.
    `repeats`: how often each submission is judged. `progress`: called with what is being done. Raises: JudgeError: this
    machine cannot judge at all.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rigor-verify-") as place:
        progress("statement")
        checks = [check_statement(problem), check_classification(problem)]
        progress("inputs")
        checks.append(check_inputs(problem, validate))
        if problem.time_rule is not None and problem.build.kind != "output-only":
            problem, found_limit = find_time_limit(problem, judge, Path(place) / "limit", progress)
            checks.append(found_limit)

        def attempt(index: int, expected: ExpectedSubmission) -> _Judged:
            return _try(problem, expected, judge, Path(place) / str(index), repeats, progress)

        # While one submission is built, the test points of another are run; a point has a slot of its own in any case.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            tried = list(pool.map(attempt, range(len(problem.submissions)), problem.submissions))
        judged = [found for found in tried if not found.left_out]
        left_out = tuple(f"{found.name}: left out: {found.left_out}" for found in tried if found.left_out)
        progress("starter")
        if problem.earlier:
            need_not = "packages of earlier versions of the format need not have any"
            mutants, starter = (PackageCheck(name, "skipped", need_not) for name in ("mutants", "starter"))
        else:
            mutants, starter = _mutants(problem, judged), _starter(problem, judge, Path(place) / "starter")
        right = sum(not found.problems for found in judged)
        evidence = f"{right} of {len(judged)} submissions are what they are labelled"
        labels = decide("labels", evidence, [text for found in judged for text in found.problems])
        checks += [_reference(problem, judged), labels, mutants, starter]
        checks += [_agreement(judged, repeats), _limits(problem, judged, programs), check_review(problem, progress)]
    some = next((found.judgements[0] for found in judged if found.judgements), None)
    return PackageProof(
        problem.id,
        problem.digest,
        all(check.status != "failed" for check in checks),
        tuple(checks),
        tuple(
            Tried(
                found.name,
                found.expected.label,
                found.expected.reference,
                found.judgements[0].verdict if found.judgements else None,
                found.judgements[0].score if found.judgements else None,
                len(found.judgements),
                found.agreed,
                not found.problems,
                *found.peak,
                tuple(found.problems),
            )
            for found in judged
        ),
        problem.full,
        __version__,
        some.sandbox if some is not None else "",
        some.machine if some is not None else {},
        now(),
        round(time.monotonic() - started, 3),
        notes=(*problem.notes, *left_out),
        judged=judged_digest(problem.root),
    )


def _try(
    problem: Problem,
    expected: ExpectedSubmission,
    judge: Judging,
    place: Path,
    repeats: int,
    progress: Callable[[str], None],
) -> _Judged:
    found = _Judged(expected, None, [], [])
    name = found.name
    try:
        found.submission = from_path(expected.path, place, language=expected.language, limit=problem.limits.code)
        if problem.build.kind == "source" and expected.label != "compile_error":
            try:
                choose(problem, found.submission.language, found.submission.root)
            except SourceError as error:
                found.left_out = str(error)  # nobody can judge it here
            except LanguageError:
                pass  # it is reported when the submission is built
        for count in range(0 if found.left_out else repeats):
            progress(f"{name} ({count + 1} of {repeats})")
            found.judgements.append(judge.judge(problem, found.submission))
    except SubmissionError as error:
        found.problems.append(f"{name}: cannot be submitted: {error}")
    except ToolMissing as error:
        found.left_out = str(error)
    except JudgeError as error:
        found.problems.append(f"{name}: cannot be judged here: {error}")
    for judgement in found.judgements[:1]:
        found.problems += [f"{name}: {problem}" for problem in broken(expected, judgement)]
    return found


# -- the checks -----------------------------------------------------------------------------------------------------


def _reference(problem: Problem, judged: list[_Judged]) -> PackageCheck:
    problems, details = [], []
    for found in judged:
        if not found.expected.reference:
            continue
        name = found.name
        if not found.judgements:
            problems += found.problems
            continue
        judgement = found.judgements[0]
        details.append(f"{found.expected.path.name}: {SHORT[judgement.verdict]}, {points_text(judgement)}")
        if judgement.verdict != "accepted":
            problems.append(f"{name}: is {SHORT[judgement.verdict]}{evidence(judgement)}")
        elif problem.metric is None and judgement.score != judgement.full:
            problems.append(f"{name}: scores {points_text(judgement)}")
    return decide("reference", "; ".join(details), problems)


def _mutants(problem: Problem, judged: list[_Judged]) -> PackageCheck:
    """For each verdict, a submission that is expected to get it and does."""
    required: list[Verdict] = ["wrong_answer"] if problem.build.kind == "output-only" else list(_MUTANTS)
    checked = [s for group in problem.groups for s in group.sanitizers]
    checked += [s for overlay in problem.overlays for s in overlay.sanitizers]
    required += [_FINDINGS[s] for s in dict.fromkeys(checked)]
    found: dict[Verdict, list[str]] = {verdict: [] for verdict in required}
    for one in judged:
        if one.judgements and one.expected.label != "accepted":
            verdict = one.judgements[0].verdict
            if verdict in found:
                found[verdict].append(one.expected.path.name)
    lacking = [verdict for verdict, names in found.items() if not names]
    missing = [f"no submission that is {SHORT[v]}; add one below submissions/{ROWS[v].directory}" for v in lacking]
    detail = ", ".join(f"{SHORT[verdict]} {len(names)}" for verdict, names in found.items())
    return decide("mutants", detail, missing)


def _starter(problem: Problem, judge: Judging, place: Path) -> PackageCheck:
    if problem.attachments is None:
        return PackageCheck("starter", "skipped", "no attachments/: a solution starts from nothing")
    if problem.floor is None:
        return decide("starter", "", ["problem.yaml: floor: missing; write how many points the starter may have"])
    try:
        judgement = judge.judge(problem, from_path(problem.attachments, place, limit=problem.limits.code))
    except SubmissionError as error:
        return decide("starter", f"cannot be submitted as it is ({error})", [])
    except JudgeError as error:
        # For example, no language is recognised in it: an agent has to write something first.
        return decide("starter", f"cannot be judged as it is ({error})", [])
    detail = f"{SHORT[judgement.verdict]}, {points_text(judgement)}; the floor is {problem.floor:g}"
    if judgement.score is None:
        return decide("starter", detail, [f"attachments: the judge failed on it{evidence(judgement)}"])
    above = judgement.score > problem.floor + 1e-9
    return decide("starter", detail, ["attachments: the starter scores more than the floor"] if above else [])


def _agreement(judged: list[_Judged], repeats: int) -> PackageCheck:
    if repeats < 2:
        return PackageCheck("agreement", "skipped", "judged once only")
    problems, count = [], 0
    for found in judged:
        agreed = found.agreed
        count += bool(agreed)
        if agreed is False:
            ways = sorted({f"{SHORT[one.verdict]} {points_text(one)}" for one in found.judgements})
            how = " / ".join(ways) if len(ways) > 1 else "its groups differ"
            problems.append(f"{found.name}: the result differs between runs ({how})")
    return decide("agreement", f"{count} submissions judged {repeats} times with the same result", problems)


def _limits(problem: Problem, judged: list[_Judged], programs: Programs) -> PackageCheck:
    if problem.build.kind == "output-only":
        return PackageCheck("limits", "skipped", "nothing runs")
    problems, details = [], []
    for found in judged:
        if not found.expected.reference or found.submission is None or not found.judgements:
            continue
        name = found.name
        program = programs(problem, found.submission) or BuiltProgram(())
        limit = problem.limits.time * program.time
        # What a virtual machine needs itself comes on top of the limit, and is part of what was measured.
        own = program.startup_memory
        room = problem.limits.memory * program.memory
        cpu, memory = found.peak
        if cpu is None or memory is None:
            problems.append(f"{name}: what it uses was not measured")
            continue
        used, all_of = f"{memory / (1 << 20):.1f} MiB", f"{(room + own) / (1 << 20):g} MiB"
        details.append(f"{found.expected.path.name}: {cpu:.3f} s of {limit:g} s, {used} of {all_of}")
        remedy = f"the limit should be at least {MARGIN:g} times that"
        if cpu * MARGIN > limit:
            problems.append(f"{name}: takes {cpu:.3f} s of {limit:g} s; {remedy}")
        if (memory - own) * MARGIN > room:
            problems.append(f"{name}: takes {used} of {all_of}; {remedy}")
    if not details and not problems:
        problems.append("no reference was judged")
    return decide("limits", "; ".join(details), problems)
