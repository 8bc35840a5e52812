"""Mocha, Playwright, AVA and tsd."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, counts, distinct, line_at, number

_MOCHA_PASSING = lazy(r"^ *(\d+) passing(?: \([\d.]+ ?m?[smh]\))?[ ]*$", re.M)
_MOCHA_OTHER = lazy(r"^ *(\d+) (pending|failing)[ ]*$", re.M)
_MOCHA_NUMBERED = lazy(r"^  ?\d+\) (.+)$", re.M)


def read_mocha(text: str) -> RunnerSummary | None:
    passing = list(_MOCHA_PASSING.finditer(text)) if " passing" in text else []
    others = list(_MOCHA_OTHER.finditer(text)) if "failing" in text or "pending" in text else []
    if not passing and not others:
        return RunnerSummary.nothing_ran("mocha", text, "No test files found", "Exception during run:")
    summary = RunnerSummary("mocha", reason=line_at(text, (passing or others)[-1].start()))
    if passing:
        summary.include(passed=sum(number(m[1]) for m in passing), failed=0, skipped=0)
    for match in others:
        summary.include(**{"failed" if match[2] == "failing" else "skipped": number(match[1])})
        if match[2] == "failing":
            summary.reason = match[0].strip()
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
    summary = RunnerSummary("playwright", reason=", ".join(f"{n} {word}" for word, n in found.items()))
    summary.include(
        passed=found["passed"] + found["flaky"],
        failed=found["failed"] + found["interrupted"],
        skipped=found["skipped"] + found["did not run"],
        errors=number(errors[1]) if errors else 0,
    )
    if summary.failed:
        names = [m[1].strip(" ─") for m in _PLAYWRIGHT_LISTED.finditer(text)]
        names = names or [m[1].strip(" ─") for m in _PLAYWRIGHT_HEAD.finditer(text) if " › " in m[1]]
        summary.failing = distinct(sorted(map(_playwright_name, names)))
    elif summary.errors:
        summary.outcome, summary.never_ran = "error", not summary.passed
    elif (first := _PLAYWRIGHT.search(text)) is not None:
        # Failures are listed above the other lines: if the output was cut there, nothing shows whether there are any.
        above = text[: first.start()].rstrip("\n").rsplit("\n", 1)[-1]
        summary.final = bool(above.strip()) and _PLAYWRIGHT_LISTED.match(above) is None
    return summary


def _playwright_name(line: str) -> str:
    return _PLAYWRIGHT_AT.sub(" > ", line, count=1).replace(" › ", " > ")


_AVA = lazy(
    r"^  (\d+) (?:known |uncaught |unhandled )?(tests? passed|tests? failed|tests? skipped|tests? todo|exceptions?"
    r"|rejections?)",
    re.M,
)
_AVA_FAIL = lazy(r"^ +✘ \[fail\]: (.+?)(?: \([\d.]+m?s\))?(?: .*Error thrown.*)?$", re.M)


def read_ava(text: str) -> RunnerSummary | None:
    found = counts(_AVA, text)
    if not found:
        if "✘ " not in text:
            return None
        nothing = "Couldn’t find any files to test", "test files were found, but did not match"
        return RunnerSummary.nothing_ran("ava", text, *nothing) or RunnerSummary.of_failures("ava", _ava_failing(text))

    def total(word: str) -> int:
        return sum(n for key, n in found.items() if key.startswith(("test " + word, "tests " + word)))

    other = sum(n for key, n in found.items() if key.startswith(("exception", "rejection")))
    summary = RunnerSummary("ava", total("passed"), total("failed"), total("skipped") + total("todo"), other)
    summary.reason = ", ".join(f"{n} {word}" for word, n in found.items())
    if summary.failed:
        # AVA leaves out the line of passed tests when something failed.
        summary.passed = total("passed") or None
        summary.failing = _ava_failing(text)
    return summary


def _ava_failing(text: str) -> list[str]:
    return distinct(sorted(m[1].replace(" › ", " > ") for m in _AVA_FAIL.finditer(text)))


_TSD_FILE = lazy(r"^ {2}(\S+\.test-d\.[cm]?tsx?):\d+:\d+$", re.M)


def read_tsd(text: str) -> RunnerSummary | None:
    """Tests of types print nothing unless they fail."""
    return RunnerSummary.of_failures("tsd", distinct(m[1] for m in _TSD_FILE.finditer(text)))


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
    KnownRunner(
        "ava",
        read_ava,
        marks=(" passed\n", " test failed", " tests failed", "✘ ", " passed", " uncaught exception"),
        strict=True,
    ),
    KnownRunner("tsd", read_tsd, marks=(".test-d.",), strict=True),
)
