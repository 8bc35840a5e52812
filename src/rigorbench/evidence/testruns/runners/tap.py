"""The Test Anything Protocol and its users: node --test, tape, node-tap."""

from __future__ import annotations

import re
from collections import Counter

from ....base.patterns import lazy
from .base import KnownRunner, RunnerSummary, distinct, lines_with, number

# node --test closes with "# tests 3", "# pass 2" ... (TAP) or "ℹ tests 3" ... (spec reporter).
_NODE = lazy(r"^[#ℹ] (tests|suites|pass|fail|cancelled|skipped|skip|todo) +(\d+)$", re.M)
_NODE_CROSS = lazy(r"^ *✖ (.+?) \([\d.]+ms\)")
_POINT = lazy(r"^( *)(not ok|ok)\b(?: +\d+)?(?: +-)? *(.*)$", re.M)
_DIRECTIVE = lazy(r"#\s*(skip|todo)\b", re.I)
_PLAN = lazy(r"^ *1\.\.(\d+)", re.M)
TIME = lazy(r"\s+# time=[\d.]+m?s.*$|\s+\{$")


def read_node(text: str) -> RunnerSummary | None:
    found: Counter[str] = Counter()
    for match in _NODE.finditer(text) if "fail" in text else ():
        found[match[1]] += number(match[2])
    if "pass" not in found and "fail" not in found:
        return _node_unfinished(text)
    summary = RunnerSummary("node-test")
    summary.include(
        passed=found["pass"],
        failed=found["fail"] + found["cancelled"],
        skipped=found["skipped"] + found["skip"] + found["todo"],
    )
    if "pass" not in found:
        summary.passed, summary.final = None, bool(summary.failed)
    if summary.failed:
        summary.failing = _crosses(text) or _points(text)[0]
        if not summary.passed and (
            bool(summary.failing) and all(re.search(r"\.[cm]?[jt]sx?$", name) for name in summary.failing)
        ):
            summary.outcome, summary.never_ran = "error", True
    return summary


def _node_unfinished(text: str) -> RunnerSummary | None:
    names = _crosses(text) if "✖ " in text else []
    return RunnerSummary.nothing_ran("node-test", f"\n{text}", "\nCould not find '") or RunnerSummary.of_failures(
        "node-test", names
    )


def _crosses(text: str) -> list[str]:
    """Names of failed tests of the spec reporter; the list at its end leaves out the suites, which fail with them."""
    listed = text.rfind("✖ failing tests:")
    names = [m[1] for _, line in lines_with(text[max(0, listed) :], "✖ ") if (m := _NODE_CROSS.match(line))]
    return distinct(sorted(names))


def _points(text: str) -> tuple[list[str], int, int, int]:
    """Failing names and the numbers of passed, failed and skipped test points of the outermost level."""
    failing: list[str] = []
    passed = failed = skipped = 0
    points = list(_POINT.finditer(text))
    outer = min((len(p[1]) for p in points), default=0)
    for point in points:
        directive = _DIRECTIVE.search(point[3])
        top = len(point[1]) == outer
        if directive:
            skipped += top
        elif point[2] == "ok":
            passed += top
        else:
            failed += top
            if (
                "failureType: 'subtestsFailed'"
                not in text[point.end() : point.end() + 400].split("\n...", 1)[0].split("ok ", 1)[0]
            ):
                failing.append(TIME.sub("", point[3]).strip() or "unnamed test point")
    return distinct(sorted(failing)), passed, failed, skipped


def read_tap(text: str) -> RunnerSummary | None:
    """Counts test points; final when the plan is there and every point of it, or when a point failed."""
    if "\nResult: " in text:
        return None  # of prove, which counts the points itself
    if "\nok " not in text and not text.startswith("ok ") and "not ok" not in text:
        plan = _PLAN.search(text) if "1..0" in text else None
        if plan is not None and plan[1] == "0":
            return RunnerSummary("tap", outcome="error", never_ran=True, reason="1..0: no test")
        return None
    failing, passed, failed, skipped = _points(text)
    if not passed and not failed and not skipped:
        return None
    plans = [number(m[1]) for m in _PLAN.finditer(text) if not m[0].startswith(" ")]
    summary = RunnerSummary("tap", passed, failed, skipped, failing=failing)
    total = passed + failed + skipped
    summary.final = bool(plans) and total >= sum(plans)
    if "Bail out!" in text and not failed:
        summary.outcome = "error"
    elif plans and total < sum(plans) and not failed:
        summary.outcome = "unknown"
    return summary


RUNNERS = (
    KnownRunner(
        "node-test",
        read_node,
        marks=("# fail ", "ℹ fail ", "# pass ", "ℹ pass ", "✖ failing tests:", "node:internal/test_runner"),
        aliases=("node --test", "node"),
        closing=lazy(r"^[#ℹ] fail \d+\n?(?:[#ℹ] (?:cancelled|skipped|todo|duration_ms) [\d.]+.*\n?)*", re.M),
    ),
    KnownRunner("tap", read_tap, marks=("not ok", "TAP version", "1..", "\nok "), aliases=("tape", "node-tap")),
)
