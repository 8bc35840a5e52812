"""From tool names and arguments to actions, and patches to file changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.session.model import (
    Ask,
    Edit,
    FileChange,
    Finish,
    Other,
    Plan,
    PlanItem,
    Read,
    Search,
    Shell,
    ShellOutput,
    Spawn,
    Wait,
)
from rigorbench.session.patches import parse_patch
from rigorbench.session.plans import checklist, plan_items
from rigorbench.session.tools import command_text, interpret, text_of
from sources import text_file


def changed(path: str, *hunks: tuple[str, str], **fields: Any) -> Edit:
    return Edit([FileChange(path, hunks=list(hunks), **fields)])


@pytest.mark.parametrize(
    ("name", "arguments", "action"),
    [
        ("Bash", {"command": "ls"}, Shell("ls")),
        ("Bash", {"command": "sleep 9", "run_in_background": True}, Shell("sleep 9", background=True)),
        ("shell", {"command": ["bash", "-lc", "pytest -q"], "workdir": "/r"}, Shell("pytest -q", cwd="/r")),
        ("functions.exec_command", {"cmd": "make test"}, Shell("make test")),
        ("execute_bash", {"command": "", "is_input": "false"}, ShellOutput()),
        ("execute_bash", {"command": "C-c", "is_input": "true"}, ShellOutput(stdin="C-c")),
        ("write_stdin", {"session_id": 7, "chars": ""}, ShellOutput("7")),
        ("BashOutput", {"bash_id": "b1"}, ShellOutput("b1")),
        ("command_status", {"CommandId": "b1"}, ShellOutput("b1")),
        ("run_command", {"CommandLine": "ls", "Cwd": "/r"}, Shell("ls", cwd="/r")),
        (
            "StrReplaceFile",
            {"path": "a", "edit": {"old": "x", "new": "y"}},
            Edit([FileChange("a", hunks=[("x", "y")])]),
        ),
        ("fs_write", {"command": "append", "path": "a", "new_str": "y"}, Edit([FileChange("a", hunks=[("", "y")])])),
        (
            "write",
            {"command": "strReplace", "path": "a", "oldStr": "x", "newStr": "y"},
            Edit([FileChange("a", hunks=[("x", "y")])]),
        ),
        ("fs_read", {"operations": [{"mode": "Line", "path": "a"}]}, Read("a")),
        ("todo_list", {"command": "create", "tasks": [{"task_description": "one"}]}, Plan([PlanItem("one")])),
        (
            "TodoWrite",
            {"todos": "1. [in_progress] one"},
            Plan([PlanItem("one", "in_progress")], text="1. [in_progress] one"),
        ),
        ("Write", {"file_path": "a.py", "content": "x"}, Edit([FileChange("a.py", "create", after="x")])),
        (
            "Edit",
            {"file_path": "a.py", "old_string": "x", "new_string": "y", "replace_all": True},
            changed("a.py", ("x", "y"), replace_all=True),
        ),
        (
            "MultiEdit",
            {
                "file_path": "a",
                "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}],
            },
            changed("a", ("a", "b"), ("c", "")),
        ),
        (
            "replace",
            {"file_path": "n.py", "old_string": "", "new_string": "z"},
            changed("n.py", ("", "z"), operation="create", after="z"),
        ),
        ("str_replace_editor", {"command": "view", "path": "/a"}, Read("/a")),
        (
            "str_replace_editor",
            {"command": "insert", "path": "a", "insert_line": 3, "new_str": "q"},
            changed("a", ("", "q"), at_line=3),
        ),
        ("str_replace_editor", {"command": "fly", "path": "a"}, Other("a")),
        ("delete_file", {"path": "a"}, Edit([FileChange("a", "delete")])),
        ("Grep", {"pattern": "def x"}, Search("def x")),
        ("update_plan", {"plan": [{"step": "one", "status": "completed"}]}, Plan([PlanItem("one", "completed")])),
        ("TaskCreate", {"subject": "one", "description": "d"}, Plan([PlanItem("one")], update="add")),
        ("TaskUpdate", {"taskId": "4", "status": "done"}, Plan([PlanItem("", "completed", "4")], update="update")),
        ("ExitPlanMode", {"plan": "1. a\n2. b"}, Plan([PlanItem("a"), PlanItem("b")], mode="mode", text="1. a\n2. b")),
        ("Task", {"prompt": "go", "subagent_type": "explorer"}, Spawn("go", description="explorer")),
        ("AskUserQuestion", {"questions": [{"question": "Which?"}]}, Ask("Which?")),
        ("mcp__tools__Form", {"questions": [{"question": "Which?", "options": ["a", "b"]}]}, Ask("Which?")),
        ("mcp__quiz__grade", {"questions": [{"question": "Which?"}]}, Other("")),
        ("Sleep", {}, Wait()),
        ("finish", {"message": "done"}, Finish("done")),
        ("mcp__tracker__close", {"id": "x"}, Other()),
        ("mcp_postgresql_execute_sql", {"sql": "SELECT 1"}, Other("SELECT 1", inert=True)),
        ("Bash", "not an object", Shell("not an object")),
        ("Bash", None, Other()),
        ("Edit", {"file_path": 7}, Other()),
        # An edit is known by the shape of its arguments.
        ("mcp__ide__swap", {"pathInProject": "a", "oldText": "x", "newText": "y"}, changed("a", ("x", "y"))),
        ("edit", {"i": "", "input": "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n"}, changed("a", ("x", "y"))),
        (
            "mcp__fs__apply",
            {"path": "a", "edits": [{"oldText": "x", "newText": "y"}, {"oldText": "v", "newText": "w"}]},
            changed("a", ("x", "y"), ("v", "w")),
        ),
        ("lsp__swap", {"relative_path": "a", "needle": "x", "repl": "y", "mode": "literal"}, changed("a", ("x", "y"))),
        ("mcp_lsp_after_symbol_insert", {"relative_path": "a", "name_path": "f", "body": "z"}, changed("a", ("", "z"))),
        ("fs.put", {"path": "a", "text": "x", "overwrite": True}, changed("a", operation="create", after="x")),
        ("mcp__x__apply", {"diff": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"}, changed("a", ("x", "y"))),
        (
            "mcp__x__many",
            {"files": [{"path": "a", "content": "x"}, {"path": "b", "content": "y"}]},
            Edit([FileChange("a", "create", after="x"), FileChange("b", "create", after="y")]),
        ),
        (
            "call_mcp",
            {"server": "s", "tool": "put", "arguments": '{"path": "a", "content": "x"}'},
            changed("a", operation="create", after="x"),
        ),
        ("mcp__fs__move", {"source": "a", "destination": "b"}, changed("a", operation="rename", new_path="b")),
        ("mcp__fs__remove", {"path": "a"}, changed("a", operation="delete")),
        # An edit whose text is not stated has no text.
        (
            "mcp__quick__edit_file",
            {"path": "a", "instruction": "round it", "code_edit": "# ...\nreturn round(x)"},
            changed("a"),
        ),
        ("mcp__lsp__replace_symbol", {"relative_path": "a", "name_path": "f", "body": "def f(): ..."}, changed("a")),
        ("mcp__lsp__swap", {"relative_path": "a", "regex": "x.*", "repl": "y"}, changed("a")),
        ("mcp__lsp__delete_lines", {"relative_path": "a", "start_line": 2, "end_line": 4}, changed("a")),
        ("mcp__ide__rename_refactoring", {"pathInProject": "a", "symbolName": "f", "newName": "g"}, changed("a")),
        # So are other actions.
        ("mcp__remote__run", {"command": "make test", "cwd": "/r"}, Shell("make test", cwd="/r")),
        ("terminal/create", {"command": "npm", "args": ["run", "my test"]}, Shell("npm run 'my test'")),
        ("mcp__procs__read_output", {"pid": 7, "timeout_ms": 100}, ShellOutput("7")),
        ("mcp__ide__get_file_text_by_path", {"pathInProject": "a"}, Read("a")),
        ("mcp__fs__list_directory", {"path": "src"}, Search("src")),
        ("mcp__lsp__search_for_pattern", {"substring_pattern": "x", "relative_path": "src"}, Search("x")),
        ("mcp__x__board", {"todos": [{"content": "one", "status": "done"}]}, Plan([PlanItem("one", "completed")])),
        # A strict schema states every argument.
        ("editor", {"command": "view", "path": "a", "file_text": "", "old_str": "", "new_str": ""}, Read("a")),
    ],
)
def test_a_tool_call_is_understood(name: str, arguments: Any, action: object) -> None:
    assert interpret(name, arguments) == action


@pytest.mark.parametrize(
    ("name", "arguments", "inert"),
    [
        ("WebFetch", {"url": "https://x.example", "prompt": "What is new?"}, True),
        ("mcp__docs__get-library-docs", {"libraryId": "/a/b", "topic": "routing"}, True),
        ("sequentialthinking", {"thought": "It rounds.", "thought_number": 1}, True),
        ("mcp__fs__create_directory", {"path": "a"}, True),
        ("web__run", {"open": [{"ref_id": "turn1view0"}]}, True),
        ("mcp__browser__snapshot", {"path": "shot.png"}, False),
        ("mcp__web_ide__save_all", {}, False),
        ("mcp__ide__reformat_file", {"path": "a"}, False),
        ("mcp__ide__replace_current_text", {"text": "x"}, False),
        ("mcp__notes__search", {"query": "x", "path": "a", "content": "y"}, False),
        ("mcp__tasks__create_task", {"title": "x"}, False),
    ],
)
def test_only_a_call_that_asks_cannot_touch_the_project(name: str, arguments: Any, inert: bool) -> None:
    action = interpret(name, arguments)
    if inert:
        assert isinstance(action, Other)
    assert (isinstance(action, Other) and action.inert) is inert


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_keys = st.sampled_from(
    "command cmd path file_path content edits todos plan tasks questions input session_id old_str new_str".split()
)


@given(
    st.sampled_from(
        "Bash Write Edit apply_patch update_plan TaskUpdate task_tracker Task AskUserQuestion read_many_files x".split()
    ),
    st.dictionaries(_keys, _values, max_size=4) | _values,
)
def test_any_arguments_give_some_action(name: str, arguments: Any) -> None:
    interpret(name, arguments)
    plan_items(arguments)
    text_of(arguments)
    command_text(arguments)


PATCH = text_file("tools.patch.txt")

DIFF = text_file("tools.diff.diff")


def test_both_notations_of_a_patch() -> None:
    assert parse_patch(PATCH) == [
        FileChange("new.py", "create", after="a = 1\nb = 2\n"),
        FileChange("old.py", "modify", [("keep\ngone", "keep\nhere"), ("x", "y")]),
        FileChange("from.py", "rename", new_path="to.py"),
        FileChange("dead.py", "delete"),
    ]
    assert parse_patch(DIFF) == [
        FileChange("old.py", "modify", [("keep\ngone", "keep\nhere")]),
        FileChange("new.py", "create", after="a = 1\nb = 2\n"),
        FileChange("dead.py", "delete", [("z", "")]),
        FileChange("from.py", "rename", new_path="to.py"),
    ]
    assert parse_patch("no patch at all") == []


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(PATCH.splitlines() + DIFF.splitlines()), max_size=12).map("\n".join)
)
def test_any_text_may_claim_to_be_a_patch(text: str) -> None:
    for change in parse_patch(text):
        assert isinstance(change, FileChange)


def test_check_lists_in_markdown() -> None:
    assert checklist("# Plan\n- [x] one\n- [ ] two\n3. three\ntext\n* [~] four\n-\n") == [
        PlanItem("one", "completed"),
        PlanItem("two"),
        PlanItem("three"),
        PlanItem("four", "in_progress"),
    ]
