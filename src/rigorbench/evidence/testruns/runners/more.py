"""Runners whose closing line says everything: a table of patterns."""

from __future__ import annotations

from msgspec import Struct

from .base import Read, Runner, Summary, distinct, lines_with, number
from .patterns import Pattern, lazy

_COUNTS = ("passed", "failed", "errors", "skipped")


class _Closing(Struct, frozen=True):
    """One closing line: ``pattern`` is searched in the lines that contain ``mark``.

    In a pattern ``{total}``, ``{passed}``, ``{failed}``, ``{errors}`` and ``{skipped}`` stand for counts,
    ``{good:...}`` and ``{bad:...}`` for words that say how the run went. ``failing`` finds names of failed tests in the
    lines that contain ``failing_mark``. ``last``: only the last such line counts (it is repeated), otherwise all are
    added up.
    """

    runner: str
    mark: str
    pattern: str
    failing_mark: str = ""
    failing: str = ""
    last: bool = False
    more_marks: tuple[str, ...] = ()


_TABLE = (
    _Closing(
        "behave",
        "scenario",
        r"^{passed} scenarios? passed, {failed} failed(?:, {errors} error)?, {skipped} skipped",
        ".feature:",
        r"^  (\S+\.feature:\d+  .+)$",
        more_marks=("scenarios",),
    ),
    _Closing(
        "cucumber",
        "scenario",
        r"^\d+ scenarios? \((?:{failed} failed)?(?:, )?(?:{errors} undefined)?(?:, )?"
        r"(?:{skipped} (?:skipped|pending))?(?:, )?(?:{passed} passed)?\)",
        ".feature:",
        r"^(?:cucumber|rerun) (\S+\.feature:\d+)",
        more_marks=("scenarios",),
    ),
    _Closing(
        "robot",
        " passed, ",
        r"^{total} tests?, {passed} passed, {failed} failed(?:, {skipped} skipped)?$",
        "| FAIL |",
        r"^(.+?) +\| FAIL \|",
        last=True,
    ),
    _Closing(
        "ginkgo",
        " Passed | ",
        r"^(?:{good:SUCCESS!}|{bad:FAIL!}).*? -- "
        r"{passed} Passed \| {failed} Failed \| \d+ Pending \| {skipped} Skipped",
        "]",
        r"^\s*\[F[Aa][Ii][Ll]\] (.+)$",
    ),
    _Closing(
        "bazel",
        "Executed ",
        r"^Executed \d+ out of \d+ tests?: (?:{passed} tests? pass(?:es)?)?(?:(?: and|,) )?"
        r"(?:{failed} fails?(?: locally| remotely)?)?",
        "//",
        r"^(//\S+) +(?:\(cached\) )?(?:FAILED|TIMEOUT)",
    ),
    _Closing("meson", "Ok:", r"^Ok: +{passed}\s*$"),
    _Closing("meson", "Fail:", r"^Fail: +{failed}\s*$"),
    _Closing("zig-test", "tests passed.", r"^All {passed} tests passed\."),
    _Closing(
        "zig-test",
        " passed; ",
        r"^{passed} passed; {skipped} skipped; {failed} failed\.",
        "...FAIL",
        r"^\d+/\d+ (\S.*?)\.\.\.FAIL",
    ),
    _Closing(
        "forge",
        "tests passed, ",
        r"^Ran \d+ test suites?.*: {passed} tests passed, {failed} failed, {skipped} skipped",
        "[FAIL",
        r"^\[FAIL[^\]\n]*\] (\w+)\(",
        last=True,
    ),
    _Closing("lein", "assertions.", r"^Ran {total} tests containing \d+ assertions\.$"),
    _Closing("lein", " errors.", r"^{failed} failures, {errors} errors\.$", " in (", r"^(?:FAIL|ERROR) in \((\S+)\)"),
    _Closing("rebar3", "Passed: ", r"^ *Failed: {failed}\. +Skipped: {skipped}\. +Passed: {passed}\."),
    _Closing("stestr", " - Passed: ", r"^ - Passed: {passed}$"),
    _Closing("stestr", " - Failed: ", r"^ - Failed: {failed}$"),
    _Closing(
        "cabal",
        "test suites (",
        r"^{passed} of {total} test suites \(\d+ of \d+ test cases\) passed\.",
        ": FAIL",
        r"^Test suite (\S+): FAIL",
    ),
    _Closing("tasty", "tests passed (", r"^All {passed} tests passed \([\d.]+s\)"),
    _Closing("tasty", "tests failed (", r"^{failed} out of {total} tests failed \([\d.]+s\)"),
    _Closing(
        "alcotest",
        "tests run.",
        r"^(?:{good:Test Successful}|{failed} failures?!) in [\d.]+s\. {total} tests? run\.",
        "[FAIL]",
        r"^\s*\[FAIL\]\s+(\S.*?)\.?$",
    ),
    _Closing("julia-test", " tests passed", r"^ +Testing \S+ {good:tests passed}\s*$"),
    _Closing(
        "julia-test",
        "Some tests did not pass",
        r"Some tests did not pass: {passed} passed, {failed} failed, {errors} errored",
    ),
    _Closing(
        "doctest",
        "***Test Failed***",
        r"^\*\*\*Test Failed\*\*\* {failed} failures?",
        " in ",
        r"^\s+\d+ of\s+\d+ in (\S+)$",
    ),
    _Closing("doctest", "Test passed.", r"^{good:Test passed}\.$"),
    _Closing("platformio", "test cases:", r"^=+ {total} test cases: (?:{failed} failed, )?(?:{passed} succeeded)?"),
    _Closing("testcafe", " passed (", r"^ {passed} passed \([\d.]+m?s\)$"),
    _Closing("testcafe", " failed (", r"^ {failed}/{total} failed \([\d.]+m?s\)$"),
)

_Entry = tuple[_Closing, Pattern, Pattern | None]


def _compiled(template: str) -> Pattern:
    for name in (*_COUNTS, "total"):
        template = template.replace(f"{{{name}}}", rf"(?P<{name}>\d+)")
    for name in ("good", "bad"):
        before, opening, rest = template.partition(f"{{{name}:")
        if opening:
            words, _, after = rest.partition("}")
            template = f"{before}(?P<{name}>{words}){after}"
    return lazy(template)


def _reader(entries: tuple[_Entry, ...]) -> Read:
    def read(text: str) -> Summary | None:
        summary = Summary(entries[0][0].runner)
        total: int | None = None
        good = bad = False
        for entry, pattern, _ in entries:
            matches = [m for _, line in lines_with(text, entry.mark) if (m := pattern.search(line[:500]))]
            for match in matches[-1:] if entry.last else matches:
                groups = match.groupdict()
                summary.include({name: number(groups[name]) for name in _COUNTS if groups.get(name) is not None})
                if groups.get("total") is not None:
                    total = (total or 0) + number(groups["total"])
                good, bad = good or bool(groups.get("good")), bad or bool(groups.get("bad"))
                summary.reason = match[0].strip()[:160]
        if not summary.reason:
            return None
        if total is not None and summary.passed is None:
            summary.passed = max(0, total - (summary.failed or 0) - (summary.errors or 0) - (summary.skipped or 0))
        elif total is not None and summary.failed is None:
            summary.failed = max(0, total - (summary.passed or 0) - (summary.skipped or 0))
        if bad:
            summary.outcome = "failed"
        elif good and summary.passed is None:
            summary.outcome = "passed"
        if bad or summary.failed or summary.errors:
            summary.failing = distinct(sorted(_names(text, entries)))
        return summary

    return read


def _names(text: str, entries: tuple[_Entry, ...]) -> list[str]:
    names: list[str] = []
    for entry, _, failing in entries:
        if failing is not None:
            names += [m[1] for _, line in lines_with(text, entry.failing_mark) if (m := failing.search(line[:500]))]
    return names


def _runners() -> tuple[Runner, ...]:
    grouped: dict[str, list[_Entry]] = {}
    for entry in _TABLE:
        failing = lazy(entry.failing) if entry.failing else None
        grouped.setdefault(entry.runner, []).append((entry, _compiled(entry.pattern), failing))
    return tuple(
        Runner(name, _reader(tuple(entries)), tuple(m for e, _, _ in entries for m in (e.mark, *e.more_marks)))
        for name, entries in grouped.items()
    )


RUNNERS = _runners()
