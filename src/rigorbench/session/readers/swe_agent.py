"""SWE-agent trajectories (``*.traj``), from the 2024 layout to 1.1.

A step is one model call with one command line. Newer versions repeat the whole history in every step (``messages``,
``query``); those bytes are never decoded. The log has neither times nor exit codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import orjson
from msgspec import Raw, Struct

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


class _Step(Struct):
    action: Any = None
    observation: Any = None
    response: Any = None
    thought: Any = None
    state: Any = None
    execution_time: Any = None


class _History(Struct):
    role: Any = None
    content: Raw = Raw()
    is_demo: Any = None
    message_type: Any = None
    thought: Any = None
    action: Any = None
    tool_calls: Any = None
    thinking_blocks: Any = None


class _Document(Struct):
    trajectory: list[_Step] | None = None
    history: list[_History] | None = None
    info: Any = None
    replay_config: Raw = Raw()
    attempts: list[_Document] | None = None


_T = TypeVar("_T")
_document = msgspec.json.Decoder(_Document)
_step = msgspec.json.Decoder(_Step)
_history = msgspec.json.Decoder(_History)

_FIRST_STEP = re.compile(
    rb'"trajectory"\s*:\s*\[\s*\{\s*"(?:action|observation)"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*'
    rb'"(?:action|observation|execution_time|extra_info)"\s*:'
)
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
    format = "swe-agent"

    def matches(self, log: LogFile) -> bool:
        head = log.head
        if not head[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return False
        if not (
            (b'"trajectory"' in head and (b'"observation"' in head or b'"history"' in head))
            or (b'"history"' in head and b'"message_type"' in head)
            or (b'"attempts"' in head and b'"trajectory"' in head)
        ):
            return False
        if _FIRST_STEP.search(head) is not None:
            return True
        value = mapping(log.head_document)
        return _is_run(value) or any(_is_run(mapping(attempt)) for attempt in sequence(value.get("attempts"))[:1])

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        document = _load(log)
        identity = log.name_without(".json", ".traj")
        attempts = [a for a in document.attempts or () if a.trajectory or a.history]
        if not attempts:
            return [_Run(log, document, identity).read()]
        # A retrying agent starts over in a fresh repository: each attempt is a session of its own.
        return [_Run(log, attempt, f"{identity}#{number}").read() for number, attempt in enumerate(attempts, 1)]


def _is_run(value: dict[str, Any]) -> bool:
    steps = value.get("trajectory")
    if isinstance(steps, list) and steps:
        return isinstance(steps[0], dict) and "action" in steps[0] and "observation" in steps[0]
    history = value.get("history")
    first = history[0] if isinstance(history, list) and history else None
    return isinstance(first, dict) and "role" in first and "content" in first and "agent" in first


def _load(log: LogFile) -> _Document:
    try:
        return _document.decode(log.content())
    except (msgspec.MsgspecError, UnicodeDecodeError):
        value = log.document()
    if not isinstance(value, dict):
        raise LogError(log.name, "is not a SWE-agent trajectory; give the agent's own .traj file")
    document = _repaired(log, value)
    document.attempts = [_repaired(log, attempt) for attempt in objects(value.get("attempts"))]
    return document


def _repaired(log: LogFile, value: dict[str, Any]) -> _Document:
    """A document item by item, where reading it in one go failed."""
    document = _Document(info=value.get("info"))
    document.trajectory = _items(log, value, "trajectory", _step)
    document.history = _items(log, value, "history", _history)
    try:
        document.replay_config = Raw(orjson.dumps(value.get("replay_config")))
    except TypeError:
        log.skip(None, "the replay configuration cannot be read; skipped")
    return document


def _items(log: LogFile, value: dict[str, Any], name: str, decoder: msgspec.json.Decoder[_T]) -> list[_T] | None:
    found: list[_T] = []
    for index, item in enumerate(sequence(value.get(name))):
        try:
            found.append(decoder.decode(orjson.dumps(item)))
        except (msgspec.MsgspecError, TypeError):
            log.skip(None, f"{name}[{index}] is not an object; skipped")
    return found or None


class _Run(SessionBuilder):
    def __init__(self, log: LogFile, document: _Document, identity: str) -> None:
        super().__init__(log)
        self.document = document
        self.source = Source(log.name)
        self.trajectory = Trajectory(identity, "swe-agent", self.source, self.steps, agent="swe-agent")
        self.viewer = Viewer()
        # The function calls behind the command lines, in order.
        self.functions = [h for h in document.history or () if h.role == "assistant" and h.action]
        self.next_function = 0

    def read(self) -> Trajectory:
        history = self.document.history or []
        # What comes before the first reply: the system prompt, demonstrations and the task.
        for item in history:
            if item.role == "assistant" and not item.is_demo:
                break
            if item.role not in ("system", "user") and not item.is_demo:
                continue
            text = _text(item.content)
            task = item.role == "user" and not item.is_demo and item.message_type != "demonstration"
            if text:
                self.say("user" if task else "harness", text, self.source)
        if self.document.trajectory:
            for number, step in enumerate(self.document.trajectory):
                self.step(number, step)
        else:
            self.history_only(history)
        self.describe()
        return self.trajectory

    def step(self, number: int, item: _Step) -> None:
        action, thought, response = string(item.action), string(item.thought), string(item.response)
        observation = item.observation if isinstance(item.observation, str) else None
        state = mapping(arguments(item.state))
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
        if isinstance(item.state, str) or "cd " not in action:
            # Up to 0.7 the state is that before the step, since then that after it.
            self.cwd = _path(state.get("working_dir")) or self.cwd
        call = self.command(number, action, step)
        executed = bool(observation) or state or item.execution_time or item.state is None
        if executed and observation is not None:
            call.result = _result(name, observation, self.source, item.execution_time)
        if not (call.result is not None and call.result.is_error):
            self.viewer.show(observation or "", open_file if not isinstance(item.state, str) else None)
        self.cwd = _path(state.get("working_dir")) or self.cwd
        if self.trajectory.cwd is None:
            self.trajectory.cwd = self.cwd

    def command(self, number: int, action: str, step: Step) -> ToolCall:
        """The call of a step, with the name, arguments and id of the function call where the history has it."""
        identity, named = f"step-{number}", None
        for at in range(self.next_function, min(len(self.functions), self.next_function + 8)):
            if self.functions[at].action != action:
                continue
            self.next_function = at + 1
            calls = sequence(self.functions[at].tool_calls)
            first = mapping(calls[0]) if len(calls) == 1 else {}
            function = mapping(first.get("function"))
            if isinstance(function.get("name"), str):
                named = function["name"], arguments(function.get("arguments"))
                # Demonstrations put together by hand repeat ids.
                stated = optional(first.get("id")) or identity
                identity = stated if self.is_new(stated) else identity
                self.is_new(identity)
            step.reasoning = thinking_of(self.functions[at].thinking_blocks)
            break
        does = interpret_action(action, named, self.viewer, self.cwd)
        name, value = named if named is not None else (name_of(action), action)
        return self.call(step, identity, name, value, does, self.source)

    def history_only(self, history: Sequence[_History]) -> None:
        """Demonstrations keep only the messages: after each answer comes what the environment said."""
        waiting: ToolCall | None = None
        number = 0
        for item in history:
            if item.role == "assistant":
                action = string(item.action)
                step = self.begin(self.source)
                step.text = (item.thought if isinstance(item.thought, str) else _text(item.content)).strip()
                waiting = self.command(number, action, step) if action.strip() else None
                number += 1
            elif item.role in ("tool", "user") and waiting is not None:
                observation = _text(item.content)
                waiting.result = _result(name_of(waiting.name), observation, self.source, None)
                self.viewer.show(observation, None)
                waiting = None

    def describe(self) -> None:
        trajectory = self.trajectory
        info = mapping(self.document.info)
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
        raw = bytes(self.document.replay_config).decode("utf-8", "replace")
        config = mapping(arguments(arguments(raw)))
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


def _text(raw: Raw) -> str:
    return text_of(arguments(bytes(raw).decode("utf-8", "replace")))


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
