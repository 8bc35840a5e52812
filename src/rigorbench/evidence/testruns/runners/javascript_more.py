"""Mocha and Playwright."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, counts, distinct, number

_MOCHA_PASSING = lazy(r"^ *(\d+) passing(?: \([\d.]+ ?m?[smh]\))?[ ]*$", re.M)
_MOCHA_OTHER = lazy(r"^ *(\d+) (pending|failing)[ ]*$", re.M)
_MOCHA_NUMBERED = lazy(r"^  ?\d+\) (.+)$", re.M)


def read_mocha(text: str) -> RunnerSummary | None:
    passing = list(_MOCHA_PASSING.finditer(text)) if " passing" in text else []
    others = list(_MOCHA_OTHER.finditer(text)) if "failing" in text or "pending" in text else []
    if not passing and not others:
        return RunnerSummary.nothing_ran("mocha", text, "No test files found", "Exception during run:")
    summary = RunnerSummary("mocha")
    if passing:
        summary.include(passed=sum(number(m[1]) for m in passing), failed=0, skipped=0)
    for match in others:
        summary.include(**{"failed" if match[2] == "failing" else "skipped": number(match[1])})
    if summary.failed:
        summary.failing = _mocha_failing(text, others[0].start())
    elif not passing:
        summary.final = False
    return summary


def _mocha_failing(text: str, start: int) -> list[str]:
    """Titles joined with " > ": the numbered entry and the deeper lines that follow it, up to the one with a colon."""
    names = []
    for match in _MOCHA_NUMBERED.finditer(text, start):
        parts = [match[1].strip()]
        rest = text[match.end() + 1 : match.end() + 2000].split("\n")
        while not parts[-1].endswith(":") and rest and rest[0].strip() and len(parts) < 12:
            parts.append(rest.pop(0).strip())
        if parts[-1].endswith(":"):
            names.append(" > ".join(parts)[:-1])
    return distinct(sorted(names))


_PLAYWRIGHT = lazy(r"^  (\d+) (passed|failed|flaky|skipped|did not run|interrupted)(?: \([\d.]+ ?m?[smh]\))?$", re.M)
_PLAYWRIGHT_AT = lazy(r":\d+:\d+ › ")
_PLAYWRIGHT_ERROR = lazy(r"^  (\d+) errors? (?:was|were) not a part of any test", re.M)
_PLAYWRIGHT_HEAD = lazy(r"^ +\d+\) (.+?)(?: [─-]+)?$", re.M)
_PLAYWRIGHT_LISTED = lazy(r"^    (\S.* › .+?)(?: [─-]+)?$", re.M)


def read_playwright(text: str) -> RunnerSummary | None:
    found = counts(_PLAYWRIGHT, text)
    errors = _PLAYWRIGHT_ERROR.search(text) if "not a part of any test" in text else None
    if not found and errors is None:
        no_browser = ["Executable doesn't exist at"] if "playwright install" in text else []
        return RunnerSummary.nothing_ran("playwright", text, "Error: No tests found", *no_browser)
    summary = RunnerSummary("playwright")
    summary.include(
        passed=found["passed"] + found["flaky"],
        failed=found["failed"] + found["interrupted"],
        skipped=found["skipped"] + found["did not run"],
        errors=number(errors[1]) if errors else 0,
    )
    if summary.failed:
        names = [m[1].strip(" ─") for m in _PLAYWRIGHT_LISTED.finditer(text)]
        names = names or [m[1].strip(" ─") for m in _PLAYWRIGHT_HEAD.finditer(text) if " › " in m[1]]
        summary.failing = distinct(sorted(_PLAYWRIGHT_AT.sub(" > ", name, count=1) for name in names))
    elif summary.errors:
        summary.outcome, summary.never_ran = "error", not summary.passed
    elif (first := _PLAYWRIGHT.search(text)) is not None:
        # Failures are listed above the other lines: if the output was cut there, nothing shows whether there are any.
        above = text[: first.start()].rstrip("\n").rsplit("\n", 1)[-1]
        summary.final = bool(above.strip()) and _PLAYWRIGHT_LISTED.match(above) is None
    return summary


RUNNERS = (
    KnownRunner(
        "playwright",
        read_playwright,
        marks=(" using 1 worker", " workers", " passed (", "playwright install", "Error: No tests found"),
        strict=True,
    ),
    KnownRunner(
        "mocha",
        read_mocha,
        marks=(" passing", " failing", "Error: No test files found", "Exception during run:"),
        aliases=("hardhat", "truffle", "wdio"),
    ),
)
