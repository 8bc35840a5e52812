"""From a tool call's name and arguments to its :data:`Action`.

Readers call :func:`interpret` and then add what only their log states (whole files, sub-agent lanes). What a call does
to files, and what it runs or looks at, its arguments show (:mod:`.shapes`); names decide where they do not. A tool that
is neither known by name nor by shape stays :class:`Other`: kept, never interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import orjson

from .model import Action, Ask, Edit, Finish, Other, Plan, PlanItem, ShellOutput, Spawn, Wait
from .patches import parse_patch
from .plans import checklist, item_key, plan_items, plan_status
from .shapes import Arguments, action_of_shape, command_text, is_web

__all__ = ["command_text", "interpret", "text_of"]


def interpret(name: str, arguments: Any) -> Action:
    """The action of a call to tool ``name``. Unknown tools and unusable arguments give :class:`Other`."""
    args: Arguments = arguments if isinstance(arguments, dict | Mapping) else {}
    own, key, native = _parts(name)
    if not args and isinstance(arguments, str) and key in _FREEFORM:
        args = {_FREEFORM[key]: arguments}
    make = _TOOLS.get(key) if native else None
    if make is not None and (action := make(args)) is not None:
        return action
    if (shaped := action_of_shape(own, args, native=native) or _carried(args)) is not None:
        return shaped
    questions = args.get("questions")
    if questions and isinstance(questions, list) and all(isinstance(q, Mapping) and "options" in q for q in questions):
        return _ask(args)
    return Other(_first(args, *_TARGETS), inert=is_web(name, args))


@lru_cache(maxsize=1024)
def _parts(name: str) -> tuple[str, str, bool]:
    """(the tool's own name, the same without case and separators, whether it is a tool of the agent itself).

    ``functions.exec_command`` and ``Exec-Command`` are one; ``mcp__server__tool`` and ``server__tool`` are a server's.
    """
    own = name.replace("__", ".").replace("/", ".").rstrip(".").rsplit(".", 1)[-1]
    native = "__" not in name and not name.startswith("mcp_")
    return own, own.replace("_", "").replace("-", "").lower(), native


def _carried(args: Arguments) -> Action | None:
    """The action of the call that a call carries: a tool's name, and arguments for it."""
    name = _first(args, "tool_name", "toolName", "tool", "name")
    for field in ("arguments", "args", "parameters", "input"):
        given = args.get(field)
        if isinstance(given, str) and given.startswith("{"):
            try:
                given = orjson.loads(given)
            except orjson.JSONDecodeError:
                continue
        if name and isinstance(given, Mapping):
            return interpret(name, given)
    return None


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


def _shell_output(args: Arguments) -> Action:
    names = ("bash_id", "shell_id", "shellId", "session_id", "sessionId", "task_id", "terminal_id", "id")
    value = next((args[name] for name in names if name in args), None)
    return ShellOutput(
        shell_id=None if value is None else str(value),
        stdin=_first(args, "chars", "input", "data", "input_text") or None,
    )


def _patch(args: Arguments) -> Action | None:
    changes = parse_patch(_first(args, "input", "patch", "patchText", "patch_text", "diff", "content"))
    return Edit(changes) if changes else None


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
        description=_first(args, "description", "title", "subagent_type", "agent_type", "name") or None,
    )


def _ask(args: Arguments) -> Action:
    questions = args.get("questions")
    if isinstance(questions, list):
        return Ask(
            "\n".join(_first(q, "question", "text", "header") if isinstance(q, Mapping) else str(q) for q in questions)
        )
    return Ask(_first(args, "question", "questionnaire", "text", "message", "prompt"))


_TARGETS = ("url", "query", "name", "path", "thought", "intent")
# Tools of the agents themselves whose arguments do not show what they do.
_VOCABULARY: tuple[tuple[Callable[[Arguments], Action | None], str], ...] = (
    (
        _shell_output,
        """BashOutput TaskOutput AgentOutputTool write_stdin read_bash write_bash read-process write-process
        read_terminal get_terminal_output read_powershell KillShell""",
    ),
    (_patch, "apply_patch patch apply_diff"),
    (
        _plan,
        """TodoWrite todo_write write_todos update_plan task_tracker update_todo_list reorganize_tasklist set_plan
        update_todo todo_list todoToolCall updateTodosToolCall""",
    ),
    (_plan_add, "TaskCreate add_tasks create_task"),
    (_plan_update, "TaskUpdate update_tasks"),
    (_plan_mode, "ExitPlanMode ExitSpecMode plan_exit"),
    (
        _spawn,
        """Task Agent runSubagent spawn_agent spawn_subagent delegate dispatch_agent subagent delegate_to_agent
        codebase_investigator new_task sub-agent""",
    ),
    (
        _ask,
        "AskUserQuestion ask_user ask_user_question request_user_input ask_followup_question question ask_question",
    ),
    (
        lambda args: Wait(_first(args, "task_id", "id", "reason", "duration")),
        "Sleep wait wait_agent wait-process ScheduleWakeup",
    ),
    (
        lambda args: Finish(
            _first(args, "message", "result", "summary", "final_answer", "answer", "text", "final_thought")
        ),
        "finish task_done attempt_completion submit complete_task task_complete done",
    ),
    (
        lambda args: Other(_first(args, *_TARGETS), inert=True),
        "EnterPlanMode update_topic LSP Skill SlashCommand StructuredOutput TaskStop report_intent think",
    ),
)
_TOOLS = {_parts(name)[1]: make for make, names in _VOCABULARY for name in names.split()}

# Tools whose argument is sometimes one bare string.
_FREEFORM = {"applypatch": "input", "bash": "command", "shell": "command", "execcommand": "cmd"}
