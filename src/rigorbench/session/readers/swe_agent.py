"""SWE-agent trajectories (``*.traj``), from the 2024 layout to 1.1.

A step is one model call with one command line. The log has neither times nor exit codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..logfile import LogError, LogFile
from ..model import (
    Action,
    Edit,
    EndState,
    FileChange,
    Finish,
    Other,
    Read,
    Result,
    Search,
    Shell,
    Source,
    Step,
    ToolCall,
    Trajectory,
)
from ..reader import Reader
from ..tools import interpret, text_of
from ..usage import TokenUsage
from .shared.builder import SessionBuilder
from .shared.usage import count
from .shared.values import arguments, joined, mapping, objects, optional, sequence, string, thinking_of

_EXITS = ("exit_cost", "exit_context", "exit_error", "exit_format", "exit_api", "skip")
_LIMITS = (
    "exit_cost",
    "exit_context",
    "exit_total_execution_time",
    "exit_command_timeout",
    "exit_max_steps",
    "exit_max_iterations",
)


class SweAgentReader(Reader):
    format, marks = "swe-agent", (b'"trajectory"', b'"history"')

    def is_record(self, value: dict[str, Any]) -> bool:
        return any(map(_is_run, (value, *objects(value.get("attempts"))[:1])))

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        document = log.document()
        if not isinstance(document, dict):
            raise LogError(log.name, "is not a SWE-agent trajectory; give the agent's own .traj file")
        identity = log.name_without(".json", ".traj")
        attempts = [a for a in objects(document.get("attempts")) if a.get("trajectory") or a.get("history")]
        if not attempts:
            return [_Run(log, document, identity).read()]
        # A retrying agent starts over in a fresh repository: each attempt is a session of its own.
        return [_Run(log, attempt, f"{identity}#{number}").read() for number, attempt in enumerate(attempts, 1)]


def _is_run(value: dict[str, Any]) -> bool:
    steps, history = sequence(value.get("trajectory")), sequence(value.get("history"))
    if steps:
        known, named = {"action", "observation"}, mapping(steps[0]).keys()
        return known <= named or (bool(named) and named <= known)  # the first may be longer than the head
    return bool(history) and {"role", "content", "agent"} <= mapping(history[0]).keys()


def _items(log: LogFile, document: dict[str, Any], name: str) -> list[dict[str, Any]]:
    values = sequence(document.get(name))
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            log.skip(None, f"{name}[{index}] is not an object; skipped")
    return objects(values)


class _Run(SessionBuilder):
    def __init__(self, log: LogFile, document: dict[str, Any], identity: str) -> None:
        super().__init__(log)
        self.document, self.history = document, _items(log, document, "history")
        self.source = Source(log.name)
        self.found = Trajectory(identity, "swe-agent", self.source, agent="swe-agent")
        self.viewer = Viewer()
        # The function calls behind the command lines, in order.
        self.functions = [h for h in self.history if h.get("role") == "assistant" and h.get("action")]
        self.next_function = 0

    def read(self) -> Trajectory:
        # What comes before the first reply: the system prompt, demonstrations and the task.
        for item in self.history:
            role, demo = item.get("role"), item.get("is_demo")
            if role == "assistant" and not demo:
                break
            if role not in ("system", "user") and not demo:
                continue
            task = role == "user" and not demo and item.get("message_type") != "demonstration"
            if text := text_of(item.get("content")):
                self.say("user" if task else "harness", text, self.source)
        steps = _items(self.log, self.document, "trajectory")
        for number, step in enumerate(steps):
            self.step(number, step)
        if not steps:
            self.history_only()
        self.describe()
        return self.finish(self.found)

    def step(self, number: int, item: dict[str, Any]) -> None:
        action, thought, response = (string(item.get(name)) for name in ("action", "thought", "response"))
        seen, stated, spent = item.get("observation"), item.get("state"), item.get("execution_time")
        observation = seen if isinstance(seen, str) else None
        state = mapping(arguments(stated))
        if action.strip() in _EXITS:
            stopped = thought.startswith(("Exit due to", "Request timed out", "Skip"))
        else:
            stopped = not action.strip() and thought == response and thought.startswith(("Exit", "exit"))
        if stopped:  # the harness added this step when it stopped the run; the model did not say it
            self.say("harness", joined(thought.strip(), (observation or "").strip()), self.source)
            return
        # Without a thought the reply is the command, in its fence.
        step = self.begin(self.source)
        step.text = thought.strip() or (response.partition("```")[0] if action.strip() else response).strip()
        if not action.strip():
            return
        open_file = _path(state.get("open_file"))
        name = name_of(action)
        if open_file is not None and name != "open" and name != "create":
            self.viewer.show("", open_file)
        if isinstance(stated, str) or "cd " not in action:
            # Up to 0.7 the state is that before the step, since then that after it.
            self.cwd = _path(state.get("working_dir")) or self.cwd
        call = self.command(number, action, step)
        executed = bool(observation) or state or spent or stated is None
        if executed and observation is not None:
            call.result = _result(name, observation, self.source, spent)
        if not (call.result is not None and call.result.is_error):
            self.viewer.show(observation or "", open_file if not isinstance(stated, str) else None)
        self.cwd = _path(state.get("working_dir")) or self.cwd
        self.found.cwd = self.found.cwd or self.cwd

    def command(self, number: int, action: str, step: Step) -> ToolCall:
        """The call of a step, with the name, arguments and id of the function call where the history has it."""
        identity, named = f"step-{number}", None
        for at in range(self.next_function, min(len(self.functions), self.next_function + 8)):
            if self.functions[at].get("action") != action:
                continue
            self.next_function = at + 1
            calls = sequence(self.functions[at].get("tool_calls"))
            first = mapping(calls[0]) if len(calls) == 1 else {}
            function = mapping(first.get("function"))
            if isinstance(function.get("name"), str):
                named = function["name"], arguments(function.get("arguments"))
                # Demonstrations put together by hand repeat ids.
                stated = optional(first.get("id")) or identity
                identity = stated if self.is_new(stated) else identity
                self.is_new(identity)
            step.reasoning = thinking_of(self.functions[at].get("thinking_blocks"))
            break
        does = interpret_action(action, named, self.viewer, self.cwd)
        name, value = named if named is not None else (name_of(action), action)
        return self.call(step, identity, name, value, does, self.source)

    def history_only(self) -> None:
        """Demonstrations keep only the messages: after each answer comes what the environment said."""
        waiting: ToolCall | None = None
        number = 0
        for item in self.history:
            content, thought = text_of(item.get("content")), item.get("thought")
            if item.get("role") == "assistant":
                action = string(item.get("action"))
                step = self.begin(self.source)
                step.text = (thought if isinstance(thought, str) else content).strip()
                waiting = self.command(number, action, step) if action.strip() else None
                number += 1
            elif item.get("role") in ("tool", "user") and waiting is not None:
                waiting.result = _result(name_of(waiting.name), content, self.source, None)
                self.viewer.show(content, None)
                waiting = None

    def describe(self) -> None:
        trajectory = self.found
        info = mapping(self.document.get("info"))
        stats = mapping(info.get("model_stats"))
        sent, received = count(stats.get("tokens_sent")), count(stats.get("tokens_received"))
        # Replays and human models count nothing: there zeros mean that nobody counted.
        if sent or received:
            trajectory.usage = TokenUsage(input=sent, output=received)
        status = info.get("exit_status")
        trajectory.end = _end(status) if isinstance(status, str) and status.strip() else None
        version = info.get("swe_agent_version")
        trajectory.agent_version = version if isinstance(version, str) else None
        # The run's configuration: an object, or JSON in a string.
        config = mapping(arguments(self.document.get("replay_config")))
        about = mapping(mapping(config.get("agent")).get("model"))
        commit = mapping(mapping(config.get("env")).get("repo")).get("base_commit")
        model = about.get("name") or about.get("model_name")
        trajectory.model = model if isinstance(model, str) else None
        trajectory.start_commit = commit if isinstance(commit, str) and commit != "HEAD" else None
        kept = {
            "exit_status": status,
            "submission": info.get("submission"),
            "instance_cost": stats.get("instance_cost"),
            "api_calls": stats.get("api_calls"),
        }
        trajectory.extra = {k: v for k, v in kept.items() if v is not None}


def _result(name: str, observation: str, source: Source, spent: Any) -> Result:
    result = Result(observation, is_error=refused(name, observation) or None, source=source)
    if isinstance(spent, int | float) and not isinstance(spent, bool) and spent > 0:
        result.duration = float(spent)
    start = observation[:64]
    cancelled = start.startswith("The command '") and "was cancelled because it took more than" in observation
    result.timed_out = cancelled or "EXECUTION TIMED OUT" in start or "COMMAND TIMED OUT" in start
    result.interrupted = result.timed_out
    return result


def _end(status: str) -> EndState:
    status = status.strip()
    inner = status[len("submitted") :].strip(" ()") if status.startswith("submitted") else status
    if inner in ("", "exit_forfeit", "exit_command"):
        return "completed"
    if inner in _LIMITS:
        return "limit"
    return "interrupted" if inner in ("early_exit", "KeyboardInterrupt") else "error"


def _path(value: Any) -> str | None:
    return optional(value) if value != "n/a" else None


# The command line: the file viewer, editors and search tools beside plain bash. The editors change the file that is
# open in the viewer and address lines by number: only what the viewer last showed contains the replaced text, so
# :class:`Viewer` remembers it.


_WORD = re.compile(r"""(?:[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+""", re.DOTALL)
_PART = re.compile(r"""([^\s'"\\]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)""", re.DOTALL)
_ESCAPE = re.compile(r"\\([\"\\$`])")
_RANGE = re.compile(r"(\d+):(\d+)(?=\s|$)[ \t\r]*\n?")
_SHOWN = re.compile(r"\[File: (.+?) \((\d+) lines? total\)\]\r?\n")
_LINE = re.compile(r"(\d+):(.*)")

VIEWER = frozenset({"open", "goto", "scroll_down", "scroll_up", "set_cursors", "filemap", "view_image"})
SEARCHES = frozenset({"find_file", "search_dir", "search_file"})
EDITORS = frozenset({"edit", "insert", "create", "str_replace_editor", "append"})
ENDINGS = frozenset({"submit", "exit", "exit_forfeit"})
COMMANDS = VIEWER | SEARCHES | EDITORS | ENDINGS

# What the tools print when they changed nothing.
_REFUSED = (
    "Your proposed edit has introduced new syntax error",
    "Your changes have NOT been applied",
    "Your edit was not applied",
    "No replacement was performed",
    "No changes were made",
    "No file open",
    "Usage: ",
    "Error: ",
    "Invalid `",
    "Parameter `",
    "The path ",
    "The parent directory",
    "File already exists at",
    "Warning: File ",
    "usage: ",
    "bash: ",
    "/bin/bash: ",
)


def words(text: str, limit: int = 64) -> list[str]:
    """Up to ``limit`` words of a command line, with the shell's quoting removed."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0]
        if "'" in word or '"' in word or "\\" in word:
            word = "".join(
                plain or single or (_ESCAPE.sub(r"\1", double) if double else "") or escaped or ""
                for plain, single, double, escaped in _PART.findall(word)
            )
        found.append(word)
        if len(found) == limit:
            break
    return found


def name_of(action: str) -> str:
    """The tool that an action line names: one of SWE-agent's own, else ``bash``."""
    head = action.split(None, 1)
    return head[0] if head and head[0] in COMMANDS else "bash"


def refused(name: str, observation: str) -> bool:
    """Whether an editor says that it changed nothing."""
    return name in EDITORS and observation[:200].lstrip().startswith(_REFUSED)


class Viewer:
    """The open file and what is known of its lines, as SWE-agent showed them.

    ``window``: first and last line shown (or, in the editor with cursors, the lines between them).
    """

    def __init__(self) -> None:
        self.path: str | None = None
        self.lines: dict[int, str] = {}
        self.total = 0
        self.window: tuple[int, int] | None = None

    def show(self, observation: str, path: str | None) -> None:
        """Remembers what an observation shows; ``path`` is the open file by the environment's own state."""
        found = _SHOWN.search(observation) if "[File: " in observation else None
        if found is None:
            if path is not None and path != self.path:
                self.path, self.lines, self.total, self.window = path, {}, 0, None
            return
        shown = path or found[1]
        total = int(found[2])
        if shown != self.path or total != self.total:
            self.lines = {}
        self.path, self.total = shown, total
        numbers: list[int] = []
        cursor: list[int] = []
        for line in observation[found.end() :].splitlines():
            match = _LINE.match(line)
            if match is not None:
                number = int(match[1])
                if numbers and number != numbers[-1] + 1:
                    break
                numbers.append(number)
                self.lines[number] = match[2]
            elif line.startswith("<<<<< "):
                cursor.append(len(numbers))
            elif numbers and not line.startswith("("):
                break
        marked = numbers[cursor[0] : cursor[1]] if len(cursor) == 2 else numbers
        self.window = (marked[0], marked[-1]) if marked else None

    def replace(self, path: str, first: int, last: int, text: str) -> FileChange:
        """The change "lines ``first`` to ``last`` become ``text``"; without hunks if those lines were never shown."""
        change = FileChange(path)
        new = text.split("\n")
        if path != self.path or any(n not in self.lines for n in range(first, last + 1)):
            return change
        old = [self.lines[n] for n in range(first, last + 1)]
        if "\n".join(old).strip() == "" and first - 1 in self.lines:
            # An empty line alone is not unique: the line above is added.
            old.insert(0, self.lines[first - 1])
            new.insert(0, self.lines[first - 1])
        change.hunks.append(("\n".join(old), "\n".join(new)))
        return change


def interpret_action(action: str, named: tuple[str, Any] | None, viewer: Viewer, cwd: str | None) -> Action:
    """What an action line does. ``named``: the function call (name, arguments) behind it, if the log keeps it."""
    name = name_of(action)
    args = named[1] if named is not None and isinstance(named[1], Mapping) else None
    if name == "bash":
        return Shell(action.strip(), cwd=cwd)
    rest = action.strip()[len(name) :].lstrip(" \t")
    if name in ENDINGS:
        return Finish(rest.strip() if name == "submit" else action.strip())
    if name in SEARCHES:
        return Search(words(rest, 1)[0] if rest.strip() else "")
    if name == "open" or name in ("filemap", "view_image"):
        return Read((words(rest, 1) or [""])[0])
    if name in VIEWER:
        return Read(viewer.path or "")
    if name != "str_replace_editor":
        return _edit(name, rest, args, viewer)
    return interpret(name, args if args is not None else editor_arguments(rest))


def editor_arguments(rest: str) -> dict[str, Any]:
    """Arguments of ``str_replace_editor COMMAND PATH --old_str ... --new_str ...``."""
    values: dict[str, Any] = {}
    plain: list[str] = []
    key: str | None = None
    for word in words(rest):
        if word in ("--old_str", "--new_str", "--file_text", "--insert_line", "--view_range"):
            key = word[2:]
            values.setdefault(key, "")
        elif key is None:
            plain.append(word)
        else:
            values[key] = word
            key = None
    if str(values.get("insert_line", "")).isdigit():
        values["insert_line"] = int(values["insert_line"])
    values.update(zip(("command", "path"), plain, strict=False))
    return values


def _edit(name: str, rest: str, args: Mapping[str, Any] | None, viewer: Viewer) -> Action:
    if name == "create":
        path = _argument(args, "filename") or (words(rest, 1) or [""])[0]
        return Edit([FileChange(path, "create", after="")]) if path else Other(target=name)
    path = viewer.path or ""
    if name == "append":
        return Edit([FileChange(path, hunks=[("", _body(rest))])])
    if name == "insert":
        text, line = _argument(args, "text"), args.get("line") if args is not None else None
        if text is None:
            text, stated, *_ = [*words(rest, 2), "", ""]
            line = int(stated) if stated.isdigit() else None
        at_line = line if isinstance(line, int) else (viewer.total or None)
        return Edit([FileChange(path, hunks=[("", text)], at_line=at_line)])
    lines = _RANGE.match(rest)
    if lines is not None:
        return Edit([viewer.replace(path, int(lines[1]), int(lines[2]), _body(rest[lines.end() :]))])
    if args is not None and isinstance(args.get("start_line"), int) and isinstance(args.get("end_line"), int):
        text = _argument(args, "replacement_text") or ""
        return Edit([viewer.replace(path, args["start_line"], args["end_line"], text.removesuffix("\n"))])
    search, replacement = _argument(args, "search"), _argument(args, "replace")
    if search is None and rest.startswith(("\n", "\r\n")):
        # The cursor editor and the rewriting editor replace what the viewer shows.
        window = viewer.window
        return Edit([viewer.replace(path, *window, _body(rest.lstrip("\r\n"))) if window else FileChange(path)])
    if search is None:
        parts = words(rest, 3)
        if len(parts) < 2:
            text = parts[0] if parts else _argument(args, "text") or ""
            window = viewer.window
            return Edit([viewer.replace(path, *window, text) if window else FileChange(path)])
        search, replacement = parts[0], parts[1]
        everywhere = len(parts) > 2 and parts[2].lower() == "true"
    else:
        everywhere = args is not None and args.get("replace-all") is True
    return Edit([FileChange(path, hunks=[(search, replacement or "")], replace_all=everywhere)])


def _body(text: str) -> str:
    """The text of a multi-line command, without the word that ends it."""
    end = text.rfind("end_of_edit")
    if end < 0:
        end = text.rfind("end_of_append")
    if end >= 0 and not text[end:].strip().removeprefix("end_of_edit").removeprefix("end_of_append"):
        text = text[:end]
    return text.removesuffix("\n")


def _argument(args: Mapping[str, Any] | None, name: str) -> str | None:
    value = args.get(name) if args is not None else None
    return value if isinstance(value, str) else None


READERS: tuple[Reader, ...] = (SweAgentReader(),)
