"""Builds one trajectory from the lines of Claude Code logs (persisted, streamed, sub-agents').

Everything is linked by id: blocks of one model call by ``message.id``, results by ``tool_use_id``, sub-agents by the
id of the call that started them. Position only decides the order of steps, so that shuffled and repeated lines do no
harm.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from typing import Any

from ...logfile import LogFile
from ...model import (
    MAIN_LANE,
    EndState,
    Other,
    Plan,
    PlanStatus,
    Read,
    Role,
    Shell,
    ShellOutput,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
    Wait,
)
from ...tools import interpret
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder
from ..shared.values import integer, joined, mapping, objects, optional, string
from .results import LinePlace, result_of, spawned_agent
from .text import reason_of, role_of, slash_command

_EXITED = re.compile(r"(?:\(|with )exit code (\d{1,9})\b")

_TASK_ID = re.compile(r"<task-id>(.+?)</task-id>", re.DOTALL)

SYNTHETIC = "<synthetic>"
COUNTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")


class ClaudeBuilder(SessionBuilder):
    """Collects one session; :meth:`finish` links what could only be linked at the end."""

    repeated_calls = "ignore"

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self._tokens: dict[str, dict[str, Any]] = {}
        self._stops: dict[str, str] = {}
        self._agents: dict[str, str] = {}  # Spawn call -> id of its sub-agent
        self._shells: set[str] = set()
        self._exits: dict[str, int] = {}  # background shell -> exit status, from a notification
        self._boundaries: dict[str, Step] = {}
        self._errors: list[Step] = []

    def agent(
        self, message: dict[str, Any], key: str | None, at: LinePlace, *, cwd: str | None = None, is_error: bool = False
    ) -> None:
        """One line of a model call. ``key`` identifies the call when the message has no id."""
        model, identity = optional(message.get("model")), optional(message.get("id"))
        if model == SYNTHETIC or is_error:
            # Written by the program (an API error, a limit, an empty answer), in the model's place.
            if notice := joined(*(string(block.get("text")) for block in blocks_of(message))):
                self._errors.append(self._say("harness", notice, at))
            return
        key = identity or key or f"line {at.source.line}"
        step = self.answers.get(key)
        if step is None:
            step = self.answers[key] = self.begin(at.source, at.time, lane=at.lane, model=model)
            step.message_id = identity
        for block in blocks_of(message):
            kind = string(block.get("type"))
            if kind == "text":
                step.text = joined(step.text, string(block.get("text")))
            elif kind == "thinking":
                step.reasoning = joined(step.reasoning, string(block.get("thinking")))
            elif kind.endswith("tool_use"):
                self._call(step, block, at, cwd)
            elif kind.endswith("tool_result"):
                self._result(block, {}, False, at)
        tokens = message.get("usage")
        if isinstance(tokens, dict):
            # The last snapshot of a call counts. Output only grows, so in a shuffled log the largest was the last.
            known = self._tokens.get(key, {})
            if (integer(tokens.get("output_tokens")) or 0) >= (integer(known.get("output_tokens")) or 0):
                self._tokens[key] = tokens
        if isinstance(stop := message.get("stop_reason"), str):
            self._stops[key] = stop

    def _call(self, step: Step, block: dict[str, Any], at: LinePlace, cwd: str | None) -> None:
        source, name, given = at.source, string(block.get("name")), block.get("input")
        identity = optional(block.get("id")) or f"{source.file}:{source.line}:{len(step.calls)}"
        if identity in self.calls:
            return
        action = interpret(name, given)
        if isinstance(action, Shell):
            if cwd is not None and action.cwd is None:
                action.cwd = cwd
        elif isinstance(action, Read) and self._shells and action.target.endswith(".output"):
            # The file into which a background command writes, named after the command's id.
            shell = action.target.replace("\\", "/").rsplit("/", 1)[-1][:-7]
            if shell in self._shells:
                action = ShellOutput(shell_id=shell)
        self.call(step, identity, name, given, action, source, at.time)

    def _result(self, block: dict[str, Any], outcome: dict[str, Any], refused: bool, at: LinePlace) -> None:
        identity = block.get("tool_use_id")
        receive = partial(self._receive, block, outcome, refused, at)
        self.deliver(identity if isinstance(identity, str) else None, at.source, receive)

    def _receive(
        self, block: dict[str, Any], outcome: dict[str, Any], refused: bool, at: LinePlace, call: ToolCall
    ) -> None:
        if call.result is not None and (not outcome or call.result.stdout is not None):
            return
        result = call.result = result_of(call, block, outcome, refused, at)
        if result.shell_id is not None:
            self._shells.add(result.shell_id)
        action = call.action
        if isinstance(action, Spawn):
            agent = spawned_agent(result, outcome)
            if agent is not None:
                self._agents[call.id] = agent
            if outcome.get("totalTokens") == 0:
                call.action = Other(action.prompt, inert=True)  # it never ran
        elif isinstance(action, ShellOutput):
            if mapping(outcome.get("task")).get("task_type") == "local_agent":
                call.action = Wait(action.shell_id or "")
            elif result.exit_status is None and action.shell_id is not None:
                result.exit_status = self._exits.get(action.shell_id)
        reason = reason_of(result.text) if result.denied else None
        if reason is not None:
            self._say("user", reason, at)

    def user(
        self,
        message: dict[str, Any],
        at: LinePlace,
        *,
        outcome: Any = None,
        refused: bool = False,
        harness: bool = False,
        summary: bool = False,
        parent: str | None = None,
    ) -> None:
        """A ``user`` line: tool results, a human's words, or the harness's."""
        texts: list[str] = []
        for block in blocks_of(message):
            if string(block.get("type")).endswith("tool_result"):
                self._result(block, mapping(outcome), refused, at)
            elif text := string(block.get("text")):
                texts.append(text)
        # One message may contain the editor's context, the human's words and a note on an interruption.
        spoken: list[str] = []
        for text in texts:
            if not (harness or summary or at.lane != MAIN_LANE) and role_of(text) == "user":
                spoken.append(text)
            else:
                self.words(text, at, harness=harness, summary=summary, parent=parent)
        self.words("\n".join(spoken), at)

    def words(
        self, text: str, at: LinePlace, *, harness: bool = False, summary: bool = False, parent: str | None = None
    ) -> None:
        """A text of a ``user`` line, by whoever wrote it."""
        if not text:
            return
        role: Role = role_of(text)
        if role != "interrupt" and (summary or (role == "compaction" and not harness)):
            boundary = self._boundaries.pop(parent, None) if parent is not None else None
            if boundary is not None and not boundary.text:
                boundary.text = text
                return
            role = "compaction"
        elif role != "interrupt" and at.lane != MAIN_LANE:
            self.lanes[at.lane].prompt = self.lanes[at.lane].prompt or text
            role = "harness"
        elif role == "harness":
            typed = slash_command(text)
            if typed is not None and not harness:
                role, text = "user", typed
            elif text.startswith("<task-notification>") and (task := _TASK_ID.search(text)) is not None:
                self.task_ended(task[1], text)
        elif role != "interrupt":
            role = "harness" if harness else "user"
        self._say(role, text, at)

    def _say(self, role: Role, text: str, at: LinePlace) -> Step:
        return self.say(role, text, at.source, at.time, lane=at.lane)

    def task_ended(self, task: str, summary: str) -> None:
        """A background task ended: remember the exit status that the notification states."""
        stated = _EXITED.search(summary)
        if stated is not None:
            self._exits[task] = int(stated[1])

    def boundary(self, uuid: str | None, at: LinePlace) -> None:
        """The history was summarised here; the summary follows in a line that names this one as its parent."""
        step = self._say("compaction", "", at)
        if uuid is not None:
            self._boundaries[uuid] = step

    def finish(self, trajectory: Trajectory) -> Trajectory:
        for key, tokens in self._tokens.items():
            thought = integer(mapping(tokens.get("output_tokens_details")).get("thinking_tokens"))
            kept = integer(mapping(tokens.get("cache_creation")).get("ephemeral_1h_input_tokens"))
            prompt, read, write, output = (integer(tokens.get(name)) for name in COUNTS)
            self.answers[key].usage = TokenUsage(prompt, read, write, output, thought, kept)
        self.link_lanes(self._agents)
        for lane in self.lanes.values():
            start = self.calls[lane.parent_call] if lane.parent_call in self.spawns else None
            if lane.agent_type is None and start is not None and isinstance(start.input, dict):
                kind = start.input.get("subagent_type")
                lane.agent_type = kind if isinstance(kind, str) else None
        for call in self.calls.values():
            result = call.result
            if isinstance(call.action, Shell) and result is not None and result.exit_status is None:
                result.exit_status = self._exits.get(result.shell_id or "")
        # Updates of a todo item name only its id: give them its text, and its status if the update does not change it.
        texts: dict[str, str] = {}
        states: dict[str, PlanStatus] = {}
        for step in self.steps:
            for call in step.calls:
                action = call.action
                if not isinstance(action, Plan) or action.mode == "mode":
                    continue
                for item in action.items:
                    if item.key is None:
                        continue
                    if item.text:
                        texts[item.key] = item.text
                    elif item.key in texts:
                        item.text = texts[item.key]
                    if action.update == "update" and isinstance(call.input, dict) and "status" not in call.input:
                        item.status = states.get(item.key, item.status)
                    states[item.key] = item.status
        models = Counter(s.model for s in self.steps if s.model is not None and s.lane == MAIN_LANE)
        if trajectory.model is None and models:
            trajectory.model = models.most_common(1)[0][0]
        if trajectory.end is None:
            trajectory.end = self._end()
        return super().finish(trajectory)

    def _end(self) -> EndState | None:
        for step in reversed(self.steps):
            if step.lane != MAIN_LANE:
                continue
            if step.role == "interrupt":
                return "interrupted"
            if step.role == "agent":
                if not step.calls:
                    stop = self._stops.get(step.message_id or "")
                    return "limit" if stop == "max_tokens" else "completed" if step.text else None
                return "interrupted" if any(c.result is not None and c.result.denied for c in step.calls) else None
            if "No response requested" not in step.text and any(step is error for error in self._errors):
                return "limit" if "limit" in step.text[:200].lower() else "error"
        return None

    def stopped(self, step: Step) -> bool:
        """Whether the log states why this model call ended (before that, its output count is a snapshot)."""
        return step.message_id in self._stops

    def all_stopped(self) -> bool:
        """:meth:`stopped` for each model call that has a count."""
        return self._tokens.keys() <= self._stops.keys()


def blocks_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return objects(content if isinstance(content, list) else [content])
