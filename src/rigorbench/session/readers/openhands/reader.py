"""OpenHands: V0 ``output.jsonl`` and event lists, V1 conversation folders and event streams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from ...cost import keep_cost
from ...logfile import LogError, LogFile
from ...model import MAIN_LANE, Lane, Source, Spawn, Step, ToolCall, Trajectory
from ...reader import Reader
from ...usage import TokenUsage, sum_usage
from ..shared.builder import with_subagents
from ..shared.values import mapping, optional, sequence, string
from .common import usage_of
from .v0 import EventHistory, flatten
from .v1 import KINDS, Conversation, Event, end_of, token_usages

_EVENT_FILE = re.compile(r"event-(\d+)-.*\.json\Z")
_VERSION = re.compile(r"(?:_N_|[/_])v(\d+\.\d+(?:\.\d+)?)")
_STATE, _EVENTS, _SUBAGENTS = "base_state.json", "events", "subagents"


def _is_v0_event(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and (isinstance(value.get("action"), str) or isinstance(value.get("observation"), str))
        and ("args" in value or "extras" in value or "content" in value)
        and ("source" in value or "message" in value)
    )


def _is_v1_event(value: Any) -> bool:
    return isinstance(value, dict) and string(value.get("kind")) in KINDS and "timestamp" in value and "source" in value


def _is_instance(value: Any) -> bool:
    history = _history(value)
    if not history and isinstance(mapping(value).get("history"), list) and "instance_id" in value:
        return True
    return any(_is_v0_event(e) or _is_v1_event(e) for e in _some(history))


def _history(value: Any) -> list[Any]:
    """The events of an instance; data sets call them its trajectory."""
    return sequence(mapping(value).get("history")) or sequence(mapping(value).get("trajectory"))


def _some(history: list[Any]) -> Iterator[Any]:
    return islice(flatten(history), 5)


class OpenHandsV0Reader(Reader):
    """``output.jsonl`` of the evaluation scripts (an instance per line, or an array), lists of events, and folders with
    a file per event (``events/0.json``), of which ``event_cache`` has copies."""

    format, marks = "openhands-v0", (b'"history"', b'"instance_id"', b'"trajectory"')

    def is_record(self, value: dict[str, Any]) -> bool:
        if "instance_id" in value and "instruction" in value:
            return "history" in value or "metadata" in value or "test_result" in value
        # The resolver of issues writes the fields of an event beside its kind.
        return _is_instance(value) or {"issue", "instruction", "history", "git_patch"} <= value.keys()

    def owner(self, path: Path) -> Path:
        folder = path.parent.parent
        kept = path.parent.name in (_EVENTS, "event_cache") and (folder / _EVENTS / "0.json").is_file()
        return folder if kept else path

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            return log.path is not None and (log.path / _EVENTS / "0.json").is_file()
        document = sequence(log.head_document) if log.head.lstrip()[:1] == b"[" else []
        instances = bool(document) and self.is_record(mapping(document[0]))
        return super().matches(log) or instances or any(_is_v0_event(e) for e in _some(document))

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        if log.is_directory and log.path is not None:
            files = [f for f in (log.path / _EVENTS).glob("*.json") if f.stem.isdigit()]
            history = [_json(log, f) for f in sorted(files, key=lambda f: int(f.stem))]
            found = _read_instance(log, Source(log.name), {"instance_id": log.path.name, "history": history})
            yield from [found] if found is not None else []
            return
        taken: dict[str, int] = {}
        for source, instance in _instances(log):
            trajectory = _read_instance(log, source, instance)
            if trajectory is None:
                continue
            count = taken[trajectory.id] = taken.get(trajectory.id, 0) + 1
            if count > 1:
                trajectory.id = f"{trajectory.id}#{count}"
            yield trajectory


class OpenHandsReader(Reader):
    """A V1 conversation folder: ``base_state.json``, ``events/``, ``subagents/``; or its events as JSON lines."""

    format, marks = "openhands", (b'"usage_to_metrics"', b'"execution_status"', b'"kind"')

    def is_record(self, value: dict[str, Any]) -> bool:
        state = "execution_status" in value or mapping(value.get("stats")).get("usage_to_metrics") is not None
        return _is_v1_event(value) or (state and "agent" in value and "workspace" in value and "id" in value)

    def matches(self, log: LogFile) -> bool:
        if log.is_directory:
            return log.path is not None and _is_conversation(log.path)
        listed = log.head.lstrip()[:1] == b"[" and any(map(_is_v1_event, _some(sequence(log.head_document))))
        return listed or super().matches(log)

    def owner(self, path: Path) -> Path:
        """The conversation that a file of it belongs to, the outermost where they are nested."""
        found = None
        for folder in path.parents[:6]:
            if _is_conversation(folder):
                found = folder
            elif found is not None and folder.name != _SUBAGENTS:
                break
        return found or path

    def read(self, log: LogFile) -> Iterator[Trajectory]:
        folder = log.path if log.is_directory else self.owner(log.path) if log.path is not None else None
        if folder is not None and folder.is_dir():
            state = _json(log, folder / _STATE)
            model = optional(mapping(mapping(state.get("agent")).get("llm")).get("model"))
            usages = token_usages(state.get("stats"))
            main = Conversation(log, MAIN_LANE, model).read(_events(log, folder))
            main.join_usage(usages)
            main.steps = _with_subagents(log, folder, MAIN_LANE, main.steps, main.lanes, usages)
            trajectory = Trajectory(
                id=string(state.get("id")) or folder.name,
                format="openhands",
                source=Source(str(folder) if not log.is_directory else log.name),
                agent="openhands",
                cwd=optional(mapping(state.get("workspace")).get("working_dir")),
                end=end_of(state.get("execution_status")),
            )
            stated = mapping(mapping(state.get("stats")).get("usage_to_metrics"))
            keep_cost(trajectory, (mapping(metrics).get("accumulated_cost") for metrics in stated.values()))
            if usages:  # calls without a step: the condenser's, or those of a step that is lost
                trajectory.usage = sum_usage([*(s.usage for s in main.steps), *usages.values()])
        else:
            main = Conversation(log, MAIN_LANE, None).read(_streamed(log))
            trajectory = Trajectory(log.stem, "openhands", Source(log.name), agent="openhands")
            if main.end is None and _finished(main.steps):
                main.end = "completed"
        if main.steps:
            yield main.finish(trajectory)


READERS = (OpenHandsReader(), OpenHandsV0Reader())


# V0 ------------------------------------------------------------------------------------------------------------------


def _instances(log: LogFile) -> Iterator[tuple[Source, dict[str, Any]]]:
    """The instances of a file; a bare list of events is one instance without a name."""
    content = log.content().lstrip(b"\xef\xbb\xbf \t\r\n")
    if content[:1] == b"[" or (content[:1] == b"{" and content[1:3].strip() == b"" and b"\n" in content[:4]):
        document = log.document()
        values = document if isinstance(document, list) else [document]
        if any(_is_v0_event(e) or _is_v1_event(e) for e in _some(sequence(document))):
            values = [{"history": document}]
        for value in values:
            if isinstance(value, dict):
                yield Source(log.name), value
            else:
                log.skip(None, "an entry that is no instance; skipped")
        return
    for number, value in log.json_lines():
        if isinstance(value, dict) and (_history(value) or "instance_id" in value):
            yield Source(log.name, number), value
        elif isinstance(value, list):
            yield Source(log.name, number), {"history": value}
        else:
            log.skip(number, "a line without a history; skipped")


def _read_instance(log: LogFile, source: Source, instance: dict[str, Any]) -> Trajectory | None:
    history = _history(instance)
    metadata, metrics = mapping(instance.get("metadata")), mapping(instance.get("metrics"))
    details = mapping(instance.get("instance"))
    models = (optional(mapping(metadata.get(key)).get("model")) for key in ("llm_config", "llm"))
    model = next(filter(None, models), None)
    usages: dict[str, TokenUsage] = {}
    for counts in sequence(metrics.get("token_usages")):
        usage, key = usage_of(mapping(counts)), string(mapping(counts).get("response_id"))
        if usage is not None:
            usages[key or f"#{len(usages)}"] = usage
    name = string(instance.get("instance_id")) or log.stem
    version = _VERSION.search(string(metadata.get("eval_output_dir")))
    trajectory = Trajectory(
        id=name,
        format="openhands-v0",
        source=source,
        agent="openhands",
        # The scripts put the program's version into the name of the output folder.
        agent_version=version[1] if version is not None else None,
        model=model,
        start_commit=optional(details.get("base_commit")),
    )
    read: Conversation | EventHistory
    if any(_is_v1_event(e) for e in _some(history)):
        trajectory.format = "openhands"
        events = ((source, e) for e in flatten(history) if isinstance(e, dict))
        read = Conversation(log, MAIN_LANE, model).read(events)
        read.join_usage(usages)
    else:
        read = EventHistory(log, source, usages, model).read(history)
        trajectory.usage_complete = not read.others
    read.finish(trajectory)
    if not trajectory.steps and not string(instance.get("instance_id")):
        return None
    instruction = string(instance.get("instruction"))
    if instruction and not any(s.role == "user" for s in trajectory.steps):
        trajectory.steps.insert(0, Step("user", source, text=instruction))
    patch = string(mapping(instance.get("test_result")).get("git_patch")) or string(instance.get("git_patch"))
    if patch:
        trajectory.extra["submission"] = patch
    error = string(instance.get("error"))
    if error:
        trajectory.steps.append(Step("harness", source, text=error))
        trajectory.end = "limit" if "maximum iteration" in error or "max_iterations" in error else "error"
    elif trajectory.end is None and _finished(trajectory.steps):
        trajectory.end = "completed"
    stated = usage_of(mapping(metrics.get("accumulated_token_usage")))
    summed = sum_usage(s.usage for s in trajectory.steps)
    if stated is not None and summed is not None and (summed.input, summed.output) == (stated.input, stated.output):
        stated = stated if usages else None
    trajectory.usage = stated  # the log's own total, where some model call of it has no step
    keep_cost(trajectory, [metrics.get("accumulated_cost")])
    return trajectory


def _finished(steps: list[Step]) -> bool:
    last = next((s for s in reversed(steps) if s.role == "agent"), None)
    return last is not None and any(c.name == "finish" for c in last.calls)


# V1 ------------------------------------------------------------------------------------------------------------------


def _is_conversation(folder: Path) -> bool:
    """Whether the folder contains numbered events, with or without the state beside them."""
    events = folder / _EVENTS
    if not events.is_dir():
        return False
    return (folder / _STATE).is_file() or next(events.glob("event-*.json"), None) is not None


def _with_subagents(
    log: LogFile, folder: Path, parent: str, steps: list[Step], lanes: dict[str, Lane], usages: dict[str, TokenUsage]
) -> list[Step]:
    """``steps`` with those of the sub-agents after the calls that started them, by the prompt, else by their order."""
    try:
        folders = sorted(p for p in (folder / _SUBAGENTS).iterdir() if _is_conversation(p))
    except OSError:
        return steps
    waiting: list[tuple[str, list[Step]]] = []
    for sub in folders:
        state = _json(log, sub / _STATE)
        model = optional(mapping(mapping(state.get("agent")).get("llm")).get("model"))
        for key, usage in token_usages(state.get("stats")).items():
            usages.setdefault(key, usage)
        conversation = Conversation(log, sub.name, model).read(_events(log, sub))
        conversation.join_usage(usages)
        waiting.append((sub.name, _with_subagents(log, sub, sub.name, conversation.steps, lanes, usages)))
    waiting.sort(key=lambda entry: next((s.time for s in entry[1] if s.time is not None), 0.0))

    def started(_: Step, call: ToolCall, action: Spawn) -> list[Step]:
        if not waiting or mapping(call.input).get("resume"):
            return []
        asked = action.prompt.strip()
        by_prompt = (
            index
            for index, (_, steps) in enumerate(waiting)
            if asked and any(s.role == "harness" and s.text.strip() == asked for s in steps[:3])
        )
        name, inner = waiting.pop(next(by_prompt, 0))
        action.lane = name
        kind = optional(mapping(call.input).get("subagent_type"))
        lanes[name] = Lane(name, parent, call.id, kind, action.prompt or None)
        return inner

    ordered = with_subagents(steps, started)
    for name, inner in waiting:
        lanes[name] = Lane(name, parent)
        ordered += inner
    return ordered


def _events(log: LogFile, folder: Path) -> Iterator[Event]:
    """The events by the number in their file's name."""
    numbered = []
    try:
        for path in (folder / _EVENTS).iterdir():
            found = _EVENT_FILE.match(path.name)
            if found is not None:
                numbered.append((int(found[1]), path.name, path))
    except OSError as error:
        log.skip(None, f"the events cannot be listed ({error.strerror})", file=str(folder))
    numbered.sort()
    for _, _, path in numbered:
        event = _json(log, path)
        if event:
            yield Source(str(path)), event


def _json(log: LogFile, path: Path) -> dict[str, Any]:
    try:
        value = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, orjson.JSONDecodeError):
        try:
            value = log.sibling(path).document()  # as far as it goes, and reported
        except LogError as error:
            log.skip(error.line, error.reason, file=str(path))
            return {}
    if not isinstance(value, dict):
        log.skip(None, "not a JSON object; skipped", file=str(path))
    return mapping(value)


def _streamed(log: LogFile) -> Iterable[Event]:
    start = log.content()[:200].lstrip()
    if start[:1] == b"[" and start[1:].lstrip()[:1] in (b"{", b""):
        for value in sequence(log.document()):
            if isinstance(value, dict):
                yield Source(log.name), value
        return
    other = 0
    for number, line in log.lines():
        if not line.lstrip().startswith(b"{"):
            other += 1
            continue
        for value in log.parse_line(number, line):
            if isinstance(value, dict):
                yield Source(log.name, number), value
    if other:
        log.skip(None, f"{other} lines that are not JSON; skipped")
