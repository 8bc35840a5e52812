"""The gate: a grade that is asked for needs a reader, and findings need none."""

from __future__ import annotations

from pairs import PAIRS, fixed
from reviewing import opened, reading, review

from rigorbench.review.config import gate
from rigorbench.review.grades import review_session


def test_a_grade_that_is_asked_for_and_that_nobody_gave_is_an_error_that_names_the_reader() -> None:
    unread = review(fixed().pytest(3))
    said = "--fail-under 50 needs a grade, and nobody has read the session: add `--reader claude`"
    assert gate(50, None).reasons(unread) == [said]
    assert gate(50, None).notice("a.jsonl", unread) == f"a.jsonl: fails: {said}"
    assert gate(None, "flag").reasons(unread) == []


def test_a_session_that_was_read_is_held_against_its_grade() -> None:
    for overall, fails in ((2, True), (3, False), (5, False)):
        found = review_session(opened(fixed()), reading=reading(overall))
        assert bool(gate(50, None).reasons(found)) is fails


def test_what_was_read_without_a_grade_or_cannot_be_read_passes_with_a_word() -> None:
    read = review_session(opened(fixed()), reading=reading(None))
    cut = fixed().build()
    cut.complete = False
    for found in (read, review(cut)):
        assert gate(50, None).reasons(found) == []
        assert "no overall grade, so --fail-under says nothing of it" in (gate(50, None).notice("a", found) or "")


def test_findings_stop_whatever_a_reader_says() -> None:
    bent = review_session(opened(PAIRS["R-bent-tests"](True)), reading=reading(5))
    assert gate(50, "flag").reasons(bent) == ["flag R-bent-tests"]
