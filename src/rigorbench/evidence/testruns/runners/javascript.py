"""Jest, Vitest and Bun: a block of totals at the end, failing tests in headings."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, counts, distinct

# "Tests:       1 failed, 1 skipped, 2 passed, 4 total"; the suites' line above it has the same shape.
_JEST_TESTS = lazy(r"^[ ]*Tests: +(\d+ \w+(?:, \d+ \w+)*), (\d+) total", re.M)
_JEST_NONE = lazy(r"^[ ]*Tests: +0 total", re.M)
_JEST_SUITES = lazy(r"^[ ]*Test Suites: +(\d+ \w+(?:, \d+ \w+)*|0 of \d+|0) ?", re.M)
_JEST_COUNT = lazy(r"(\d+) (passed|failed|skipped|todo|pending|of)")
_JEST_TITLE = lazy(r"^ +● (.+)$", re.M)
_JEST_FILE = lazy(r"^ ?FAIL +(?:[\w@/.-]+ +)?(\S+\.\w+)(?: \([\d.]+ m?s\))?$", re.M)
_CROSS = lazy(r"^ +(?:✕|×|✗) (.+?)(?: \(\d[\d.]* ?m?s\)| \d+ms)?$", re.M)
_JEST_THRESHOLD = lazy(r"^(?:Jest: )?\"?.*coverage threshold for .* not met", re.M)
_NO_TESTS = ("No tests found, exiting with code", "No tests found related to files", "No test files found, exiting")


def read_jest(text: str) -> RunnerSummary | None:
    summary = RunnerSummary("jest", final=False)
    for match in _JEST_TESTS.finditer(text) if "Tests:" in text else ():
        found = counts(_JEST_COUNT, match[1])
        summary.include(
            passed=found["passed"], failed=found["failed"], skipped=found["skipped"] + found["todo"] + found["pending"]
        )
    if summary.passed is None and "Tests:" in text and _JEST_NONE.search(text):
        summary.include(passed=0, failed=0, skipped=0)
    totals = list(_JEST_SUITES.finditer(text)) if "Test Suites:" in text else []
    suites = sum(counts(_JEST_COUNT, match[1])["failed"] for match in totals)
    if summary.passed is None and not totals:
        return _jest_unfinished(text)
    summary.final = True
    if summary.failed or suites:
        summary.failing = _jest_failing(text)
    if suites and not summary.failed:
        # A suite that cannot be loaded is no failed test; alone it means that nothing ran.
        ran = bool(summary.passed)
        summary.errors = suites
        summary.outcome, summary.never_ran = ("failed", False) if ran or summary.passed is None else ("error", True)
    elif summary.passed and not summary.failed and "threshold for" in text and _JEST_THRESHOLD.search(text):
        summary.outcome = "error"
    return summary


def _jest_unfinished(text: str) -> RunnerSummary | None:
    shown = "✕ " in text or "\nFAIL " in text or text.startswith("FAIL ") or "  ● " in text
    return RunnerSummary.nothing_ran("jest", text, *_NO_TESTS) or RunnerSummary.of_failures(
        "jest", _jest_failing(text) if shown else []
    )


def _jest_failing(text: str) -> list[str]:
    """Full titles ("suite > test") from the headings of the failures, else the files that failed, else crosses."""
    names = []
    for match in _JEST_TITLE.finditer(text):
        title = match[1].strip()
        if title == "Test suite failed to run":
            continue
        if not title.startswith(("Console", "Deprecation", "Validation", "Cannot log after")):
            names.append(title)
    if "Test suite failed to run" in text or not names:
        names += [m[1] for m in _JEST_FILE.finditer(text)] if "Test suite failed to run" in text else []
    if not names:
        names = [m[1] for m in _CROSS.finditer(text)] or [m[1] for m in _JEST_FILE.finditer(text)]
    return distinct(sorted(names))


# "      Tests  1 failed | 3 passed (4)" and the line of the files above it.
_VITEST = lazy(r"^ *(Test Files|Tests|Errors) +((?:no tests|\d+ \w+(?: \| \d+ \w+)*)(?: \(\d+\))?)[ ]*$", re.M)
_VITEST_COUNT = lazy(r"(\d+) (passed|failed|skipped|todo|errors?)")
_VITEST_FAIL = lazy(r"^ *FAIL +(?:\|[^|\n]+\| +)?(\S+\.\w+)((?: > .+)?)(?: \[ .+ \])?$", re.M)
_VITEST_CROSS = lazy(r"^ +(?:×|❯|✗) (\S+\.\w+ > .+?)(?: \d+ ?m?s)?$", re.M)


def read_vitest(text: str) -> RunnerSummary | None:
    summary = RunnerSummary("vitest", final=False)
    files = unhandled = 0
    for match in _VITEST.finditer(text) if ("Tests " in text or "Test Files " in text) else ():
        found = counts(_VITEST_COUNT, match[2])
        if match[1] == "Tests":
            summary.final = True
            summary.include(passed=found["passed"], failed=found["failed"], skipped=found["skipped"] + found["todo"])
        elif match[1] == "Test Files":
            files += found["failed"]
            summary.final, summary.reason = True, match[0].strip()
            if summary.passed is None and found.get("passed") and not files:
                summary.outcome = "passed"
        else:
            unhandled += found["error"] + found["errors"]
    if not summary.final:
        return _vitest_unfinished(text)
    if summary.passed is not None:
        summary.outcome = None
    if summary.failed or files:
        summary.failing = _vitest_failing(text)
        if not summary.failed:
            summary.errors = files
            summary.outcome, summary.never_ran = ("failed", False) if summary.passed else ("error", True)
    elif unhandled:
        summary.errors, summary.outcome = unhandled, "error"
    return summary


def _vitest_unfinished(text: str) -> RunnerSummary | None:
    failing = _vitest_failing(text) if "FAIL " in text or " × " in text else []
    return RunnerSummary.nothing_ran("vitest", text, "No test files found") or RunnerSummary.of_failures(
        "vitest", failing
    )


def _vitest_failing(text: str) -> list[str]:
    names = [m[1] + m[2].rstrip() for m in _VITEST_FAIL.finditer(text)]
    return distinct(sorted(names or (m[1] for m in _VITEST_CROSS.finditer(text))))


# Bun: " 2 pass", " 1 skip", " 2 fail", "Ran 6 tests across 2 files. [3.00ms]".
_BUN_COUNT = lazy(r"^ *(\d+) (pass|fail|skip|todo|errors?|filtered out)$", re.M)
_BUN_RAN = lazy(r"^Ran (\d+) tests? across \d+ files?\.", re.M)
_BUN_FAIL = lazy(r"^(?:\(fail\)|✗) (.+?)(?: \[[\d.]+m?s\])?$", re.M)


def read_bun(text: str) -> RunnerSummary | None:
    ran = _BUN_RAN.search(text) if " across " in text else None
    if ran is None:
        names = distinct(m[1] for m in _BUN_FAIL.finditer(text)) if "(fail) " in text else []
        nothing = RunnerSummary.nothing_ran("bun-test", text, " had no matches", "No tests found!")
        return (nothing if "bun test v" in text else None) or RunnerSummary.of_failures("bun-test", names)
    found = counts(_BUN_COUNT, text)
    errors = found["error"] + found["errors"]
    summary = RunnerSummary("bun-test")
    if "pass" not in found and not found.get("fail"):  # only the last lines were kept
        summary.final = False
        return summary
    # An error between tests is also counted as one failure.
    summary.include(
        passed=found["pass"],
        failed=max(0, found["fail"] - errors),
        skipped=found["skip"] + found["todo"],
        errors=errors,
    )
    if summary.failed or errors:
        summary.failing = distinct(sorted(m[1] for m in _BUN_FAIL.finditer(text)))
        if not summary.failed and not summary.passed:
            summary.outcome, summary.never_ran = "error", True
    return summary


RUNNERS = (
    KnownRunner(
        "vitest",
        read_vitest,
        marks=("Test Files ", "No test files found", " RUN  v"),
        strict=True,
        closing=lazy(r"^ *Duration +[\d.]+ ?m?s.*\n?", re.M),
    ),
    KnownRunner(
        "jest",
        read_jest,
        marks=("Test Suites:", "Tests:  ", "No tests found, exiting", "✕ ", "  ● "),
        strict=True,
        closing=lazy(r"^Time: +[\d.]+ ?m?s.*\n?(?:Ran all test suites.*\n?)?", re.M),
    ),
    KnownRunner(
        "bun-test",
        read_bun,
        marks=(" across ", "bun test v"),
        aliases=("bun",),
        closing=lazy(r"^Ran \d+ tests? across.*\n?", re.M),
    ),
)
