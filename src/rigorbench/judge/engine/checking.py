"""Is the output right? Built-in comparisons, and checkers of packages, each in a cell that no submission runs in.

A checker that crashes, takes too long or breaks its contract is a judge error, never a wrong answer.
"""

from __future__ import annotations

import io
import math
import os
import re
import stat
from pathlib import Path
from typing import Literal

from msgspec import Struct

from ...problems.model import Case, Checker, Limits
from ...problems.verdicts import Verdict
from ...sandbox.cell.spec import Limits as RunLimits
from ...sandbox.cell.spec import Measured
from ..checkers.compare import compare
from .text import tail, words
from .verdicts import seconds, signal_name, size

# What a checker may say in all: messages are cut far below it.
_FEEDBACK = 64 << 10

Tool = Literal["checker", "interactor", "static validator"]
_KATTIS_ACCEPTED, _KATTIS_WRONG = 42, 43
_TESTLIB: dict[int, Verdict] = {
    0: "accepted",
    1: "wrong_answer",
    2: "presentation_error",
    # Too much output, and too little: they are how testlib's library names a wrong format where it is told to.
    4: "presentation_error",
    8: "presentation_error",
}
_TESTLIB_FAILED, _TESTLIB_POINTS = 3, 7
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_POINTS = re.compile(r"\s*(?:points|partially correct)?\s*\(?\s*([^\s()]+)")


class Checked(Struct, frozen=True):
    """What a checker or interactor decided.

    ``share``: score in [0, 1] (``score_multiplier.txt``); ``points``: as an absolute number (``score.txt``, testlib's
    points), which a metric or the group's points turn into a score. Both None: all or nothing. ``message``: for the
    author of the submission; ``details``: for the judge's owner.
    """

    verdict: Verdict
    message: str = ""
    details: str = ""
    share: float | None = None
    points: float | None = None


class Broken(Exception):
    """A checker or interactor that did not keep its contract. One line for the judge's owner."""


def built_in(checker: Checker, case: Case, output: bytes) -> Checked:
    """Raises: Broken: there is nothing to compare with."""
    if checker.compare is None:
        raise Broken("the package names no comparison and no checker")
    if case.answer is None:
        raise Broken(f"{case.id}: there is no answer to compare with; add one or a checker")
    try:
        with case.answer.open("rb") as answer:
            result = compare(checker.compare, io.BytesIO(output), answer, (*checker.options, *case.checker_args))
    except OSError as error:
        raise Broken(f"{case.answer}: {error.strerror}") from None
    return Checked(result.verdict, result.message, result.details)


def checker_limits(limits: Limits) -> RunLimits:
    return RunLimits(
        cpu=limits.validation_time,
        wall=3 * limits.validation_time + 2,
        memory=limits.validation_memory,
        processes=limits.processes,
        output=1 << 20,
        disk=max(limits.disk, 64 << 20),
        files=1024,
    )


def unusable(run: Measured, what: Tool, limits: RunLimits) -> str | None:
    """Why a run of a checker or interactor says nothing at all, or None: it ended with an exit code."""
    if run.failed is not None:
        return f"the {what} could not be started: {run.failed}"
    if run.oom:
        return f"the {what} needs more than {size(limits.memory or 0)} of memory"
    if run.killed == "cpu":
        return f"the {what} took more than {seconds(limits.cpu or 0)} of CPU time"
    if run.killed == "cancelled":
        return f"the {what} did not end although there was nothing more to wait for"
    if run.killed == "wall":
        return f"the {what} did not end within {seconds(limits.wall or 0)}"
    if run.killed is not None:
        return f"the {what} was ended for its {run.killed}"
    if run.signal is not None:
        return f"the {what} was killed by {signal_name(run.signal)}{tail(run.stderr)}"
    return None


def by_kattis(run: Measured, feedback: Path, what: Tool = "checker") -> Checked:
    """The decision of a program that ends with 42 or 43 and writes its words to files in ``feedback``.

    Raises: Broken.
    """
    if run.exit_code not in (_KATTIS_ACCEPTED, _KATTIS_WRONG):
        raise Broken(f"the {what} ended with exit code {run.exit_code}, neither 42 nor 43{tail(run.stderr)}")
    details = words(read_file(feedback / "judgemessage.txt"), 4000)
    message = words(read_file(feedback / "teammessage.txt"), 1000)
    if run.exit_code == _KATTIS_WRONG:
        return Checked("wrong_answer", message, details)
    points = _number(feedback / "score.txt", what)
    share = _number(feedback / "score_multiplier.txt", what)
    return Checked("accepted", message, details, share=share, points=points)


def by_testlib(run: Measured, what: Tool = "checker") -> Checked:
    """The decision of a program after testlib's exit codes; what it says on standard error quotes test data.

    Raises: Broken.
    """
    said = words(run.stderr, 4000)
    if run.exit_code == _TESTLIB_FAILED:
        raise Broken(f"the {what} says that it failed (exit code 3){tail(run.stderr)}")
    if run.exit_code == _TESTLIB_POINTS:
        match = _POINTS.match(said)
        return Checked("accepted", details=said, points=_finite(match[1] if match else "", f"the {what}'s points"))
    verdict = _TESTLIB.get(run.exit_code if run.exit_code is not None else -1)
    if verdict is None:
        raise Broken(f"the {what} ended with exit code {run.exit_code}, which testlib does not know{tail(run.stderr)}")
    return Checked(verdict, details=said)


def _number(path: Path, what: str) -> float | None:
    text = read_file(path)
    return None if text is None else _finite(text.decode(errors="replace").strip(), f"{path.name} of the {what}")


def _finite(text: str, name: str) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise Broken(f"{name} holds {words(text.encode(), 40)!r}, which is no finite number")
    return value


def read_file(path: Path, most: int = _FEEDBACK) -> bytes | None:
    """At most ``most`` bytes of a file that a checker wrote; None where there is none, or what only looks like one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with open(descriptor, "rb") as file:
        return file.read(most)
