"""cargo test: unit, integration and documentation tests."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, distinct, line_at, number

_RESULT = lazy(
    r"^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; (\d+) filtered out", re.M
)
_FAILED = lazy(r"^(?:test )?(\S.*?)(?: - should panic)? (?:\.\.\.|---) FAILED", re.M)
_TEST_TARGET = lazy(r"^error: could not compile `[^`\n]*` \((?:[^)\n]* )?test(?: [^)\n]*)?\)", re.M)
_SECTION = lazy(r"^failures:\n((?:    \S.*\n?)+)", re.M)


_TARGET_FAILED = (
    "error: test failed, to rerun pass",
    "error: doctest failed, to rerun pass",
    " target failed:",
    " targets failed:",
)


def read_cargo(text: str) -> RunnerSummary | None:
    summary = RunnerSummary("cargo-test", final=False)
    red = False
    for match in _RESULT.finditer(text) if "test result: " in text else ():
        summary.include(passed=number(match[2]) + number(match[5]), failed=number(match[3]), skipped=number(match[4]))
        red |= match[1] == "FAILED"
        summary.final = True
    compile_error = "error: could not compile" in text
    if not summary.final and not compile_error:
        return _unfinished(text)
    red |= any(words in text for words in _TARGET_FAILED)
    if red or summary.failed:
        summary.failing = _failing(text)
        summary.outcome = "failed"
    elif compile_error:
        summary.final = True
        summary.outcome, summary.never_ran, summary.errors = "error", not summary.passed, 1
        summary.reason = line_at(text, text.find("error: could not compile"))
        summary.vague = summary.passed is None and not _TEST_TARGET.search(text)
    elif not (summary.passed or summary.skipped) and not any(
        0 <= text.find(words) < text.find("test result: ")
        for words in ("   Compiling ", "   Finished ", " Running unittests ")
    ):
        # "| tail" leaves the empty result of the documentation tests and hides what cargo prints before the first one.
        summary.outcome = "unknown"
    elif "process didn't exit successfully" in text and "signal: " in text:
        summary.outcome = "failed"
    return summary


def _failing(text: str) -> list[str]:
    names: list[str] = []
    for section in _SECTION.finditer(text):
        names += [line.strip() for line in section[1].split("\n")]
    if not names:
        names = [m[1] for m in _FAILED.finditer(text)]
    return distinct(sorted(n for n in names if n))


def _unfinished(text: str) -> RunnerSummary | None:
    words = ("error: no test target named", "error: no such command", "could not find `Cargo.toml`")
    names = _failing(text) if "... FAILED" in text or "--- FAILED" in text else []
    summary = RunnerSummary.nothing_ran("cargo-test", text, *words) or RunnerSummary.of_failures("cargo-test", names)
    if summary is not None:
        return summary
    if "\nrunning " in text and " ... ok" in text:
        return RunnerSummary("cargo-test", final=False)
    return None


RUNNERS = (
    KnownRunner(
        "cargo-test",
        read_cargo,
        marks=("test result: ", "... FAILED", "--- FAILED", "error: could not compile"),
        aliases=("cargo",),
    ),
)
