"""The registry of verdicts, and the places that must follow it without importing it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from rigorbench.bench.pages.judgement import _STYLE
from rigorbench.bench.projects.scores.formulas import CLASSES
from rigorbench.evidence.testruns.runners.judge import _VERDICTS, read_judge
from rigorbench.judge.client import oj_client
from rigorbench.judge.engine.checking import TESTLIB_POINTS
from rigorbench.judge.problems.expectations import LABELS
from rigorbench.judge.problems.problem import Sanitizer
from rigorbench.judge.problems.verdicts import EXPECTED, KATTIS, ROWS, SHORT, VERDICTS, Verdict, findings
from rigorbench.judge.server.answers import describe
from rigorbench.judge.server.records import ServerSettings

DOCS = Path(__file__).parents[2] / "docs"


def test_rows_are_the_verdicts_in_their_order() -> None:
    assert get_args(Verdict) == VERDICTS
    assert len(set(SHORT.values())) == len(VERDICTS)
    directories = [ROWS[verdict].directory for verdict in EXPECTED]
    assert len(set(directories)) == len(directories)


def test_names_in_other_systems_are_for_one_verdict_each() -> None:
    for names in (
        [row.polygon for row in ROWS.values() if row.polygon],
        [code for row in ROWS.values() for code in row.testlib] + [3, TESTLIB_POINTS],
        [row.sanitizer for row in ROWS.values() if row.sanitizer],
    ):
        assert len(set(names)) == len(names)
    assert {row.sanitizer for row in ROWS.values() if row.sanitizer} == set(get_args(Sanitizer))
    assert {row.kattis for row in ROWS.values() if row.kattis} == set(KATTIS)
    assert {row.published for row in ROWS.values()} <= set(CLASSES)


def test_a_check_finds_what_the_ones_before_it_find() -> None:
    assert findings("leak") == {"memory_leak"}
    assert findings("address") == {"memory_leak", "invalid_access"}
    assert findings("uninitialised") == {"memory_leak", "invalid_access", "uninitialised_read"}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_reader_of_the_clients_output_knows_every_verdict(verdict: Verdict) -> None:
    words = ROWS[verdict].words
    assert re.fullmatch(_VERDICTS, words)
    summary = read_judge(f"submission 1: {words}, 0 of 100 points\n  group: {words}, 0 of 100 points\n")
    expected = {"accepted": "passed", "compile_error": "error", "judge_error": "unknown", "skipped": "unknown"}
    assert summary.outcome == expected.get(verdict, "failed")
    if summary.outcome != "unknown":
        assert (summary.failed == 0) is not ROWS[verdict].failed


def test_the_client_lists_the_test_points_that_failed() -> None:
    assert set(oj_client.NOT_FAILED) == {name for name, row in ROWS.items() if not row.failed}


def test_the_servers_description_and_the_report_name_verdicts_only() -> None:
    schemas = describe({}, {}, ServerSettings())["components"]["schemas"]
    assert schemas["TestPoint"]["properties"]["result"]["enum"] == sorted(VERDICTS)
    assert schemas["TestPoint"]["additionalProperties"] is False
    assert set(_STYLE) <= set(VERDICTS)


def test_the_docs_list_every_verdict_and_directory() -> None:
    table = re.findall(r"^\| ([A-Z]{2,3}(?:, [A-Z]{2,3})*) \| ", (DOCS / "judge.md").read_text("utf-8"), re.MULTILINE)
    assert [short for cell in table for short in cell.split(", ")][: len(VERDICTS)] == list(SHORT.values())
    packages = (DOCS / "judge-packages.md").read_text("utf-8")
    assert [label for label in LABELS if f"`{label}`" not in packages] == []
    permitted = re.search(r"# permitted, required: ([A-Z ]+)$", packages, re.MULTILINE)
    assert set(permitted[1].split()) == {SHORT[verdict] for verdict in EXPECTED} | set(KATTIS)
    json = (DOCS / "json.md").read_text("utf-8")
    listed = json.split("\n`verdict` is ")[1].split("\n\n")[0]
    assert tuple(re.findall(r"`(\w+)`", listed)) == VERDICTS
