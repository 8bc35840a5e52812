"""tox and nox: they run other runners, so their own verdict decides and the counts come from inside."""

from __future__ import annotations

import re

from ...events import Outcome
from ...patterns import lazy
from . import pytest_runner, unittest_runner
from .base import Runner, Summary, conclude, distinct

# tox 4: "  py311: FAIL code 1 (0.7 seconds)"; tox 3: "ERROR:   py36: commands failed", "  py36: commands succeeded".
_TOX4 = lazy(r"^ *([\w.,-]+): (OK|FAIL|SKIP|IGNORED FAIL)\b(?: code (-?\d+))?[^\n]*\((?:[\d.]+|[\d.]+=)", re.M)
_TOX3 = lazy(r"^(?:ERROR: )? +([\w.,-]+): (commands succeeded|commands failed|InterpreterNotFound.*|skipped.*)$", re.M)
_NOX_LINE = lazy(r"^nox > \* (\S+): (success|failed|skipped|aborted)", re.M)
_NOX_ONE = lazy(r"^nox > Session (\S+) (was successful|failed|aborted|skipped)", re.M)


def read_tox(text: str) -> Summary | None:
    good = text.rfind("congratulations :)")
    bad = text.rfind("evaluation failed :(")
    results = [(m[1], m[2]) for m in (*_TOX4.finditer(text), *_TOX3.finditer(text))] if ": " in text else []
    if good < 0 and bad < 0 and not results:
        return Summary.nothing_ran("tox", text, "provided environments not found", "No module named tox")
    failed = [name for name, how in results if how.startswith(("FAIL", "commands failed", "Interpreter"))]
    outcome: Outcome = "failed" if failed or bad > good else "passed"
    if not failed and results and all(how.lower().startswith("skip") for _, how in results):
        outcome = "unknown"
    inner = _inside(text)
    summary = _combined("tox", outcome, inner, failed)
    summary.reason = "evaluation failed :(" if outcome == "failed" and bad >= 0 else f"tox environments: {results[:4]}"
    if outcome == "passed":
        summary.reason = "congratulations :)" if good >= 0 else summary.reason
    summary.final = good >= 0 or bad >= 0 or bool(results)
    return summary


def read_nox(text: str) -> Summary | None:
    if "nox > " not in text:
        return None
    results = [(m[1], m[2]) for m in _NOX_LINE.finditer(text)] or [(m[1], m[2]) for m in _NOX_ONE.finditer(text)]
    if not results:
        return Summary.nothing_ran("nox", text, "Sessions not found:", "Error while collecting sessions")
    failed = [name for name, how in results if how in ("failed", "aborted")]
    outcome: Outcome = "failed" if failed else "passed"
    if not failed and all(how == "skipped" for _, how in results):
        outcome = "unknown"
    summary = _combined("nox", outcome, _inside(text), failed)
    summary.reason = f"nox sessions: {', '.join(f'{n} {h}' for n, h in results[:4])}"
    return summary


def _inside(text: str) -> Summary | None:
    """The sum of what the runners inside reported."""
    for read in (pytest_runner.read, unittest_runner.read):
        inner = read(text)
        if inner is not None and inner.final:
            return inner
    return None


def _combined(name: str, outcome: Outcome, inner: Summary | None, failed: list[str]) -> Summary:
    """The orchestrator's verdict with the inner counts. Environments without tests (lint, docs) prove no test."""
    summary = Summary(name, outcome=outcome, failing=distinct(failed))
    if inner is None:
        if outcome == "passed":
            summary.outcome = "unknown"
        return summary
    inside, _ = conclude(inner)
    summary.passed, summary.failed, summary.skipped = inner.passed, inner.failed, inner.skipped
    summary.errors = inner.errors
    if outcome == "failed":
        # An environment may fail before its tests start; then no failing test is shown.
        summary.outcome = "failed" if inside == "failed" else "error"
        summary.failing = inner.failing or summary.failing
        summary.never_ran = inside == "error" and inner.never_ran
    elif outcome == "passed" and inside != "passed":
        summary.outcome, summary.failing = inside, inner.failing
    return summary


RUNNERS = (
    Runner(
        "tox",
        read_tox,
        marks=("congratulations :)", "evaluation failed :(", ": commands succeeded", ": commands failed"),
        strict=True,
    ),
    Runner("nox", read_nox, marks=("nox > ",), strict=True),
)
