"""ATIF documents (1.0 to 1.8) and Harbor's trial directories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from ..logfile import LogError, LogFile
from ..model import (
    MAIN_LANE,
    Edit,
    Finish,
    Lane,
    Result,
    Role,
    Shell,
    ShellOutput,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
    Wait,
)
from ..reader import Reader
from ..tools import interpret, text_of
from ..usage import TokenUsage
from .atif_own import first_text, is_own, restore
from .claude_code.text import role_of, slash_command
from .codex.batches import Batches
from .codex.results import HARNESS_TEXT, REFUSED, read_result
from .harbor import HarborTrialReader, describe, trial_of
from .mini_swe_agent import action_of, fill_from_text
from .shared.builder import SessionBuilder
from .shared.usage import first_count, uncached
from .shared.values import (
    arguments,
    integer,
    iso_time,
    joined,
    mapping,
    objects,
    optional,
    sequence,
    string,
)
from .swe_agent import Viewer, interpret_action, name_of, refused

_REFERS = rb'"(?:trajectory_path|continued_trajectory_ref)"\s*:\s*"[^"]*%s"'


class AtifReader(Reader):
    format, marks = "atif", (b'"schema_version"',)

    def is_record(self, value: dict[str, Any]) -> bool:
        return is_document(value)

    def matches(self, log: LogFile) -> bool:
        listed = sequence(log.head_document) if self.marks[0] in log.head else []
        return super().matches(log) or bool(listed and is_document(listed[0]))

    def read(self, log: LogFile) -> Iterable[Trajectory]:
        trial = trial_of(log)
        for document in _documents(log):
            if is_own(document):
                trajectory = restore(document, lambda reason: log.skip(None, reason))
            else:
                trajectory = _Import(log).trajectory(document)
                if trial is not None:
                    describe(trajectory, trial)
            yield trajectory

    def owner(self, path: Path) -> Path:
        """The document that refers to this one as a sub-agent's or as its continuation: ``a.json`` for ``a.b.json``."""
        name = path.name
        for at, letter in enumerate(name):
            if letter == "." and 0 < at < len(name) - 5:
                parent = path.with_name(name[:at] + ".json")
                with suppress(OSError):
                    content = parent.read_bytes() if parent != path else b""
                    if name.encode() in content and re.search(_REFERS % re.escape(name.encode()), content) is not None:
                        return self.owner(parent)
        return path


def is_document(value: Any) -> bool:
    """Whether a value is an ATIF document, by its schema version."""
    if not isinstance(value, Mapping):
        return False
    version = str(value.get("schema_version", ""))
    # Some writers leave the name out.
    return version.startswith("ATIF") or (
        version.lstrip("v")[:2] == "1."
        and isinstance(value.get("agent"), dict)
        and isinstance(value.get("steps"), list)
    )


def _documents(log: LogFile) -> Iterator[dict[str, Any]]:
    """One document, a list of them, or lines of documents (or of one document's head and its steps)."""
    try:
        values = orjson.loads(log.content())
    except orjson.JSONDecodeError:
        first = arguments(log.content().split(b"\n", 1)[0].decode("utf-8", "replace"))
        values = _lines(log) if isinstance(first, dict) else log.document()
    found = False
    for value in values if isinstance(values, list) else [values]:
        if is_document(value) or (isinstance(value, dict) and isinstance(value.get("steps"), list)):
            found = True
            yield value
        else:
            log.skip(None, "a value that is not an ATIF document; skipped")
    if not found:
        raise LogError(log.name, "contains no ATIF document; give the trajectory.json itself", line=1)


def _lines(log: LogFile) -> list[dict[str, Any]]:
    documents: list[dict[str, Any]] = []
    for number, value in log.json_lines():
        if isinstance(value, dict) and ("schema_version" in value or isinstance(value.get("steps"), list)):
            documents.append(value)
        elif isinstance(value, dict) and "source" in value and documents:
            steps = documents[-1].setdefault("steps", [])
            if isinstance(steps, list):
                steps.append(value)
        else:
            log.skip(number, "not a part of an ATIF document; skipped")
    return documents


# Documents that others wrote: versions 1.0 to 1.8, with the additions of known converters


# What harnesses other than Claude Code say in the user's place.
_HARNESS = (*HARNESS_TEXT, "<session_context>", "Base directory for this skill:")
_COMPACTION = ("Performed context summarization", "Context compaction performed")
_PLACEHOLDER = re.compile(r"Executed (\S+) (\S+)")
# Harbor stamps SWE-agent's steps with the time of conversion.
_NO_TIMES = ("swe-agent", "sweagent", "swe_agent")


class _Import(SessionBuilder):
    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.agent = ""
        self.clock = True
        self.count = 0
        self.counts: dict[str, dict[str, Any]] = {}  # of the last step with counts, by lane
        self.scripts = Batches(interpret)
        self.files: set[Path] = {log.path.resolve()} if log.path is not None else set()
        # Sub-agents' documents whose lanes were made, and those inside the present document by each of their ids.
        self.taken: list[Mapping[str, Any]] = []
        self.embedded: dict[str, dict[str, Any]] = {}

    def trajectory(self, document: Mapping[str, Any]) -> Trajectory:
        agent = mapping(document.get("agent"))
        about = mapping(agent.get("extra"))
        self.agent = string(agent.get("name"))
        self.clock = self.agent.lower() not in _NO_TIMES
        identity = optional(document.get("session_id")) or optional(document.get("trajectory_id"))
        own = self.log
        trajectory = Trajectory(
            identity or Path(self.log.name).stem,
            "atif",
            Source(self.log.name),
            agent=self.agent or None,
            agent_version=_known(agent.get("version")),
            model=_known(agent.get("model_name")),
        )
        self.document(document, MAIN_LANE, self.log)
        current: Mapping[str, Any] | None = document
        while current is not None and (path := optional(current.get("continued_trajectory_ref"))) is not None:
            current, log = self.file(path)
            if current is not None:
                self.document(current, MAIN_LANE, log)
                self.log = log
        self.log = own
        self.link_side_chains()
        trajectory.cwd = first_text(about.get("cwds")) or optional(about.get("cwd")) or self.stated(document, "cwd")
        branches = about.get("git_branches")
        trajectory.branch = first_text(branches) or self.stated(document, "git_branch")
        trajectory.steps = self.steps
        set_totals(trajectory, mapping(document.get("final_metrics")))
        trajectory.extra = leftovers(document)
        self.unread_calls += self.scripts.undecided
        # Claude Code flags every failed command; converters that keep the flag keep it on all of them.
        trajectory.states_failure = self.agent == "claude-code" and any(
            c.result is not None and c.result.is_error is not None for c in self.calls.values()
        )
        trajectory.model = trajectory.model or next((s.model for s in self.steps if s.model), None)
        return self.finish(trajectory)

    def stated(self, document: Mapping[str, Any], name: str) -> str | None:
        steps = objects(sequence(document.get("steps"))[:20])
        return next((found for step in steps if (found := optional(mapping(step.get("extra")).get(name)))), None)

    def document(self, document: Mapping[str, Any], lane: str, log: LogFile) -> None:
        outside = self.log, self.embedded
        self.log, self.embedded = log, {}
        for sub in objects(document.get("subagent_trajectories")):
            for name in ("trajectory_id", "session_id"):
                identity = optional(sub.get(name))
                if identity is not None:
                    self.embedded.setdefault(identity, sub)
        copied = 0
        for number, value in enumerate(sequence(document.get("steps")), 1):
            if not isinstance(value, dict):
                log.skip(None, f"step {number} is not an object; skipped")
            elif value.get("is_copied_context") is True:
                copied += 1
            else:
                self.step(value, lane)
        if copied:
            log.skip(None, f"{copied} steps are copies of an earlier trajectory's; skipped")
        for identity, sub in self.embedded.items():
            self.subagent(identity, sub, lane, None, {}, log)
        self.log, self.embedded = outside

    def step(self, value: dict[str, Any], lane: str) -> None:
        extra = mapping(value.get("extra"))
        if extra.get("is_sidechain") is True:  # Harbor put it between the main agent's
            lane = optional(extra.get("agent_id")) or "sidechain"
            self.lanes.setdefault(lane, Lane(lane, MAIN_LANE))
        log, source = self.log, Source(self.log.name)
        time = iso_time(value.get("timestamp")) if self.clock else None
        text = text_of(value.get("message"))
        reasoning = string(value.get("reasoning_content"))
        if value.get("source") != "agent":
            self.other(value, text, lane, time)
            return
        if reasoning and text.startswith(reasoning) and self.agent.lower() in _NO_TIMES:
            # Harbor gives SWE-agent's whole reply as message and its thought once more as reasoning.
            text, reasoning = reasoning, ""
        step = self.begin(source, time, lane=lane)
        step.text, step.reasoning, step.model = text, reasoning, optional(value.get("model_name"))
        step.message_id = optional(extra.get("message_id")) or optional(extra.get("id"))
        counts = mapping(value.get("metrics"))
        step.usage = usage_of(counts, self.agent)
        listed = sequence(value.get("tool_calls"))
        # MetaCode has each call twice, and each result.
        asked = [c for n, c in enumerate(listed) if c not in listed[:n]] or self.typed(step)
        if not asked and text.startswith("{"):  # what the program printed, its calls included
            self.unread_calls += text.count('"tool_calls":[')
        for called in _in_one_terminal(asked) if self.agent.startswith("terminus") else asked:
            call = call_of(called, self.count, source, time) if isinstance(called, dict) else None
            self.count += 1
            if call is None:
                log.skip(None, "a tool call without a name; skipped")
                continue
            script = mapping(call.input).get("input") if call.name == "exec" else None
            made = [call] if not isinstance(script, str) else self.scripts.start(call.id, script, source, time)
            step.calls += made
            self.calls.update({c.id: c for c in made})
        said = _PLACEHOLDER.fullmatch(step.text)
        if said is not None and any(c.id == said[2] or c.name == said[1] for c in step.calls):
            step.text = ""
        step = self.rejoined(step, counts, called=said is not None and not step.text)
        self.results(value, step, extra)

    def typed(self, step: Step) -> list[dict[str, Any]]:
        """The commands of a Terminus reply kept raw: JSON with analysis, plan and keystrokes."""
        if not step.text.startswith("{") or '"commands"' not in step.text:
            return []
        value = mapping(arguments(step.text))
        commands = [c for c in sequence(value.get("commands")) if isinstance(c, dict)]
        calls = [
            {"tool_call_id": f"call_{self.count + n}", "function_name": "bash_command", "arguments": command}
            for n, command in enumerate(commands)
        ]
        if value.get("task_complete") is True:
            name = f"call_{self.count}_task_complete"
            calls.append({"tool_call_id": name, "function_name": "mark_task_complete", "arguments": {}})
        said = [f"{k.capitalize()}: {value[k]}" for k in ("analysis", "plan") if isinstance(value.get(k), str)]
        if calls and said:
            step.text = "\n".join(said)
        return calls

    def rejoined(self, step: Step, counts: dict[str, Any], *, called: bool) -> Step:
        """The step of the reply that a step is a part of: converters write the blocks of a reply as steps of their own,
        with the counts of all on each of them, or on the first one only. ``called``: it has nothing but a call.
        """
        before = next((s for s in reversed(self.steps[:-1]) if s.lane == step.lane), None)
        alike = counts == self.counts.get(step.lane) if counts else called
        self.counts[step.lane] = counts or self.counts.get(step.lane, {})
        self.at(step.time)
        if not alike or before is None or before.role != "agent" or before.usage is None or not before.usage.output:
            return step
        self.steps.remove(step)
        before.calls.extend(step.calls)
        before.text = joined(before.text, step.text, by="\n\n")
        if step.reasoning not in before.reasoning:
            before.reasoning = f"{before.reasoning}\n{step.reasoning}".strip()
        self.last[step.lane] = before
        return before

    def other(self, value: dict[str, Any], text: str, lane: str, time: float | None) -> None:
        """A step that no agent took: words of the user or the harness, or actions of the infrastructure."""
        source = Source(self.log.name)
        harness = value.get("source") != "user" or lane != MAIN_LANE or text[:80].lstrip().startswith(_HARNESS)
        role: Role = "harness" if harness else role_of(text)
        if role == "user" and self.agent.startswith("terminus") and any(s.role == "agent" for s in self.steps):
            # Terminus has no dialogue: after the task, Terminus itself speaks in the user's place.
            role = "harness"
        if role == "harness" and lane == MAIN_LANE and (typed := slash_command(text)) is not None:
            role, text = "user", typed
        if text.startswith('{"type": "image"'):
            text = "[image]"
        management = mapping(mapping(value.get("extra")).get("context_management"))
        if management.get("type") == "compaction" or (role == "harness" and text.startswith(_COMPACTION)):
            role = "compaction"
        step = Step(role, source, lane=lane, text=text, time=time)
        if text:
            self.steps.append(step)
        for result in objects(mapping(value.get("observation")).get("results")):
            call = self.calls.get(string(result.get("source_call_id")))
            made = result_of(call, result, {}, source, time)
            if call is not None and call.result is None:
                call.result = made
            elif made.text and role == "compaction":
                step.text = made.text
            elif made.text:
                self.say("harness", made.text, source, time, lane=lane)
            self.references(result, step, call)

    def results(self, value: dict[str, Any], step: Step, extra: dict[str, Any]) -> None:
        results = sequence(mapping(value.get("observation")).get("results"))
        about_step = extra if len(results) == 1 else {}
        unnamed = sum(isinstance(r, dict) and not r.get("source_call_id") for r in results)
        for result in results:
            if not isinstance(result, dict):
                self.log.skip(None, "an observation result that is not an object; skipped")
                continue
            call = self.owner(result.get("source_call_id") or extra.get("tool_call_id"), step, unnamed)
            refers = self.references(result, step, call)
            if result.get("content") is None and refers:
                continue
            if call is not None and self.scripts.output(call.id, result.get("content"), step.source, step.time):
                continue
            if call is not None and call.name == "wait":
                cell = mapping(call.input).get("cell_id")
                self.scripts.waited(cell, result.get("content"), step.source, step.time)
            made = result_of(call, result, about_step, step.source, None)
            if call is not None and call.result is None:
                call.result = made
                self.spawned(call, result, about_step)
                if not step.calls and step.text == made.text:
                    self.steps.remove(step)
            elif made.text:
                self.say("harness", made.text, step.source, lane=step.lane)

    def owner(self, identity: Any, step: Step, unnamed: int) -> ToolCall | None:
        """The call of a result. Without ids, results are in the order of the calls; a single one is the last call's."""
        if isinstance(identity, str) and identity:
            found = next((c for c in step.calls if c.id == identity), None) or self.calls.get(identity)
            if found is not None:
                return found
        # Some writers give each result a step of its own.
        calls = step.calls or next((s.calls for s in self.steps[-2::-1] if s.lane == step.lane and s.calls), [])
        waiting = [c for c in calls if c.result is None]
        ran = [c for c in waiting if c.name not in ("mark_task_complete", "task_complete")] or waiting
        if not ran:
            return None
        return ran[0] if unnamed > 1 else ran[-1]

    def spawned(self, call: ToolCall, result: dict[str, Any], step_extra: dict[str, Any]) -> None:
        if not isinstance(call.action, Spawn):
            return
        extra = mapping(result.get("extra"))
        metadata = mapping(extra.get("tool_result_metadata") or step_extra.get("tool_result_metadata"))
        name = optional(mapping(metadata.get("tool_use_result")).get("agentId"))
        if name is not None:
            lane = self.lanes.setdefault(name, Lane(name, MAIN_LANE))
            call.action.lane, lane.parent_call = name, call.id
            lane.agent_type = optional(mapping(call.input).get("subagent_type")) or call.action.description
            lane.prompt = call.action.prompt

    def link_side_chains(self) -> None:
        """Joins side chains to the calls that started them, by the prompt if no id does; drops the empty ones."""
        used = {s.lane for s in self.steps}
        for name in [n for n in self.lanes if n not in used]:
            del self.lanes[name]
            for call in self.calls.values():
                if isinstance(call.action, Spawn) and call.action.lane == name:
                    call.action.lane = None
        open_calls = [c for s in self.steps for c in s.calls if isinstance(c.action, Spawn) and c.action.lane is None]
        for lane in self.lanes.values():
            first = next((s for s in self.steps if s.lane == lane.id), None)
            if lane.parent_call is not None or first is None:
                continue
            for call in open_calls:
                if isinstance(call.action, Spawn) and call.action.lane is None:
                    prompt = call.action.prompt.strip()
                    if prompt and first.text.strip() == prompt:
                        call.action.lane, lane.parent_call, lane.prompt = lane.id, call.id, call.action.prompt
                        break
        # Harbor leaves the prompt out: of one call and one side chain no other can be meant.
        waiting = [(c, c.action) for c in open_calls if isinstance(c.action, Spawn) and c.action.lane is None]
        left = [lane for lane in self.lanes.values() if lane.parent_call is None and lane.id != MAIN_LANE]
        if len(waiting) == len(left) == 1:
            waiting[0][1].lane, left[0].parent_call = left[0].id, waiting[0][0].id

    def references(self, result: dict[str, Any], step: Step, call: ToolCall | None) -> bool:
        refs = result.get("subagent_trajectory_ref")
        found = objects(refs if isinstance(refs, list) else [refs])
        for ref in found:
            name = optional(ref.get("trajectory_id")) or optional(ref.get("session_id"))
            path, about = optional(ref.get("trajectory_path")), mapping(ref.get("extra"))
            sub, log = self.embedded.get(name or ""), self.log
            if sub is None and path is not None:
                sub, log = self.file(path)
                name = name or Path(path).stem
            if sub is not None:
                self.subagent(name or "", sub, step.lane, call, about, log)
        return bool(found)

    def subagent(
        self,
        identity: str,
        document: dict[str, Any],
        parent: str,
        call: ToolCall | None,
        about: dict[str, Any],
        log: LogFile,
    ) -> None:
        if any(document is known for known in self.taken):
            return
        self.taken.append(document)
        while identity in self.lanes or identity == MAIN_LANE:
            identity += "+"
        agent = mapping(document.get("agent"))
        kind = optional(about.get("agent_name")) or optional(mapping(agent.get("extra")).get("subagent_name"))
        lane = Lane(identity, parent, call.id if call is not None else None, kind or optional(agent.get("name")))
        self.lanes[identity] = lane
        if call is not None and isinstance(call.action, Spawn):
            call.action.lane, lane.prompt = identity, call.action.prompt
        self.document(document, identity, log)

    def file(self, path: str) -> tuple[dict[str, Any] | None, LogFile]:
        """Another document that this one refers to, if it is there and was not read before."""
        log = self.log
        if log.path is None or "://" in path:
            return None, log
        target = log.path.parent / path
        if not target.is_file():
            target = log.path.parent / Path(path).name
        if not target.is_file() or target.resolve() in self.files:
            return None, log
        self.files.add(target.resolve())
        other = log.sibling(target)
        try:
            document = other.document()
        except LogError as error:
            log.skip(None, f"cannot be read ({error.reason})", file=str(target))
            return None, log
        return document if isinstance(document, dict) else None, other


def _known(value: Any) -> str | None:
    return value if isinstance(value, str) and value and value != "unknown" else None


# What an observation's result states, in the words of the tools that write ATIF. ATIF itself has only text. Converters
# keep the rest under ``extra`` of the result, or (older ones, with one call a step) of the step; Harbor's also rewrites
# the text of Claude Code's results, and keeps the original beside it.


_HEAD = re.compile(
    r"\A(?:Error: )?(?:<returncode>(-?\d+)</returncode>|Exit code:? (-?\d+)\b|Exit Code: (-?\d+)\b)"
    r"|^(?:Process|Command) exited with (?:code|status) (-?\d+)\b|^Exit Code: (-?\d+)\s*$",
    re.MULTILINE,
)
_TAIL = re.compile(
    r"^\[exit_code\] (-?\d+)\s*$|\[(?:The c|C)ommand (?:completed|finished) with exit code (-?\d+)\.?\]"
    r"|^\s*<return-?code>\s*(-?\d+)|^Exit Code: (-?\d+)\s*$|^\(?Command exited with code (-?\d+)\)?\s*$",
    re.MULTILINE,
)
_DENIED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "The user rejected this tool use",
    "User rejected",
)
_TMUX_KEY = re.compile(r"(?:C-.|M-.|Escape|Enter|Tab|Space|Up|Down|Left|Right|BSpace|F\d+)(?:\s+(?:C-.|Enter))*")
# The first line of what Codex writes above the output of a command.
_CODEX_HEADER = ("Chunk ID: ", "Wall time: ", "Exit code: ")
# What Harbor writes below what Claude Code's model saw: the parts of the tool's own result, and that it failed.
_FAILED = "\n\n[error] tool reported failure"
_PARTS = "\n[metadata] {"
_STREAMS = re.compile(r"\n(?:\n\[stdout\]\n|(?=\n\[stderr\]\n))")
_CODES = ("exit_code", "exit_status", "returncode", "return_code", "exitCode", "exec_exit_code")
_GOES_ON = re.compile(r"Command still running \(session ([\w-]+)")


def call_of(value: dict[str, Any], index: int, source: Source, time: float | None) -> ToolCall | None:
    name = value.get("function_name")
    if not isinstance(name, str) or not name:
        return None
    identity = value.get("tool_call_id")
    given = arguments(value.get("arguments"))
    call = ToolCall(optional(identity) or f"call-{index}", name, given, action_of(name, given), source, time=time)
    args = mapping(given)
    if isinstance(raw := args.get("raw_action"), str):
        call.action = interpret_action(raw, None, Viewer(), None)
    elif isinstance(keys := args.get("keystrokes"), str):
        # What Terminus types: a command line, keys for a running program, or nothing while it waits.
        if not keys.strip():
            call.action = Wait("terminal")
        elif _TMUX_KEY.fullmatch(keys.strip()) or not keys.endswith("\n"):
            call.action = ShellOutput(stdin=keys)
        else:
            call.action = Shell(keys.rstrip("\n"))
    elif name in ("mark_task_complete", "task_complete"):
        call.action = Finish()
    return call


def result_of(
    call: ToolCall | None, value: dict[str, Any], step_extra: dict[str, Any], source: Source, time: float | None
) -> Result:
    """The result; what it states about the call's action is written into the action.

    ``step_extra``: the step's ``extra``, {} unless it is about this one result.
    """
    extra = mapping(value.get("extra"))
    metadata = mapping(extra.get("tool_result_metadata") or step_extra.get("tool_result_metadata"))
    raw = mapping(metadata.get("raw_tool_result"))
    outcome = mapping(metadata.get("tool_use_result"))
    failed: bool | None = None
    if "content" in raw:
        text = text_of(raw["content"])
    else:
        text, failed, appended = _apart(text_of(value.get("content")))
        outcome = outcome or appended
    stated = iso_time(extra.get("timestamp"))
    result = Result(text, time=time if stated is None else stated, source=source)
    loose = mapping(step_extra.get("tool_metadata"))
    flags = (
        extra.get("is_error"),
        extra.get("tool_result_is_error"),
        raw.get("is_error"),
        metadata.get("is_error"),
        step_extra.get("tool_result_is_error"),
        not done if isinstance(done := extra.get("success"), bool) else None,
        failed,
    )
    result.is_error = next((given for given in flags if isinstance(given, bool)), None)
    result.exit_status = _code(extra, metadata, outcome, loose, step_extra)
    result.duration = _duration(extra, outcome, loose)
    result.interrupted = outcome.get("interrupted") is True or extra.get("interrupted") is True
    result.timed_out = extra.get("timed_out") is True or text.startswith("Command timed out after")
    result.denied = result.is_error is True and text.lstrip().startswith(_DENIED)
    if isinstance(outcome.get("stdout"), str):
        result.stdout = joined(outcome["stdout"], string(outcome.get("stderr")))
    if call is not None:
        _enrich(call, result, outcome)
    return result


def _apart(content: str) -> tuple[str, bool | None, dict[str, Any]]:
    """The text that the model saw, whether the tool failed (None: not stated), and the tool's own result."""
    if content.endswith(_FAILED):
        return content.removesuffix(_FAILED), True, {}
    before, mark, rest = content.rpartition(_PARTS)
    outcome = mapping(arguments("{" + rest)) if mark else {}
    if not outcome:
        return content, None, {}
    text, *printed = _STREAMS.split(before, maxsplit=1)
    if printed:
        out, _, err = printed[0].partition("\n[stderr]\n")
        outcome = {**outcome, "stdout": out, "stderr": err}
    return text.removesuffix("\n"), False, outcome


def _enrich(call: ToolCall, result: Result, outcome: dict[str, Any]) -> None:
    action = call.action
    raw = mapping(call.input).get("raw_action")
    if isinstance(raw, str) and refused(name_of(raw), result.text):
        result.is_error = True
    if isinstance(action, Shell | ShellOutput):
        if result.text.startswith(_CODEX_HEADER):
            read_result(result, is_command=True)
        if result.exit_status is None and result.shell_id is None:
            fill_from_text(result, call)
        if result.exit_status is None and result.shell_id is None and not result.interrupted:
            result.exit_status = stated_status(result.text)
        result.denied = result.denied or REFUSED.match(result.text) is not None
        goes_on = _GOES_ON.match(result.text)
        result.running = result.running or goes_on is not None
        identity = goes_on[1] if goes_on is not None else optional(outcome.get("backgroundTaskId"))
        if identity is not None and isinstance(action, Shell):
            action.background, result.shell_id = True, identity
    elif isinstance(action, Edit) and call.name == "apply_patch" and result.exit_status is None:
        result.exit_status = stated_status(result.text[:100])
    elif isinstance(action, Edit) and len(action.changes) == 1:
        change = action.changes[0]
        before = outcome.get("originalFile")
        if isinstance(before, str):
            change.before = before
        if outcome.get("type") == "update" and change.operation == "create":
            change.operation = "modify"


def stated_status(text: str) -> int | None:
    """The exit status that a shell result's text states where harnesses put it: in its first or last lines."""
    found = _HEAD.search(text[:400]) if "code" in text[:400].lower() else None
    if found is None and "code" in text[-400:].lower():
        found = _TAIL.search(text[-400:])
    return int(next(g for g in found.groups() if g is not None)) if found is not None else None


def _code(*sources: dict[str, Any]) -> int | None:
    found = (integer(fields.get(name)) for fields in sources for name in _CODES)
    return next((code for code in found if code is not None), None)


def _duration(*sources: dict[str, Any]) -> float | None:
    for fields in sources:
        for name, unit in (("duration_ms", 0.001), ("durationMs", 0.001), ("duration_seconds", 1.0), ("duration", 1.0)):
            value = fields.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
                return value * unit
    return None


# The token counts of a document, and what it states beside the steps


_WRITTEN = ("cache_creation_input_tokens", "cache_write_tokens", "cache_write_input_tokens", "cache_creation_tokens")
_THOUGHT = ("reasoning_tokens", "reasoning_output_tokens", "thoughts_tokens")


def _in_one_terminal(asked: Sequence[Any]) -> Iterator[Any]:
    """The calls of a step of Terminus: what is typed line by line shows in the terminal once, after the last line."""
    lines = ""
    for called, after in zip(asked, [*asked[1:], None], strict=False):
        keys, following = (string(mapping(mapping(c).get("arguments")).get("keystrokes")) for c in (called, after))
        lines += keys
        if keys.endswith("\n") and following.endswith("\n"):
            continue
        yield {**called, "arguments": {**mapping(called.get("arguments")), "keystrokes": lines}} if keys else called
        lines = ""


def usage_of(metrics: dict[str, Any], agent: str) -> TokenUsage | None:
    """Usage of one step's metrics: ATIF counts the cache inside the prompt, some converters only a part of it."""
    extra = mapping(metrics.get("extra"))
    prompt, output = first_count(metrics.get("prompt_tokens")), first_count(metrics.get("completion_tokens"))
    read = first_count(metrics.get("cached_tokens"), extra.get("cache_read_input_tokens"))
    write = first_count(*(extra.get(name) for name in _WRITTEN))
    details = mapping(extra.get("completion_tokens_details"))
    reasoning = first_count(*(extra.get(name) for name in _THOUGHT), details.get("reasoning_tokens"))
    if prompt is None and output is None:
        return None
    if agent == "opencode" and output is not None:
        output += reasoning or 0
    # Some converters exclude what was written to the cache from the prompt; then it must not be subtracted.
    inside = agent != "opencode" and (prompt or 0) >= (read or 0) + (write or 0)
    alone = agent == "openclaw"  # it excludes what was read as well
    return TokenUsage(
        uncached(prompt, None if alone else read, write if inside else None), read, write, output, reasoning
    )


def set_totals(trajectory: Trajectory, final: dict[str, Any]) -> None:
    agents = [s for s in trajectory.steps if s.role == "agent"]
    extra = {k.removeprefix("total_"): v for k, v in mapping(final.get("extra")).items()}
    metrics = {k.removeprefix("total_"): v for k, v in final.items() if k != "extra"} | {"extra": extra}
    stated = usage_of(metrics, trajectory.agent or "")
    known = trajectory.total_usage()
    if stated is not None and (stated.input or stated.output):
        missing = known is None or (any(s.usage is None for s in agents) and (stated.output or 0) > (known.output or 0))
        # Terminus counts the tokens of its summarising agents once more in the step after the summary.
        doubled = (trajectory.agent or "").startswith("terminus") and len({s.lane for s in agents}) > 1
        if missing or doubled:
            trajectory.usage = stated
    elif known is not None and any(s.usage is None for s in agents):
        trajectory.usage_complete = False


def leftovers(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the document states about the whole run and the model has no field for."""
    agent = mapping(document.get("agent"))
    rows: dict[str, Any] = {}
    for value in objects(document.get("steps")):
        row = {k: value[k] for k in ("reasoning_effort", "llm_call_count") if value.get(k) is not None}
        cost = mapping(value.get("metrics")).get("cost_usd")
        if cost is not None:
            row["cost_usd"] = cost
        extra = {k: v for k, v in mapping(value.get("extra")).items() if isinstance(v, str | int | float | bool)}
        if extra:
            row["extra"] = extra
        number = integer(value.get("step_id"))
        if row and number is not None:
            rows[str(number)] = row
    kept: dict[str, Any] = {
        "schema_version": document.get("schema_version"),
        "notes": document.get("notes"),
        "final_metrics": document.get("final_metrics"),
        "agent_extra": agent.get("extra"),
        "tool_definitions": agent.get("tool_definitions"),
        "steps": rows,
    }
    return {**mapping(document.get("extra")), "atif": {k: v for k, v in kept.items() if v}}


READERS: tuple[Reader, ...] = (HarborTrialReader(), AtifReader())
