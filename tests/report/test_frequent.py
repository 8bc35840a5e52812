"""What is found most often in several sessions."""

from __future__ import annotations

import io

from msgspec.structs import replace
from rich.console import Console

from rigorbench.review.catalogue import all_checks
from rigorbench.review.pages.listing import FREQUENT, print_frequent
from rigorbench.review.pages.summary import RowCheck, summarise

from .conftest import make_report


def lines(sessions: list[list[str]]) -> list[str]:
    stream = io.StringIO()
    checks = [[RowCheck(id, all_checks()[id].severity, "", None) for id in found] for found in sessions]
    rows = [replace(summarise(make_report()), checks=found) for found in checks]
    print_frequent(rows, Console(file=stream, width=100))
    return stream.getvalue().split("\n")


def test_flags_first_then_what_most_sessions_have() -> None:
    said = lines([["V-narrow", "R-bent-tests"], ["V-narrow", "P-unread"], []])
    assert said[1] == "Found most often"
    assert [line for line in said if " of 3  " in line] == [
        "   1 of 3  Made failing tests pass without repairing what they test (R-bent-tests)",
        "   2 of 3  Ran only single tests or test files for a larger change (V-narrow)",
        "   1 of 3  Edited a file that it had not read (P-unread)",
    ]
    assert "           AGENTS.md: Read a file before you edit it." in said


def test_what_is_rare_is_counted() -> None:
    ids = ["V-narrow", "P-unread", "R-bent-tests", "R-loop", "V-untested-change", "I-leftovers", "I-prohibited"]
    said = lines([ids])
    assert sum(" of 1  " in line for line in said) == FREQUENT
    assert "Not shown: 2 rarer findings; " in " ".join(said)


def test_where_nothing_was_found_no_heading_says_so() -> None:
    assert "Found most often" not in lines([[], []])
