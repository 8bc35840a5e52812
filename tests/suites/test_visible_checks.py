"""Which visible tests a doom-loop task leaves red, and how far a single edit comes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from rigorbench.authoring.proof.runs import HiddenResults
from rigorbench.authoring.proof.visible import check_red, measure_difficulty, single_edits
from rigorbench.bench.outcome.hidden import FileReport
from rigorbench.bench.tasks.proofs import VERSION, ProofCheck, TaskProof, deceiving_edits
from rigorbench.session.task import NearMiss, RootCause, Task
from sources import text_file

ALL = ("first", "second", "guard")
PATCH = text_file("visible_checks.patch.diff")


def results(*red: str) -> HiddenResults:
    outcomes = {test: "failed" if test in red else "passed" for test in ALL}
    return HiddenResults({"": FileReport(outcomes, finished=True)})


def checked(start: HiddenResults, visible: list[str], **near_misses: HiddenResults) -> dict[str, ProofCheck]:
    """The checks of a task with these near misses, each with what the visible tests say of it."""

    async def run(*changes: str) -> HiddenResults:
        return near_misses[changes[0]] if changes else start

    task = Task(
        id="loop",
        category="doom-loop",
        near_misses=[NearMiss(name) for name in near_misses],
        root_cause=RootCause("the cause", ["src/*"], ["t.py::test"], visible),
    )
    runner = SimpleNamespace(visible=run, trees=SimpleNamespace(name=str))
    found = asyncio.run(check_red(cast(Any, SimpleNamespace(task=task)), cast(Any, runner)))
    return {check.name: check for check in found}


def test_stacked_causes_and_a_patch_that_turns_another_test_red() -> None:
    found = checked(
        results("first", "second"), ["first", "second"], half=results("second"), symptom=results("second", "guard")
    )
    assert {check.status for check in found.values()} == {"ok"}
    assert found["starter-red"].detail == "2 of 3 visible tests are red on it"
    assert found["causes-stacked"].detail == "half, symptom"
    assert found["symptoms-turn-red"].detail == "symptom"


def test_a_near_miss_that_turns_everything_green_is_found() -> None:
    found = checked(results("first", "second"), ["first", "second"], easy=results())
    wanted = {"near-misses-red", "causes-stacked", "symptoms-turn-red"}
    assert {name for name, check in found.items() if check.status == "failed"} == wanted
    assert "easy: turns every visible test green" in str(found["near-misses-red"].problems[0])


def test_the_red_tests_are_those_that_the_task_names() -> None:
    found = checked(results("first", "guard"), ["first", "second"], half=results("guard"))
    assert [str(p).split("; ")[0] for p in found["starter-red"].problems] == [
        "environment/repo: guard is red on the starter",
        "task.toml: root_cause.visible: second is not red on the starter",
    ]


def test_single_edits_are_hunks_of_production_code(tmp_path: Path) -> None:
    patch = tmp_path / "solution.patch"
    patch.write_text(PATCH)
    edits = single_edits(patch)
    assert [text.count("@@ ") // 1 for text in edits] == [1, 1]
    assert all(text.startswith("diff --git a/src/one.py") for text in edits)
    assert single_edits(tmp_path) == []


def test_difficulty_counts_edits_that_deceive_the_visible_tests(tmp_path: Path) -> None:
    (tmp_path / "solution.patch").write_text(PATCH)
    task = Task(id="bug", category="verify-or-die", reference=str(tmp_path / "solution.patch"))

    async def visible(change: str) -> HiddenResults:
        return results() if "b = 2" in Path(change).read_text() else results("first")

    async def hidden(change: str) -> HiddenResults:
        return results("second")

    runner = SimpleNamespace(visible=visible, hidden=hidden)
    trees = SimpleNamespace(directory=tmp_path)
    check = asyncio.run(measure_difficulty(cast(Any, SimpleNamespace(task=task)), cast(Any, runner), cast(Any, trees)))
    assert check.detail == "1 of 2 single edits pass the visible tests and fail a hidden one; 0 solve the task"
    assert deceiving_edits(TaskProof("d1", VERSION, "2026-01-01", (check,))) == (1, 2)
