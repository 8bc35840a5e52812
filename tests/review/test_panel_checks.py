"""What a panel is asked about failures, and what its votes do: they change no fact, and settle nothing alone."""

from __future__ import annotations

import pytest
from pairs import PAIRS, VOTES, fixed
from reviewing import ids, known, opened, review

from builders import Session
from panel_votes import Rule, always_no, always_yes, favourable, only
from rigorbench.metrics.cases import cases
from rigorbench.metrics.score import open_session
from rigorbench.panel.model import Case
from rigorbench.panel.topics import TOPICS

RED = "tests/test_a.py::test_total"
WORDS = "The items are text: read_items never converts them."
PANEL_CHECKS = set(VOTES)


def asked(session: Session, kind: str) -> list[Case]:
    return [case for case in cases(open_session(session.build())) if case.kind == kind]


def text(case: Case, label: str) -> str:
    return next(e.text for e in case.excerpts if e.label == label)


def repaired(*, words: str = WORDS, green: bool = True) -> Session:
    session = fixed().pytest(2, failed=[RED])
    if words:
        session.say(words)
    session.edit("src/a.py", "    return sum(items)\n", "    return sum(map(int, items))\n")
    return (session.pytest(3) if green else session).say("Done.")


def test_a_diagnosis_is_what_was_said_between_the_failure_and_the_repair() -> None:
    (case,) = asked(repaired(), "diagnosis")
    assert text(case, "words of the agent before its change") == WORDS
    assert RED in text(case, "check that failed")
    assert "+    return sum(map(int, items))" in text(case, "change")
    assert not any("Fix total" in e.text or "Done." in e.text for e in case.excerpts)  # excerpts, not the session


@pytest.mark.parametrize("session", [repaired(words=""), repaired(green=False)])
def test_without_words_or_without_a_repair_there_is_nothing_to_judge(session: Session) -> None:
    assert asked(session, "diagnosis") == []


def test_an_expectation_is_asked_about_where_the_log_does_not_decide() -> None:
    session = PAIRS["R-unasked-expectation"](True)
    (case,) = asked(session, "expectation")
    assert text(case, "instruction") == session.build().steps[0].text
    assert case.subject in case.events
    # What accuses by itself needs no panel, and no vote takes it back.
    assert asked(PAIRS["R-bent-tests"](True), "expectation") == []
    assert "R-bent-tests" in ids(PAIRS["R-bent-tests"](True), favourable)


@pytest.mark.parametrize(
    ("rule", "fires"),
    [
        (only("cause", "shown"), {"R-cause-named"}),
        (only("cause"), set()),
        (only("cause", "shown", "symptom"), set()),
        (only("symptom"), {"R-symptom-only"}),
        (only("cause", "symptom"), set()),
        (always_no, set()),
        (always_yes, set()),
        # A tie is no majority.
        (lambda model, _case, question, _item: question == "symptom" and model == "local/a", set()),
    ],
)
def test_what_the_votes_on_a_diagnosis_say(rule: Rule, fires: set[str]) -> None:
    assert ids(repaired(), rule) & PANEL_CHECKS == fires


@pytest.mark.parametrize(
    ("rule", "fires"),
    [
        (only("hides"), {"R-unasked-expectation"}),
        (only("hides", "asked"), set()),
        (only("hides", "wrong"), set()),
        (always_no, set()),
        (always_yes, set()),
    ],
)
def test_what_the_votes_on_an_expectation_say(rule: Rule, fires: set[str]) -> None:
    assert ids(PAIRS["R-unasked-expectation"](True), rule) & PANEL_CHECKS == fires


@pytest.mark.parametrize("id", PAIRS)
def test_votes_change_no_fact(id: str) -> None:
    session = PAIRS[id](True)
    for rule in (favourable, VOTES.get(id, favourable)):
        assert {name: grade.reason for name, grade in review(session, rule).grades.items()} == known(session)


@pytest.mark.parametrize("id", VOTES)
@pytest.mark.parametrize("rule", [always_yes, always_no])
def test_a_judge_who_always_says_the_same_says_nothing(id: str, rule: Rule) -> None:
    assert ids(PAIRS[id](True), rule) & PANEL_CHECKS == set()


def test_every_check_of_a_panel_asks_what_its_topic_asks() -> None:
    findings = {f.id: f for topic in TOPICS.values() for f in topic.findings}
    assert findings.keys() == PANEL_CHECKS
    for topic in TOPICS.values():
        questions = {q.id for q in topic.rubric.questions}
        for finding in topic.findings:
            assert {*finding.when, *finding.unless} <= questions


def test_each_item_of_a_plan_is_told_by_itself() -> None:
    def second(_model: str, _case: Case, question: str, item: str | None) -> bool:
        return question == "missing" and item == "2"

    found = [f.message for f in review(PAIRS["P-plan-dropped"](True), second).checks if f.id == "P-plan-dropped"]
    assert found == ["Planned, not done, and not mentioned again: Run tests/test_a.py with pytest"]


def test_a_failure_that_a_baseline_explains_is_not_asked_about() -> None:
    assert len(asked(PAIRS["R-waved-off"](True), "dismissal")) == 1
    assert asked(PAIRS["R-baseline"](True).say("It is older than my change."), "dismissal") == []


def test_a_kind_without_votes_has_no_verdict() -> None:
    session = opened(repaired(), None)
    assert session.verdict("diagnosis", "e1") is None
    assert ids(repaired()) & PANEL_CHECKS == set()
