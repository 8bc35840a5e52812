"""A plain folder as a harness: placed as it is, and what of it the model calls show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from harness_builders import placed, put, skill

from rigorbench.base.journal import SCHEMA, AnyRecord, Model, RunRecord
from rigorbench.bench.harness import HarnessError, load_harness, prepare
from rigorbench.bench.run.scoring.manipulation import loaded
from rigorbench.bench.tasks.suite import SuiteTask

RULES = "Run the tests of the package that you change, before and after every change.\n"
FILES = {
    "CLAUDE.md": f"# Rules\n\n{RULES}",
    ".claude/skills/spans/SKILL.md": skill("spans"),
    ".claude/skills/dates/SKILL.md": skill("dates"),
    ".cursor/rules/style.mdc": "---\nalwaysApply: true\n---\nName things in full, as the other code does.\n",
    "README.md": "Our rules.\n",
    "LICENSE": "MIT\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return put(tmp_path / "Our Rules", FILES)


def call(*messages: dict[str, Any], tools: list[dict[str, str]] | None = None) -> Model:
    return Model(2.0, "m1", "main", "m", input=list(messages), declared=tools)


def test_its_files_are_placed_as_they_are(task: SuiteTask, tmp_path: Path, folder: Path) -> None:
    harness = load_harness(folder)
    assert harness.name == "our-rules"
    workspace = prepare(task, harness, "claude-code", tmp_path / "w")
    assert set(placed(workspace)) == set(FILES) - {"README.md", "LICENSE"}
    assert (workspace.path / "CLAUDE.md").read_text().endswith(RULES)
    assert workspace.overlay.instruction_files == ("CLAUDE.md",)
    assert workspace.overlay.notes == ()
    assert workspace.start_commit != workspace.base_commit


def test_the_same_content_is_the_same_harness(tmp_path: Path, folder: Path) -> None:
    again = put(tmp_path / "x" / "Our Rules", FILES)
    assert load_harness(again).digest == load_harness(folder).digest
    (again / "CLAUDE.md").write_text("Other rules.\n")
    assert load_harness(again).digest != load_harness(folder).digest


def test_nothing_is_translated_for_an_agent_that_reads_other_files(
    task: SuiteTask, tmp_path: Path, folder: Path
) -> None:
    workspace = prepare(task, load_harness(folder), "codex", tmp_path / "w")
    assert not (workspace.path / "AGENTS.md").exists()
    assert workspace.overlay.notes == (
        "codex reads none of the folder's instructions: .cursor/rules/style.mdc, CLAUDE.md",
        "codex does not look for skills where the folder has them: .claude/skills/dates/SKILL.md",
    )
    records: list[AnyRecord] = [
        RunRecord(1.0, SCHEMA, "r", "/work", harness=workspace.facts),
        call({"role": "user", "content": "Do it."}),
    ]
    assert loaded(load_harness(folder), "codex", list(enumerate(records, 1))).loaded is False


def test_instructions_of_the_starter_are_kept(task: SuiteTask, tmp_path: Path, folder: Path) -> None:
    put(task.directory / "environment" / "repo", {"CLAUDE.md": "Use tabs.\n"})
    workspace = prepare(task, load_harness(folder), "claude-code", tmp_path / "w")
    text = (workspace.path / "CLAUDE.md").read_text()
    assert text.startswith("Use tabs.\n")
    assert RULES in text


def test_the_model_calls_show_which_skills_were_offered_and_which_were_read(
    task: SuiteTask, tmp_path: Path, folder: Path
) -> None:
    workspace = prepare(task, load_harness(folder), "claude-code", tmp_path / "w")

    def found(*calls: Model) -> dict[str, str]:
        records: list[AnyRecord] = [RunRecord(1.0, SCHEMA, "r", "/work", harness=workspace.facts), *calls]
        return loaded(load_harness(folder), "claude-code", list(enumerate(records, 1))).skills

    rules = {"role": "user", "content": RULES}
    tool = {"name": "Skill", "description": "Skills:\n- spans: spans for tests\n- dates: dates for tests"}
    assert found(call(rules)) == {"spans": "not shown", "dates": "not shown"}
    assert found(call(rules, tools=[tool])) == {"spans": "offered", "dates": "offered"}
    body = {"role": "tool", "content": "# dates\n\nThe steps of dates, one after another.\n"}
    assert found(call(rules, tools=[tool]), call(body)) == {"spans": "offered", "dates": "read"}
    assert found() == {}, "without a model call nothing is known"


def test_a_folder_of_skills_alone_is_loaded_when_they_are_offered(task: SuiteTask, tmp_path: Path) -> None:
    harness = load_harness(put(tmp_path / "skills", {".claude/skills/spans/SKILL.md": skill("spans")}))
    facts = prepare(task, harness, "claude-code", tmp_path / "w").facts
    start = RunRecord(1.0, SCHEMA, "r", "/work", harness=facts)
    offered = call({"role": "user", "content": "You can use:\n- spans: spans for tests"})
    assert loaded(harness, "claude-code", [(1, start), (2, offered)]).loaded is True
    silent = loaded(harness, "claude-code", [(1, start), (2, call({"role": "user", "content": "Do it."}))])
    assert (silent.loaded, silent.reason) == (False, "no model call shows a skill of skills")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"notes.txt": "x"}, "has neither a harness.toml nor a file that an agent reads"),
        ({"AGENTS.md": "x", **{f"src/{n}.py": "" for n in range(1001)}}, "too large for a harness"),
    ],
)
def test_a_folder_that_is_no_harness_is_refused(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(HarnessError, match=said):
        load_harness(put(tmp_path / "no", files))
