"""Translates the turns of a policy for an agent: abstract calls become calls of the tools that the agent offers."""

from __future__ import annotations

import hashlib
import posixpath
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from ...tasks.policies.policy import Policy, PolicyCall, PolicyItem, Turn

# (tool, arguments)
ToolCall = tuple[str, dict[str, Any]]
# mini-swe-agent ends a session only by this command.
SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"

# Tools that refuse to change a file unless the conversation has read its present content.
_READS_FIRST = frozenset({"Edit", "Write", "edit", "write"})


class ModelAnswer(Struct, frozen=True):
    """One answer of the "model"."""

    text: str
    calls: tuple[ToolCall, ...] = ()


class Player(Struct, frozen=True):
    """Plays ``policy`` for an agent that offers ``toolset`` and works in ``root``."""

    policy: Policy
    toolset: Toolset
    root: str = "/work"
    exists: Callable[[str], bool] = lambda _path: False
    """Whether the starter has a file of this path (some agents must read what they overwrite)."""
    submits: bool = False

    def play(self, index: int) -> ModelAnswer:
        """Step ``index`` (from 0). After the last step its text is repeated, without a call."""
        steps = self.steps()
        if index < len(steps):
            return steps[index]
        last = self.policy.turns[-1] if self.policy.turns else Turn()
        text = last.text if last.text and not last.call else "There is nothing left to do."
        return ModelAnswer(text, tuple(self._shell(f"echo {SUBMIT}")) if self.submits else ())

    def steps(self) -> list[ModelAnswer]:
        """The answers in order: a turn is one answer, or one for each call if the agent runs the calls of an answer at
        the same time, since later calls need the results of earlier ones."""
        steps: list[ModelAnswer] = []
        known: set[str] = set()
        for index, turn in enumerate(self.policy.turns):
            calls: list[ToolCall] = []
            texts = [turn.text] if turn.text else []
            for position, call in enumerate(turn.call):
                if call.tool == "ask":
                    texts.append(call.text or "")
                    continue
                if call.tool == "plan" and self.toolset.pick(PLAN) is None:
                    texts.append(listed(call.items))
                    continue
                calls += self._calls(call, index, position, known)
                _learn(known, call)
            if not calls and any(c.tool == "plan" for c in turn.call):
                # The agent has no plan tool, and would take a message without a call for the end: print the plan.
                calls += self._shell(heredoc("cat", "\n".join(listed(c.items) for c in turn.call if c.tool == "plan")))
            if not calls and self.submits:
                calls += self._shell(f"echo {SUBMIT}")
            text = "\n\n".join(texts)
            if self.toolset.sequential or len(calls) < 2:
                steps.append(ModelAnswer(text, tuple(calls)))
            else:
                steps += [ModelAnswer(text if n == 0 else "", (call,)) for n, call in enumerate(calls)]
        return steps

    def _calls(self, call: PolicyCall, index: int, position: int, known: set[str]) -> list[ToolCall]:
        match call.tool:
            case "shell":
                return self._shell(call.command or "")
            case "read":
                return self._read(call.path or "")
            case "write":
                return self._write(call.path or "", call.content or "", known)
            case "edit":
                return self._edit(call.path or "", call.old or "", call.new or "", known)
            case _:
                tool = self.toolset.pick(PLAN)
                if tool is None:
                    return []
                if tool == "TaskCreate":
                    # Claude Code's list of tasks: one call for each new item and each change. Ids count up from 1, so
                    # the present content of the list follows from the policy alone.
                    state: dict[str, list[str]] = {}
                    before = [(n, at, c) for n, turn in enumerate(self.policy.turns) for at, c in enumerate(turn.call)]
                    for number, at, earlier in before:
                        for item in earlier.items if (number, at) < (index, position) else ():
                            state.setdefault(item.text, [str(len(state) + 1), ""])[1] = item.status
                    made: list[ToolCall] = []
                    changed: list[ToolCall] = []
                    for item in call.items:
                        if item.text not in state:
                            state[item.text] = [str(len(state) + 1), "pending"]
                            about: dict[str, Any] = {"subject": item.text, "description": item.text}
                            made.append(("TaskCreate", self.toolset.complete("TaskCreate", about, item.text)))
                        if state[item.text][1] != item.status and "TaskUpdate" in self.toolset.tools:
                            changed.append(("TaskUpdate", {"taskId": state[item.text][0], "status": item.status}))
                            state[item.text][1] = item.status
                    return made + changed
                properties = self.toolset.properties(tool)
                arguments: dict[str, Any]
                if "plan" in properties:
                    arguments = {"plan": [{"step": i.text, "status": i.status} for i in call.items]}
                elif "task_list" in properties:
                    states = {"pending": "todo", "in_progress": "in_progress", "completed": "done"}
                    tasks = [{"title": i.text, "status": states[i.status], "notes": ""} for i in call.items]
                    arguments = {"command": "plan", "task_list": tasks}
                elif kind(properties.get("todos") or {}) == "string":
                    arguments = {"todos": listed(call.items)}
                else:
                    arguments = {"todos": [self._todo(tool, number, item) for number, item in enumerate(call.items, 1)]}
                return [(tool, self.toolset.complete(tool, arguments, "Plan"))]

    def _shell(self, command: str) -> list[ToolCall]:
        tool = self.toolset.pick(SHELL)
        if tool is None:
            return []
        properties = self.toolset.properties(tool)
        about = f"Run {command.split(chr(10), 1)[0][:60]}"
        key = next((k for k in ("command", "cmd", "script", "input") if k in properties), "command")
        listed_words = kind(properties.get(key) or {}) == "array"
        arguments: dict[str, Any] = {key: ["bash", "-lc", command] if listed_words else command}
        if "description" in properties:
            arguments["description"] = about
        return [(tool, self.toolset.complete(tool, arguments, about))]

    def _read(self, path: str) -> list[ToolCall]:
        tool = self.toolset.pick(READ)
        key = self.toolset.path_key(tool) if tool else None
        if tool is None or key is None:
            return self._shell(f"cat {shlex.quote(path)}")
        return [(tool, self.toolset.complete(tool, {key: self._path(tool, path)}, f"Read {path}"))]

    def _write(self, path: str, content: str, known: set[str]) -> list[ToolCall]:
        tool = self.toolset.pick(WRITE)
        key, content_key = (self.toolset.path_key(tool), self.toolset.content_key(tool)) if tool else (None, None)
        if tool is None or key is None or content_key is None:
            return self._shell(write_command(path, content))
        arguments = {key: self._path(tool, path), content_key: content}
        before = []
        if tool in _READS_FIRST and path not in known and (self.exists(path) or f"made:{path}" in known):
            before = self._read(path)
        return [*before, (tool, self.toolset.complete(tool, arguments, f"Write {path}"))]

    def _edit(self, path: str, old: str, new: str, known: set[str]) -> list[ToolCall]:
        tool = self.toolset.pick(EDIT)
        key, keys = (self.toolset.path_key(tool), self.toolset.replacement_keys(tool)) if tool else (None, None)
        if tool is None or key is None or keys is None:
            return self._shell(edit_command(path, old, new))
        arguments: dict[str, Any] = {key: self._path(tool, path), keys[0]: old, keys[1]: new}
        if "command" in self.toolset.properties(tool):
            arguments["command"] = "str_replace"
        before = self._read(path) if tool in _READS_FIRST and path not in known else []
        return [*before, (tool, self.toolset.complete(tool, arguments, f"Edit {path}"))]

    def _path(self, tool: str, path: str) -> str:
        return path if self.toolset.takes_relative_paths(tool) else posixpath.join(self.root, path)

    # -- plans ---------------------------------------------------------------------------------------------------

    def _todo(self, tool: str, number: int, item: PolicyItem) -> dict[str, Any]:
        fields = ((self.toolset.properties(tool).get("todos") or {}).get("items") or {}).get("properties") or {}
        text_key = "description" if "description" in fields and "content" not in fields else "content"
        todo: dict[str, Any] = {text_key: item.text, "status": item.status}
        if "activeForm" in fields:
            todo["activeForm"] = item.text
        if "id" in fields:
            todo["id"] = str(number)
        if "priority" in fields:
            todo["priority"] = "medium"
        return todo


def _learn(known: set[str], call: PolicyCall) -> None:
    """Update the files whose present content the conversation has seen; a command may have changed any of them."""
    if call.tool == "shell":
        known.difference_update([k for k in known if not k.startswith("made:")])
    elif call.path is not None:
        known.add(call.path)
        if call.tool == "write":
            known.add(f"made:{call.path}")


def listed(items: Iterable[PolicyItem]) -> str:
    """A plan as a list of check boxes."""
    boxes = {"pending": " ", "in_progress": " ", "completed": "x"}
    return "\n".join(f"- [{boxes[i.status]}] {i.text}" for i in items)


def heredoc(command: str, text: str) -> str:
    """``command`` with ``text`` and one line end as its input, whatever the text contains."""
    mark = "EOF"
    while mark in text:
        mark = f"EOF_{hashlib.sha256((mark + text).encode()).hexdigest()[:8]}"
    return f"{command} <<'{mark}'\n{text.removesuffix(chr(10))}\n{mark}"


def write_command(path: str, content: str) -> str:
    directory = posixpath.dirname(path)
    make = f"mkdir -p {shlex.quote(directory)} && " if directory else ""
    if content and not content.endswith("\n"):
        return f"{make}printf %s {shlex.quote(content)} > {shlex.quote(path)}"
    if not content:
        return f"{make}: > {shlex.quote(path)}"
    return make + heredoc(f"cat > {shlex.quote(path)}", content)


def edit_command(path: str, old: str, new: str) -> str:
    """Replace the one occurrence of ``old``; fails, as an edit tool does, if there is none or more than one."""
    script = (
        "import pathlib, sys\n"
        f"path = pathlib.Path({path!r})\n"
        "text = path.read_text(encoding='utf-8')\n"
        f"old = {old!r}\n"
        f"new = {new!r}\n"
        "if text.count(old) != 1:\n"
        "    sys.exit(f'{path}: the text to replace occurs {text.count(old)} times')\n"
        "path.write_text(text.replace(old, new), encoding='utf-8')"
    )
    return heredoc("python3 -", script)


Schema = Mapping[str, Any]

# The most specific name first; every agent that we know offers at most one tool of each kind.
SHELL = tuple(
    "Bash bash exec_command shell_command shell local_shell run_shell_command terminal execute_bash run_command "
    "execute_command launch-process".split()
)
WRITE = ("Write", "write", "write_file", "create_file", "write_to_file", "save-file", "create")
EDIT = tuple("Edit edit edit_file replace replace_in_file str_replace_editor file_editor str-replace-editor".split())
READ = ("Read", "read", "read_file", "view")
PLAN = tuple("TodoWrite todowrite todo_write write_todos update_plan task_tracker update_todo TaskCreate".split())

_PATH = ("file_path", "filePath", "path", "absolute_path", "target_file", "filename")
_CONTENT = ("content", "file_text", "contents", "file_content")
_OLD = ("old_string", "oldString", "old_str", "old_text", "oldText", "old")
_NEW = ("new_string", "newString", "new_str", "new_text", "newText", "new")


class Toolset(Struct, frozen=True):
    """The tools of one request: name -> JSON schema of the arguments."""

    tools: Mapping[str, Schema]

    def pick(self, names: tuple[str, ...]) -> str | None:
        return next((name for name in names if name in self.tools), None)

    def properties(self, tool: str) -> Mapping[str, Any]:
        found = self.tools[tool].get("properties")
        return found if isinstance(found, Mapping) else {}

    @property
    def works(self) -> bool:
        """Whether this is a request for work; titles and summaries are requested without these tools."""
        return any(self.pick(names) for names in (SHELL, WRITE, EDIT))

    @property
    def sequential(self) -> bool:
        """Whether the agent is known to run the calls of one answer one after the other: our own loop, mini-swe-agent,
        Claude Code and Gemini CLI. Codex and opencode run them at the same time."""
        if self.pick(("Bash", "run_shell_command", "edit_file")) is not None:
            return True
        return set(self.tools) == {"bash"}

    def path_key(self, tool: str) -> str | None:
        return first(self.properties(tool), _PATH)

    def content_key(self, tool: str) -> str | None:
        return first(self.properties(tool), _CONTENT)

    def replacement_keys(self, tool: str) -> tuple[str, str] | None:
        properties = self.properties(tool)
        old, new = first(properties, _OLD), first(properties, _NEW)
        return (old, new) if old and new else None

    def takes_relative_paths(self, tool: str) -> bool:
        """False if the description of the path asks for an absolute one, as most agents do."""
        key = self.path_key(tool)
        about = self.properties(tool).get(key) if key else None
        text = str(about.get("description", "")) if isinstance(about, Mapping) else ""
        return "absolute" not in text.lower() and key == "path"

    def complete(self, tool: str, arguments: dict[str, Any], about: str) -> dict[str, Any]:
        """Add a plausible value for each required argument that is missing (a description, a risk level)."""
        required = self.tools[tool].get("required")
        for key in required if isinstance(required, list | tuple) else ():
            if key not in arguments:
                schema = self.properties(tool).get(key)
                one = schema if isinstance(schema, Mapping) else {}
                choices = one.get("enum")
                if isinstance(choices, list | tuple) and choices:
                    value = "LOW" if "LOW" in choices else choices[0]
                elif key in ("max_wait_seconds", "timeout"):
                    value = 60
                elif key == "wait":
                    value = True
                else:
                    value = {"boolean": False, "integer": 1, "number": 1, "array": [], "object": {}}.get(
                        kind(one) or "", about
                    )
                arguments[key] = value
        return arguments


def first(properties: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in properties), None)


def kind(schema: Mapping[str, Any]) -> str | None:
    """The JSON type of a property; of several types, the first that is not null."""
    value = schema.get("type")
    if isinstance(value, list | tuple):
        value = next((v for v in value if v != "null"), None)
    if value is None:
        options = schema.get("anyOf")
        for option in options if isinstance(options, list | tuple) else ():
            if isinstance(option, Mapping) and kind(option) not in (None, "null"):
                return kind(option)
    return value if isinstance(value, str) else None


def instance(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None, depth: int = 0) -> Any:
    """The smallest instance of a JSON schema: the answer to a side request for structured output."""
    root = schema if root is None else root
    if depth > 20:
        return None
    reference = schema.get("$ref")
    if isinstance(reference, str):
        target: Any = root
        for part in reference.lstrip("#/").split("/"):
            target = target.get(part, {}) if isinstance(target, Mapping) else {}
        return instance(target, root, depth + 1)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        return instance(options[0], root, depth + 1)
    match kind(schema):
        case "object":
            properties = schema.get("properties") or {}
            required = schema.get("required") or list(properties)
            return {k: instance(properties.get(k) or {}, root, depth + 1) for k in required}
        case "array":
            items = schema.get("items") or {}
            return [instance(items, root, depth + 1) for _ in range(int(schema.get("minItems") or 0))]
        case "integer" | "number":
            return schema.get("minimum") or 0
        case "boolean":
            return False
        case "null":
            return None
    return "Scripted"
