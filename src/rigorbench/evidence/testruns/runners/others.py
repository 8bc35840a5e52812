"""dotnet test, Deno and Swift."""

from __future__ import annotations

import re

from ...patterns import lazy
from .base import Runner, Summary, distinct, last, number

# One per project: "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 5 ms - X.dll". The
# words are in the language of the machine, the order of the counts is not.
_NET_LINE = lazy(
    r"^ *[^\s!！]+(?: [^\s!！]+)? ?[!！] +[-:] [^\n:：,，]{1,40}[:：] *(\d+)[,，] *[^\n:：,，]{1,40}[:：] *(\d+)[,，]"
    r" *[^\n:：,，]{1,40}[:：] *(\d+)[,，] *[^\n:：,，]{1,40}[:：] *(\d+)",
    re.M,
)
_NET_OLD = lazy(r"^Total tests: (\d+)(?:\. Passed: (\d+)\. Failed: (\d+)\. Skipped: (\d+))?", re.M)
_NET_OLD_PART = lazy(r"^ +(Passed|Failed|Skipped): (\d+)$", re.M)
_NET_NEW = lazy(r"^ *Test summary: total: (\d+)[,;] failed: (\d+)[,;] succeeded: (\d+)[,;] skipped: (\d+)", re.M)
# Microsoft.Testing.Platform: a heading, lines of the modules, and then one count to a line.
_NET_PLATFORM = lazy(r"^Test run summary: (.+)$", re.M)
_NET_PLATFORM_PART = lazy(r"^ +(error|failed|succeeded|skipped): (\d+)$", re.M)
_NET_NAME = lazy(
    r"^ *(?:\[xUnit\.net [\d:.]+\] +)?(?:Failed|failed|X) +(\S.*?)(?: \[(?:<? ?[\d.]+ ?m?s|\d+ ?m \d+ ?s|FAIL)\]"
    r"| \((?:\d+m )?(?:\d+s )?[\d.]+m?s\)|: error TESTERROR.*)$",
    re.M,
)
_NET_LOGGED = lazy(r"^ +([\w.<>+`]+(?:\([^\n]*?\))?) \([\d.]+ ?m?s\): Error Message", re.M)
_XUNIT_NAME = lazy(r"^\[xUnit\.net [\d:.]+\] +(\S.*?) \[FAIL\]$", re.M)


def read_dotnet(text: str) -> Summary | None:
    summary = Summary("dotnet-test")
    for match in _NET_LINE.finditer(text) if "!" in text or "！" in text else ():
        failed, passed, skipped, total = map(number, match.groups())
        if failed + passed + skipped != total:
            continue
        summary.include(passed=passed, failed=failed, skipped=skipped)
        if failed or not summary.reason:
            summary.reason = " ".join(match[0].split())
    for match in _NET_NEW.finditer(text) if "Test summary: " in text and not summary.reason else ():
        _, failed, passed, skipped = map(number, match.groups())
        summary.include(passed=passed, failed=failed, skipped=skipped)
        summary.reason = " ".join(match[0].split())
    for match in _NET_PLATFORM.finditer(text) if "Test run summary: " in text and not summary.reason else ():
        parts = {m[1]: number(m[2]) for m in _NET_PLATFORM_PART.finditer(text, match.end(), match.end() + 4000)}
        summary.include(passed=parts.get("succeeded", 0), failed=parts.get("failed", 0))
        summary.include(skipped=parts.get("skipped", 0), errors=parts.get("error", 0))
        summary.reason = match[0]
    for match in _NET_OLD.finditer(text) if "Total tests: " in text and not summary.reason else ():
        parts = {m[1]: number(m[2]) for m in _NET_OLD_PART.finditer(text, match.end(), match.end() + 200)}
        summary.include(
            passed=number(match[2]) or parts.get("Passed", 0),
            failed=number(match[3]) or parts.get("Failed", 0),
            skipped=number(match[4]) or parts.get("Skipped", 0),
        )
        summary.reason = match[0]
    if not summary.reason:
        return _net_without_tests(text)
    if summary.failed:
        names = [m[1] for m in _XUNIT_NAME.finditer(text)] or [m[1] for m in _NET_NAME.finditer(text)]
        names = names or [m[1] for m in _NET_LOGGED.finditer(text)]
        summary.failing = distinct(sorted(names))
    elif summary.errors:
        summary.outcome, summary.never_ran = "error", not summary.passed
    elif "Build FAILED" in text or "Test Run Aborted" in text:
        summary.outcome, summary.reason = "error", "a project did not build, or the run was aborted"
    return summary


def _net_without_tests(text: str) -> Summary | None:
    words = ("No test is available in", "No test matches the given testcase filter")
    if (nothing := Summary.nothing_ran("dotnet-test", text, *words)) is not None:
        return nothing
    if "Build FAILED" in text or ": error CS" in text or "error MSB" in text or "Build failed with" in text:
        return Summary("dotnet-test", outcome="error", never_ran=True, vague=True, reason="the build failed")
    if "Test Run Failed." in text:
        return Summary("dotnet-test", outcome="failed", reason="Test Run Failed.")
    return None


_DENO = lazy(
    r"^(ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored)?", re.M
)
_DENO_NAME = lazy(r"^(\S.*?) (?:\.\.\.|=>) FAILED \(", re.M)
_DENO_LISTED = lazy(r"^(\S.*?) => \S+:\d+:\d+$", re.M)


def read_deno(text: str) -> Summary | None:
    match = last(_DENO.finditer(text)) if " | " in text else None
    if match is None:
        return Summary.nothing_ran(
            "deno-test",
            text,
            "error: No test modules found",
            "error: Type checking failed",
            "error: Module not found",
            "error: Import '",
            "error: TS",  # a single finding of the type check
            "error: JSR package manifest",
        )
    summary = Summary("deno-test", number(match[2]), number(match[3]), number(match[4]), reason=match[0])
    if match[1] == "FAILED":
        summary.outcome = "failed"
        names = [m[1] for m in _DENO_LISTED.finditer(text)] or [m[1] for m in _DENO_NAME.finditer(text)]
        summary.failing = distinct(sorted(names))
        if not summary.failed:  # "(uncaught error)": a module that cannot be loaded
            summary.outcome, summary.never_ran = "error", not summary.passed
    return summary


_XCTEST = lazy(r"Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures? \((\d+) unexpected\)")
_SWIFT_TESTING = lazy(
    r"Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after [\d.]+ seconds(?: with (\d+) issues?)?"
)
_XCTEST_NAME = lazy(r"^Test Case '-?\[?([\w. ]+)\]?' failed", re.M)
_SWIFT_NAME = lazy(r"Test (\S+\(\)|\"[^\"\n]+\") failed after")


def read_swift(text: str) -> Summary | None:
    executed = _XCTEST.findall(text) if "Executed " in text else []
    testing = _SWIFT_TESTING.findall(text) if "Test run with" in text else []
    if not executed and not testing:
        if "error: fatalError" in text or "error: no tests found" in text or ": error: " in text:
            return Summary(
                "swift-test", outcome="error", never_ran=True, vague=True, reason="the build failed, or no tests"
            )
        return None
    summary = Summary("swift-test")
    if executed:
        total, skipped, failed, _ = map(number, executed[-1])  # the line is repeated for every enclosing suite
        summary.include(passed=max(0, total - failed - skipped), failed=failed, skipped=skipped)
        summary.reason = _XCTEST.search(text)[0]  # type: ignore[index]
    for total_, how, issues in testing:
        if number(total_):
            bad = min(number(total_), max(1, number(issues))) if how == "failed" else 0
            summary.include(passed=number(total_) - bad, failed=bad)
            summary.reason = f"Test run with {total_} tests {how}"
    if summary.failed:
        names = [m[1].replace(" ", ".") for m in _XCTEST_NAME.finditer(text)] + [
            m[1] for m in _SWIFT_NAME.finditer(text)
        ]
        summary.failing = distinct(sorted(names))
    return summary


RUNNERS = (
    Runner(
        "dotnet-test",
        read_dotnet,
        marks=(
            "Passed!  - ",
            "Failed!  - ",
            ".dll (net",
            "Total tests: ",
            "Test summary: total:",
            "Test run summary:",
            "No test is available in",
            "Test Run Failed.",
        ),
        aliases=("dotnet", "vstest"),
    ),
    Runner(
        "deno-test",
        read_deno,
        marks=("ok | ", "FAILED | ", "error: No test modules"),
        aliases=("deno",),
        strict=True,
        closing=lazy(r"^(?:ok|FAILED) \| \d+ passed.*\n?", re.M),
    ),
    Runner("swift-test", read_swift, marks=("Executed ", "Test run with "), aliases=("swift", "xcodebuild")),
)
