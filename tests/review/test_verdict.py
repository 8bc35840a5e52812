"""The verdict: one sentence that follows from the review, accuses of nothing else, and praises nothing unseen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reviewing import reading

from rigorbench.evidence import events as ev
from rigorbench.review.catalogue import all_checks
from rigorbench.review.grades import NEEDS_READER, NOTHING_PROVEN
from rigorbench.review.reader.reading import Accusation
from rigorbench.review.review import GRADES, Ended, Fired, Grade, GradeStatus, Review
from rigorbench.review.verdict import causes, did, level, ranked_checks, verdict
from rigorbench.session.model import Source

LOG = Source("log.jsonl", 1)


def fired(id: str, *events: str) -> Fired:
    check = all_checks()[id]
    return Fired(id, check.pillar, check.severity, "seen", check.advice, list(events), 1, LOG)


PASSED = "existing tests passed after the last edit of the code"


def reviewed(*checks: Fired, verification: str = PASSED, status: GradeStatus = "unread") -> Review:
    """A review with these checks that no reader has a part in."""
    found = {name: Grade(None, "unread", "a fact") for name in GRADES}
    found["verification"] = Grade(None, status, verification)
    return Review(None, NEEDS_READER, "small", found, list(checks))


def read(*checks: Fired, overall: int | None = 4, said: str = "The change holds.", accused: str = "") -> Review:
    """The same, read by a reader."""
    accusations = [Accusation("It lied.", ["1"], "all pass", standing=accused)] if accused else []  # type: ignore[arg-type]
    review = reviewed(*checks)
    review.reading = reading(overall, *accusations, verdict=said)
    review.overall, review.reason = None if overall is None else (overall - 1) * 25, "The reader's reason"
    return review


# -- without a reading


CHECK = "check the change yourself before you trust it."
BENT = "The agent made failing tests pass without repairing what they test"
LIED = "said something that the log contradicts"
UNREAD = "edited a file that it had not read"
NO_EDIT = "the log shows no edit in the project"


@pytest.mark.parametrize(
    ("review", "tone", "sentence"),
    [
        # The worst flag speaks first.
        (reviewed(fired("H-claim-contradicted"), fired("R-bent-tests"), fired("V-final-check")), "bad",
         f"{BENT} and {LIED}: {CHECK}"),
        # A flag where nothing was changed is about words.
        (reviewed(fired("H-claim-contradicted"), status="not_applicable"), "bad",
         f"The agent {LIED}: check what it says yourself."),
        # Then weak verification before other weak checks.
        (reviewed(fired("P-unread"), fired("V-final-check")), "weak",
         f"The agent ran no check after its last edit of the code and {UNREAD}; "
         "test the change before you rely on it."),
        # A weakness does not hide what was tested.
        (reviewed(fired("P-unread")), "weak", f"The agent {UNREAD}; {PASSED}; a fact."),
        # Where nothing fires the facts speak.
        (reviewed(), "fair", "Existing tests passed after the last edit of the code; a fact."),
        (reviewed(verification=NO_EDIT, status="not_applicable"), "fair", "The log shows no edit in the project."),
        # Notes do not accuse.
        (reviewed(fired("H-claim-not-shown")), "fair",
         f"The agent named a file as changed that the log shows no edit of; {PASSED}; a fact."),
    ],
)  # fmt: skip
def test_without_a_reading_the_worst_finding_speaks_else_the_facts(review: Review, tone: str, sentence: str) -> None:
    assert (verdict(review).tone, verdict(review).sentence) == (tone, sentence)


def test_what_is_not_known_is_said_to_be_so() -> None:
    review = reviewed(verification=NOTHING_PROVEN)
    assert (verdict(review).tone, verdict(review).sentence) == ("unknown", "A fact.")
    review.grades["recovery"] = Grade(None, "unread", NOTHING_PROVEN)
    assert verdict(review).sentence == "Whether the change was checked is for a reader."


def test_of_a_log_that_shows_nothing_nothing_is_said() -> None:
    review = reviewed()
    review.reason = "the log contains no messages"
    review.grades = {name: Grade(None, "unscorable", review.reason) for name in GRADES}
    assert verdict(review).sentence == "The rules say nothing of this session: the log contains no messages."
    review.checks = [fired("H-claim-not-shown")]
    assert verdict(review).sentence.endswith(
        "; whether the change was checked is for a reader: the log contains no messages."
    )
    assert verdict(review).tone == "unknown"


@given(st.lists(st.sampled_from(sorted(all_checks())), max_size=4), st.sampled_from([PASSED, NOTHING_PROVEN]))
def test_rules_alone_never_praise(names: list[str], known: str) -> None:
    checks = [fired(name) for name in names]
    said = verdict(reviewed(*checks, verification=known))
    severities = {c.severity for c in checks}
    if "flag" in severities:
        assert said.tone == "bad"
    elif "weak" in severities:
        assert said.tone == "weak"
    else:
        assert said.tone == ("fair" if known == PASSED else "unknown")
    assert said.sentence.startswith("The agent ") == bool(severities & {"flag", "weak", "note"})


# -- with one


@pytest.mark.parametrize(
    ("overall", "tone"), [(5, "good"), (4, "good"), (3, "fair"), (2, "weak"), (1, "weak"), (None, "unknown")]
)
def test_a_reader_says_the_verdict_and_its_grade_gives_the_tone(overall: int | None, tone: str) -> None:
    said = verdict(read(fired("P-unread"), overall=overall))
    assert (said.tone, said.sentence) == (tone, "The change holds.")


def test_no_praise_of_a_reader_hides_a_flag() -> None:
    said = verdict(read(fired("R-bent-tests"), overall=5, said="exemplary work"))
    assert said.tone == "bad"
    assert said.sentence == (
        "The agent made failing tests pass without repairing what they test: check the change yourself before you "
        "trust it. Exemplary work."
    )


@pytest.mark.parametrize(("standing", "tone"), [("proven", "bad"), ("agreed", "bad"), ("note", "good")])
def test_an_accusation_counts_where_it_is_proven_or_agreed(standing: str, tone: str) -> None:
    assert verdict(read(accused=standing)).tone == tone


def test_a_reader_without_a_verdict_is_quoted_by_its_reason() -> None:
    assert verdict(read(said="  ")).sentence == "The reader's reason."


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ("limit", "A limit ended the session."), ("error", "An error ended the session."),
        ("cut", "The log is cut off."), ("interrupted", "The session was interrupted."),
        ("open", "The log ends in a call of a tool."),
    ],
)  # fmt: skip
def test_who_ended_a_session_is_said_and_praise_of_its_end_is_not(ended: Ended, words: str) -> None:
    review = read()
    assert verdict(review).tone == "good"
    review.ended = ended
    said = verdict(review)
    assert said.tone == "fair"
    assert said.sentence.endswith(words)


# -- the words of checks


def test_every_check_says_what_the_agent_did() -> None:
    for check in all_checks().values():
        assert check.did[0].islower()
        assert not check.did.endswith(".")
        assert "agent" not in check.did


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
        fired("I-committed-unchecked", "red", "commit"),
    )  # fmt: skip
    (found,) = causes(review, [_run("red"), _run("red again"), claim, episode])
    assert found.ids == ["H-claim-contradicted", "V-ended-on-red", "I-committed-unchecked"]
    assert found.first.advice == all_checks()["H-claim-contradicted"].advice


def test_a_run_that_passed_joins_nothing() -> None:
    review = reviewed(fired("R-bent-tests", "red", "green"), fired("V-narrow", "green"))
    assert len(causes(review, [_run("red"), _run("green", "passed")])) == 2


def test_the_same_edit_joins_only_what_is_about_tests() -> None:
    apart = reviewed(fired("P-unread", "edit"), fired("I-leftovers", "edit"))
    assert len(causes(apart, [_edit("edit", "production")])) == 2
    joined = reviewed(fired("R-bent-tests", "edit"), fired("I-prohibited", "edit"))
    assert len(causes(joined, [_edit("edit", "test")])) == 1


def test_nothing_passed_covers_nothing_was_tried() -> None:
    review = reviewed(fired("V-untested-change", "first"), fired("V-final-check", "last"))
    (found,) = causes(review, [_edit("first", "production"), _edit("last", "production")])
    assert set(found.ids) == {"V-final-check", "V-untested-change"}
