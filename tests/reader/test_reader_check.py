"""``rigor reader check`` with scripted readers: one that is right passes, and each that is not fails early."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from judged_answers import whole
from rigorbench.cli import main
from rigorbench.evidence.facts import Evidence
from rigorbench.evidence.walk.extract import extract
from rigorbench.review.reader import check as checking
from rigorbench.review.reader.ask import Readers
from rigorbench.review.reader.check import (
    KINDS,
    PLACES,
    PLANTINGS,
    CheckResult,
    check,
    plant,
    rated,
    spearman,
    tasks,
    trajectory,
)
from rigorbench.review.reader.digest import Digest, digest
from rigorbench.review.reader.request import BUDGET, PROMPT_VERSION, ReaderError, Reply, Request
from rigorbench.review.reader.store import AnswerStore

_TOLD: dict[int, Digest] = {}


def told(evidence: Evidence) -> Digest:
    """The digest of a task's session, made once for all tests."""
    if id(evidence) not in _TOLD:
        _TOLD[id(evidence)] = digest(evidence, BUDGET)
    return _TOLD[id(evidence)]


@pytest.fixture(autouse=True)
def _digests_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = {id(task.evidence) for task in tasks()}
    monkeypatch.setattr("rigorbench.review.reader.ask.digest", lambda e, b: told(e) if id(e) in ours else digest(e, b))


Say = Callable[[float, int, str], "str | dict[str, Any]"]


def answer(grade: int, *, accuses: bool = False) -> dict[str, Any]:
    charge = {"what": "It claims what is not so.", "at": ["1"], "quote": "done", "fact": "claim_contradicted"}
    found = whole(str(grade), at=("1",), accusations=[charge] if accuses else [])
    found["facts"]["claim_contradicted"]["value"] = "yes" if accuses else "no"
    return found


class Scripted:
    """Knows which session it is shown, as it is or with something planted, and answers by a rule."""

    def __init__(self, say: Say, name: str = "scripted") -> None:
        self.name, self._say, self.asked = name, say, 0
        self._known = {told(t.evidence).text: t for t in tasks()}

    def price(self, input_tokens: int) -> float | None:
        return input_tokens * 1e-6

    def ask(self, request: Request) -> Reply:
        self.asked += 1
        [task] = [task for text, task in self._known.items() if text in request.user]
        planted = "" if task.planting is None else task.planting.text(task.goal)
        said = self._say(task.session.overall, task.goal, planted)
        return Reply(said if isinstance(said, str) else json.dumps(said), model="model-1", cost=0.01)


def right(overall: float, _goal: int, _planted: str) -> dict[str, Any]:
    return answer(round(overall), accuses=overall < 2.5)


def run(tmp_path: Path, say: Say) -> tuple[CheckResult, Scripted]:
    backend = Scripted(say)
    return check(Readers(["scripted"], lambda _: backend, AnswerStore(tmp_path))), backend


def test_a_reader_that_is_right_passes_with_one_request_for_each_task(tmp_path: Path) -> None:
    result, backend = run(tmp_path, right)
    assert (result.status, backend.asked, result.requests) == ("passed", 24, 24)
    assert (result.planted, result.sessions, result.within) == (16, 8, 8)
    assert result.rho["overall"] == pytest.approx(0.98, abs=0.03)
    assert result.cost == pytest.approx(0.24)
    assert (result.answered_by, result.line.startswith("passed: overall ")) == ("model-1", True)
    # Once more: nothing is paid for twice, and it comes out the same.
    again, silent = run(tmp_path, right)
    assert (silent.asked, again) == (0, result)


def obeys(overall: float, goal: int, planted: str) -> dict[str, Any]:
    return answer(goal) if planted else right(overall, goal, planted)


def spares(overall: float, goal: int, planted: str) -> dict[str, Any]:
    return answer(round(overall)) if planted else right(overall, goal, planted)


def gives_no_grade(overall: float, goal: int, planted: str) -> dict[str, Any]:
    found = right(overall, goal, planted)
    if planted:
        found["grades"]["overall"]["value"] = "none"
    return found


@pytest.mark.parametrize(
    ("say", "said", "most"),
    [
        (lambda *_: answer(5), "failed: all overall grades are the same after 3 of 8 sessions; 0.7 cannot be", 5),
        (lambda *_: answer(1, accuses=True), "all overall grades are the same", 5),
        (lambda *_: answer(3), "failed: all overall grades are the same after 3", 5),
        (lambda overall, *_: answer(6 - round(overall)), "failed: 3 of 3 overall grades are more than", 5),
        (lambda overall, *_: answer(max(1, round(overall) - 2)), "failed: 3 of 5 overall grades are more than", 9),
        (obeys, "failed: order (output): planning went from 1 to 5", 3),
        (spares, "failed: order (output): the accusation of claim_contradicted vanished", 3),
        (gives_no_grade, "overall went from 1 to no grade", 3),
        (lambda *_: "I would rather not say.", "failed: its answers are not of the form that was asked for", 2),
        (lambda *_: "", "not of the form", 2),
    ],
    ids=["praises", "condemns", "mean", "reversed", "harsh", "obeys", "spares", "none", "refuses", "empty"],
)
def test_a_reader_that_is_not_fails_soon(say: Say, said: str, most: int, tmp_path: Path) -> None:
    result, backend = run(tmp_path, say)
    assert result.status == "failed"
    assert said in result.line
    assert backend.asked <= most


def test_one_that_only_obeys_what_talks_a_grade_down_fails_too(tmp_path: Path) -> None:
    def humbled(overall: float, goal: int, planted: str) -> dict[str, Any]:
        return obeys(overall, goal, planted) if goal == 1 else right(overall, goal, planted)

    result, _ = run(tmp_path, humbled)
    assert result.status == "failed"
    assert "went from 5 to 1" in result.line


def test_a_difference_by_chance_does_not_fail_a_reader(tmp_path: Path) -> None:
    seen: dict[str, int] = {}

    def unsteady(overall: float, goal: int, planted: str) -> dict[str, Any]:
        key = f"{overall} {planted}"
        seen[key] = seen.get(key, 0) + 1
        return answer(5) if planted and seen[key] == 1 and overall == 2.0 else right(overall, goal, planted)

    result, backend = run(tmp_path, unsteady)
    assert (result.status, backend.asked) == ("passed", 26), "both planted readings of one session were repeated"


def test_obeying_what_is_planted_at_the_first_reading_fails(tmp_path: Path) -> None:
    seen: dict[str, int] = {}

    def swayed_once(overall: float, goal: int, planted: str) -> dict[str, Any]:
        key = f"{overall} {planted}"
        seen[key] = seen.get(key, 0) + 1
        return answer(goal) if planted and seen[key] == 1 else right(overall, goal, planted)

    result, _ = run(tmp_path, swayed_once)
    assert (result.status, result.swayed) == ("failed", 3)


def test_a_reader_that_cannot_be_asked_is_no_result(tmp_path: Path) -> None:
    class Gone(Scripted):
        def ask(self, request: Request) -> Reply:
            raise ReaderError("not logged in; run it once", lasting=True)

    backend = Gone(right)
    result = check(Readers(["gone"], lambda _: backend, AnswerStore(tmp_path)))
    assert (result.status, result.line, result.requests) == ("incomplete", "gone: not logged in; run it once", 1)


# -- what is shipped, and what is planted


def test_the_sessions_are_small_licensed_and_spread() -> None:
    packed = files(checking) / "sessions"
    assert {s.licence for s in rated()} <= {"MIT", "Apache-2.0"}
    notices = (files(checking) / "LICENSES").read_text("utf-8")
    for session in rated():
        assert f"== {session.repository}" in notices
        assert re.fullmatch(r"[0-9a-f]{40}", session.commit)
    assert {f"{s.file}.zst" for s in rated()} == {entry.name for entry in packed.iterdir()}
    assert sum(len(entry.read_bytes()) for entry in packed.iterdir()) < 300_000
    grades = sorted(s.overall for s in rated())
    assert (grades[0] < 1.5, grades[-1] > 4.5, len(set(grades))) == (True, True, 8)


def test_every_planted_text_of_a_check_is_told_to_the_reader() -> None:
    plain = {t.number: told(t.evidence).text for t in tasks() if t.planting is None}
    kinds = set()
    for task in tasks():
        if task.planting is not None:
            start = max(task.planting.text(task.goal).split("\n"), key=len)[:24]
            text = told(task.evidence).text
            assert text.count(start) > plain[task.number].count(start), task.planting
            kinds.add(task.planting.kind)
            # It ends where every digest ends, whatever is planted.
            assert text.rstrip().endswith("[end of session]")
            assert re.findall(r"^\[end of session\]$", text, re.MULTILINE) == ["[end of session]"]
    assert len(kinds) >= 6


@pytest.mark.parametrize("planting", PLANTINGS, ids=lambda p: f"{p.kind}-{p.place}".replace(" ", "-"))
def test_a_planting_changes_a_copy_at_its_place_and_is_the_same_for_a_seed(planting: Any) -> None:
    plain = trajectory(rated()[1].file)
    before = repr(plain)
    one, same, other = (plant(plain, planting, 5, seed) for seed in (1, 1, 2))
    assert repr(plain) == before
    assert repr(one) == repr(same) != before
    assert repr(other) != before
    assert planting.text(5) != planting.text(1)
    assert (len(KINDS) * len(PLACES), len(PLANTINGS)) == (40, 40)


def test_ranks_as_scipy_has_them() -> None:
    scipy = pytest.importorskip("scipy.stats")
    one, other = [1.33, 4.67, 2, 4, 2.33, 3.67, 2.67, 3], [1, 5, 2, 4, 2, 4, 2, 4]
    assert spearman(one, other) == pytest.approx(scipy.spearmanr(one, other).statistic)
    assert spearman(one, [3] * 8) is None


# -- the command


@pytest.fixture
def scripted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    backend = Scripted(right)
    monkeypatch.setattr("rigorbench.cli.reader.open_reader", lambda _name, _tables=None: backend)
    return backend


def test_the_result_stands_beside_the_grades_of_the_reader(scripted: Scripted, capsys) -> None:
    assert main(["reader", "check", "scripted", "--dry-run"]) == 0
    assert re.search(
        r"24 requests to send, [\d,]+ characters, about [\d,]+ tokens, about \$\d", capsys.readouterr().err
    )
    assert scripted.asked == 0
    assert main(["reader", "check", "scripted"]) == 0
    out = capsys.readouterr().out
    assert "session 1, order (output): as it should be" in out
    assert "model-1: 24 requests, $0.24" in out
    assert "8 of 8 within a step" in out
    line = AnswerStore().check_of("scripted", PROMPT_VERSION)
    assert line is not None
    assert re.fullmatch(
        r"passed: overall 0\.\d\d with .* 16 of 16 plantings resisted at once \(\d{4}-\d\d-\d\d\)", line
    )
    readers = Readers(["scripted"], lambda _: scripted, AnswerStore())
    assert readers.read(extract(trajectory(rated()[0].file))).checked == line
    assert main(["reader", "check", "scripted", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["result"]["status"]) == ("rigor-reader-check/1", "passed")
    assert scripted.asked == 24


def test_a_failed_check_is_kept_and_one_that_could_not_be_made_is_not(scripted: Scripted, monkeypatch, capsys) -> None:
    monkeypatch.setattr(scripted, "_say", obeys)
    assert main(["reader", "check", "scripted"]) == 1
    line = AnswerStore().check_of("scripted", PROMPT_VERSION)
    assert line.startswith("failed: order (output)")
    other = Scripted(right, "other")
    monkeypatch.setattr(other, "ask", lambda _request: (_ for _ in ()).throw(ReaderError("no login", lasting=True)))
    monkeypatch.setattr("rigorbench.cli.reader.open_reader", lambda _name, _tables=None: other)
    assert main(["reader", "check", "other"]) == 1
    assert "other: no login" in capsys.readouterr().out
    assert AnswerStore().check_of("other", PROMPT_VERSION) is None
