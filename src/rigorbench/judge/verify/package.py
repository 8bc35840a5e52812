"""Proves a package by running it: what its author claims of it is what this machine sees."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from ...base.version import __version__
from ...problems.model import Expected, Problem
from ...problems.verdicts import Verdict
from ..build.model import Program
from ..model import JudgeError, Judgement
from ..submission import Submission, SubmissionError, from_path
from .expectations import broken, evidence, points_of, points_text, short
from .inputs import Validator, check_inputs
from .proof import Check, Proof, Tried, decide, now, passed
from .statement import check_statement

# How many times the reference's use the limits are.
MARGIN: Final = 2.0
# Verdicts that some submission of a package must get. A sanitizer adds its own.
_MUTANTS: Final[tuple[Verdict, ...]] = (
    "wrong_answer",
    "time_limit_exceeded",
    "memory_limit_exceeded",
    "runtime_error",
    "compile_error",
)
_FINDINGS: Final[dict[str, Verdict]] = {
    "leak": "memory_leak",
    "address": "invalid_access",
    "uninitialised": "uninitialised_read",
}


class Judging(Protocol):
    """What of the judge is needed here."""

    def judge(self, problem: Problem, submission: Submission) -> Judgement: ...


class Seen(Struct):
    """A submission of the package and its judgements."""

    expected: Expected
    submission: Submission | None
    judgements: list[Judgement]
    problems: list[str]


def verify(
    problem: Problem,
    judge: Judging,
    validator: Validator,
    *,
    programs: Callable[[Problem, Submission], Program | None],
    repeats: int = 3,
    progress: Callable[[str], None] = lambda text: None,
) -> Proof:
    """``programs``: how a submission is run, for the limits that its language gets (None: as they are).

    Raises:
        JudgeError: this machine cannot judge at all.
    """
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rigor-verify-") as place:
        progress("statement")
        checks = [check_statement(problem)]
        progress("inputs")
        checks.append(check_inputs(problem, validator))
        seen = []
        for index, expected in enumerate(problem.submissions):
            name = _name(expected)
            seen.append(_try(problem, expected, judge, Path(place) / str(index), repeats, name, progress))
        progress("starter")
        starter = _starter(problem, judge, Path(place) / "starter")
        checks += [_reference(problem, seen), _labels(seen), _mutants(problem, seen), starter]
        checks += [_agreement(problem, seen, repeats), _limits(problem, seen, programs)]
    some = next((found.judgements[0] for found in seen if found.judgements), None)
    return Proof(
        problem.id,
        problem.digest,
        all(check.status != "failed" for check in checks),
        tuple(checks),
        tuple(_tried(problem, found) for found in seen),
        problem.full,
        __version__,
        some.sandbox if some is not None else "",
        some.machine if some is not None else {},
        now(),
        round(time.monotonic() - started, 3),
    )


def _name(expected: Expected) -> str:
    return f"submissions/{expected.label}/{expected.path.name}"


def _try(
    problem: Problem,
    expected: Expected,
    judge: Judging,
    place: Path,
    repeats: int,
    name: str,
    progress: Callable[[str], None],
) -> Seen:
    found = Seen(expected, None, [], [])
    try:
        found.submission = from_path(expected.path, place, language=expected.language, limit=problem.limits.code)
        for count in range(repeats):
            progress(f"{name} ({count + 1} of {repeats})")
            found.judgements.append(judge.judge(problem, found.submission))
    except SubmissionError as error:
        found.problems.append(f"{name}: cannot be submitted: {error}")
    except JudgeError as error:
        found.problems.append(f"{name}: cannot be judged here: {error}")
    for judgement in found.judgements[:1]:
        found.problems += [f"{name}: {problem}" for problem in broken(expected, judgement)]
    return found


# -- the checks -----------------------------------------------------------------------------------------------------


def _reference(problem: Problem, seen: list[Seen]) -> Check:
    problems, details = [], []
    for found in seen:
        if not found.expected.reference:
            continue
        name = _name(found.expected)
        if not found.judgements:
            problems += found.problems
            continue
        judgement = found.judgements[0]
        details.append(f"{found.expected.path.name}: {short(judgement.verdict)}, {points_text(judgement)}")
        if judgement.verdict != "accepted":
            problems.append(f"{name}: is {short(judgement.verdict)}{evidence(judgement)}")
        elif problem.metric is None and judgement.score != judgement.full:
            problems.append(f"{name}: scores {points_text(judgement)}")
    return decide("reference", "; ".join(details), problems)


def _labels(seen: list[Seen]) -> Check:
    problems = [text for found in seen for text in found.problems]
    right = sum(not found.problems for found in seen)
    return decide("labels", f"{right} of {len(seen)} submissions are what they are labelled", problems)


def _mutants(problem: Problem, seen: list[Seen]) -> Check:
    """For each verdict, a submission that is expected to get it and does."""
    wanted = list(_MUTANTS if problem.build.kind != "output-only" else ("wrong_answer",))
    checked = [s for group in problem.groups for s in group.sanitizers]
    checked += [s for overlay in problem.overlays for s in overlay.sanitizers]
    wanted += [_FINDINGS[s] for s in dict.fromkeys(checked)]
    found: dict[Verdict, list[str]] = {verdict: [] for verdict in wanted}
    for one in seen:
        if one.judgements and one.expected.label != "accepted":
            verdict = one.judgements[0].verdict
            if verdict in found:
                found[verdict].append(one.expected.path.name)
    missing = [_missing(verdict) for verdict, names in found.items() if not names]
    detail = ", ".join(f"{short(verdict)} {len(names)}" for verdict, names in found.items())
    return decide("mutants", detail, missing)


def _missing(verdict: Verdict) -> str:
    directory = "run_time_error" if verdict == "runtime_error" else verdict
    return f"no submission that is {short(verdict)}; add one below submissions/{directory}"


def _starter(problem: Problem, judge: Judging, place: Path) -> Check:
    if problem.attachments is None:
        return Check("starter", "skipped", "no attachments/: the solution is written from nothing")
    if problem.floor is None:
        return Check(
            "starter", "failed", "", ("problem.yaml: floor: missing; say how many points the starter may have",)
        )
    try:
        judgement = judge.judge(problem, from_path(problem.attachments, place, limit=problem.limits.code))
    except SubmissionError as error:
        return passed("starter", f"cannot be submitted as it is ({error})")
    except JudgeError as error:
        # Such as a starter in which no language can be told: its author has to write something first.
        return passed("starter", f"cannot be judged as it is ({error})")
    detail = f"{short(judgement.verdict)}, {points_text(judgement)}; the floor is {problem.floor:g}"
    if judgement.score is None:
        return Check("starter", "failed", detail, (f"attachments: the judge failed on it{evidence(judgement)}",))
    above = judgement.score > problem.floor + 1e-9
    return decide("starter", detail, ["attachments: the starter scores more than the floor"] if above else [])


def _outcome(judgement: Judgement, whole: bool) -> object:
    """What must not change from one judging to the next. ``whole``: the single test points as well; a submission that
    fails has some of them skipped, and which depends on what runs beside what."""
    groups = []
    for group in judgement.groups:
        points = [(point.id, point.verdict, point.score) for point in group.points] if whole else []
        groups.append((group.id, group.verdict, group.score, points))
    return judgement.verdict, judgement.score, groups


def _agreed(found: Seen) -> bool | None:
    if len(found.judgements) < 2:
        return None
    whole = all(judgement.verdict == "accepted" for judgement in found.judgements)
    outcomes = [_outcome(judgement, whole) for judgement in found.judgements]
    return all(outcome == outcomes[0] for outcome in outcomes)


def _agreement(problem: Problem, seen: list[Seen], repeats: int) -> Check:
    if repeats < 2:
        return Check("agreement", "skipped", "judged once only")
    problems, count = [], 0
    for found in seen:
        agreed = _agreed(found)
        count += bool(agreed)
        if agreed is False:
            ways = sorted({f"{short(one.verdict)} {points_text(one)}" for one in found.judgements})
            how = " / ".join(ways) if len(ways) > 1 else "its groups differ"
            problems.append(f"{_name(found.expected)}: does not come out the same each time ({how})")
    return decide("agreement", f"{count} submissions judged {repeats} times, the same each time", problems)


def _peak(found: Seen) -> tuple[float | None, int | None]:
    """The most CPU seconds and bytes of any test point, each the median over the judgings."""
    cpu: dict[str, list[float]] = {}
    memory: dict[str, list[float]] = {}
    for judgement in found.judgements:
        for point in points_of(judgement):
            if point.twin is None:
                if point.usage.cpu is not None:
                    cpu.setdefault(point.id, []).append(point.usage.cpu)
                if point.usage.memory is not None:
                    memory.setdefault(point.id, []).append(point.usage.memory)
    most_cpu = max(map(statistics.median, cpu.values()), default=None)
    most_memory = max(map(statistics.median, memory.values()), default=None)
    return most_cpu, None if most_memory is None else round(most_memory)


def _limits(problem: Problem, seen: list[Seen], programs: Callable[[Problem, Submission], Program | None]) -> Check:
    if problem.build.kind == "output-only":
        return Check("limits", "skipped", "nothing runs")
    problems, details = [], []
    for found in seen:
        if not found.expected.reference or found.submission is None or not found.judgements:
            continue
        name = _name(found.expected)
        program = programs(problem, found.submission) or Program(())
        limit = problem.limits.time * program.time
        # What a virtual machine needs for itself is on top of the limit, and in what was measured.
        own = program.startup_memory
        room = problem.limits.memory * program.memory
        cpu, memory = _peak(found)
        if cpu is None or memory is None:
            problems.append(f"{name}: its use was not measured")
            continue
        used, all_of = f"{memory / (1 << 20):.1f} MiB", f"{(room + own) / (1 << 20):g} MiB"
        details.append(f"{found.expected.path.name}: {cpu:.3f} s of {limit:g} s, {used} of {all_of}")
        wanted = f"the limit should be {MARGIN:g} times that"
        if cpu * MARGIN > limit:
            problems.append(f"{name}: takes {cpu:.3f} s of {limit:g} s; {wanted}")
        if (memory - own) * MARGIN > room:
            problems.append(f"{name}: takes {used} of {all_of}; {wanted}")
    if not details and not problems:
        problems.append("no reference was judged")
    return decide("limits", "; ".join(details), problems)


def _tried(problem: Problem, found: Seen) -> Tried:
    cpu, memory = _peak(found)
    first = found.judgements[0] if found.judgements else None
    return Tried(
        _name(found.expected),
        found.expected.label,
        found.expected.reference,
        first.verdict if first is not None else None,
        first.score if first is not None else None,
        len(found.judgements),
        _agreed(found),
        not found.problems,
        cpu,
        memory,
        tuple(found.problems),
    )
