"""The repository an agent starts from: deterministic, with the overlay as one base commit, and nothing hidden in it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from harness_builders import HIDDEN, placed
from hypothesis import given, settings
from hypothesis import strategies as st

from rigorbench.bench.agents.registry import AGENTS
from rigorbench.bench.harness import HarnessError, PlacedFile, load_harness, prepare, resolve
from rigorbench.bench.harness.overlay import placebo_text
from rigorbench.bench.harness.paths import safe_path, write
from rigorbench.bench.tasks.suite import SuiteTask

HEAD = 'name = "mine"\nversion = "1"\ndescription = "d"\nkind = "overlay"\nlicence = "MIT"\n'


def git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=repository, check=True, capture_output=True, encoding="utf-8", errors="replace"
    )
    return done.stdout.strip()


def harness(directory: Path, text: str):  # type: ignore[no-untyped-def]
    directory.mkdir(exist_ok=True)
    (directory / "harness.toml").write_text(HEAD + text)
    return load_harness(directory)


def test_a_harness_that_places_nothing_makes_no_commit(task: SuiteTask, tmp_path: Path) -> None:
    workspace = prepare(task, load_harness("baseline"), "codex", tmp_path / "w")
    assert workspace.start_commit == workspace.base_commit
    assert workspace.start_tree == workspace.base_tree
    assert git(tmp_path / "w", "rev-list", "--count", "HEAD") == "1"
    assert workspace.prompt == "Add a total to the tally.\n"
    assert placed(workspace) == ()


def test_an_overlay_is_one_commit_on_top_with_exactly_its_files(task: SuiteTask, tmp_path: Path) -> None:
    plain = prepare(task, load_harness("baseline"), "codex", tmp_path / "plain")
    workspace = prepare(task, load_harness("nudge"), "codex", tmp_path / "w")
    assert (workspace.base_commit, workspace.base_tree) == (plain.base_commit, plain.base_tree)
    assert workspace.start_tree != workspace.base_tree
    assert git(tmp_path / "w", "rev-list", f"{workspace.base_commit}..HEAD") == workspace.start_commit
    assert git(tmp_path / "w", "diff", "--name-only", workspace.base_commit, "HEAD") == "AGENTS.md"
    assert placed(workspace) == workspace.overlay.instruction_files == ("AGENTS.md",)
    assert git(tmp_path / "w", "status", "--porcelain", "--ignored") == ""


def test_the_commit_tells_the_agent_nothing_about_a_benchmark(task: SuiteTask, tmp_path: Path) -> None:
    prepare(task, load_harness("placebo"), "codex", tmp_path / "w")
    told = git(tmp_path / "w", "log", "-1", "--format=%an %ae %cn %ce %s %b").lower()
    assert not any(word in told for word in ("rigor", "bench", "harness", "overlay", "placebo"))


@pytest.mark.parametrize("name", ["baseline", "nudge", "placebo", "agent-rigor", "agent-skills", "superpowers"])
def test_the_same_task_harness_and_agent_give_the_same_hashes(
    task: SuiteTask, tmp_path: Path, sources: dict[str, Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = prepare(task, load_harness(name), "claude-code", tmp_path / "one", sources=sources)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody Else")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.autocrlf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    second = prepare(task, load_harness(name), "claude-code", tmp_path / "two", sources=sources)
    assert (first.start_commit, first.start_tree, first.overlay.digest) == (
        second.start_commit,
        second.start_tree,
        second.overlay.digest,
    )
    assert json.dumps(first.facts) == json.dumps(second.facts)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("name", ["baseline", "placebo", "agent-rigor", "agent-skills", "superpowers"])
def test_nothing_hidden_gets_into_a_workspace(
    task: SuiteTask, tmp_path: Path, sources: dict[str, Path], name: str, agent: str
) -> None:
    prepare(task, load_harness(name), agent, tmp_path / "w", sources=sources)
    repository = tmp_path / "w"
    # Everything that git stored, decompressed, and every file of the work tree.
    stored = git(repository, "cat-file", "--batch-all-objects", "--batch", "--buffer")
    assert HIDDEN not in stored
    for path in repository.rglob("*"):
        if path.is_file() and ".git" not in path.relative_to(repository).parts:
            assert HIDDEN.encode() not in path.read_bytes(), path
            assert path.name not in ("task.toml", "test_hidden.py", "solve.sh", "commits.toml", "build_repo.py")


@pytest.mark.parametrize(
    ("agent", "file"),
    [
        ("claude-code", "CLAUDE.md"),
        ("codex", "AGENTS.md"),
        ("opencode", "AGENTS.md"),
        ("openhands", "AGENTS.md"),
        ("auggie", "AGENTS.md"),
        ("react", "AGENTS.md"),
        ("gemini", "GEMINI.md"),
        ("qwen", "QWEN.md"),
        ("copilot", ".github/copilot-instructions.md"),
        ("cursor", ".cursor/rules/harness.mdc"),
        ("aider", "CONVENTIONS.md"),
    ],
)
def test_each_agent_gets_the_text_in_the_file_it_reads(task: SuiteTask, tmp_path: Path, agent: str, file: str) -> None:
    workspace = prepare(task, load_harness("nudge"), agent, tmp_path / "w")
    assert workspace.overlay.instruction_files == (file,)
    assert "Work like a careful engineer" in (tmp_path / "w" / file).read_text()
    assert "careful engineer" not in workspace.prompt
    assert workspace.overlay.notes == ()


def test_aider_is_told_to_read_its_file_and_cursor_to_apply_its_rule(task: SuiteTask, tmp_path: Path) -> None:
    prepare(task, load_harness("nudge"), "aider", tmp_path / "a")
    assert (tmp_path / "a" / ".aider.conf.yml").read_text() == "read: CONVENTIONS.md\n"
    prepare(task, load_harness("nudge"), "cursor", tmp_path / "c")
    assert (tmp_path / "c/.cursor/rules/harness.mdc").read_text().startswith("---\nalwaysApply: true\n---\n")


@pytest.mark.parametrize("agent", ["mini-swe-agent", "an-agent-of-tomorrow"])
def test_an_agent_without_such_a_file_gets_the_text_before_its_prompt(
    task: SuiteTask, tmp_path: Path, agent: str
) -> None:
    workspace = prepare(task, load_harness("nudge"), agent, tmp_path / "w")
    assert workspace.start_commit == workspace.base_commit
    assert workspace.prompt.startswith("Work like a careful engineer")
    assert workspace.prompt.endswith("\n\nAdd a total to the tally.\n")
    assert workspace.overlay.notes == (
        f"{agent} reads no instruction file: the instructions stand in front of the task's prompt",
    )


def test_a_users_file_goes_where_it_is_named_or_where_the_agent_reads(task: SuiteTask, tmp_path: Path) -> None:
    own = tmp_path / "own.md"
    own.write_text("Our rule: names are spelled out.\n")
    wanted = load_harness(f"agents-md={own}")
    assert prepare(task, wanted, "codex", tmp_path / "x").overlay.instruction_files == ("AGENTS.md",)
    moved = prepare(task, wanted, "claude-code", tmp_path / "y")
    assert moved.overlay.instruction_files == ("CLAUDE.md",)
    assert moved.overlay.notes == ("claude-code does not read AGENTS.md: the instructions are in CLAUDE.md",)
    assert (tmp_path / "y/CLAUDE.md").read_bytes() == own.read_bytes()


def test_cursor_rules_keep_their_head_for_cursor_and_lose_it_elsewhere(task: SuiteTask, tmp_path: Path) -> None:
    own = tmp_path / "own.mdc"
    own.write_text('---\nglobs: "*.py"\n---\nOur rule: names are spelled out.\n')
    wanted = load_harness(f"cursor-rules={own}")
    prepare(task, wanted, "cursor", tmp_path / "x")
    assert (tmp_path / "x/.cursor/rules/harness.mdc").read_text() == own.read_text()
    prepare(task, wanted, "codex", tmp_path / "y")
    assert (tmp_path / "y/AGENTS.md").read_text() == "Our rule: names are spelled out.\n"


def test_instructions_are_put_behind_those_the_starter_has(task: SuiteTask, tmp_path: Path) -> None:
    (task.directory / "environment/repo/AGENTS.md").write_text("Of the project.\n")
    prepare(task, load_harness("nudge"), "codex", tmp_path / "w")
    text = (tmp_path / "w/AGENTS.md").read_text()
    assert text.startswith("Of the project.\n\nWork like")


def test_files_that_the_starter_ignores_are_committed_too(task: SuiteTask, tmp_path: Path) -> None:
    mine = harness(tmp_path / "h", '[[file]]\npath = ".agents/x.log"\ncontent = "x"\n')
    workspace = prepare(task, mine, "codex", tmp_path / "w")
    assert ".agents/x.log" in git(tmp_path / "w", "ls-tree", "-r", "--name-only", workspace.start_commit)


def test_no_file_of_the_starter_is_replaced(task: SuiteTask, tmp_path: Path) -> None:
    mine = harness(tmp_path / "h", '[[file]]\npath = "tally.py"\ncontent = "x"\n')
    with pytest.raises(HarnessError, match="a harness replaces no file"):
        prepare(task, mine, "codex", tmp_path / "w")
    assert "def tally" in (tmp_path / "w/tally.py").read_text()
    within = harness(tmp_path / "h", '[[file]]\npath = "tally.py/x"\ncontent = "x"\n')
    with pytest.raises(HarnessError, match="is in the way"):
        prepare(task, within, "codex", tmp_path / "v")


def test_a_file_placed_twice_is_refused(task: SuiteTask, tmp_path: Path) -> None:
    twice = '[[file]]\npath = "A"\ncontent = "x"\n[[file]]\npath = "./A"\ncontent = "y"\n'
    with pytest.raises(HarnessError, match="A: placed twice"):
        prepare(task, harness(tmp_path / "h", twice), "codex", tmp_path / "w")


def test_environment_home_prefix_and_modes_are_handed_on(task: SuiteTask, tmp_path: Path) -> None:
    mine = harness(
        tmp_path / "h",
        'prompt_prefix = "Take your time."\n'
        '[[file]]\npath = "~/.config/tool.toml"\ncontent = "a = 1\\n"\n'
        '[[file]]\npath = "bin/run"\ncontent = "#!/bin/sh\\n"\nexecutable = true\n'
        '[[file]]\npath = "only.md"\ncontent = "x"\nagents = ["claude-code"]\n'
        '[env]\nTOOL_MODE = "strict"\n',
    )
    workspace = prepare(task, mine, "codex", tmp_path / "w")
    assert workspace.overlay.env == {"TOOL_MODE": "strict"}
    assert workspace.prompt == "Take your time.\n\nAdd a total to the tally.\n"
    assert placed(workspace) == ("bin/run",)
    assert git(tmp_path / "w", "ls-tree", "HEAD", "bin/run").startswith("100755")
    assert workspace.overlay.home == (PlacedFile(".config/tool.toml", b"a = 1\n"),)
    assert "only.md" in placed(prepare(task, mine, "claude-code", tmp_path / "v"))


def test_hooks_are_written_for_claude_code_and_missed_aloud_elsewhere(task: SuiteTask, tmp_path: Path) -> None:
    mine = harness(tmp_path / "h", '[[hook]]\nevent = "Stop"\nmatcher = "*"\ncommand = "true"\n')
    prepare(task, mine, "claude-code", tmp_path / "w")
    settings = json.loads((tmp_path / "w/.claude/settings.json").read_text())
    assert settings == {"hooks": {"Stop": [{"matcher": "*", "hooks": [{"type": "command", "command": "true"}]}]}}
    other = prepare(task, mine, "codex", tmp_path / "v")
    assert placed(other) == ()
    assert other.overlay.notes == ("codex: hooks are written for Claude Code only; 1 left out",)


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", ".git/config", "a/.Git/x", "a\\b", "", "a\0b", "."])
def test_paths_that_lead_elsewhere_are_refused(tmp_path: Path, path: str) -> None:
    assert safe_path(path) is None
    with pytest.raises(HarnessError):
        write(tmp_path / "root", PlacedFile(path, b"x"))
    assert not list(tmp_path.rglob("x"))


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "root" / "d").symlink_to(tmp_path / "out")
    (tmp_path / "root" / "f").symlink_to(tmp_path / "out" / "f")
    for path in ("d/x", "f"):
        with pytest.raises(HarnessError):
            write(tmp_path / "root", PlacedFile(path, b"x"))
    assert list((tmp_path / "out").iterdir()) == []


# -- the placebo: neutral, deterministic, and of the length of what it stands against


BASE = (load_harness("placebo").directory / "text.md").read_text()
LONGEST_WORD = max(len(word) for word in BASE.split())


@given(st.integers(100, 40_000))
@settings(max_examples=200)
def test_the_text_is_at_most_a_word_short_and_never_too_long(length: int) -> None:
    text = placebo_text(BASE, length)
    assert length - LONGEST_WORD - 8 <= len(text) <= length + 1
    assert text.endswith(".\n")
    assert text == placebo_text(BASE, length)


def test_no_two_paragraph_blocks_of_a_long_text_are_the_same() -> None:
    parts = placebo_text(BASE, 3 * len(BASE)).split("## Part ")
    assert len(parts) >= 3
    assert len(set(parts)) == len(parts)


def test_it_says_nothing_about_work() -> None:
    words = {word.strip(".,:").lower() for word in BASE.split()}
    telling = "test tests plan plans commit commits verify check review bug code step steps careful fix done error"
    assert not words & set(telling.split())


@pytest.mark.parametrize("agent", AGENTS)
def test_it_is_as_long_as_the_overlay_at_hand(agent: str, sources: dict[str, Path]) -> None:
    # The synthetic clone is short; the harness is one all the same.
    core = sources["agent-rigor"] / "core" / "SYSTEM_CORE.md"
    core.write_text(core.read_text() + "Another line of the synthetic core.\n" * 100)
    against = resolve(load_harness("agent-rigor"), agent, sources=sources)
    overlay = resolve(load_harness("placebo"), agent, sources=sources)
    assert against.reading > 3500
    assert abs(overlay.reading - against.reading) <= LONGEST_WORD + 8
    assert f"agent-rigor makes {agent} read ({against.reading} characters)" in overlay.notes[0]


def test_without_a_clone_the_measured_length_counts_and_the_notes_say_so() -> None:
    harness = load_harness("placebo")
    assert harness.placebo is not None
    overlay = resolve(harness, "codex")
    assert abs(overlay.reading - harness.placebo.length) <= LONGEST_WORD + 8
    assert "no clone was given" in overlay.notes[0]


def test_a_length_or_another_harness_can_be_given(sources: dict[str, Path]) -> None:
    assert abs(resolve(load_harness("placebo=3000"), "codex").reading - 3000) <= LONGEST_WORD + 8
    nudge = resolve(load_harness("nudge"), "codex").reading
    assert abs(resolve(load_harness("placebo=nudge"), "codex").reading - nudge) <= LONGEST_WORD + 8
    with pytest.raises(HarnessError, match="--harness-source superpowers=DIR"):
        resolve(load_harness("placebo=superpowers"), "codex")
    with pytest.raises(HarnessError, match="no length to match"):
        resolve(load_harness("placebo=baseline"), "codex")
