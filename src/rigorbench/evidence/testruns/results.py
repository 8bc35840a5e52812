"""The outcome of each single test that a run's output names: node's test runner, cargo test, and anything in TAP.

`read_test_run` gives the outcome of a run and the failed tests. This module gives the outcome of every test, so that
two runs can be compared test by test.
"""

from __future__ import annotations

import re
from typing import Literal

from ...base.patterns import lazy
from .runners.clean import clean
from .runners.tap import TIME

Result = Literal["passed", "failed", "skipped"]
SEPARATOR = " > "  # between a group and its tests

_TARGET = lazy(r"^ +Running (?:unittests )?(\S+)(?: \(.*\))?$|^ +(Doc-tests) \S+$")
_CARGO = lazy(r"^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b")
_DOCTEST_LINE = lazy(r" \(line \d+\)")
_POINT = lazy(r"^( *)(not ok|ok)\b(?: +\d+)?(?: +-)? *(.*)$")
_SUBTEST = lazy(r"^( *)# Subtest: (.*)$")
_DIRECTIVE = lazy(r"(?<!\\)#\s*(skip|todo)\b.*$", re.IGNORECASE)
_SPEC = lazy(r"^( *)([✔✖▶﹣]) (.+?)(?: \([\d.]+ms\)(?: # (.*))?)?$")
_MARKS: dict[str, Result] = {"✔": "passed", "✖": "failed", "﹣": "skipped"}


def read_results(output: str) -> dict[str, Result]:
    """The result of each test by its id; {} if the output names no test.

    Ids: ``tests/roads.rs::a_road`` (cargo: the file of the target, then the path), ``group > title`` (node), the
    description of a test point (TAP). Groups are left out, their tests are not. A test that is named twice has passed
    only if it passed both times.
    """
    text = clean(output)
    found: dict[str, Result] = {}
    lines = text.split("\n")
    if "test result: " in text or " ... FAILED" in text:
        _read_cargo(lines, found)
    elif any(line.lstrip().startswith(("ok ", "not ok ")) for line in lines):
        _read_tap(lines, found)
    elif "✔ " in text or "✖ " in text:
        _read_spec(lines, found)
    groups = {name[:at] for name in found for at in [m.start() for m in re.finditer(re.escape(SEPARATOR), name)]}
    return {name: result for name, result in found.items() if name not in groups}


def _note(found: dict[str, Result], name: str, result: Result) -> None:
    before = found.get(name)
    if name and (before is None or before == "passed" or (before == "skipped" and result == "failed")):
        found[name] = result


def _read_cargo(lines: list[str], found: dict[str, Result]) -> None:
    target = ""
    for line in lines:
        if (place := _TARGET.match(line)) is not None:
            target = place[1] or place[2]
        elif (test := _CARGO.match(line)) is not None:
            name = _DOCTEST_LINE.sub("", test[1])
            result: Result = "passed" if test[2] == "ok" else "failed" if test[2] == "FAILED" else "skipped"
            _note(found, f"{target}::{name}" if target else name, result)


def _read_tap(lines: list[str], found: dict[str, Result]) -> None:
    groups: list[tuple[int, str]] = []
    ends: str | None = None
    for line in lines:
        if ends is not None:  # a block of details, which may contain anything
            ends = None if line == ends else ends
            continue
        if line.strip() == "---" and line.startswith(" "):
            ends = line.replace("---", "...")
        elif (group := _SUBTEST.match(line)) is not None:
            depth = len(group[1])
            groups = [g for g in groups if g[0] < depth]
            groups.append((depth, group[2].strip()))
        elif (point := _POINT.match(line)) is not None:
            directive = _DIRECTIVE.search(point[3])
            title = TIME.sub("", point[3][: directive.start()] if directive else point[3]).strip()
            title = title.replace("\\#", "#").replace("\\\\", "\\")
            above = [name for depth, name in groups if depth < len(point[1])]
            result: Result = "skipped" if directive else "passed" if point[2] == "ok" else "failed"
            _note(found, SEPARATOR.join([*above, title]) if title else "", result)


def _read_spec(lines: list[str], found: dict[str, Result]) -> None:
    groups: list[tuple[int, str]] = []
    for line in lines:
        if line.startswith("✖ failing tests:"):
            return  # they were listed before
        match = _SPEC.match(line)
        if match is None:
            continue
        depth, title = len(match[1]), match[3].strip()
        groups = [g for g in groups if g[0] < depth]
        if match[2] == "▶":
            groups.append((depth, title))
            continue
        directive = (match[4] or "").lower()
        result = "skipped" if directive.startswith(("skip", "todo")) else _MARKS[match[2]]
        _note(found, SEPARATOR.join([*(name for _, name in groups), title]), result)
