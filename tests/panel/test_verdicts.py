"""Which votes count, and what they add up to."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from panel_votes import MODELS, always_no, always_yes, favourable, give, panel, vote
from rigorbench.panel.cases import commit_case, plan_case
from rigorbench.panel.model import Case
from rigorbench.panel.verdicts import Verdicts
from rigorbench.panel.votes import VoteStore

PLAN = plan_case("Fix the total", ["Change total() in cart.py", "Run pytest"])
COMMIT = commit_case("Fix the total", "modify cart.py\n-a\n+b", subject="e7")
SECOND = commit_case("Fix the tax", "modify tax.py\n-a\n+b", subject="e9")


def test_three_votes_make_a_verdict(tmp_path: Path) -> None:
    store = give(panel(tmp_path), [PLAN], favourable)
    verdict = Verdicts(store, [PLAN]).get("plan", "main")
    assert verdict is not None
    assert [v.model for v in verdict.votes] == list(MODELS)
    assert verdict.majority("checked") is True
    assert verdict.keys == [vote(m, PLAN, favourable).key for m in MODELS]


@pytest.mark.parametrize(("count", "there"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_quorum_is_needed(tmp_path: Path, count: int, there: bool) -> None:
    store = give(panel(tmp_path), [PLAN], favourable, models=MODELS[:count])
    verdicts = Verdicts(store, [PLAN])
    assert (verdicts.get("plan", "main") is not None) is there
    assert verdicts.why_missing("plan") == ("" if there else "; not judged: too few votes on 1 of 1 plan")


def test_without_a_panel_there_is_no_verdict(tmp_path: Path) -> None:
    store = give(panel(tmp_path), [PLAN], favourable)
    (tmp_path / "panel.json").unlink()
    assert Verdicts(VoteStore(tmp_path), [PLAN]).get("plan", "main") is None
    assert Verdicts(VoteStore(tmp_path / "nothing"), [PLAN]).get("plan", "main") is None
    assert store.directory == tmp_path


def verdict_keys(store: VoteStore, case: Case = PLAN) -> list[str] | None:
    verdict = Verdicts(store, [case]).get(case.kind, case.subject)
    return None if verdict is None else verdict.keys


def test_votes_that_must_change_nothing(tmp_path: Path) -> None:
    store = give(panel(tmp_path), [PLAN], favourable, models=MODELS[:2])
    before = verdict_keys(store)
    assert before is not None
    good = vote("local/c", PLAN, always_no)
    foreign = [
        vote("local/stranger", PLAN, always_no),  # on no panel
        vote("local/c", COMMIT, always_no),  # on another case
        structs.replace(good, rubric="0" * 64),  # to other questions
        structs.replace(good, kind="test_link"),
        structs.replace(good, judge="other settings"),
        structs.replace(good, status="failed", answers=[]),
        structs.replace(good, schema="rigor-vote/0"),
        structs.replace(good, answers=[], prompt="2" * 64),
        structs.replace(good, answers=good.answers[1:], prompt="3" * 64),
        structs.replace(good, answers=[*good.answers, good.answers[0]], prompt="4" * 64),
    ]
    for bad in foreign:
        store.add(bad)
        assert verdict_keys(store) == before, bad
        assert verdict_keys(VoteStore(tmp_path)) == before, bad
    store.add(good)
    assert verdict_keys(store) == [*before, good.key]


def test_a_quorum_of_nobody_is_none(tmp_path: Path) -> None:
    verdicts = Verdicts(panel(tmp_path, quorum=-3), [PLAN])
    assert verdicts.get("plan", "main") is None
    assert verdicts.judges("plan") is None


def test_one_judge_has_one_vote(tmp_path: Path) -> None:
    store = give(panel(tmp_path), [PLAN], favourable, models=MODELS[:1])
    store.add(structs.replace(vote(MODELS[0], PLAN, always_no), prompt="f" * 64))
    assert verdict_keys(store) is None, "two votes of the same judge are no quorum"


def test_all_cases_of_a_kind_or_none(tmp_path: Path) -> None:
    store = give(panel(tmp_path), [COMMIT], favourable)
    verdicts = Verdicts(store, [PLAN, COMMIT, SECOND])
    assert verdicts.get("commit_message", "e7") is not None
    assert verdicts.all("commit_message") is None
    assert verdicts.why_missing("commit_message") == "; not judged: too few votes on 1 of 2 commit messages"
    give(store, [SECOND], favourable)
    found = Verdicts(store, [PLAN, COMMIT, SECOND]).all("commit_message")
    assert found is not None
    assert list(found) == ["e7", "e9"]
    assert verdicts.all("test_link") is None
    assert verdicts.why_missing("test_link") == "", "there is no such case"


def test_the_same_content_twice_in_a_session_has_both_verdicts(tmp_path: Path) -> None:
    twice = structs.replace(COMMIT, subject="e8")
    found = Verdicts(give(panel(tmp_path), [COMMIT], favourable), [COMMIT, twice]).all("commit_message")
    assert found is not None
    assert found["e7"].votes == found["e8"].votes


def test_judges_are_those_who_voted_on_everything(tmp_path: Path) -> None:
    store = panel(tmp_path)
    other = structs.replace(plan_case("Fix the tax", ["Change tax.py", "Run pytest"]), subject="main 2")
    give(store, [PLAN], favourable, models=MODELS[:2])
    give(store, [other], favourable, models=MODELS[1:])
    verdicts = Verdicts(store, [PLAN, other])
    assert verdicts.all("plan") is not None
    assert verdicts.judges("plan") is None
    assert verdicts.why_missing("plan") == "; not judged: too few judges voted on every case"
    give(store, [other], always_yes, models=MODELS[:1])
    judges = Verdicts(store, [PLAN, other]).judges("plan")
    assert judges is not None
    assert [[v.model for v in votes] for votes in judges] == [["local/a"] * 2, ["local/b"] * 2]


def test_another_panel_has_other_verdicts(tmp_path: Path) -> None:
    store = give(panel(tmp_path), [PLAN], favourable)
    panel(tmp_path, models=("local/x", "local/y", "local/z"))
    assert verdict_keys(store) is None
    panel(tmp_path)
    assert len(verdict_keys(store) or ()) == 3
