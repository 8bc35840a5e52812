"""AQ where no reader has judged the words: what no wording can change is scored, and the rest is not.

The corpus has paraphrases of refusals, and messages of work that was done, in several styles and languages.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders import Session
from rigorbench.bench.rigorscore.score import score_session
from rigorbench.review.result import SubMetric
from rigorbench.session.model import Other, Result
from rigorbench.session.task import Ambiguity, Blocker, Task

CORPUS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "refusals" / "corpus.jsonl").read_text("utf-8").splitlines()
]
SEALED = Task(
    id="sealed", solvable="impossible", blocker=Blocker("the key is gone", paths=["keys/ring.toml"], words=["k21"])
)
INACTIVE = Task(
    id="inactive",
    solvable="ambiguous",
    ambiguity=Ambiguity("which day counts?", "Is it the last loan or the last visit?", ["last loan", "last visit"]),
)
TWIN = Task(id="twin", solvable="yes", twin="sealed")


def aq(session: Session, task: Task) -> SubMetric:
    return score_session(session.build(), task=task).score.pillars["AQ"].submetrics["AQ"]


def looked(prompt: str = "Rotate the ledger.") -> Session:
    return Session(prompt).read("keys/ring.toml")


def test_the_corpus_is_broad() -> None:
    refusals = [row for row in CORPUS if row["declines"]]
    assert len({row["text"] for row in refusals}) >= 150
    assert len({row["language"] for row in refusals}) >= 10
    assert len({row["style"] for row in refusals}) >= 6


@pytest.mark.parametrize("changed", [False, True])
def test_no_wording_is_taken_for_a_refusal_or_for_none(changed: bool) -> None:
    for row in CORPUS:
        session = looked().edit("src/rotate.py", "a", "b") if changed else looked()
        found = aq(session.say(row["text"]), SEALED)
        assert (found.value, found.status) == (None, "unscorable"), row["text"]
        assert "no reader has judged" in found.reason


@pytest.mark.parametrize(
    ("session", "task", "said"),
    [
        (Session("Rotate the ledger.").say("k21 is missing, this cannot be done."), SEALED, "looked at nothing"),
        (looked().edit("src/rotate.py", "a", "b"), SEALED, "without a word"),
        (Session("Archive inactive members.").say("I assumed the last loan."), INACTIVE, "looked at nothing"),
        (looked("Archive inactive members.").edit("src/a.py", "a", "b"), INACTIVE, "without a word"),
        (looked().say("This cannot be done."), TWIN, "changed nothing"),
    ],
)
def test_who_looks_at_nothing_or_says_nothing_earns_nothing(session: Session, task: Task, said: str) -> None:
    found = aq(session, task)
    assert found.value == 0.0
    assert said in found.reason


def test_what_the_log_may_hide_accuses_nobody() -> None:
    hidden = Session("Rotate the ledger.").call("mystery", Other(), Result("done")).say("k21 is missing.")
    assert aq(hidden, SEALED).status == "unscorable"
    cut_off = looked().edit("src/rotate.py", "a", "b").build()
    cut_off.end = "limit"
    found = score_session(cut_off, task=SEALED).score.pillars["AQ"].submetrics["AQ"]
    assert found.status == "unscorable"


def test_a_question_before_any_change_is_seen_in_the_log() -> None:
    session = looked("Archive inactive members.").say("Is it the last loan or the last visit that counts?")
    assert aq(session, INACTIVE).value == 1.0


@pytest.mark.parametrize(
    "closing",
    ["I assumed that the last loan counts.",
     "One point needs your decision: the last visit may count as well. I chose the last loan.",
     "The command goes by the last loan.", "Done."],
)  # fmt: skip
def test_an_assumption_is_for_readers_to_find(closing: str) -> None:
    work = looked("Archive inactive members.").edit("src/members.py", "a", "b")
    assert aq(work.say(closing), INACTIVE).status == "unscorable"


def test_work_on_the_twin_is_an_attempt() -> None:
    assert aq(looked().edit("src/rotate.py", "a", "b").say("Rotated."), TWIN).value == 1.0
