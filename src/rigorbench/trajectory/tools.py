"""From a tool call's name and arguments to its :data:`Action`: the vocabulary that agents share.

Readers call :func:`interpret` and then add what only their log states (whole files, sub-agent lanes). A tool that is
not in the table stays :class:`Other`: kept, never interpreted.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from .model import (
    Action,
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
from .patches import parse_patch
from .plans import checklist, item_key, plan_items, plan_status

Arguments = Mapping[str, Any]


def interpret(name: str, arguments: Any) -> Action:
    """The action of a call to tool ``name``. Unknown tools and unusable arguments give :class:`Other`."""
    args: Arguments = arguments if isinstance(arguments, dict | Mapping) else {}
    key = _key(name)
    make = _TOOLS.get(key)
    if make is None:
        return Other(target=_other_target(args))
    if not args and isinstance(arguments, str) and key in _FREEFORM:
        args = {_FREEFORM[key]: arguments}
    return make(args) or Other(target=_other_target(args))


@lru_cache(maxsize=1024)
def _key(name: str) -> str:
    """Tool names without case, separators and name space: ``functions.exec_command`` and ``Exec-Command`` are one."""
    return name.rsplit(".", 1)[-1].replace("_", "").replace("-", "").lower()


def text_of(value: Any) -> str:
    """The text of a string, a content block, or a list of them (the shapes that vendors use for message content)."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, (text_of(v) for v in value)))
    if isinstance(value, Mapping):
        for field in ("text", "content", "output", "value"):
            if isinstance(value.get(field), str | list):
                return text_of(value[field])
    return ""


def _first(args: Arguments, *names: str) -> str:
    for name in names:
        value = args.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _optional(args: Arguments, *names: str) -> str | None:
    return _first(args, *names) or None


def _text(args: Arguments, names: str) -> str | None:
    """The first of the named arguments that is a string, empty or not."""
    return next((args[name] for name in names.split() if isinstance(args.get(name), str)), None)


_PATH = tuple("file_path filePath path file filename absolute_path target_file notebook_path TargetFile".split())


def command_text(value: Any) -> str:
    """A command line from a string or an argument vector; ``bash -lc SCRIPT`` vectors give SCRIPT."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        if (
            len(value) == 3
            and value[0].rsplit("/", 1)[-1] in ("bash", "sh", "zsh", "dash")
            and value[1].lstrip("-") in ("c", "lc", "ic")
        ):
            return str(value[2])
        return shlex.join(value)
    return ""


def _shell(args: Arguments) -> Action | None:
    if args.get("restart") is True and not args.get("command"):
        return Other(target="restart")
    command = command_text(
        args.get("command") or args.get("cmd") or args.get("script") or args.get("code") or args.get("input")
    )
    shell_id = args.get("session_id") or args.get("shellId") or args.get("sessionId") or args.get("terminal_id")
    if args.get("is_input") in (True, "true") or (not command and shell_id is not None):
        return ShellOutput(shell_id=None if shell_id is None else str(shell_id), stdin=command or None)
    if not command:
        # OpenHands and Copilot poll a running command with an empty one.
        return ShellOutput() if "command" in args or "cmd" in args else None
    background = any(
        args.get(k) is True for k in ("run_in_background", "background", "is_background", "isBackground", "detach")
    )
    background = background or args.get("mode") in ("async", "detached") or args.get("wait") is False
    return Shell(
        command=command,
        cwd=_optional(args, "workdir", "cwd", "working_directory", "directory", "dir_path", "dir"),
        background=background,
        shell_id=None if shell_id is None else str(shell_id),
    )


def _shell_output(args: Arguments) -> Action:
    names = ("bash_id", "shell_id", "shellId", "session_id", "sessionId", "task_id", "terminal_id", "id")
    value = next((args[name] for name in names if name in args), None)
    return ShellOutput(
        shell_id=None if value is None else str(value), stdin=_optional(args, "chars", "input", "data", "input_text")
    )


def _write(args: Arguments) -> Action | None:
    path = _first(args, *_PATH)
    content = _text(args, "content contents file_text fileText text file_content new_contents")
    if not path:
        return None
    # A write gives the whole file. Whether the file existed before, only the reader can say, if its log states it.
    return Edit([FileChange(path, "create", after=content)])


def _replace(args: Arguments) -> Action | None:
    path = _first(args, *_PATH)
    if not path:
        return None
    edits = args.get("edits")
    if isinstance(edits, list):
        hunks = [h for e in edits if isinstance(e, Mapping) and (h := _hunk(e)) is not None]
        return Edit([FileChange(path, "modify", hunks=hunks)])
    hunk = _hunk(args)
    change = FileChange(path, "modify", hunks=[hunk] if hunk else [])
    change.replace_all = (
        args.get("replace_all") is True or args.get("replaceAll") is True or args.get("allow_multiple") is True
    )
    if hunk is not None and hunk[0] == "":
        change.operation, change.after = "create", hunk[1]
    return Edit([change])


def _hunk(args: Arguments) -> tuple[str, str] | None:
    old = _text(args, "old_string oldString old_str oldText old_text oldStr old search old_str_1")
    new = _text(args, "new_string newString new_str newText new_text newStr new replace replacement new_str_1")
    if old is None and new is None:
        return None
    return old or "", new or ""


def _insert(args: Arguments) -> Action | None:
    path = _first(args, *_PATH)
    if not path:
        return None
    text = _first(args, "new_str", "insert_text", "text", "content", "insertText")
    line = args.get("insert_line")
    change = FileChange(path, "modify", hunks=[("", text)])
    change.at_line = line if isinstance(line, int) else None
    return Edit([change])


def _editor(args: Arguments) -> Action | None:
    """The one-tool editors (str_replace_editor, str_replace_based_edit_tool, edit_file with a ``command``)."""
    command = _first(args, "command", "operation")
    if command in ("view", "read", "open"):
        return Read(_first(args, *_PATH))
    if command in ("create", "write"):
        return _write(args)
    if command in ("str_replace", "replace", "edit"):
        return _replace(args)
    if command == "insert":
        return _insert(args)
    if command == "undo_edit":
        return Edit([FileChange(_first(args, *_PATH))])
    if command:
        return None
    # Editors without a sub-command: whole-file writes carry content, replacements carry both strings.
    return _replace(args) if _hunk(args) or "edits" in args else _write(args)


def _patch(args: Arguments) -> Action | None:
    text = _first(args, "input", "patch", "patchText", "patch_text", "diff", "content")
    changes = parse_patch(text)
    return Edit(changes) if changes else None


def _delete(args: Arguments) -> Action | None:
    path = _first(args, *_PATH)
    return Edit([FileChange(path, "delete")]) if path else None


def _rename(args: Arguments) -> Action | None:
    path = _first(args, "source", "from", "old_path", "oldPath", *_PATH)
    new = _first(args, "destination", "to", "new_path", "newPath")
    return Edit([FileChange(path, "rename", new_path=new)]) if path and new else None


def _read(args: Arguments) -> Action:
    path = _first(args, *_PATH)
    if not path:
        for name in ("paths", "files", "file_paths", "include"):
            if isinstance(args.get(name), list):
                path = "\n".join(str(p.get("path", "") if isinstance(p, Mapping) else p) for p in args[name])
    return Read(path)


def _search(args: Arguments) -> Action:
    names = "pattern query glob_pattern search_term information_request regex path dir_path".split()
    return Search(_first(args, *names))


def _plan(args: Arguments) -> Action | None:
    for name in ("todos", "plan", "items", "tasks", "task_list", "todo_list", "newTodos"):
        if isinstance(args.get(name), list):
            return Plan(plan_items(args[name]), update="add" if args.get("merge") is True else "replace")
    text = _first(args, "todos", "plan", "markdown", "content", "task_list")
    if text:
        return Plan(checklist(text), text=text)
    return Plan([], update="update")


def _plan_add(args: Arguments) -> Action | None:
    many = next((args[k] for k in ("tasks", "items", "todos") if isinstance(args.get(k), list)), None)
    items = plan_items(many) if many is not None else plan_items([dict(args)])
    return Plan(items, update="add") if items else None


def _plan_update(args: Arguments) -> Action | None:
    values = args.get("tasks")
    rows = values if isinstance(values, list) else [args]
    items = [
        PlanItem(
            _first(r, "subject", "name", "content", "title"),
            plan_status(r.get("status") or r.get("state")),
            item_key(r),
        )
        for r in rows
        if isinstance(r, Mapping)
    ]
    return Plan(items, update="update")


def _plan_mode(args: Arguments) -> Action | None:
    text = _first(args, "plan", "content", "text")
    return Plan(checklist(text), mode="mode", text=text)


def _spawn(args: Arguments) -> Action:
    return Spawn(
        prompt=_first(args, "prompt", "task", "instructions", "message", "objective", "query", "description"),
        description=_optional(args, "description", "title", "subagent_type", "agent_type", "name"),
    )


def _ask(args: Arguments) -> Action:
    questions = args.get("questions")
    if isinstance(questions, list):
        return Ask(
            "\n".join(_first(q, "question", "text", "header") if isinstance(q, Mapping) else str(q) for q in questions)
        )
    return Ask(_first(args, "question", "text", "message", "prompt"))


def _wait(args: Arguments) -> Action:
    return Wait(_first(args, "task_id", "id", "reason", "duration"))


def _finish(args: Arguments) -> Action:
    return Finish(_first(args, "message", "result", "summary", "final_answer", "answer", "text", "final_thought"))


def _other_target(args: Arguments) -> str:
    return _first(args, "url", "query", "name", "path", "thought")


# The names under which agents know each kind of tool, as their logs write them.
_VOCABULARY: tuple[tuple[Callable[[Arguments], Action | None], str], ...] = (
    (
        _shell,
        """Bash shell sh exec exec_command shell_command local_shell local_shell_call run_shell_command execute_bash
        run_command container.exec launch-process execute_command terminal run_in_terminal run_terminal_cmd
        run_terminal_command powershell shellToolCall bash_command execute cmd run_bash cmd_run""",
    ),
    (
        _shell_output,
        """BashOutput TaskOutput AgentOutputTool write_stdin read_bash write_bash read-process write-process
        read_terminal get_terminal_output read_powershell""",
    ),
    (_write, "Write write_file create_file create file_write save-file save_file write_to_file writeToolCall"),
    (
        _replace,
        """Edit MultiEdit replace replace_in_file edit_file str_replace search_replace file_edit multi_edit
        NotebookEdit edit_notebook editToolCall""",
    ),
    (_insert, "insert insert_at_line"),
    (
        _editor,
        """str_replace_editor str_replace_based_edit_tool str_replace_based_edit str-replace-editor file_editor
        str_replace_edit_tool""",
    ),
    (_patch, "apply_patch patch apply_diff"),
    (_delete, "delete_file remove-files delete deleteToolCall remove_file"),
    (_rename, "move_file rename_file rename"),
    (
        _read,
        """Read read_file view view_file cat open file_read read_many_files NotebookRead readToolCall
        get_file_contents view_image open_file""",
    ),
    (
        _search,
        """Grep Glob LS list_directory list search_file_content grep_search glob_search file_search search find
        list_dir codebase_search codebase-retrieval search_files find_files find_file search_dir search_file ripgrep
        rg grepToolCall globToolCall lsToolCall list_files grep_files""",
    ),
    (
        _plan,
        """TodoWrite todo_write write_todos update_plan task_tracker update_todo_list reorganize_tasklist set_plan
        todoToolCall updateTodosToolCall""",
    ),
    (_plan_add, "TaskCreate add_tasks create_task"),
    (_plan_update, "TaskUpdate update_tasks"),
    (_plan_mode, "ExitPlanMode plan_exit"),
    (
        _spawn,
        """Task Agent spawn_agent delegate dispatch_agent subagent delegate_to_agent codebase_investigator new_task
        sub-agent""",
    ),
    (
        _ask,
        "AskUserQuestion ask_user ask_user_question request_user_input ask_followup_question question ask_question",
    ),
    (_wait, "Sleep wait wait_agent wait-process ScheduleWakeup"),
    (_finish, "finish task_done attempt_completion submit complete_task task_complete done"),
)
_TOOLS = {_key(name): make for make, names in _VOCABULARY for name in names.split()}

# Tools whose argument is sometimes one bare string.
_FREEFORM = {
    _key("apply_patch"): "input",
    _key("bash"): "command",
    _key("shell"): "command",
    _key("exec_command"): "cmd",
}
