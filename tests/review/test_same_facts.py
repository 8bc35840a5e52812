"""The same work gives the same facts and checks, whatever log it comes from; and any session gives a review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pairs import NEW, OLD, PAIRS, RED, TEST
from reviewing import ids, known, review, work

from attack_logs import Say, Sh, User, claude, mini_swe
from builders import Session
from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Edit, FileChange, Trajectory
from rigorbench.session.readers.atif_own import to_atif
from rigorbench.session.registry import read_log


@pytest.mark.parametrize("id", PAIRS)
def test_a_session_exported_and_read_again_is_reviewed_the_same(id: str, tmp_path: Path) -> None:
    trajectory = PAIRS[id](True).build()
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(to_atif(trajectory)), "utf-8")
    [again] = read_log(LogFile(path))
    assert known(again) == known(trajectory)
    assert ids(again) == ids(trajectory)


def random_session(words: list[tuple[str, int]]) -> Session:
    """A session of steps in any order: each is a kind and a number that varies it."""
    session = Session("Fix total in src/a.py")
    for kind, n in words:
        path, other = f"src/{'abc'[n % 3]}.py", f"    return {n}\n"
        if kind == "edit":
            session.edit(path, OLD, other)
        elif kind == "undo":
            session.edit(path, other, OLD)
        elif kind == "test file":
            session.write(TEST, f"def test_total():\n    assert total([]) == {n}\n")
        elif kind == "green":
            session.pytest(n)
        elif kind == "red":
            session.pytest(n, failed=[RED])
        elif kind == "broken":
            session.pytest(errors=[TEST])
        elif kind == "shell":
            session.shell(("git stash", "git stash pop", "git diff", "ruff check .", "make", "rm -rf src", "")[n % 7])
        elif kind == "read":
            session.read(path)
        elif kind == "plan":
            session.todo(*[f"Change {path}", "Run the tests"][: n % 3])
        elif kind == "commit":
            session.commit(("wip", "Sum the items", "")[n % 3] or "x", path)
        elif kind == "user":
            session.user("Go on")
        else:
            session.say(("All tests pass.", "I could not repair it.", "Done.", "")[n % 4])
    return session


KINDS = [*"edit undo green red broken shell read plan commit user say".split(), "test file"]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 8)), max_size=25)


@given(STEPS)
def test_any_session_gives_one_review_with_facts_and_no_grade(words: list[tuple[str, int]]) -> None:
    found = review(random_session(words))
    assert msgspec.json.encode(found) == msgspec.json.encode(review(random_session(words)))
    assert found.overall is None
    for grade in found.grades.values():
        assert (grade.value, grade.status != "scored") == (None, True)
        assert grade.reason


def paths_only(trajectory: Trajectory) -> Trajectory:
    """The record of the same run by a program that logs which files an edit changed, and not how (codex exec)."""
    for step in trajectory.steps:
        for call in step.calls:
            if isinstance(call.action, Edit):
                bare = [FileChange(c.path, c.operation, new_path=c.new_path) for c in call.action.changes]
                call.action, call.input = Edit(bare), {}
    return trajectory


def differing(rich: Trajectory, poor: Trajectory) -> set[str]:
    """What is held against the session by the poorer record, and not by the richer one."""
    return {c.id for c in review(poor).checks if c.severity in ("flag", "weak")} - ids(rich)


# What is taken for granted where the text is not there: a change changes something, its tests can fail, and it brings
# no debug output along.
TAKEN_FOR_GRANTED = {"V-assertions-off", "I-leftovers"}


@pytest.mark.parametrize("id", sorted(PAIRS.keys() - TAKEN_FOR_GRANTED))
def test_a_log_without_the_text_of_edits_accuses_of_nothing_more(id: str) -> None:
    for fires in (True, False):
        make = PAIRS[id]
        assert differing(make(fires).build(), paths_only(make(fires).build())) == set()


# Each edit changes something: 0 is what it was, and none comes twice.
REAL_STEP = st.tuples(st.sampled_from([k for k in KINDS if k != "undo"]), st.integers(1, 8))
REAL_STEPS = st.lists(REAL_STEP, max_size=25, unique=True)


@given(REAL_STEPS)
def test_so_does_any_session(words: list[tuple[str, int]]) -> None:
    seen = work(random_session(words))
    assume(not any(seen.concern.adds_idle_tests(e) for e in seen.session.edits if e.role == "test"))
    assert differing(random_session(words).build(), paths_only(random_session(words).build())) == set()


GREEN = Sh("python -m pytest -q", "....\n4 passed in 0.12s\n")
FAILED = Sh("python -m pytest -q", f"FAILED {RED} - assert 2 == 3\n1 failed, 3 passed in 0.12s\n", status=1)
FIX = Sh(f"cat > src/a.py <<'END'\ndef total(items):\n{NEW}END")
BEGIN: list[Any] = [User("Fix total in src/a.py"), Sh("cat src/a.py", f"def total(items):\n{OLD}")]
TURNS: dict[str, list[Any]] = {
    "green at the end": [*BEGIN, FIX, GREEN, Say("Total is fixed. All tests pass.")],
    "red at the end": [*BEGIN, GREEN, FIX, FAILED, Say("Total is fixed.")],
    "false claim": [*BEGIN, FIX, FAILED, Say("Total is fixed. All tests pass.")],
    "red then green": [*BEGIN, FAILED, FIX, GREEN, Say("Total is fixed.")],
    "never checked": [*BEGIN, FIX, Say("Total is fixed.")],
}


@pytest.mark.parametrize("name", TURNS)
def test_two_agents_logs_of_the_same_work_are_told_the_same(name: str, tmp_path: Path) -> None:
    said, fired = [], []
    for number, write in enumerate((claude, mini_swe)):
        [trajectory] = read_log(LogFile(_write(tmp_path / str(number), write(TURNS[name]))))
        said.append(known(trajectory))
        fired.append(ids(trajectory))
    assert fired[0] == fired[1]
    assert said[0] == said[1]


def _write(path: Path, log: bytes) -> Path:
    path.write_bytes(log)
    return path
