"""The verdict: one sentence that follows from the review, accuses of nothing else, and praises nothing unseen."""

from __future__ import annotations

import pytest

from rigorbench.evidence import events as ev
from rigorbench.review.catalogue import all_checks
from rigorbench.review.causes import findings
from rigorbench.review.grades import tables
from rigorbench.review.model import GRADES, Ended, Fired, Grade, GradeStatus, Review
from rigorbench.review.verdict import did, grade_words, level, ranked_checks, verdict
from rigorbench.trajectory.model import Source

LOG = Source("log.jsonl", 1)


def fired(id: str, *events: str) -> Fired:
    check = all_checks()[id]
    return Fired(id, check.pillar, check.severity, "seen", check.advice, list(events), 1, LOG)


def reviewed(*checks: Fired, verification: int | None = 50, status: GradeStatus | None = None, **grades: int) -> Review:
    """A review with these checks; every other grade is 50."""
    found = {name: Grade(grades.get(name, 50), "scored", "") for name in GRADES}
    known = status or ("scored" if verification is not None else "not_applicable")
    found["verification"] = Grade(verification, known, "the log is cut off")
    return Review(50, "", "small", found, list(checks))


def test_the_worst_flag_speaks_first() -> None:
    said = verdict(reviewed(fired("H-claim-contradicted"), fired("R-bent-tests"), fired("V-final-check")))
    assert said.tone == "bad"
    assert said.sentence == (
        "The agent made failing tests pass without repairing what they test and said something that the log "
        "contradicts: check the change yourself before you trust it."
    )


def test_a_flag_where_nothing_was_changed_is_about_words() -> None:
    said = verdict(reviewed(fired("H-claim-contradicted"), verification=None))
    assert said.sentence.endswith("contradicts: check what it says yourself.")


def test_then_weak_verification_before_other_weak_checks() -> None:
    said = verdict(reviewed(fired("P-unread"), fired("V-final-check"), verification=25, planning=0))
    assert said.tone == "weak"
    assert said.sentence == (
        "The agent saw no check pass after its last edit of the code and edited a file that it had not read; "
        "test the change before you rely on it."
    )


def test_a_weakness_does_not_hide_what_was_tested() -> None:
    said = verdict(reviewed(fired("P-unread"), verification=75))
    assert said.sentence.endswith(
        "had not read; existing tests passed after the last edit of the code, and a check failed, or printed something "
        "else, without it."
    )


def test_a_failure_that_was_left_open_is_not_silent_though_no_check_accuses() -> None:
    """As where the log does not show whose failure it is."""
    found = verdict(reviewed(recovery=25))
    assert found.tone == "weak"
    assert found.sentence.startswith("A failure was left open; ")


def test_what_speaks_for_a_change_beyond_its_grade_is_said() -> None:
    assert verdict(reviewed(fired("V-broad-final"), verification=60)).sentence == (
        "No check found a problem. The agent ended with a broad test run and static checks that passed."
    )


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ("limit", "A limit ended the session."), ("error", "An error ended the session."),
        ("cut", "The log is cut off."), ("interrupted", "The user stopped the session."),
    ],
)  # fmt: skip
def test_who_ended_a_session_is_said_and_praise_of_its_end_is_not(ended: Ended, words: str) -> None:
    review = reviewed(verification=100)
    assert verdict(review).tone == "good"
    review.ended = ended
    said = verdict(review)
    assert said.tone == "fair"
    assert said.sentence.endswith(words)


def test_what_the_log_cannot_show_is_not_known() -> None:
    said = verdict(reviewed(verification=None, status="unscorable"))
    assert said.tone == "unknown"
    assert said.sentence == ("No check found a problem. How well the change was checked is in part not known.")


def test_of_a_log_that_shows_nothing_nothing_is_said() -> None:
    review = reviewed()
    review.overall, review.reason = None, "the log contains no messages"
    review.grades = {name: Grade(None, "unscorable", review.reason) for name in GRADES}
    assert verdict(review).sentence == "How the agent worked is not known: the log contains no messages."
    review.checks = [fired("H-claim-not-shown")]
    assert verdict(review).sentence.endswith("; how well it worked is not known: the log contains no messages.")
    assert verdict(review).tone == "unknown"


def test_an_untested_change_is_not_praised_though_no_check_fired() -> None:
    said = verdict(reviewed(verification=0))
    assert said.tone == "weak"
    assert said.sentence == "No check of the change ran: test the change before you rely on it."


def test_a_session_without_a_change_is_told_so() -> None:
    review = reviewed(verification=None)
    review.grades["integrity"] = Grade(None, "not_applicable", "the log shows no change of the project")
    assert verdict(review).sentence == "No check found a problem. The log shows no change of the project."


def test_notes_do_not_accuse() -> None:
    said = verdict(reviewed(fired("H-claim-partial"), verification=100))
    assert said.sentence.startswith("The agent spoke of more than it had checked; ")


@pytest.mark.parametrize("value", [None, 0, 25, 40, 50, 62, 75, 100])
def test_without_checks_nobody_is_accused(value: int | None) -> None:
    sentence = verdict(reviewed(verification=value)).sentence
    assert sentence.startswith("No check found a problem. ") == (value is None or value >= 38)
    assert not [c for c in all_checks().values() if c.did in sentence]


def test_every_check_says_what_the_agent_did() -> None:
    for check in all_checks().values():
        assert check.did[0].islower()
        assert not check.did.endswith(".")
        assert "agent" not in check.did


def test_a_moved_grade_keeps_its_rung_and_a_capped_one_names_the_cap() -> None:
    _, ladders = tables()
    rung = next(r for r in ladders["verification"].rungs if r.value == 50)
    assert grade_words("verification", Grade(62, "scored", "")) == rung.says
    capped = Grade(25, "scored", "", ["V-ended-on-red"], ["V-ended-on-red"])
    assert grade_words("verification", capped) == "tests were bent, or still fail"
    assert grade_words("verification", Grade(None, "unscorable", "the log is cut off")) == "the log is cut off"


def test_levels_are_those_of_the_nearest_anchor() -> None:
    assert [level(v) for v in (0, 12, 25, 50, 62, 63, 75, 100)] == [
        "very poor", "very poor", "weak", "average", "average", "good", "good", "exemplary",
    ]  # fmt: skip


def test_strengths_are_no_problems() -> None:
    assert ranked_checks(reviewed(fired("V-broad-final"))) == []
    assert did("V-broad-final").startswith("ended with")


def _run(id: str, outcome: ev.Outcome = "failed") -> ev.TestRunEvent:
    return ev.TestRunEvent(id=id, step=1, source=LOG, command="pytest", runner="pytest", outcome=outcome)


def _edit(id: str, role: str) -> ev.EditEvent:
    return ev.EditEvent(id=id, step=1, source=LOG, path="a.py", operation="modify", role=role)  # type: ignore[arg-type]


def test_checks_on_one_run_or_one_episode_are_one_finding() -> None:
    episode = ev.EpisodeEvent(
        id="ep", step=1, source=LOG, signature="t", start_call=0, end_call=1, attempts=1, failed_attempts=1, repeats=0,
        resolved="unresolved", rule="", checks=["red", "red again"],
    )  # fmt: skip
    claim = ev.ClaimEvent(id="claim", step=2, source=LOG, text="all pass", verdict="contradicted")
    review = reviewed(
        fired("H-claim-contradicted", "red again", "claim"), fired("V-ended-on-red", "red again"),
        fired("I-committed-red", "red", "commit"),
    )  # fmt: skip
    (found,) = findings(review, [_run("red"), _run("red again"), claim, episode])
    assert found.ids == ["H-claim-contradicted", "V-ended-on-red", "I-committed-red"]
    assert found.first.advice == all_checks()["H-claim-contradicted"].advice


def test_a_run_that_passed_joins_nothing() -> None:
    review = reviewed(fired("R-bent-tests", "red", "green"), fired("V-narrow", "green"))
    assert len(findings(review, [_run("red"), _run("green", "passed")])) == 2


def test_the_same_edit_joins_only_what_is_about_tests() -> None:
    apart = reviewed(fired("P-no-plan", "edit"), fired("I-leftovers", "edit"))
    assert len(findings(apart, [_edit("edit", "production")])) == 2
    joined = reviewed(fired("R-bent-tests", "edit"), fired("I-prohibited", "edit"))
    assert len(findings(joined, [_edit("edit", "test")])) == 1


def test_nothing_passed_covers_nothing_was_tried() -> None:
    review = reviewed(fired("V-untested-change", "first"), fired("V-final-check", "last"), verification=0)
    (found,) = findings(review, [_edit("first", "production"), _edit("last", "production")])
    assert set(found.ids) == {"V-final-check", "V-untested-change"}
