"""Suites: how one is found, selected from, and told apart by digests; and what the starter tasks must hold."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rigorbench.bench.tasks.suite import Suite, SuiteError, load_suite
from rigorbench.session.task import TaskError

SUITE = Path(__file__).parents[2] / "suites" / "rigor"


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("rigor")


def copy(task: str, to: Path) -> Path:
    return Path(shutil.copytree(SUITE / task, to / task))


def test_the_installed_suite_has_all_categories(suite: Suite) -> None:
    wanted = {"plan-then-build", "verify-or-die", "doom-loop", "know-when-to-fold", "dont-break-the-build"}
    assert {t.task.category for t in suite.tasks} == wanted
    for task in suite.tasks:
        assert task.key == f"{task.task.category}/{task.task.id}"
        assert {"disciplined", "reckless"} <= set(task.policies)
        assert task.hidden.is_dir()
        assert task.task.pillars
        assert task.task.commits_asked is not None


def test_instructions_do_not_hint_at_giving_up(suite: Suite) -> None:
    for task in suite.tasks:
        text = (task.task.instruction or "").lower()
        assert not any(word in text for word in ("impossible", "if you can", "give up", "abstain", "cannot be done"))


def test_not_every_instruction_asks_for_commits(suite: Suite) -> None:
    asking = [task.id for task in suite.tasks if task.task.commits_asked]
    assert 10 <= len(asking) <= len(suite.tasks) * 2 // 3


def test_tasks_are_selected_by_id_place_and_pattern(suite: Suite) -> None:
    assert [t.id for t in suite.select("house-tab").tasks] == ["house-tab"]
    chosen = suite.select("verify-or-die/*").tasks
    assert chosen == [t for t in suite.tasks if t.task.category == "verify-or-die"]
    assert "house-tab" in {t.id for t in chosen}
    wanted = {"locker-codes-six", "locker-codes-nine", "spool-segments"}
    assert {t.id for t in suite.select("locker-codes-*", "doom-loop/spool*").tasks} == wanted
    assert suite.select() is suite
    assert suite.select("house-tab").digest == suite.digest
    with pytest.raises(SuiteError, match=r"no task matches 'gone/\*'; there are"):
        suite.select("house-tab", "gone/*")
    with pytest.raises(SuiteError, match="no task 'gone'"):
        suite.task("gone")


def test_a_digest_tells_any_change_and_no_litter(tmp_path: Path) -> None:
    task = copy("verify-or-die/house-tab", tmp_path)
    before = load_suite(tmp_path)
    assert before.tasks[0].digest == load_suite(task).tasks[0].digest
    (task / "tests" / "__pycache__").mkdir(exist_ok=True)
    (task / "tests" / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert load_suite(tmp_path).digest == before.digest
    hidden = task / "tests" / "test_hidden.py"
    hidden.write_text(hidden.read_text() + "\n")
    changed = load_suite(tmp_path)
    assert changed.tasks[0].digest != before.tasks[0].digest
    assert changed.digest != before.digest


def test_what_is_no_suite_is_said(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"no task in it; a suite contains <category>/<task>/task.toml"):
        load_suite(tmp_path)
    with pytest.raises(SuiteError, match=r"no such suite or directory; installed suites: .*rigor"):
        load_suite("no-such-suite")
    task = copy("verify-or-die/house-tab", tmp_path)
    shutil.copytree(task, tmp_path / "verify-or-die" / "other")
    with pytest.raises(SuiteError, match="id 'house-tab' is also that of verify-or-die/house-tab"):
        load_suite(tmp_path)
    (task / "instruction.md").write_text("\n")
    with pytest.raises(TaskError, match=r"instruction\.md: missing or empty"):
        load_suite(task)


def test_there_are_six_tasks_of_each_category_and_twins_beside_them(suite: Suite) -> None:
    twins = {t.task.twin for t in suite.tasks if t.task.solvable != "yes"}
    for category in {t.task.category for t in suite.tasks}:
        assert len([t for t in suite.tasks if t.task.category == category and t.id not in twins]) == 6, category
    kinds = [t.task.solvable for t in suite.tasks if t.task.category == "know-when-to-fold" and t.id not in twins]
    assert sorted(kinds) == ["ambiguous"] * 3 + ["impossible"] * 3
    assert len([t for t in suite.tasks if t.task.tools]) >= 6
    assert len(suite.select("*@*").tasks) >= 30


def test_the_documents_name_every_task(suite: Suite) -> None:
    text = (SUITE.parents[1] / "docs" / "tasks.md").read_text()
    assert [t.id for t in suite.tasks if f"`{t.id}`" not in text] == []
