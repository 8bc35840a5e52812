"""What a check says of what it saw, where the session has more than the bare fact."""

from __future__ import annotations

from pairs import contradicted, untested_change
from reviewing import review

from builders import Session


def _message(session: Session, id: str) -> str:
    (found,) = [c.message for c in review(session).checks if c.id == id]
    return found


def test_an_untested_change_is_told_alike_whether_tests_were_never_made_or_are_gone() -> None:
    said = "src/a.py changed; no test was left for it, and none was run"
    assert _message(untested_change(shown=True), "V-untested-change") == said
    session = untested_change(shown=True)
    session.write("tests/test_0.py", "def test_it():\n    assert 1\n").delete("tests/test_0.py")
    assert _message(session, "V-untested-change") == said


def test_a_contradicted_claim_names_the_run_that_contradicts_it() -> None:
    said = _message(contradicted(shown=True), "H-claim-contradicted")
    assert said == '"All tests pass.": `python -m pytest -q` failed, and no later run of it passed'


def test_a_long_claim_ends_in_an_ellipsis() -> None:
    session = contradicted(shown=True)
    session.say("All tests pass" + " and so on" * 40 + ".")
    said = [c.message for c in review(session).checks if c.id == "H-claim-contradicted"]
    assert said
    assert all("…" in message or len(message) < 80 for message in said)
    assert any("…" in message for message in said)
