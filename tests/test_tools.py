"""From tool names and arguments to actions, and patches to file changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rigorbench.trajectory.model import (
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
from rigorbench.trajectory.patches import parse_patch
from rigorbench.trajectory.plans import checklist, plan_items
from rigorbench.trajectory.tools import command_text, interpret, text_of


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
        ("Write", {"file_path": "a.py", "content": "x"}, Edit([FileChange("a.py", "create", after="x")])),
        (
            "Edit",
            {"file_path": "a.py", "old_string": "x", "new_string": "y", "replace_all": True},
            Edit([FileChange("a.py", hunks=[("x", "y")], replace_all=True)]),
        ),
        (
            "MultiEdit",
            {
                "file_path": "a.py",
                "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": ""}],
            },
            Edit([FileChange("a.py", hunks=[("a", "b"), ("c", "")])]),
        ),
        (
            "replace",
            {"file_path": "n.py", "old_string": "", "new_string": "z"},
            Edit([FileChange("n.py", "create", [("", "z")], after="z")]),
        ),
        ("str_replace_editor", {"command": "view", "path": "/a"}, Read("/a")),
        (
            "str_replace_editor",
            {"command": "insert", "path": "a", "insert_line": 3, "new_str": "q"},
            Edit([FileChange("a", hunks=[("", "q")], at_line=3)]),
        ),
        ("str_replace_editor", {"command": "fly", "path": "a"}, Other("a")),
        ("delete_file", {"path": "a"}, Edit([FileChange("a", "delete")])),
        ("Grep", {"pattern": "def x"}, Search("def x")),
        ("update_plan", {"plan": [{"step": "one", "status": "completed"}]}, Plan([PlanItem("one", "completed")])),
        ("TaskCreate", {"subject": "one", "description": "d"}, Plan([PlanItem("one")], update="add")),
        (
            "TaskUpdate",
            {"taskId": "4", "status": "in_progress"},
            Plan([PlanItem("", "in_progress", "4")], update="update"),
        ),
        ("ExitPlanMode", {"plan": "1. a\n2. b"}, Plan([PlanItem("a"), PlanItem("b")], mode="mode", text="1. a\n2. b")),
        ("Task", {"prompt": "go", "subagent_type": "explorer"}, Spawn("go", description="explorer")),
        ("AskUserQuestion", {"questions": [{"question": "Which?"}]}, Ask("Which?")),
        ("Sleep", {}, Wait()),
        ("finish", {"message": "done"}, Finish("done")),
        ("mcp__tracker__close", {"id": "x"}, Other()),
        ("Bash", "not an object", Shell("not an object")),
        ("Bash", None, Other()),
        ("Edit", {"file_path": 7}, Other()),
    ],
)
def test_a_tool_call_is_understood(name: str, arguments: Any, action: object) -> None:
    assert interpret(name, arguments) == action


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


PATCH = """*** Begin Patch
*** Add File: new.py
+a = 1
+b = 2
*** Update File: old.py
@@ def f():
 keep
-gone
+here
@@
-x
+y
*** Update File: from.py
*** Move to: to.py
*** Delete File: dead.py
*** End Patch
"""

DIFF = """diff --git a/old.py b/old.py
index 1..2 100644
--- a/old.py
+++ b/old.py
@@ -1,2 +1,2 @@ def f():
 keep
-gone
+here
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,2 @@
+a = 1
+b = 2
diff --git a/dead.py b/dead.py
--- a/dead.py
+++ /dev/null
@@ -1 +0,0 @@
-z
diff --git a/from.py b/to.py
similarity index 100%
rename from from.py
rename to to.py
"""


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
