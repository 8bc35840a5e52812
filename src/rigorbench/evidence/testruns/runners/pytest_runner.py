"""pytest: its closing line in every verbosity, its short summary, and what is left of them when the output was cut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from ....base.patterns import lazy
from ...events import Outcome
from .base import MAX_FAILING, KnownRunner, RunnerSummary, counts, distinct, lines_with

# "=== 1 failed, 2 passed in 0.12s (0:00:01) ===", the same without "=" (-q), and "in 0.12 seconds" of old versions.
_PHRASE = r"\d+ [a-z-]+(?: [a-z]+)?"
_CLOSING = lazy(
    rf"=*[ ]?((?:{_PHRASE}, )*{_PHRASE}(?: \(\d+ deselected\))?|no tests ran"
    rf"|no tests collected(?: \(\d+ deselected\))?),?"
    r" in \d[\d.:]* ?s(?:econds?)?(?: \([\d:a-z ,]+\))?[ ]?=*\s*$"
)
_COUNT = lazy(r"(\d+) (passed|failed|errors?|skipped|deselected|xfailed|xpassed|subtests failed|subtests passed)")
_COLLECTED = lazy(r"(?:\d+/)?\d+ tests? collected|no tests collected")
# pytest-sugar and pytest-pretty: "Results (0.12s):" and then one indented count to a line.
_RESULTS = lazy(r"^Results \([\d.]+s[^)\n]*\):\n((?: +(?:\d+ \w+|- .*)(?:\n|$))+)", re.M)
_RESULTS_COUNT = lazy(r"^ +(\d+) (passed|failed|errors?|skipped|deselected|xfailed|xpassed)$", re.M)

_SHORT = lazy(r"(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)\n]*\)|\[[^\]\n]*\])*) (.+)")
_VERBOSE = lazy(r"(\S+\.py::.+?) (?:FAILED|ERROR|SUBFAIL(?:ED)?)\b")
_XDIST = lazy(r"\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) (\S+::.+?) *$")
_HEADER = lazy(r"^_{3,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(.+?) _{3,}$", re.M)
_PLACE = lazy(r"^(\S+\.py):\d+: ", re.M)
# Messages with which a run fails although its tests passed.
_FAILED_ANYWAY = (
    "\nINTERNALERROR>",
    "! KeyboardInterrupt !",
    "FAIL Required test coverage of",
    "ERROR: Coverage failure:",
)
_PROGRESS = lazy(r"(?:\S+\.py )?[.sxXRPp]*[FE][.FEsxXRPp]* *(?:\[ *\d+%\])?$")


def read(text: str) -> RunnerSummary | None:
    summary = RunnerSummary("pytest", final=False)
    outcomes: list[Outcome] = []
    for phrase, line in _closings(text):
        summary.reason = line.strip("= \n")[:160]
        outcomes.append(_take(summary, phrase, text))
    if outcomes:
        summary.final = True
        for outcome in ("failed", "error", "unknown", "passed"):
            if outcome in outcomes:
                summary.outcome = outcome
                break
        ran = (summary.passed or 0) + (summary.failed or 0) + (summary.errors or 0) * (summary.outcome == "failed")
        summary.never_ran = not ran and not summary.skipped
        if (
            summary.outcome == "passed"
            and len(outcomes) == 1
            and ("%]" in text and any(_PROGRESS.match(line) for _, line in lines_with(text, "%]")))
        ):
            # A closing line of another run, or of no run at all.
            summary.outcome = "failed"
        if summary.outcome == "passed" and any(words in text for words in _FAILED_ANYWAY):
            summary.outcome = "error"
    elif not _without_closing(summary, text):
        return None
    if summary.outcome in ("failed", "error"):
        summary.failing = failing(text)
    return summary


def _closings(text: str) -> Iterator[tuple[str, str]]:
    """The counting phrase of each closing line, with the line."""
    for _, line in lines_with(text, " in "):
        if len(line) < 400 and (match := _CLOSING.match(line)):
            phrase = match[1]
            if (
                _COUNT.search(phrase)
                or phrase.startswith("no tests")
                or _COLLECTED.match(phrase)
                or (line.startswith("=") and "warning" in phrase)
            ):
                yield phrase, line
    if "Results (" in text:
        for block in _RESULTS.finditer(text):
            found = [f"{m[1]} {m[2]}" for m in _RESULTS_COUNT.finditer(block[1])]
            yield ", ".join(found) or "no tests ran", ", ".join(found)


def _take(summary: RunnerSummary, phrase: str, text: str) -> Outcome:
    """Adds one closing phrase to the summary; returns its outcome."""
    if collected := _COLLECTED.match(phrase):
        # --collect-only: nothing was run, so that nothing can have passed.
        errors = counts(_COUNT, phrase[collected.end() :])
        return "error" if "error" in errors or "errors" in errors or phrase.startswith("no ") else "unknown"
    found = counts(_COUNT, phrase)
    failed = found["failed"] or found["subtests failed"]
    errors_ = found["error"] + found["errors"]
    passed = found["passed"] + found["xpassed"]
    skipped = found["skipped"] + found["xfailed"]
    summary.include(passed=passed, failed=failed, skipped=skipped, errors=errors_)
    if failed or (errors_ and (passed or _in_fixture(text))):
        return "failed"
    if errors_:
        return "error"
    if passed:
        return "passed"
    return "unknown" if skipped else "error"


def _in_fixture(text: str) -> bool:
    """Whether an error came while a test was being run (fixture), not while the tests were being collected."""
    if "errors during collection" in text or "error during collection" in text:
        return False
    return "_ ERROR at " in text or any("::" in line for _, line in lines_with(text, "ERROR ") if _SHORT.match(line))


def _without_closing(summary: RunnerSummary, text: str) -> bool:
    """What remains when the closing line is missing: cut output, ``-qq``, a crash, a killed run."""
    if "INTERNALERROR>" in text:
        summary.outcome = "error"
        return True
    if ": error: unrecognized arguments" in text or "ImportError while loading conftest" in text:
        summary.outcome, summary.never_ran, summary.final = "error", True, True
        summary.reason = "pytest stopped before collecting tests"
        return True
    if "= FAILURES =" in text or "short test summary info" in text or "::" in text:
        summary.failing = failing(text)
        if summary.failing:
            summary.outcome = "failed"
            return True
    if "during collection !" in text:
        summary.outcome, summary.never_ran, summary.reason = "error", True, "errors during collection"
        return True
    if "= FAILURES =" in text or any(_PROGRESS.match(line) for _, line in lines_with(text, "%]")):
        summary.outcome = "failed"
        return True
    return "test session starts =" in text or "%]" in text


def failing(text: str) -> list[str]:
    """Node ids of the failed tests; where none are printed, the names in the headings of the failure sections."""
    names: list[str] = []
    for mark in ("FAILED ", "ERROR ", "SUBFAIL"):
        for _, line in lines_with(text, mark):
            if (short := _SHORT.match(line)) and (name := _node(short[1])):
                names.append(name)
    if names:
        return distinct(sorted(names))
    for mark in (" FAILED", " ERROR", " SUBFAIL"):
        for _, line in lines_with(text, mark):
            if match := _VERBOSE.match(line) or _XDIST.match(line):
                names.append(match[1])
    return distinct(sorted(names)) or _from_headings(text)


def _node(rest: str) -> str | None:
    """The node id in front of " - message"; parameters in brackets may themselves contain spaces and dashes."""
    bracket = rest.find("[")
    dash = rest.find(" - ")
    if bracket >= 0 and (dash < 0 or bracket < dash):
        end = rest.find("] - ", bracket)
        name = rest[: end + 1] if end >= 0 else rest
    else:
        name = rest if dash < 0 else rest[:dash]
    name = name.strip()
    if "::" in name:
        return name if " " not in name.split("::", 1)[0] else None
    return name if name.endswith(".py") and " " not in name else None


def _from_headings(text: str) -> list[str]:
    if "___ " not in text:
        return []
    names = []
    for heading in islice(_HEADER.finditer(text), MAX_FAILING):
        name = heading[1]
        if name.startswith(("coverage:", "summary")):
            continue
        place = _PLACE.search(text, heading.end(), min(len(text), heading.end() + 4000))
        if name.endswith(".py") or place is None:
            names.append(name)
        else:
            # ``TestA.test_b[1.5]`` as the node id writes it: dots of the class part become ``::``.
            head, bracket, parameters = name.partition("[")
            names.append(f"{place[1]}::{head.replace('.', '::')}{bracket}{parameters}")
    return distinct(sorted(names))


RUNNERS = (
    KnownRunner(
        "pytest",
        read,
        marks=(
            "passed in ", "failed in ", "error in ", "errors in ", "skipped in ", "warnings in ", "warning in ",
            "deselected in ", "xfailed in ", "xpassed in ", "rerun in ", "subtests passed in ", "no tests ran in ",
            "test session starts =", "short test summary info", "INTERNALERROR>", "Results (",
        ),
        aliases=("py.test", "python -m pytest"),
        strict=True,
        closing=lazy(r"^(?:=+ )?\d+ (?:passed|failed|errors?|skipped|deselected|xfailed)\b.* in [\d.]+s.*\n?", re.M),
    ),
)  # fmt: skip
