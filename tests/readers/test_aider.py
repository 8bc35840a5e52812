"""Aider chat histories, with and without the log of prompts beside them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_checks import agent_steps, read, survives

from rigorbench.session.logfile import LogFile
from rigorbench.session.model import Shell, ToolCall, Trajectory
from rigorbench.session.readers.aider import READERS
from sources import text_file

DATA = Path(__file__).parents[1] / "data" / "aider"
HEADER = """
# aider chat started at 2026-05-01 10:00:00

> /usr/bin/aider --model m --test-cmd python -m pytest -q --auto-test --llm-history-file /tmp/prompts.log a.py  
> Aider v0.86.2  
> Main model: openai/gpt-4o with diff edit format  
> Weak model: gpt-4o-mini  
> Git repo: .git with 6 files  
> Added a.py to the chat.  
"""

BLOCK = text_file("aider.block.txt")


def history(*parts: str) -> Trajectory:
    (found,) = read(READERS, LogFile(None, content=(HEADER + "".join(parts)).encode()))
    return found


def calls(found: Trajectory) -> list[ToolCall]:
    return [call for step in found.steps for call in step.calls]


@pytest.mark.parametrize(
    ("scenario", "answers", "edits", "commits", "tests"), [("disciplined", 3, 4, 3, 2), ("reckless", 4, 4, 4, 4)]
)
def test_real_sessions(shared_data: Path, scenario: str, answers: int, edits: int, commits: int, tests: int) -> None:
    folder = shared_data / "cli" / "aider" / scenario / "session"
    log = LogFile(folder / ".aider.chat.history.md")
    (found,) = read(READERS, log)
    names = [c.name for c in calls(found)]
    assert len(agent_steps(found)) == answers
    assert [names.count(name) for name in ("edit", "git commit", "auto-test")] == [edits, commits, tests]
    assert (found.agent_version, found.model, found.usage_complete) == ("0.86.2", "openai/gpt-4o", False)
    assert found.steps[0].role == "user"
    assert all(s.time is not None for s in agent_steps(found))
    outputs = [c.result.text for c in calls(found) if c.name == "auto-test" and c.result]
    assert "2 failed, 2 passed" in outputs[0]
    assert found.end == ("limit" if scenario == "reckless" else None)
    assert log.skipped == []


def test_bundled_session_with_its_prompt_log() -> None:
    (found,) = read(READERS, DATA / "history.md")
    assert (len(agent_steps(found)), len(calls(found)), found.end) == (4, 12, "limit")
    runs = [c for c in calls(found) if c.name == "auto-test"]
    assert ["2 failed, 2 passed" in c.result.text for c in runs if c.result] == [True, True, True, False]
    assert all(step.time is not None for step in agent_steps(found))


def test_rounded_tokens_and_lines(shared_data: Path) -> None:
    (found,) = read(READERS, shared_data / "cli/aider/disciplined/session/.aider.chat.history.md")
    usages = [s.usage for s in agent_steps(found)]
    assert [(u.input, u.output) for u in usages if u] == [(3000, 133), (4000, 181), (4900, 98)]
    assert [s.source.line for s in found.steps] == [14, 16, 43, 78]
    first = calls(found)[0]
    assert (first.action.changes[0].path, first.action.changes[0].operation) == ("plan.md", "create")


def test_without_the_prompt_log_the_output_is_only_announced(shared_data: Path, tmp_path: Path) -> None:
    shutil.copy(shared_data / "cli/aider/disciplined/session/.aider.chat.history.md", tmp_path / "history.md")
    (found,) = read(READERS, tmp_path / "history.md")
    assert all(s.time is None for s in found.steps)
    run = next(c for c in calls(found) if c.name == "auto-test")
    assert run.action.command == "python -m pytest -q"
    assert run.result.text == "Added 33 lines of output to the chat."
    assert (run.result.is_error, run.result.exit_status) == (True, None)


def test_marks_inside_an_edit_are_the_models_text() -> None:
    found = history(
        "\n#### Change x  \n#### and y  \n",
        "\nOk.\n",
        BLOCK,
        "\n> Tokens: 1.5k sent, 1.0k cache hit, 2M received.  \n> Applied edit to a.py  \n",
    )
    assert [(s.role, s.text.split("\n")[0]) for s in found.steps] == [("user", "Change x"), ("agent", "Ok.")]
    assert found.steps[0].text == "Change x\nand y"
    (edit,) = calls(found)
    assert edit.input == {"path": "a.py", "search": "x = 1\n", "replace": "x = 2\n> quoted  \n#### heading  \n"}
    assert edit.result.text == "Applied edit to a.py"
    usage = found.steps[1].usage
    assert (usage.input, usage.cache_read, usage.output) == (500, 1000, 2_000_000)


def test_an_edit_that_was_not_applied_says_so() -> None:
    error = (
        "\n> Tokens: 1k sent, 1 received.  \n> The LLM did not conform to the edit format.  \n"
        "> # 1 SEARCH/REPLACE block failed to match!\n\n## SearchReplaceNoExactMatch: in a.py\n<<<<<<< SEARCH\nx = 1\n"
        "=======\nx = 2\n>>>>>>> REPLACE\n\nThe SEARCH section must exactly match an existing block  \n"
        "\nSorry, again:\n"
    )
    found = history("\n#### go  \n\nOk.\n", BLOCK, error, BLOCK, "\n> Applied edit to a.py  \n")
    assert [s.text.split("\n")[0] for s in agent_steps(found)] == ["Ok.", "Sorry, again:"]
    first, second = calls(found)
    assert (first.result.is_error, second.result.is_error) == (True, False)
    assert "failed to match" in first.result.text
    unknown = history("\n#### go  \n\nOk.\n", BLOCK)
    assert calls(unknown)[0].result is None


def test_commands_the_model_proposed_and_the_user_ran() -> None:
    found = history(
        "\n#### go  \n\nRun these.\n",
        "\n> pip install x  \n> Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]: y  \n",
        "> Running pip install x  \n",
        "> Add command output to the chat? (Y)es/(N)o [Yes]: y  \n> Added 3 lines of output to the chat.  \n",
        "> rm -rf y  \n> Run shell command? (Y)es/(N)o [Yes]: n  \n",
        "\n#### /run make check  \n\n> Add 0.1k tokens of command output to the chat? (Y)es/(N)o [Yes]: y  \n",
        "> Added 7 lines of output to the chat.  \n",
        "\n#### /test  \n\n#### !ls  \n\n#### /add b.py  \n\n#### /ask why?  \n\n#### why?  \n\nBecause.\n",
        "\n#### /code do it  \n\n#### do it  \n\nDone.\n",
    )
    made = [(c.name, c.action.command if isinstance(c.action, Shell) else None) for c in calls(found)]
    assert made == [
        ("shell", "pip install x"),
        ("shell", "rm -rf y"),
        ("/run", "make check"),
        ("/test", "python -m pytest -q"),
        ("/run", "ls"),
    ]
    results = [c.result for c in calls(found)]
    assert results[0].text == "Added 3 lines of output to the chat."
    assert results[1].denied
    assert results[2].text == "Added 7 lines of output to the chat."
    said = [("user", "/ask why?"), ("agent", "Because."), ("user", "do it"), ("agent", "Done.")]
    assert [(s.role, s.text) for s in found.steps[-5:]] == [("harness", "/add b.py"), *said]


@pytest.mark.parametrize(("tokens", "end"), [("> Tokens: 7.9k sent, 2 received.  \n", None), ("", "interrupted")])
def test_who_leaves_after_the_answer_interrupts_nothing(tokens: str, end: str | None) -> None:
    found = history("\n#### go  \n\nOk.\n\n", tokens, "> ^C again to exit  \n> ^C KeyboardInterrupt  \n")
    assert found.end == end


def test_an_answer_to_a_question_of_the_program_is_no_request() -> None:
    found = history("\n#### Add file to the chat? (Y)es/(N)o/(A)ll [Yes]: skip  \n\n#### go  \n\nOk.\n")
    assert [s.text for s in found.steps if s.role == "user"] == ["go"]


def test_lint_interrupt_and_commit_of_the_users_changes() -> None:
    lint = (
        "> # Fix any errors below, if possible.\n\n## Running: flake8 a.py\n\na.py:1: E1  \n"
        "> Attempt to fix lint errors? (Y)es/(N)o [Yes]: y  \n"
    )
    found = history(
        "\n> Commit 1234567 wip: mine  \n\n#### go  \n\nOk.\n",
        BLOCK,
        "\n> Applied edit to a.py  \n> Commit abcdef1 fix: it's x  \n",
        lint,
        "\nFixed?\n\n> ^C KeyboardInterrupt  \n",
    )
    assert [s.role for s in found.steps] == ["harness", "user", "agent", "agent", "interrupt"]
    assert found.end == "interrupted"
    made = calls(found)
    assert [c.name for c in made] == ["git commit", "edit", "git commit", "auto-lint"]
    commit = made[2]
    assert commit.action.command == """git commit -m 'fix: it'"'"'s x'"""
    assert commit.input == {"automatic": True, "sha": "abcdef1", "message": "fix: it's x"}
    run = made[3]
    assert run.action.command == "flake8 a.py"
    assert "E1" in run.result.text


def test_whole_files_with_another_fence_and_the_architects_words() -> None:
    plan = "Put the value into b.py, where it belongs.\n"
    found = history(
        "\n#### go  \n\n" + plan + "\n> Tokens: 1k sent, 1 received.  \n> Edit the files? (Y)es/(N)o [Yes]: y  \n",
        "\n#### " + plan.strip() + "  \n\npkg/b.py\n<source>\ny = 1\n```\n</source>\n",
        "\n> Tokens: 1k sent, 1 received.  \n> pkg/b.py  \n> Create new file? (Y)es/(N)o [Yes]: y  \n",
        "> Applied edit to pkg\\b.py  \n",
    )
    assert [s.role for s in found.steps] == ["user", "agent", "harness", "agent"]
    (edit,) = calls(found)
    change = edit.action.changes[0]
    assert (change.path, change.operation, change.after) == ("pkg/b.py", "create", "y = 1\n```\n")
    assert edit.result is not None


@pytest.mark.parametrize(
    ("search", "hunk"),
    [
        ("x = 1\n", "x = 1\n"),
        ("x = 1\n\n", "x = 1\n"),  # Aider adds no line end where it finds one
        ("x = 1\n\n\n", "x = 1\n\n"),
        ("pkg/a.py\nx = 1\n", "x = 1\n"),
        ("```\nx = 1\n```\n", "x = 1\n"),
        ("", ""),
        ("\n", ""),
    ],
)
def test_a_block_is_the_change_that_aider_makes_of_it(search: str, hunk: str) -> None:
    block = f"a.py\n```python\n<<<<<<< SEARCH\n{search}=======\ny = 1\n\n>>>>>>> REPLACE\n```\n"
    for fenced in (block, block.replace("```python", "<source>python").replace(">>>\n```", ">>>\n</source>")):
        (edit,) = calls(history("\n#### go  \n\n" + fenced + "\n> Applied edit to a.py  \n"))
        assert edit.action.changes[0].hunks == [(hunk, "y = 1\n")]
        assert edit.input["search"] == search


def test_unified_diffs_and_reasoning() -> None:
    diff = "```diff\n--- a.py\n+++ a.py\n@@ ... @@\n-x = 1\n+x = 2\n```\n"
    thought = "<think>\n\nLet me see.\n\n</think>\n\n"
    found = history("\n#### go  \n\n" + thought + diff + "\n> Applied edit to a.py  \n")
    (edit,) = calls(found)
    assert edit.action.changes[0].hunks == [("x = 1", "x = 2")]
    assert found.steps[1].reasoning == "Let me see."
    assert found.steps[1].text.startswith("```diff")
    other = history("\n#### go  \n\n► **THINKING**\n\nhm\n\n------------\n► **ANSWER**\n\nyes\n")
    assert (other.steps[1].text, other.steps[1].reasoning) == ("yes", "hm")


def test_one_file_holds_many_sessions() -> None:
    empty = HEADER.replace("10:00", "11:00")
    again = HEADER + "\n#### more  \n\nYes.\n"
    log = LogFile(None, content=(HEADER + "\n#### go  \n\nOk.\n" + empty + again).encode())
    found = read(READERS, log)
    assert [t.id for t in found] == ["aider-2026-05-01T10:00:00", "aider-2026-05-01T10:00:00-2"]
    assert [t.steps[0].text for t in found] == ["go", "more"]
    assert found[1].source.line > 20


def test_a_history_whose_trailing_spaces_were_stripped() -> None:
    text = (
        HEADER + "\n#### go  \n\nOk.\n" + BLOCK + "\n> Tokens: 2k sent, 3 received.  \n> Applied edit to a.py  \n"
    ).replace("  \n", "\n")
    (found,) = read(READERS, LogFile(None, content=text.encode()))
    assert [s.role for s in found.steps] == ["user", "agent"]
    (edit,) = calls(found)
    assert edit.result is not None
    assert found.agent_version == "0.86.2"


def test_other_markdown_is_left_alone() -> None:
    for text in (
        "# Notes\n> quote  \n#### h\n",
        '{"text": "\\n# aider chat started at 2026"}',
        "```\n## aider chat started at x\n",
    ):
        assert not any(reader.matches(LogFile(None, content=text.encode())) for reader in READERS)


MARKS = ["> ", "#### ", "```", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n", "  \n", "\n", "a.py\n"]
WORDS = ["Commit abcdef1 ", "Applied edit to ", "Tokens: ..k sent", "# aider chat started at "]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(MARKS + WORDS), max_size=40))
def test_survives_any_order_of_marks(parts: list[str]) -> None:
    survives(READERS, LogFile(None, content=(HEADER + "".join(parts)).encode()))


def test_undo_takes_back_the_step_that_made_the_commit() -> None:
    undo = "\n#### /undo  \n> Removed: abc1234 feat: two  \n> Now at:  1111111 start  \n"
    found = history("\n#### make it two  \n", BLOCK, "\n> Applied edit to a.py  \n> Commit abc1234 feat: two  \n", undo)
    (_, lane) = found.lanes.values()
    assert lane.taken_back
    assert [s.role for s in found.steps if s.lane == lane.id] == ["agent"]
    kept = history("\n#### make it two  \n", BLOCK, "\n> Applied edit to a.py  \n> Commit abc1234 feat: two  \n")
    assert list(kept.lanes) == ["main"]


def test_a_command_of_the_user_ends_a_block_that_was_left_open() -> None:
    found = history("\n#### make it two  \n", "\n```python\nx = 1\n", "\n#### /undo  \n")
    assert [s.role for s in found.steps] == ["user", "agent", "user"]


def test_a_report_of_the_linter_may_have_a_mark_on_each_line() -> None:
    report = "# Fix any errors below, if possible.", "", "## Running: flake8 a.py", "", "a.py:3:1: F821 undefined name"
    said = "\n".join(
        f"> {line}  " for line in ("Applied edit to a.py", "", *report, "Attempt to fix lint errors? (Y): n")
    )
    text = f"# aider chat started at 2026-01-01 10:00:00\n\n> Aider v0.86.0  \n\n#### Add total  \n\nDone.\n\n{said}\n"
    log = LogFile(None, name=".aider.chat.history.md", content=text.encode())
    [call] = [c for t in read(READERS, log) for s in t.steps for c in s.calls if c.name == "auto-lint"]
    assert call.action == Shell("flake8 a.py")
    assert "F821 undefined name" in call.result.text
