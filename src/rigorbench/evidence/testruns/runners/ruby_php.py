"""Minitest (Rails too) and test-unit."""

from __future__ import annotations

import re

from ...patterns import lazy
from .base import Runner, Summary, distinct, number

_MINITEST = lazy(
    r"^(\d+) (?:runs|tests), (\d+) assertions, (\d+) failures, (\d+) errors, (\d+) (?:skips"
    r"|pendings)(?:, (\d+) omissions)?",
    re.M,
)
_MINITEST_NAME = lazy(r"^(?: *\d+\) )?(?:Failure|Error):\n([\w:]+#[^\s\[]+?):?(?: \[|$)", re.M)
_TEST_UNIT_NAME = lazy(r"^(?:Failure|Error): (\S+)\(([\w:]+)\)", re.M)


def read_minitest(text: str) -> Summary | None:
    summary = Summary("minitest")
    for match in _MINITEST.finditer(text) if " assertions, " in text else ():
        total, failed, errors, skipped = (number(match[n]) for n in (1, 3, 4, 5))
        skipped += number(match[6])
        summary.include(passed=max(0, total - failed - errors - skipped), failed=failed, errors=errors, skipped=skipped)
        summary.reason = match[0]
    if not summary.reason:
        return None
    if summary.failed or summary.errors:
        names = [m[1] for m in _MINITEST_NAME.finditer(text)]
        names += [f"{m[2]}#{m[1]}" for m in _TEST_UNIT_NAME.finditer(text)]
        summary.failing = distinct(sorted(names))
    return summary


RUNNERS = (Runner("minitest", read_minitest, marks=(" assertions, ",), aliases=("rails", "rake", "test-unit", "ruby")),)
