"""The tools that an agent offers with a request: which of them runs a command, writes a file, keeps a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

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
