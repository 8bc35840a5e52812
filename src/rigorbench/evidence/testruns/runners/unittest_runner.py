"""unittest and what prints like it (Django's runner, nose, nose2, trial)."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, distinct, line_at, number

_RAN = lazy(r"^Ran (\d+) tests? in [\d.]+ ?s", re.M)
_VERDICT = lazy(r"^(OK|FAILED|PASSED|NO TESTS RAN)(?: \(([a-zA-Z]+[^()\n]*)\))?$", re.M)
_PART = lazy(r"([a-zA-Z ]+)=(\d+)")
_HEADING = lazy(r"^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.+)$", re.M)
_IN_CLASS = lazy(r"(\w+) \(([\w.<>]+)\)(.*)")
_LINE = lazy(r"^(\w+ \([\w.<>]+\))(?: ?\n.*)? \.\.\. (?:FAIL|ERROR)$", re.M)
_LOAD_FAILED = (
    "unittest.loader._FailedTest",
    "unittest.loader.ModuleImportFailure",
    "unittest.loader.LoadTestsFailure",
)


def read(text: str) -> RunnerSummary | None:
    """Each run prints "Ran N tests" and a verdict; a verdict alone (``| tail -1``) still shows how the run ended."""
    summary = RunnerSummary("unittest", final=False)
    runs = list(_RAN.finditer(text)) if "Ran " in text else []
    verdicts = list(_VERDICT.finditer(text)) if ("OK" in text or "FAILED (" in text or "NO TESTS RAN" in text) else []
    verdicts = [v for v in verdicts if _is_verdict(v, bool(runs), text)]
    if not verdicts and not runs:
        shown = "... FAIL" in text or "... ERROR" in text or "\nFAIL: " in text or "\nERROR: " in text
        return RunnerSummary.of_failures("unittest", failing(text)) if shown else None
    failed = nothing = False
    for position, verdict in enumerate(verdicts):
        after = verdicts[position - 1].end() if position else 0
        ran = next((r for r in reversed(runs) if after <= r.start() < verdict.start()), None)
        parts = {m[1].strip(): number(m[2]) for m in _PART.finditer(verdict[2] or "")}
        _add(summary, number(ran[1]) if ran else None, parts)
        failed |= verdict[1] == "FAILED"
        nothing |= verdict[1] == "NO TESTS RAN" or (ran is not None and number(ran[1]) == 0)
        summary.final = True
        summary.reason = verdict[0]
    if not verdicts:
        summary.reason = line_at(text, runs[-1].start())
        nothing = all(number(r[1]) == 0 for r in runs)
    summary.failing = failing(text) if failed or not verdicts else []
    if failed and summary.failing and all(name.startswith(_LOAD_FAILED) for name in summary.failing):
        alone = not summary.passed
        summary.outcome, summary.never_ran = ("error", True) if alone else ("failed", False)
    elif failed:
        summary.outcome = "failed"
    elif nothing:
        summary.outcome, summary.never_ran = "error", not summary.passed
    elif summary.final and summary.passed is None:
        summary.outcome = "passed"
    return summary


def _is_verdict(match: re.Match[str], after_count: bool, text: str) -> bool:
    """A bare "OK" is a common word: without the line of the count it must be the last word of the output."""
    if match[2] is not None:
        return "=" in match[2]
    if match[1] == "OK":
        return after_count or not text[match.end() :].strip()
    return match[1] == "NO TESTS RAN"


def _add(summary: RunnerSummary, ran: int | None, parts: dict[str, int]) -> None:
    failed = parts.get("failures", 0) + parts.get("unexpected successes", 0)
    errors = parts.get("errors", 0)
    skipped = sum(n for name, n in parts.items() if name.lower() in ("skipped", "skip", "skips", "expected failures"))
    summary.include(failed=failed, errors=errors, skipped=skipped)
    if ran is not None:
        # A subtest counts as a failure of its own, so that failures may exceed the tests that ran.
        summary.include(passed=max(0, ran - failed - errors - skipped))
    elif "successes" in parts:
        summary.include(passed=parts["successes"])


def failing(text: str) -> list[str]:
    """``module.Class.test`` of each failure, whichever way this Python version writes it."""
    found = [m[1] for m in _HEADING.finditer(text)] if "FAIL: " in text or "ERROR: " in text else []
    names = [name for name in map(_name, found) if name]
    if not names and " ... " in text:
        names = [name for name in (_name(m[1]) for m in _LINE.finditer(text)) if name]
    return distinct(sorted(names))


def _name(heading: str) -> str | None:
    match = _IN_CLASS.match(heading.strip())
    if match is None:
        return heading.strip() if re.fullmatch(r"[\w.]+", heading.strip()) and "." in heading else None
    test, where, rest = match[1], match[2], match[3].strip()
    name = where if where.rsplit(".", 1)[-1] == test else f"{where}.{test}"
    return f"{name} {rest}" if rest.startswith(("(", "[")) else name


def read_django(text: str) -> RunnerSummary | None:
    summary = read(text)
    if summary is not None:
        summary.runner = "django"
    return summary


RUNNERS = (
    KnownRunner(
        "django",
        read_django,
        marks=("System check identified ", "Creating test database for alias"),
        aliases=("django-test", "manage.py", "runtests"),
    ),
    KnownRunner(
        "unittest",
        read,
        marks=("\nRan ", "Ran 1 test in", " tests in ", "FAILED (failures=", "FAILED (errors=", "OK (skipped="),
        aliases=("nose", "nose2", "nosetests", "trial", "python -m unittest"),
        closing=lazy(r"^Ran \d+ tests? in .*\n\n(?:OK|FAILED).*\n?", re.M),
    ),
)
