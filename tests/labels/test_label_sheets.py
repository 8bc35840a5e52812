"""What of a session is put to labellers, and what of it is not told."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from builders import Session
from rigorbench.api import extract
from rigorbench.cli.label import collect
from rigorbench.metrics.session import Session as Scored
from rigorbench.panel.labels.model import GRADE_STEPS, KINDS, OWN_KINDS, Sheet
from rigorbench.panel.topics import TOPICS
from rigorbench.report.labelling import gather
from rigorbench.report.labelling.sample import sheets
from rigorbench.review.session import review_session
from rigorbench.trajectory.logfile import LogFile
from rigorbench.trajectory.model import Trajectory

LOG = Path(__file__).parents[1] / "data" / "pi" / "disciplined.jsonl"
OLD, NEW = "return sum(xs[1:])", "return sum(xs)"
TEST = ["tests/test_total.py::test_total"]


def work() -> Trajectory:
    """A plan, an error that takes two attempts, a commit."""
    return (
        Session("total() in src/total.py leaves out the first item. Fix it and commit.")
        .todo("Fix total in src/total.py", "Run tests/test_total.py")
        .edit("src/total.py", "return 0", OLD)
        .pytest(passed=3, failed=TEST)
        .edit("src/total.py", OLD, "return sum(xs[2:])")
        .pytest(passed=3, failed=TEST)
        .edit("src/total.py", "return sum(xs[2:])", NEW)
        .pytest(passed=4)
        .commit("Sum every item")
        .say("All items are summed now.")
        .build()
    )


def of(trajectory: Trajectory) -> list[Sheet]:
    return sheets(Scored(extract(trajectory)))


def test_plan_commit_and_episode() -> None:
    found = [s for s in of(work()) if s.kind not in ("finding", "grades", *TOPICS)]
    assert [s.kind for s in found] == ["plan", "commit_message", "episode"]
    assert {s.session for s in found} == {work().id}
    assert set(KINDS) >= {s.kind for s in found}


def test_an_episode_is_shown_as_it_went_and_not_as_rigor_reads_it() -> None:
    (episode,) = [s for s in of(work()) if s.kind == "episode"]
    assert [e.label for e in episode.excerpts] == [
        "what the user asked for", "check", "edit", "check", "edit", "check", "the agent's last message",
    ]  # fmt: skip
    texts = [e.text for e in episode.excerpts]
    assert "pytest" in texts[1]
    assert "test_total" in texts[1]
    assert f"-{OLD}" in texts[2]
    assert f"+{NEW}" in texts[4]
    assert all(e.untrusted for e in episode.excerpts)
    # What rigor found is kept for the comparison, and neither shown nor part of the digest.
    assert episode.found == {"error": True, "resolved": "green", "attempts": 2}
    assert msgspec.structs.replace(episode, found={}).digest == episode.digest
    assert not any(word in "\n".join(texts) for word in ("green", "attempts", "e1", "unresolved"))


def test_reading_a_log_again_gives_the_same_digests() -> None:
    assert [s.digest for s in of(work())] == [s.digest for s in of(work())]
    other = msgspec.structs.replace(work(), id="another", model="some-model")
    assert [s.digest for s in of(other)] == [s.digest for s in of(work())]
    assert {s.model for s in of(other)} == {"some-model"}


def test_long_outputs_and_long_episodes_are_cut_and_say_so() -> None:
    session = Session("Fix it").edit("src/a.py", "a = 0", "a = 1")
    for n in range(30):
        session.pytest(passed=3, failed=TEST)
        session.edit("src/a.py", f"a = {n + 1}", f"a = {n + 2}\n" + "# a long remark\n" * 500)
    episode = next(s for s in of(session.build()) if s.kind == "episode")
    assert len(msgspec.json.encode(episode)) < 80_000
    # 30 checks and the 29 edits between them, of which 24 are shown.
    assert [e.text for e in episode.excerpts if not e.untrusted] == ["35 edits and checks between"]
    assert "more lines" in next(e.text for e in episode.excerpts if e.label == "edit")


@pytest.mark.parametrize("session", [Session(), Session("Why is the sky blue?").say("Scattering.")])
def test_a_session_without_anything_to_label(session: Session) -> None:
    assert of(session.build()) == []


def test_logs_and_experiments_as_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Logs, a file that is none, and an experiment of which one run cannot be judged."""
    made = gather.of_log(LogFile(LOG, name="log"))
    assert {s.kind for s in made} >= {"plan", "commit_message"}
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "broken.jsonl").write_text("no log")
    asked = [s.case for s in made if s.kind == "plan"]
    runs = [
        SimpleNamespace(cell=SimpleNamespace(id="good"), directory=LOG, task=SimpleNamespace(task=None), problem=None),
        SimpleNamespace(cell=SimpleNamespace(id="bad"), directory=LOG, task=None, problem="not run"),
    ]
    for run in runs:
        run.cases = asked
    monkeypatch.setattr("rigorbench.bench.scoring.votes.runs_to_judge", lambda out, suite: iter(runs))
    words = [str(LOG), str(tmp_path / "broken.jsonl"), str(tmp_path)]
    found, failed = collect(words, task=None, suite=None, jobs=1)
    assert failed
    told = capsys.readouterr().err
    assert "bad: not run" in told
    assert "broken.jsonl" in told
    # Of the experiment only what its panel is asked about, and what no panel is.
    of_run = [s for s in made if s.kind in ("plan", *OWN_KINDS)]
    assert [s.digest for s in found] == [s.digest for s in [*of_run, *made]]


# -- the review


def test_a_finding_is_shown_with_its_evidence() -> None:
    fired = review_session(Scored(extract(work()))).checks
    found = [s for s in of(work()) if s.kind == "finding"]
    assert [s.subject.split()[0] for s in found] == [c.id for c in fired]
    assert {s.found["right"] for s in found} == {True}
    for sheet, check in zip(found, fired, strict=True):
        assert next(e for e in sheet.excerpts if e.label == "finding").text == check.message
        assert sheet.events == tuple(check.events)
        assert not any(check.id in e.text for e in sheet.excerpts)


def test_grades_are_asked_in_steps_and_not_told() -> None:
    (sheet,) = [s for s in of(work()) if s.kind == "grades"]
    review = review_session(Scored(extract(work())))
    assert {ask.id for ask, _ in sheet.points()} == {"overall", "planning", "verification", "recovery", "integrity"}
    assert all({c.value for c in ask.choices} == set(GRADE_STEPS) for ask, _ in sheet.points())
    assert abs(sheet.found["overall"] - review.overall) <= 12
    assert set(sheet.found.values()) <= set(GRADE_STEPS)
    assert msgspec.structs.replace(sheet, found={}).digest == sheet.digest
    labels = [e.label for e in sheet.excerpts]
    assert labels.count("edit") == 3
    assert labels.count("check") == 3
    assert labels[0] == "what the user asked for"
    assert not any("rung" in e.text or "grade" in e.text for e in sheet.excerpts)


def test_without_a_grade_nothing_is_asked() -> None:
    assert [s.kind for s in of(Session("Hello").say("Hello.").build())] == []
