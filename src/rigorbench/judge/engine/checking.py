"""Whether an output is right, by a comparison or the decision of a package's checker; and its score.

Tokens are compared like the Kattis format's default validator does. Units are split off lazily: all tokens of an output
at once would take twenty times its memory.

A checker that crashes, takes too long or breaks its contract is a judge error, never a wrong answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct, structs

from ...sandbox.cell.spec import CellLimits as RunLimits
from ...sandbox.cell.spec import Measured
from ..build.program import BuiltProgram
from ..files import read_regular
from ..judgement import PointResult
from ..problems.metadata import check_options
from ..problems.problem import Case, Checker, Compare, PointGroup, PointLimits, Problem, Sanitizer
from ..problems.verdicts import ROWS, Verdict
from .cells import SlotTools
from .verdicts import CheckerDecision, clamp, decoded, metric_score, seconds, share, signal_name, size, tail

# White space of the format; `bytes.split` splits at the same characters.
WHITE: Final = b" \t\n\r\x0b\x0c"
# The format's grammar: no inf, no nan, no hexadecimal.
_FLOAT: Final = re.compile(rb"[+-]?(?:\d*\.\d+|\d+\.?)(?:[eE][+-]?\d+)?")
_BLACK: Final = re.compile(rb"[^ \t\n\r\x0b\x0c]+")
_RUNS: Final = re.compile(rb"[ \t\n\r\x0b\x0c]+|[^ \t\n\r\x0b\x0c]+")
_TOKEN_ENDS: Final = re.compile(rb"[^ \t\n\r\x0b\x0c][ \t\n\r\x0b\x0c]")
# Longer tokens are not read as numbers, so that parsing is cheap.
_LONGEST: Final = 2000
_TOLERANCE: Final = 1e-6
# Bytes that are compared or split at a time.
CHUNK = 1 << 20

# "runs": tokens and the white space between them.
Kind = Literal["tokens", "runs", "lines"]
Strip = Callable[[bytes], bytes]


class _Options(Struct, frozen=True):
    case_sensitive: bool = False
    spaces: bool = False
    presentation: bool = False
    absolute: float | None = None
    relative: float | None = None


def compare(kind: Compare, output: bytes, answer: bytes, options: tuple[str, ...] = ()) -> CheckerDecision:
    """Compare an output with the answer. The message names the position, never the expected content.

    Args:
        kind: "token": like the Kattis default validator. "float": the same, with a tolerance of 1e-6 (absolute or
            relative) if the options set none. "line": white space at the ends of lines and empty lines at the end do
            not count. "exact": every character counts, but a line may end in CR LF, and the last line's end may be
            missing. "binary": every byte counts.
        options: ``case_sensitive``, ``space_change_sensitive``, ``float_tolerance``, ``float_relative_tolerance`` and
            ``float_absolute_tolerance`` (a number follows) for "token" and "float". ``presentation_error`` for all: an
            output that differs only in white space or letter case gets that verdict.

    Raises: ValueError: an option is unknown or has no number.
    """
    found = _read_options(options)
    if kind == "float" and found.absolute is None and found.relative is None:
        found = structs.replace(found, absolute=_TOLERANCE, relative=_TOLERANCE)
    result = _compare(kind, output, answer, found)
    if result.verdict == "wrong_answer" and found.presentation:
        lenient = structs.replace(found, case_sensitive=False, spaces=False)
        if _compare("token", output, answer, lenient).verdict == "accepted":
            return structs.replace(result, verdict="presentation_error")
    return result


def _read_options(options: tuple[str, ...]) -> _Options:
    problem = check_options(options)
    if problem is not None:
        raise ValueError(problem)
    words = " ".join(options).split()
    value = {name: float(words[words.index(name) + 1]) for name in words if name.startswith("float_")}
    both = value.get("float_tolerance")
    return _Options(
        "case_sensitive" in words,
        "space_change_sensitive" in words,
        "presentation_error" in words,
        value.get("float_absolute_tolerance", both),
        value.get("float_relative_tolerance", both),
    )


def _compare(kind: Compare, output: bytes, answer: bytes, options: _Options) -> CheckerDecision:
    if output == answer:
        return CheckerDecision("accepted")
    if kind == "binary":
        shorter = min(len(output), len(answer))
        same = next((n for n in range(_common(output, answer), shorter) if output[n] != answer[n]), shorter)
        where = f"byte {same + 1}"
        if same == len(output):
            return CheckerDecision("wrong_answer", f"the output ends too early, before {where}")
        if same == len(answer):
            return CheckerDecision("wrong_answer", f"there is more output than expected, from {where} on")
        detail = f"expected byte {answer[same]:#04x}, got {output[same]:#04x}"
        return CheckerDecision("wrong_answer", f"differs at {where}", detail)
    if kind in ("token", "float"):
        return _in_units("runs" if options.spaces else "tokens", None, output, answer, options)
    strip = _strip_line if kind == "line" else lambda line: line.removesuffix(b"\r")
    return _in_units("lines", strip, output, answer, structs.replace(options, case_sensitive=True))


def _strip_line(line: bytes) -> bytes:
    return line.rstrip(WHITE)


def _common(one: bytes, other: bytes) -> int:
    """So many bytes are equal at the beginning, and at most a chunk more."""
    same, shorter = 0, min(len(one), len(other))
    while same < shorter and one[same : same + CHUNK] == other[same : same + CHUNK]:
        same += CHUNK
    return min(same, shorter)


def _in_units(kind: Kind, strip: Strip | None, output: bytes, answer: bytes, options: _Options) -> CheckerDecision:
    start = _start_of_last(output[: _common(output, answer)], kind)
    ours, theirs = (_units(text, start, kind, strip) for text in (output, answer))
    ended: int | None = None
    for index, (unit, expected) in enumerate(zip_longest(ours, theirs)):
        if unit == expected:
            continue
        if unit is None or expected is None:
            ended = index if ended is None else ended
            if strip is _strip_line and not (unit or expected):
                continue  # empty lines count only if another line follows
        elif _same(unit, expected, options):
            continue
        where = _place(output, start, index if unit is not None or ended is None else ended, kind)
        if unit is None:
            message, detail = f"the output ends too early, at {where}", f"next: {_shown(expected)}"
        elif expected is None:
            message, detail = f"there is more output than expected, from {where} on", f"next: {_shown(unit)}"
        else:
            white = kind == "runs" and (unit.isspace() or expected.isspace())
            what = "the white space differs" if white else "differs"
            message, detail = f"{what} at {where}", f"expected {_shown(expected)}, got {_shown(unit)}"
        return CheckerDecision("wrong_answer", message, detail)
    return CheckerDecision("accepted")


def _units(data: bytes, start: int, kind: Kind, strip: Strip | None) -> Iterator[bytes]:
    while start < len(data):
        if kind == "lines":
            end = data.find(b"\n", start + CHUNK) + 1 or len(data)
            lines = data[start:end].removesuffix(b"\n").split(b"\n")
            yield from lines if strip is None else map(strip, lines)
        else:
            found = _TOKEN_ENDS.search(data, start + CHUNK)
            end = len(data) if found is None else found.start() + 1
            yield from data[start:end].split() if kind == "tokens" else _RUNS.findall(data[start:end])
        start = end


def _start_of_last(data: bytes, kind: Kind) -> int:
    """Start of the last unit, which may continue behind the data."""
    if kind == "lines":
        return data.rfind(b"\n") + 1
    if kind == "runs" and data[-1:].isspace():
        return len(data.rstrip(WHITE))
    return 1 + max(data.rfind(white) for white in (b" ", b"\n", b"\t", b"\r", b"\x0b", b"\x0c"))


def _shown(unit: bytes) -> str:
    text = repr(unit[:80].decode("utf-8", "backslashreplace"))
    return f"{text} ..." if len(unit) > 80 else text


def _same(unit: bytes, expected: bytes, options: _Options) -> bool:
    """Whether two units that are not identical count as equal."""
    if options.absolute is not None or options.relative is not None:
        wanted = _as_number(expected)
        if wanted is not None:
            value = _as_number(unit)
            # Both may be too large for a float, which makes them infinite.
            if value is None or value == wanted:
                return value is not None
            difference = abs(value - wanted)
            if options.absolute is not None and difference <= options.absolute:
                return True
            finite = options.relative is not None and math.isfinite(wanted) and math.isfinite(difference)
            return finite and difference <= (options.relative or 0.0) * abs(wanted)
    return not options.case_sensitive and unit.lower() == expected.lower()


def _as_number(token: bytes) -> float | None:
    if len(token) > _LONGEST or _FLOAT.fullmatch(token) is None:
        return None
    return float(token)


def _place(output: bytes, start: int, count: int, kind: Kind) -> str:
    """The position of the unit that follows `count` units after `start`."""
    if kind == "lines":
        line = output.count(b"\n", 0, start) + count + 1
        return f"line {line}"
    # Tokens and white space alternate.
    skipped = count if kind == "tokens" else (count + (not output[start : start + 1].isspace())) // 2
    found = next(islice(_BLACK.finditer(output, start), skipped, None), None)
    at = len(output) if found is None else found.start()
    line, first = output.count(b"\n", 0, at) + 1, output.rfind(b"\n", 0, at) + 1
    return f"line {line}, token {len(output[first:at].split()) + 1}"


# Bytes of a message file that are read; messages are cut far below it.
_FEEDBACK: Final = 64 << 10

Tool = Literal["checker", "interactor", "static validator"]
Contract = Literal["kattis", "testlib"]
KATTIS_ACCEPTED, _KATTIS_WRONG = 42, 43
_TESTLIB: Final[dict[int, Verdict]] = {code: name for name, row in ROWS.items() for code in row.testlib}
_TESTLIB_FAILED, TESTLIB_POINTS = 3, 7
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_POINTS = re.compile(r"\s*(?:points|partially correct)?\s*\(?\s*([^\s()]+)")


class Tools(Struct, frozen=True):
    """The package's own programs, built; `data`: directory of the package that their cells see."""

    checker: BuiltProgram | None
    interactor: BuiltProgram | None
    data: Path
    static: BuiltProgram | None = None


class Job(Struct, frozen=True):
    """A case of a group, to be run as it is or under a sanitizer; `fresh`: the run shares no disk with the next one."""

    problem: Problem
    group: PointGroup
    case: Case
    tools: Tools
    sanitizer: Sanitizer | None = None
    fresh: bool = True


class ToolError(Exception):
    """A checker, interactor or driver of the package is missing or breaks its contract. One line for the owner."""


def check(job: Job, output: bytes, slot_tools: SlotTools) -> CheckerDecision:
    """The decision about an output. Raises: CellError, ToolError."""
    program = job.tools.checker
    if program is None:
        return compare_output(job.problem.checker, job.case, output)
    problem, case = job.problem, job.case
    contract = problem.checker.contract
    cell = slot_tools.cell("checker", program, job.tools.data, problem.digest)
    limits = checker_limits(problem.limits)
    names = (cell.path_of(case.input, "input"), cell.path_of(case.answer, "answer"))
    stdin: bytes | None = None
    arguments: tuple[str, ...]
    if contract == "testlib":
        arguments = (names[0], cell.write("output", output), names[1])
    else:
        arguments, stdin = (*names, "/w/"), output
    arguments += (*problem.checker.options, *case.checker_args)
    run = program.run(arguments, limits, stdin=stdin, fresh=False)
    again = False
    try:
        checked = decision(cell.run(run), "checker", contract, cell.work, limits)
        if problem.passes > 1:
            checked = with_next_input(checked, cell.work, problem.limits.output)
            again = checked.next_input is not None
        return checked
    finally:
        # What a checker notes for itself stays until the last pass.
        if not again:
            cell.clear()


def decide(point: PointResult, checked: CheckerDecision, job: Job) -> None:
    """Set verdict and score of a test point. Raises: ToolError: the package has a metric, and the checker no value."""
    point.verdict, point.message = checked.verdict, checked.message
    if job.tools.checker is not None or job.tools.interactor is not None:
        # Its author has chosen it for the eyes of the submission's; the built-in comparison quotes the output's place.
        point.told = checked.message
    point.details = "\n".join(part for part in (checked.details, point.details) if part)
    if checked.verdict != "accepted":
        point.score = 0.0
        return
    if job.problem.metric is not None:
        if checked.points is None:
            raise ToolError(f"{job.case.id}: accepted without a value; a problem with a metric needs a score.txt")
        point.metric = checked.points
        point.score = metric_score(job.problem.metric, checked.points)
    elif checked.share is not None:
        point.score = clamp(checked.share, 1.0)
    elif checked.points is not None:
        point.score = share(checked.points, job.group)


def compare_output(checker: Checker, case: Case, output: bytes) -> CheckerDecision:
    """The decision of a built-in comparison. Raises: ToolError: there is nothing to compare with."""
    if checker.compare is None:
        raise ToolError("the package names no comparison and no checker")
    if case.answer is None:
        raise ToolError(f"{case.id}: no answer to compare with; add one or a checker")
    try:
        return compare(checker.compare, output, case.answer.read_bytes(), (*checker.options, *case.checker_args))
    except OSError as error:
        raise ToolError(f"{case.answer}: {error.strerror}") from None


def checker_limits(limits: PointLimits) -> RunLimits:
    """The limits of one run of a checker, interactor or validator."""
    return RunLimits(
        cpu=limits.validation_time,
        wall=3 * limits.validation_time + 2,
        memory=limits.validation_memory,
        processes=limits.processes,
        output=1 << 20,
        disk=max(limits.disk, 64 << 20),
        files=1024,
    )


def decision(run: Measured, what: Tool, contract: Contract, feedback: Path, limits: RunLimits) -> CheckerDecision:
    """What a checker or interactor decided; `feedback`: the directory that it wrote to. Raises: ToolError."""
    reason = failure_reason(run, what, limits)
    if reason is not None:
        raise ToolError(reason)
    return decision_by_testlib(run, what) if contract == "testlib" else decision_by_kattis(run, feedback, what)


def with_next_input(checked: CheckerDecision, feedback: Path, limit: int) -> CheckerDecision:
    """The decision in a multi-pass problem, with the input that the program is to be run with again, if any.

    Raises: ToolError: there is one although the output was rejected, or it is too long.
    """
    path = feedback / "nextpass.in"
    data = read_regular(path, limit + 1)
    if data is None:
        return checked
    path.unlink()
    if checked.verdict != "accepted":
        raise ToolError("nextpass.in was written although the output is wrong")
    if len(data) > limit:
        raise ToolError(f"nextpass.in is longer than {size(limit)}")
    return structs.replace(checked, next_input=data)


def failure_reason(run: Measured, what: Tool, limits: RunLimits) -> str | None:
    """Why a run of a checker or interactor gave no decision; None: it ended with an exit code."""
    if run.failed is not None:
        return f"the {what} could not be started: {run.failed}"
    if run.oom:
        return f"the {what} needs more than {size(limits.memory or 0)} of memory"
    if run.killed is not None:
        known = {
            "cpu": f"took more than {seconds(limits.cpu or 0)} of CPU time",
            "cancelled": "did not end although nothing more would come",
            "wall": f"did not end within {seconds(limits.wall or 0)}",
        }
        return f"the {what} {known.get(run.killed, f'exceeded its limit of {run.killed}')}"
    if run.signal is not None:
        return f"the {what} was killed by {signal_name(run.signal)}{tail(run.stderr)}"
    return None


def decision_by_kattis(run: Measured, feedback: Path, what: Tool = "checker") -> CheckerDecision:
    """The decision of a program that ends with 42 or 43 and writes its messages to files in `feedback`.

    Raises: ToolError.
    """
    if run.exit_code not in (KATTIS_ACCEPTED, _KATTIS_WRONG):
        raise ToolError(f"the {what} ended with exit code {run.exit_code}, neither 42 nor 43{tail(run.stderr)}")
    details = decoded(read_regular(feedback / "judgemessage.txt", _FEEDBACK), 4000)
    message = decoded(read_regular(feedback / "teammessage.txt", _FEEDBACK), 1000)
    if run.exit_code == _KATTIS_WRONG:
        return CheckerDecision("wrong_answer", message, details)
    points = _number(feedback / "score.txt", what)
    share = _number(feedback / "score_multiplier.txt", what)
    return CheckerDecision("accepted", message, details, share=share, points=points)


def decision_by_testlib(run: Measured, what: Tool = "checker") -> CheckerDecision:
    """The decision of a program that follows testlib: the exit code, and text on standard error.

    The text quotes test data, so it is for the judge's owner only.

    Raises: ToolError: it reports a failure, or the exit code is not one of testlib's.
    """
    details = decoded(run.stderr, 4000)
    if run.exit_code == _TESTLIB_FAILED:
        raise ToolError(f"the {what} reports a failure of its own (exit code 3){tail(run.stderr)}")
    if run.exit_code == TESTLIB_POINTS:
        match = _POINTS.match(details)
        return CheckerDecision(
            "accepted", details=details, points=_finite(match[1] if match else "", f"the {what}'s points")
        )
    verdict = _TESTLIB.get(run.exit_code if run.exit_code is not None else -1)
    if verdict is None:
        raise ToolError(f"the {what} ended with exit code {run.exit_code}, which is not testlib's{tail(run.stderr)}")
    return CheckerDecision(verdict, details=details)


def _number(path: Path, what: str) -> float | None:
    text = read_regular(path, _FEEDBACK)
    return None if text is None else _finite(text.decode(errors="replace").strip(), f"{path.name} of the {what}")


def _finite(text: str, name: str) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise ToolError(f"{name}: {decoded(text.encode(), 40)!r} is not a finite number")
    return value
