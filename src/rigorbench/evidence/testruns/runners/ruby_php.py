"""RSpec, Minitest (Rails too), test-unit, PHPUnit and Pest."""

from __future__ import annotations

import re

from ...patterns import lazy
from .base import Runner, Summary, counts, distinct, number

_RSPEC = lazy(
    r"^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside of examples)?", re.M
)
_RSPEC_FAILED = lazy(r"^rspec (\S+)(?: # (.*))?$", re.M)


def read_rspec(text: str) -> Summary | None:
    summary = Summary("rspec")
    for match in _RSPEC.finditer(text) if " example" in text else ():
        total, failed, pending, errors = (number(match[n]) for n in (1, 2, 3, 4))
        summary.include(passed=max(0, total - failed - pending), failed=failed, skipped=pending, errors=errors)
        summary.reason = match[0]
    if not summary.reason:
        return None
    if summary.failed:
        # The description outlives a shift of lines, the location does not.
        summary.failing = distinct(sorted(m[2] or m[1] for m in _RSPEC_FAILED.finditer(text)))
    elif summary.errors:
        summary.outcome, summary.never_ran = "error", not summary.passed
    return summary


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


_PHPUNIT_OK = lazy(r"^OK \((\d+) tests?, \d+ assertions?\)", re.M)
_PHPUNIT = lazy(r"^Tests: (\d+), Assertions: \d+((?:, [A-Z][\w ]*: \d+)*)\.", re.M)
_PHPUNIT_PART = lazy(r", ([A-Z][\w ]*): (\d+)")
_PHPUNIT_NAME = lazy(r"^\d+\) ([\w\\]+::\w+(?: with data set (?:\"[^\"\n]*\"|#\d+))?)", re.M)
_TESTDOX = lazy(r"^ ✘ (.+?)(?: \[[\d.]+ ms\])?$", re.M)
_PEST = lazy(r"^ +Tests: +(\d+ [a-z]+(?:, \d+ [a-z]+)*)(?: \(\d+ assertions?\))?[ ]*$", re.M)
_PEST_COUNT = lazy(r"(\d+) (passed|failed|skipped|todos?|incomplete|risky|pending|deprecated|warnings?)")
_PEST_FAIL = lazy(r"^ +FAILED +(.+?)(?: {2,}\S.*)?$", re.M)


def read_phpunit(text: str) -> Summary | None:
    summary = Summary("phpunit")
    for match in _PHPUNIT_OK.finditer(text) if "OK (" in text else ():
        summary.include(passed=number(match[1]), failed=0, skipped=0)
        summary.reason = match[0]
    for match in _PHPUNIT.finditer(text) if "Assertions: " in text else ():
        parts = {m[1]: number(m[2]) for m in _PHPUNIT_PART.finditer(match[2])}
        failed, errors = parts.get("Failures", 0), parts.get("Errors", 0)
        skipped = parts.get("Skipped", 0) + parts.get("Incomplete", 0)
        passed = max(0, number(match[1]) - failed - errors - skipped)
        summary.include(passed=passed, failed=failed, errors=errors, skipped=skipped)
        summary.reason = match[0]
    if not summary.reason:
        return _pest(text) or _php_nothing(text)
    if summary.failed or summary.errors:
        start = max(0, text.find("There w"))
        names = [m[1] for m in _PHPUNIT_NAME.finditer(text, start)] or [m[1] for m in _TESTDOX.finditer(text)]
        summary.failing = distinct(sorted(names))
    return summary


def _pest(text: str) -> Summary | None:
    match = _PEST.search(text) if "Tests: " in text else None
    if match is None:
        return None
    found = counts(_PEST_COUNT, match[1])
    other = sum(n for word, n in found.items() if word in ("skipped", "todo", "todos", "incomplete", "pending"))
    summary = Summary("pest", found["passed"], found["failed"], other, reason=match[0].strip())
    if summary.failed:
        summary.failing = distinct(sorted(m[1].strip() for m in _PEST_FAIL.finditer(text)))
    return summary


def _php_nothing(text: str) -> Summary | None:
    words = ("No tests executed!", 'Cannot open file "', 'Test directory "', 'Test file "')
    return Summary.nothing_ran("phpunit", text, *words) if "PHPUnit" in text else None


RUNNERS = (
    Runner("rspec", read_rspec, marks=(" examples, ", "1 example, "), aliases=("shellspec", "crystal")),
    Runner("minitest", read_minitest, marks=(" assertions, ",), aliases=("rails", "rake", "test-unit", "ruby")),
    Runner(
        "phpunit",
        read_phpunit,
        marks=(", Assertions: ", "OK (", "No tests executed!", " assertions)"),
        aliases=("pest", "artisan", "php", "codeception"),
    ),
)
