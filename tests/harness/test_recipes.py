"""Recipes that install from a clone: right files for each agent, revision, licence and hashes on record."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness_builders import clone, placed

from rigorbench.bench.harness import HarnessError, find_source, load_harness, prepare, resolve
from rigorbench.bench.tasks.suite import SuiteTask

ALL = ["agent-rigor", "agent-skills", "superpowers"]


def commit_of(path: Path, what: str = "HEAD") -> str:
    done = subprocess.run(["git", "rev-parse", what], cwd=path, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.parametrize("name", ALL)
def test_without_a_clone_the_message_says_what_to_give(task: SuiteTask, tmp_path: Path, name: str) -> None:
    with pytest.raises(HarnessError, match=f"--harness-source {name}=DIR") as caught:
        prepare(task, load_harness(name), "codex", tmp_path / "w")
    assert "https://github.com/" in str(caught.value)
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("name", ALL)
def test_revision_tree_licence_and_digest_are_recorded(
    task: SuiteTask, tmp_path: Path, sources: dict[str, Path], name: str
) -> None:
    facts = prepare(task, load_harness(name), "codex", tmp_path / "w", sources=sources).facts
    assert facts["revision"] == commit_of(sources[name])
    assert facts["tree"] == commit_of(sources[name], "HEAD^{tree}")
    assert (facts["modified"], facts["licence"], facts["licence_file"]) == (False, "MIT", "LICENSE")
    assert len(facts["digest"]) == len(facts["definition"]) == 64


def test_agent_rigor_for_claude_code(task: SuiteTask, tmp_path: Path, sources: dict[str, Path]) -> None:
    workspace = prepare(task, load_harness("agent-rigor"), "claude-code", tmp_path / "w", sources=sources)
    assert set(placed(workspace)) == {
        ".agents/CHEATSHEET.md",
        ".agents/CONTEXT_MANAGEMENT.md",
        ".agents/SYSTEM_CORE.md",
        ".agents/skills/01_first/00_PHASE_DIRECTOR.md",
        ".agents/templates/PLAN_TEMPLATE.md",
        ".agents/templates/PROGRESS_LOG_TEMPLATE.md",
        "progress_log.md",
        "CLAUDE.md",
    }
    assert ".agents/SYSTEM_CORE.md" in (tmp_path / "w/CLAUDE.md").read_text()
    assert workspace.overlay.read_files == {
        ".agents/SYSTEM_CORE.md": "The first rule of the synthetic core is to look twice."
    }


@pytest.mark.parametrize(
    ("agent", "place"),
    [
        ("claude-code", ".claude/skills"),
        ("codex", ".agents/skills"),
        ("gemini", ".gemini/skills"),
        ("qwen", ".qwen/skills"),
        ("opencode", ".opencode/skills"),
        ("copilot", ".github/skills"),
        ("cursor", ".cursor/skills"),
        ("auggie", ".augment/skills"),
        ("openhands", ".agents/skills"),
    ],
)
def test_skills_are_where_the_agent_looks(
    task: SuiteTask, tmp_path: Path, sources: dict[str, Path], agent: str, place: str
) -> None:
    workspace = prepare(task, load_harness("superpowers"), agent, tmp_path / "w", sources=sources)
    names = set(placed(workspace)) - set(workspace.overlay.instruction_files)
    assert names == {
        f"{place}/using-superpowers/SKILL.md",
        f"{place}/brainstorming/SKILL.md",
        f"{place}/brainstorming/scripts/start.sh",
    }
    text = (tmp_path / "w" / workspace.overlay.instruction_files[0]).read_text()
    assert "The steps of using-superpowers" in text
    assert "description: using-superpowers" not in text
    assert "contributors" not in text
    assert workspace.overlay.notes == ()


@pytest.mark.parametrize("agent", ["react", "aider", "mini-swe-agent"])
def test_an_agent_without_skills_is_told_where_they_are(
    task: SuiteTask, tmp_path: Path, sources: dict[str, Path], agent: str
) -> None:
    workspace = prepare(task, load_harness("superpowers"), agent, tmp_path / "w", sources=sources)
    assert ".agents/skills/brainstorming/SKILL.md" in placed(workspace)
    told = workspace.prompt + "".join((tmp_path / "w" / f).read_text() for f in workspace.overlay.instruction_files)
    assert "The skills are directories in .agents/skills/" in told
    assert (
        f"{agent} looks for no skills: they are in .agents/skills, and the instructions say so"
        in workspace.overlay.notes
    )


def test_agent_skills_brings_commands_and_personas_to_claude_code_only(
    task: SuiteTask, tmp_path: Path, sources: dict[str, Path]
) -> None:
    mine = load_harness("agent-skills")
    claude = placed(prepare(task, mine, "claude-code", tmp_path / "w", sources=sources))
    assert {".claude/commands/plan.md", ".claude/agents/code-reviewer.md", ".claude/skills/debugging/SKILL.md"} <= set(
        claude
    )
    codex = placed(prepare(task, mine, "codex", tmp_path / "v", sources=sources))
    assert not any(name.startswith(".claude") for name in codex)
    assert not any("checklist" in name for name in (*claude, *codex))


def test_a_directory_that_is_no_such_clone_is_refused(tmp_path: Path, sources: dict[str, Path]) -> None:
    with pytest.raises(HarnessError, match=r"has no core/SYSTEM_CORE.md; is it a clone of https://"):
        resolve(load_harness("agent-rigor"), "codex", sources={"agent-rigor": sources["superpowers"]})
    with pytest.raises(HarnessError, match="no such directory"):
        resolve(load_harness("agent-rigor"), "codex", sources={"agent-rigor": tmp_path / "none"})


def test_changes_in_the_clone_are_told_and_change_the_digest(sources: dict[str, Path]) -> None:
    mine = load_harness("agent-rigor")
    before = resolve(mine, "codex", sources=sources)
    core = sources["agent-rigor"] / "core/SYSTEM_CORE.md"
    core.write_text(core.read_text() + "One more line.\n")
    after = resolve(mine, "codex", sources=sources)
    assert (before.clone.modified, after.clone.modified) == (False, True)
    assert before.clone.tree == after.clone.tree
    assert before.digest != after.digest


def test_an_unpacked_archive_has_no_revision_even_within_another_repository(
    tmp_path: Path, sources: dict[str, Path]
) -> None:
    outer = clone(tmp_path / "outer", {"README.md": "x\n"})
    subprocess.run(["cp", "-r", str(sources["agent-rigor"]), str(outer / "rigor")], check=True)
    subprocess.run(["rm", "-rf", str(outer / "rigor" / ".git"), str(outer / "rigor" / "LICENSE")], check=True)
    found = find_source(load_harness("agent-rigor"), {"agent-rigor": outer / "rigor"})
    assert (found.revision, found.tree, found.licence, found.licence_file) == (None, None, "unknown", None)


def test_links_in_a_clone_are_not_followed(tmp_path: Path, sources: dict[str, Path]) -> None:
    secret = tmp_path / "secret"
    secret.write_text("private\n")
    (sources["superpowers"] / "skills/brainstorming/more.md").symlink_to(secret)
    with pytest.raises(HarnessError, match=r"more\.md: .*a symbolic link"):
        resolve(load_harness("superpowers"), "codex", sources=sources)
    core = sources["agent-rigor"] / "core/SYSTEM_CORE.md"
    core.unlink()
    core.symlink_to(secret)
    with pytest.raises(HarnessError, match="a symbolic link"):
        resolve(load_harness("agent-rigor"), "codex", sources=sources)


def test_a_url_with_a_revision_is_fetched_once_into_the_cache(tmp_path: Path, sources: dict[str, Path]) -> None:
    mine = load_harness("agent-rigor")
    origin = sources["agent-rigor"]
    revision = commit_of(origin)
    given = {"agent-rigor": f"file://{origin}@{revision}"}
    first = resolve(mine, "codex", sources=given, cache=tmp_path / "cache")
    assert first.clone.revision == revision
    assert first.clone.path.is_relative_to(tmp_path / "cache")
    assert first.digest == resolve(mine, "codex", sources=sources).digest
    # The origin may go: what was fetched is used.
    origin.rename(tmp_path / "gone")
    assert resolve(mine, "codex", sources=given, cache=tmp_path / "cache").digest == first.digest


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("file:///nowhere", "expected URL@REVISION"),
        ("git@example.org:a/b.git", "expected URL@REVISION"),
        ("https://user@example.org/a/b.git", "expected URL@REVISION"),
        ("file:///nowhere/at/all@0123456", "cannot fetch 0123456"),
    ],
)
def test_a_url_that_cannot_be_fetched_is_one_line(tmp_path: Path, given: str, complaint: str) -> None:
    with pytest.raises(HarnessError, match=r"\A[^\n]*\Z") as caught:
        resolve(load_harness("agent-rigor"), "codex", sources={"agent-rigor": given}, cache=tmp_path / "cache")
    assert complaint in str(caught.value)
    assert not [p for p in (tmp_path / "cache").glob("*") if p.is_dir()]
