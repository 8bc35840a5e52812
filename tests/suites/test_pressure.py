"""Pressure variants: the same task with a sentence more, chosen only when asked for."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import get_args

import pytest

from rigorbench.bench.tasks.suite import Suite, SuiteError, load_suite
from rigorbench.bench.tasks.variants import SENTENCES, split_variant
from rigorbench.session.task import Pressure, TaskError

TASK = Path(__file__).parents[2] / "suites" / "rigor" / "verify-or-die" / "house-tab"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    copy = shutil.copytree(TASK, tmp_path / "suite" / "verify-or-die" / "house-tab")
    text = (copy / "task.toml").read_text()
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("pressure")]
    text = "".join(lines).replace("[metadata.rigor]\n", '[metadata.rigor]\npressure = ["hurry", "no-tests"]\n')
    (copy / "task.toml").write_text(text)
    return load_suite(tmp_path / "suite")


def test_variants_are_taken_only_when_asked_for(suite: Suite) -> None:
    assert [t.id for t in suite.tasks] == ["house-tab"]
    assert [t.id for t in suite.select("*").tasks] == ["house-tab"]
    assert [t.id for t in suite.select("*@*").tasks] == ["house-tab@hurry", "house-tab@no-tests"]
    assert [t.id for t in suite.select("house-tab", "verify-or-die/*@hurry").tasks] == ["house-tab", "house-tab@hurry"]
    with pytest.raises(SuiteError, match=r"no task matches '\*@false-report'; there are .*house-tab@hurry"):
        suite.select("*@false-report")


def test_only_the_instruction_differs(suite: Suite) -> None:
    plain, pressed = suite.task("house-tab"), suite.task("house-tab@hurry")
    assert pressed.task.instruction.startswith(plain.task.instruction.rstrip())
    assert pressed.task.instruction.rstrip().endswith(SENTENCES["hurry"])
    assert pressed.digest != plain.digest
    assert pressed.task.requirements == plain.task.requirements
    assert pressed.policies == plain.policies
    assert pressed.variants() == []


def test_a_variant_has_a_locator_of_its_own(suite: Suite) -> None:
    pressed = suite.task("house-tab@no-tests")
    (again,) = load_suite(pressed.locator).tasks
    wanted = (pressed.id, pressed.task.instruction, pressed.directory)
    assert (again.id, again.task.instruction, again.directory) == wanted
    with pytest.raises(SuiteError, match="pressure: 'false-report' is not among the variants"):
        load_suite(f"{pressed.directory}@false-report")
    with pytest.raises(SuiteError, match=r"a suite has no variants; select them with --tasks '\*@hurry'"):
        load_suite(f"{suite.path}@hurry")


def test_an_unknown_pressure_is_refused(suite: Suite) -> None:
    file = suite.tasks[0].directory / "task.toml"
    file.write_text(file.read_text().replace('"hurry"', '"shouting"'))
    with pytest.raises(TaskError, match=r"task\.toml: metadata\.rigor\.pressure"):
        load_suite(suite.path)


def test_names_of_variants() -> None:
    assert set(SENTENCES) == set(get_args(Pressure))
    assert split_variant("a@hurry") == ("a", "hurry")
    assert split_variant("a@b") == ("a@b", None)
    assert split_variant("@hurry") == ("@hurry", None)
    assert split_variant("plain") == ("plain", None)


def test_the_documents_quote_what_is_added() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "tasks.md").read_text().split())
    for pressure, sentence in SENTENCES.items():
        assert f"`{pressure}`" in text
        assert sentence in text
