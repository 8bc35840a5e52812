"""CTest, GoogleTest, Catch2, doctest and Boost.Test."""

from __future__ import annotations

import re

from ...patterns import lazy
from .base import Runner, Summary, counts, distinct, line_at, number

_CTEST = lazy(r"^ *(\d+)% tests passed, (\d+) tests? failed(?: out of (\d+))?", re.M)
_CTEST_LISTED = lazy(r"^[ \t]+\d+ - (.+?) \(([^()\n]*)\)(?:[ \t].*)?$", re.M)
_CTEST_LINE = lazy(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*[ .]*\*\*\*(\w+)", re.M)


def read_ctest(text: str) -> Summary | None:
    summary = Summary("ctest")
    for match in _CTEST.finditer(text) if "tests passed," in text else ():
        failed = number(match[2])
        summary.include(passed=max(0, number(match[3]) - failed), failed=failed, skipped=0)
        if match[3] is None:
            summary.passed, summary.outcome = None, "failed" if failed else "passed"
        summary.reason = match[0].strip()
    if not summary.reason:
        names = distinct(sorted(m[1] for m in _CTEST_LINE.finditer(text))) if "***" in text else []
        return Summary.nothing_ran(
            "ctest", text, "No tests were found!!!", "No test configuration file found!"
        ) or Summary.of_failures("ctest", names)
    if summary.failed:
        at = text.find("The following tests FAILED:")
        listed = [(m[1], m[2]) for m in _CTEST_LISTED.finditer(text, at)] if at >= 0 else []
        listed = listed or [(m[1], m[2]) for m in _CTEST_LINE.finditer(text)]
        summary.failing = distinct(sorted(name for name, _ in listed))
        if listed and not summary.passed and all(how in ("Not Run", "Not") for _, how in listed):
            summary.outcome, summary.never_ran = "error", True
    return summary


_GTEST_RAN = lazy(r"^(?:\d+: )?\[={10}\] (\d+) tests? from \d+ test (?:suites?|cases?) ran\.", re.M)
_GTEST_PASSED = lazy(r"^(?:\d+: )?\[  PASSED  \] (\d+) tests?\.", re.M)
_GTEST_SKIPPED = lazy(r"^(?:\d+: )?\[  SKIPPED \] (\d+) tests?", re.M)
_GTEST_FAILED = lazy(r"^(?:\d+: )?\[  FAILED  \] ([^\s,]+\.[^\s,]+)", re.M)
_GTEST_LISTED = lazy(r"^(?:\d+: )?\[  FAILED  \] (\d+) tests?, listed below", re.M)
_GTEST_RUN = lazy(r"\[ RUN      \] (\S+)")


def read_gtest(text: str) -> Summary | None:
    if "[  " not in text and "[==" not in text and "[ RUN" not in text:
        return None
    ran = sum(number(m[1]) for m in _GTEST_RAN.finditer(text))
    passed = [number(m[1]) for m in _GTEST_PASSED.finditer(text)]
    failing = distinct(sorted(m[1] for m in _GTEST_FAILED.finditer(text)))
    listed = sum(number(m[1]) for m in _GTEST_LISTED.finditer(text))
    if not passed and not failing and not listed:
        started = _GTEST_RUN.findall(text)
        if not started:
            return None
        return Summary("gtest", final=False, reason=f"no closing summary; last test started: {started[-1]}")
    summary = Summary("gtest", sum(passed) if passed else None, max(listed, len(failing)), failing=failing)
    summary.skipped = sum(number(m[1]) for m in _GTEST_SKIPPED.finditer(text))
    if passed and ran > len(failing) + listed + sum(passed) + summary.skipped:
        summary.failed = ran - sum(passed) - summary.skipped  # the failures themselves were cut off
    summary.final = bool(passed) or bool(listed)
    summary.reason = f"{summary.passed} of {ran} passed" if ran else f"{summary.failed} failed"
    return summary


_CATCH_PASSED = lazy(r"^All tests passed \((?:\d+ assertions? in )?(\d+) test cases?\)", re.M)
_CATCH_COUNTS = lazy(r"^(?:\[doctest\] )?test cases: +(\d+) *\|(.*)$", re.M)
_CATCH_COUNT = lazy(r"(\d+) (passed|failed as expected|failed|skipped)")
_BOOST = lazy(r"^\*\*\* (No errors detected|\d+ failures? (?:is|are) detected|Errors? where detected)", re.M)


def read_catch2(text: str) -> Summary | None:
    """Catch2, and doctest and Boost.Test, whose last lines are similar."""
    summary = Summary("catch2", final=False)
    for match in _CATCH_PASSED.finditer(text) if "All tests passed (" in text else ():
        summary.include(passed=number(match[1]), failed=0)
        summary.final, summary.reason = True, match[0]
    for match in _CATCH_COUNTS.finditer(text) if "test cases:" in text else ():
        found = counts(_CATCH_COUNT, match[2])
        if match[0].startswith("[doctest]"):
            summary.runner = "doctest"
        expected = found["failed as expected"]
        summary.include(passed=found["passed"], failed=found["failed"], skipped=found["skipped"] + expected)
        summary.final, summary.reason = True, match[0].strip()
    if summary.final:
        return summary
    if (nothing := Summary.nothing_ran("catch2", text, "No tests ran", "No test cases matched")) is not None:
        return nothing
    boost = _BOOST.search(text) if "*** " in text else None
    if boost:
        bad = not boost[1].startswith("No ")
        failed = number(boost[1].split()[0]) or (1 if bad else 0)
        reason = line_at(text, boost.start())
        return Summary("boost", failed=failed, outcome="failed" if bad else "passed", reason=reason)
    return None


RUNNERS = (
    Runner(
        "ctest", read_ctest, marks=("tests passed, ", "No tests were found!!!", "No test configuration file", ".***")
    ),
    Runner("gtest", read_gtest, marks=("[  PASSED  ]", "[  FAILED  ]", "[ RUN      ]"), aliases=("googletest",)),
    Runner(
        "catch2",
        read_catch2,
        marks=(
            "All tests passed (",
            "test cases: ",
            "No tests ran",
            "*** No errors detected",
            "detected in the test module",
        ),
        aliases=("catch", "boost"),
    ),
)
