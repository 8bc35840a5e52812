"""go test (plain, -v, -json)."""

from __future__ import annotations

import re

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, distinct, leaves

# A terminal turns the tabs into spaces.
_PACKAGE = lazy(
    r"^(?:(ok)(?:[ ]+\t|[ ]{6})|(FAIL)(?:\t|[ ]{4})|(---) FAIL: |(\?)(?:[ ]+\t|[ ]{7}))(\S+)"
    r"(?:\s+(?:[\d.]+s|\(cached\)))?(?:\s+coverage: [^\[\n]*)?(?:\s*\[([a-z ]+)\])?[^\n]*$",
    re.M,
)
_RESULT = lazy(r"^( *)--- (PASS|FAIL|SKIP): (\S+) \(", re.M)
_NO_PACKAGES = (
    "matched no packages", "no packages to test", "no Go files in", "no required module provides package", "\npattern ",
)  # fmt: skip
# What the go command itself says when it cannot begin; its packages are still to come while it fetches modules.
_REFUSED = lazy(r"\A(?:go: (?:downloading|finding|extracting) [^\n]*\n)*(go: (?!downloading|finding|extracting)[^\n]+)")
_NOTHING = ("no test files", "no tests to run", "no tests ran")


def read_go(text: str) -> RunnerSummary | None:
    summary = RunnerSummary("go-test", final=False)
    ok = bad = nothing = 0
    broken: list[str] = []  # packages that do not compile
    failing: list[str] = []
    waiting: list[str] = []  # failed tests whose package line comes after them
    for match in _PACKAGE.finditer(text):
        good, fail, test, without, name, note = match.groups()
        if test:
            waiting.append(name)
            continue
        if good:
            nothing, ok = (nothing + 1, ok) if note in _NOTHING else (nothing, ok + 1)
        elif fail:
            if note in ("build failed", "setup failed"):
                broken.append(name)
                summary.reason = match[0].replace("\t", " ").strip()
            else:
                bad += 1
                failing += [f"{name}.{t}" for t in (*waiting, *_subtests(text, match.start(), waiting))] or [name]
            waiting = []
        elif without:
            nothing += 1
        summary.final = True
    last_word = text.rstrip().endswith("\nFAIL") or text.strip() == "FAIL"
    failing += waiting
    if not summary.final and not failing and not last_word:
        return _unfinished(text)
    _count(summary, text)
    if bad or failing or (last_word and not broken):
        summary.failing = leaves(failing)
        summary.outcome = "failed"
        summary.failed = summary.failed or len(summary.failing) or None
        summary.failing += distinct(broken)
        summary.final = True
    elif broken:
        summary.errors = len(broken)
        summary.outcome, summary.never_ran = "error", not ok
    elif ok:
        summary.outcome = "passed" if summary.passed != 0 or not summary.skipped else "unknown"
    else:
        summary.outcome, summary.never_ran, summary.passed = "error", True, 0
    return summary


def _subtests(text: str, before: int, tests: list[str]) -> list[str]:
    """The indented ``--- FAIL`` lines that belong to the failed tests of the package that ends at ``before``."""
    start = text.rfind("--- FAIL: " + tests[0] + " ", 0, before) if tests else before
    region = text[max(0, start) : before]
    return [m[3] for m in _RESULT.finditer(region) if m[2] == "FAIL" and m[1]] if "    --- FAIL" in region else []


def _count(summary: RunnerSummary, text: str) -> None:
    """Counts of tests; without -v only failed tests are printed, so that the others are not known."""
    if "--- PASS" not in text and "--- FAIL" not in text:
        return
    results = [(m[2], m[3]) for m in _RESULT.finditer(text)]
    parents = {name[: name.rfind("/")] for _, name in results if "/" in name}
    leaves = [how for how, name in results if name not in parents]
    summary.failed = leaves.count("FAIL")
    if "=== RUN" in text or "--- PASS" in text:
        summary.passed = leaves.count("PASS")
        summary.skipped = leaves.count("SKIP")


def _unfinished(text: str) -> RunnerSummary | None:
    if (nothing := RunnerSummary.nothing_ran("go-test", f"\n{text}", *_NO_PACKAGES)) is not None:
        return nothing
    if (refused := _REFUSED.match(text)) is not None:
        return RunnerSummary("go-test", outcome="error", never_ran=True, reason=refused[1])
    passed = text.rstrip().endswith("\nPASS") or text.strip() == "PASS"
    if not passed and "=== RUN " not in text and "--- PASS: " not in text:
        return None
    # A test binary ends with PASS; without it, and without the package line, the run may have gone on to fail.
    summary = RunnerSummary("go-test", final=passed)
    _count(summary, text)
    if passed:
        summary.outcome = "unknown" if summary.passed == 0 and summary.skipped else "passed"
    return summary


RUNNERS = (
    KnownRunner(
        "go-test",
        read_go,
        marks=("ok  \t", "ok      ", "FAIL\t", "FAIL    ", "--- FAIL: ", "--- PASS: ", "[no test files]"),
        aliases=("go", "gotest"),
        closing=lazy(r"^(?:ok  |FAIL|\?   )(?:\t|[ ]{4})(\S+)[^\n]*\n?(?:FAIL\n?(?!\t))?", re.M),
        by_package=True,
    ),
)
