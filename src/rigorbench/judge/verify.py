"""Proves a package by running it: what its author claims of it is what this machine sees."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from .. import __version__
from .build.model import Program
from .model import SHORT, JudgeError, Judgement, PointResult, Verdict
from .package.model import Expectation, Expected, Problem
from .package.patterns import matches
from .submission import Submission, SubmissionError, from_path
from .verify_inputs import Validator, check_inputs
from .verify_model import Check, Proof, Tried, decide, now, passed
from .verify_statement import check_statement

# How far the reference stays below the limits.
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
            name = _name(problem, expected)
            seen.append(_try(problem, expected, judge, Path(place) / str(index), repeats, name, progress))
        progress("starter")
        starter = _starter(problem, judge, Path(place) / "starter")
        checks += [_reference(problem, seen), _labels(problem, seen), _mutants(problem, seen), starter]
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


def _name(problem: Problem, expected: Expected) -> str:
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
        found.problems += [f"{name}: {problem}" for problem in _broken(expected, judgement)]
    return found


# -- expectations ---------------------------------------------------------------------------------------------------


def _broken(expected: Expected, judgement: Judgement) -> list[str]:
    """Which of the expectations about a submission a judgement does not meet."""
    problems = []
    if judgement.verdict == "judge_error":
        details = next((p.details or p.message for p in _points(judgement) if p.verdict == "judge_error"), "")
        return [f"the judge failed on it: {details or '; '.join(judgement.notes) or 'no reason given'}"]
    if expected.verdicts and judgement.verdict not in expected.verdicts:
        problems.append(
            f"is {_short(judgement.verdict)}, and should be {_shorts(expected.verdicts)}{_first(judgement)}"
        )
    for expectation in expected.expectations:
        problems += _unmet(expectation, judgement)
    return problems


def _unmet(expectation: Expectation, judgement: Judgement) -> list[str]:
    pattern = expectation.pattern
    where = f"{pattern}: " if pattern else ""
    points = [point for point in _points(judgement) if not pattern or matches(pattern, point.id)]
    judged = [point for point in points if point.verdict != "skipped"]
    problems = []
    if pattern and not points and judgement.verdict != "compile_error":
        return [f"{where}matches no test point; mend submissions.yaml"]
    verdicts = [point.verdict for point in judged] or [judgement.verdict]
    if expectation.permitted:
        wrong = sorted({v for v in verdicts if v not in expectation.permitted})
        if wrong:
            problems.append(
                f"{where}has {_shorts(tuple(wrong))}, and only {_shorts(expectation.permitted)} may be there"
            )
    if expectation.required and not any(verdict in expectation.required for verdict in verdicts):
        problems.append(f"{where}no test point is {_shorts(expectation.required)}")
    if expectation.score is not None:
        score = _score(judgement, pattern)
        least, most = expectation.score
        if score is None or not least - 1e-6 <= score <= most + 1e-6:
            wanted = f"{least:g}" if least == most else f"{least:g} to {most:g}"
            problems.append(f"{where}scores {'nothing known' if score is None else f'{score:g}'}, not {wanted}")
    if expectation.message and not any(expectation.message in point.details for point in points):
        problems.append(f"{where}no checker said {expectation.message!r}")
    return problems


def _score(judgement: Judgement, pattern: str) -> float | None:
    """Points of the groups that a pattern names; of all for the empty one."""
    if not pattern:
        return judgement.score
    scores = [group.score for group in judgement.groups if matches(pattern, group.id)]
    return None if not scores or None in scores else sum(score for score in scores if score is not None)


def _points(judgement: Judgement) -> list[PointResult]:
    return [point for group in judgement.groups for point in group.points]


def _first(judgement: Judgement) -> str:
    """The first test point that decided it, as evidence."""
    for point in _points(judgement):
        if point.verdict == judgement.verdict != "accepted":
            return f" ({point.id}: {point.message or point.details or _short(point.verdict)})"
    if judgement.compilation is not None and not judgement.compilation.ok:
        lines = judgement.compilation.log.strip().splitlines()
        return f" ({next((line for line in lines if 'error' in line), lines[0] if lines else 'no log')[:160]})"
    return ""


def _short(verdict: Verdict) -> str:
    return SHORT[verdict]


def _shorts(verdicts: tuple[str, ...]) -> str:
    return " or ".join(SHORT.get(verdict, verdict) for verdict in verdicts)  # type: ignore[call-overload]


# -- the checks -----------------------------------------------------------------------------------------------------


def _reference(problem: Problem, seen: list[Seen]) -> Check:
    problems, details = [], []
    for found in seen:
        if not found.expected.reference:
            continue
        name = _name(problem, found.expected)
        if not found.judgements:
            problems += found.problems
            continue
        judgement = found.judgements[0]
        details.append(f"{found.expected.path.name}: {_short(judgement.verdict)}, {_of(judgement)}")
        if judgement.verdict != "accepted":
            problems.append(f"{name}: is {_short(judgement.verdict)}{_first(judgement)}")
        elif problem.metric is None and judgement.score != judgement.full:
            problems.append(f"{name}: scores {_of(judgement)}")
    return decide("reference", "; ".join(details), problems)


def _of(judgement: Judgement) -> str:
    return f"{'unknown' if judgement.score is None else f'{judgement.score:g}'} of {judgement.full:g}"


def _labels(problem: Problem, seen: list[Seen]) -> Check:
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
    missing = [
        f"no submission that is {_short(v)} ({v}); add one below submissions/{_directory(v)}"
        for v, n in found.items()
        if not n
    ]
    detail = ", ".join(f"{_short(verdict)} {len(names)}" for verdict, names in found.items())
    return decide("mutants", detail, missing)


def _directory(verdict: Verdict) -> str:
    return "run_time_error" if verdict == "runtime_error" else verdict


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
    detail = f"{_short(judgement.verdict)}, {_of(judgement)}; the floor is {problem.floor:g}"
    if judgement.score is None:
        return Check("starter", "failed", detail, (f"attachments: the judge failed on it{_first(judgement)}",))
    above = judgement.score > problem.floor + 1e-9
    return decide("starter", detail, ["attachments: the starter scores more than the floor"] if above else [])


def _outcome(judgement: Judgement, whole: bool) -> object:
    """What must not change from one judging to the next. ``whole``: the single test points as well; a submission that
    fails has some of them skipped, and which depends on what runs beside what."""
    groups = [
        (g.id, g.verdict, g.score, [(p.id, p.verdict, p.score) for p in g.points] if whole else [])
        for g in judgement.groups
    ]
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
            ways = sorted({f"{_short(one.verdict)} {_of(one)}" for one in found.judgements})
            how = " / ".join(ways) if len(ways) > 1 else "its groups differ"
            problems.append(f"{_name(problem, found.expected)}: does not come out the same each time ({how})")
    return decide("agreement", f"{count} submissions judged {repeats} times, the same each time", problems)


def _peak(found: Seen) -> tuple[float | None, int | None]:
    """The most CPU seconds and bytes of any test point, each the median over the judgings."""
    cpu: dict[str, list[float]] = {}
    memory: dict[str, list[float]] = {}
    for judgement in found.judgements:
        for point in _points(judgement):
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
        name = _name(problem, found.expected)
        program = programs(problem, found.submission) or Program(())
        limit = problem.limits.time * program.time
        # What a virtual machine needs for itself is on top of the limit, and in what was measured.
        room = problem.limits.memory * program.memory
        cpu, memory = _peak(found)
        if cpu is None or memory is None:
            problems.append(f"{name}: its use was not measured")
            continue
        own = max(0, memory - program.startup_memory)
        details.append(
            f"{found.expected.path.name}: {cpu:.3f} s of {limit:g} s, {own / (1 << 20):.1f} MiB of {room / (1 << 20):g} MiB"
        )
        if cpu * MARGIN > limit:
            problems.append(f"{name}: takes {cpu:.3f} s of {limit:g} s; the limit should be {MARGIN:g} times that")
        if own * MARGIN > room:
            problems.append(
                f"{name}: takes {own / (1 << 20):.1f} MiB of {room / (1 << 20):g} MiB; the limit should be {MARGIN:g} times that"
            )
    if not details and not problems:
        problems.append("no reference was judged")
    return decide("limits", "; ".join(details), problems)


def _tried(problem: Problem, found: Seen) -> Tried:
    cpu, memory = _peak(found)
    first = found.judgements[0] if found.judgements else None
    return Tried(
        _name(problem, found.expected),
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
