"""Builds the steps of a trajectory from the recorded model calls: one lane per conversation."""

from __future__ import annotations

import re
from typing import Any

from ....base import journal as records
from ...logfile import LogFile
from ...model import MAIN_LANE, Action, Edit, Finish, Lane, Result, Shell, Source, Spawn, Step, ToolCall, Trajectory
from ...patches import parse_patch
from ...tools import interpret, text_of
from ...usage import TokenUsage
from ..shared.builder import SessionBuilder
from ..shared.usage import count
from ..shared.values import arguments, mapping, objects
from .records import Journal

SIDE_CALL = "side call"
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
# What agents without tools write their commands in.
_FENCED = re.compile(r"^```(?:bash|sh|shell|mswea_bash_command)[ \t]*\n(.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)


def build_steps(log: LogFile, journal: Journal, trajectory: Trajectory) -> None:
    """Fills in the trajectory's steps and lanes."""
    conversations = _Conversations(log, journal)
    conversations.run()
    trajectory.steps, trajectory.lanes = conversations.steps, conversations.lanes


class _Conversations(SessionBuilder):
    """The lanes of a run. Ids of calls are unique within a lane only: ``lane_calls`` has the calls by lane and id."""

    def __init__(self, log: LogFile, journal: Journal) -> None:
        super().__init__(log)
        self.journal = journal
        self.prompt = (journal.run.prompt or "").strip() if journal.run is not None else ""
        self.has_prompt = False
        self.replies = [str(note.data.get("text", "")).strip() for _, note in journal.notes if note.name == "reply"]
        self.lane_calls: dict[tuple[str, str], ToolCall] = {}
        self.first_text: dict[str, str] = {}
        self.lane_of: dict[str, str] = {}
        self.shown: dict[str, int] = {}

    def run(self) -> None:
        self._name_lanes()
        for line, record in self.journal.models:
            self._model_call(line, record)
        if self.prompt and not self.has_prompt:
            time = None if self.journal.run is None else self.journal.run.time
            self.steps.insert(0, Step("user", Source(self.journal.name, 1), text=self.prompt, time=time))

    def _name_lanes(self) -> None:
        threads: dict[str, list[records.Model]] = {}
        for _, record in self.journal.models:
            threads.setdefault(record.conversation, []).append(record)
        self.first_text = {name: "\n".join(_texts(calls[0], "user")) for name, calls in threads.items()}
        working = [
            name
            for name, calls in threads.items()
            if any(c.tools or objects(mapping(c.output).get("tool_calls")) for c in calls)
        ]
        asked = {name for name, text in self.first_text.items() if self.prompt and self.prompt in text}
        main = max(
            working or list(threads), key=lambda n: (n == "main", n in asked, len(threads[n]), -threads[n][0].time)
        )
        self.lane_of[main] = MAIN_LANE
        main_ended = max(c.time for c in threads[main])
        for name, calls in threads.items():
            if name == main:
                continue
            if name not in working:
                kind: str | None = SIDE_CALL if working else None
                self.lanes[name] = Lane(name, MAIN_LANE, agent_type=kind)
                self.lane_of[name] = name
            elif (calls[0].started or calls[0].time) >= main_ended and not self._is_task(name, threads, main):
                # The main conversation goes on under another name: its history was rewritten.
                self.lane_of[name] = MAIN_LANE
                main_ended = max(main_ended, *(c.time for c in calls))
            else:
                self.lanes[name] = Lane(name, MAIN_LANE, prompt=self.first_text[name] or None)
                self.lane_of[name] = name

    def _is_task(self, name: str, threads: dict[str, list[records.Model]], main: str) -> bool:
        """Whether a call of the main conversation contains this one's prompt."""
        text = self.first_text[name]
        for record in threads[main]:
            for call in objects(mapping(record.output).get("tool_calls")):
                action = interpret(str(call.get("name") or ""), arguments(call.get("arguments")))
                if isinstance(action, Spawn) and _gave(action, text):
                    return True
        return False

    def _adopt(self, lane: str, conversation: str) -> None:
        """Links a sub-agent's lane to the call that started it."""
        known = self.lanes.get(lane)
        if known is None or known.parent_call is not None or known.agent_type == SIDE_CALL:
            return
        text = self.first_text.get(conversation, "")
        for step in reversed(self.steps):
            for call in step.calls:
                if isinstance(call.action, Spawn) and call.action.lane is None and _gave(call.action, text):
                    call.action.lane = lane
                    known.parent, known.parent_call = step.lane, call.id
                    return

    def _model_call(self, line: int, record: records.Model) -> None:
        lane = self.lane_of[record.conversation]
        source = Source(self.journal.name, line)
        if lane != MAIN_LANE and lane not in self.last:
            self._adopt(lane, record.conversation)
        side = lane in self.lanes and self.lanes[lane].agent_type == SIDE_CALL
        if not side:
            # A message that is only sent in other words (a reminder, a cut output) is no rewritten history.
            compacted = lane in self.last and record.dropped * 2 > self.shown.get(lane, 0)
            if compacted:
                summary = "\n".join(_texts(record, "user"))
                self.say("compaction", summary, source, record.started, lane=lane)
                self.shown[lane] = 0
            for message in record.input:
                self._message(message, lane, source, record, compacted=compacted)
            self.shown[lane] = self.shown.get(lane, 0) + len(record.input) + 1
        self._answer(record, lane, source, side=side)

    def _message(self, message: Any, lane: str, source: Source, record: records.Model, *, compacted: bool) -> None:
        if not isinstance(message, dict):
            return
        role, text, time = message.get("role"), text_of(message.get("content")), record.started or record.time
        if role == "tool":
            self._result(message, text, lane, source, time)
        elif role == "user":
            self._said(text, lane, source, time, compacted=compacted)
        elif role == "system" and text.strip():
            self.say("harness", text, source, time, lane=lane)

    def _result(self, message: dict[str, Any], text: str, lane: str, source: Source, time: float) -> None:
        call = self.lane_calls.get((lane, str(message.get("tool_call_id"))))
        if call is None and lane in self.last:
            # Not every protocol has ids, but all keep the order.
            call = next((c for c in self.last[lane].calls if c.result is None), None)
        if call is None or call.result is not None:
            return
        error = message.get("error")
        problem = error if isinstance(error, str) else text_of(error)
        result = call.result = Result(text or problem, is_error=True if error else None, time=time, source=source)
        result.timed_out = isinstance(error, dict) and error.get("type") == "timeout"

    def _said(self, text: str, lane: str, source: Source, time: float, *, compacted: bool) -> None:
        """A text for the model. The task and recorded replies are the user's, all others are the harness's."""
        step = self.last.get(lane)
        call = step.calls[0] if step is not None and len(step.calls) == 1 else None
        if call is not None and call.name == "text" and call.result is None:
            call.result = Result(text, time=time, source=source)  # the output of a command that was written as text
            return
        if not text.strip() or compacted:
            return
        rest, own = text, _REMINDER.sub("", text).strip()
        if lane == MAIN_LANE and self.has_prompt and own in self.replies:
            self.replies.remove(own)
            self._user(own, source, time)
            rest = "\n".join(_REMINDER.findall(text))
        elif lane == MAIN_LANE and not self.has_prompt:
            if self.prompt and self.prompt in text:
                rest = text.replace(self.prompt, "", 1)
                self._user(self.prompt, source, time)
            elif not self.prompt and own:
                self._user(own, source, time)
                rest = "\n".join(_REMINDER.findall(text))
        if rest.strip():
            self.say("harness", rest.strip(), source, time, lane=lane)

    def _user(self, text: str, source: Source, time: float) -> None:
        self.has_prompt = True
        self.say("user", text, source, time)

    def _answer(self, record: records.Model, lane: str, source: Source, *, side: bool) -> None:
        usage = _usage(record.usage)
        output = record.output
        if output is None:
            if usage is not None or record.error is None:
                self.steps.append(Step("agent", source, lane=lane, usage=usage, model=record.model, time=record.time))
            else:
                self.say("harness", record.error, source, record.time, lane=lane)
            return
        step = self.begin(source, record.time, lane=lane, model=record.model)
        step.usage, step.message_id = usage, record.id
        if side:
            return
        step.text = text_of(output.get("content"))
        step.reasoning = text_of(output.get("reasoning"))
        for value in objects(output.get("tool_calls")):
            name, given = str(value.get("name") or ""), arguments(value.get("arguments"))
            call = self.call(step, str(value.get("id")), name, given, _action(name, given), source, record.time)
            self.lane_calls[(lane, call.id)] = call
        # The command of an agent that has no tools: the one fenced block of its answer.
        blocks = _FENCED.findall(step.text)
        if len(blocks) == 1 and not step.calls and not record.tools:
            self.call(step, record.id, "text", {"command": blocks[0]}, Shell(blocks[0]), source, record.time)


def _action(name: str, given: Any) -> Action:
    action = interpret(name, given)
    if name == "python" and isinstance(given, dict) and isinstance(given.get("code"), str):
        action = Shell(f"python3 - <<'EOF'\n{given['code']}\nEOF")
    if isinstance(action, Shell) and action.command.lstrip().startswith("apply_patch "):
        # Codex carries it out itself: no such program runs.
        changes = parse_patch(action.command)
        action = Edit(changes) if changes else action
    if isinstance(action, Finish) and not action.text and isinstance(given, dict):
        action.text = next((v for v in given.values() if isinstance(v, str)), "")
    return action


def _texts(record: records.Model, role: str) -> list[str]:
    return [
        text for m in objects(record.input) if m.get("role") == role and (text := text_of(m.get("content"))).strip()
    ]


def _gave(action: Spawn, text: str) -> bool:
    prompt = action.prompt.strip()
    return len(prompt) > 3 and prompt in text


def _usage(value: dict[str, int | None] | None) -> TokenUsage | None:
    return None if value is None else TokenUsage(*(count(value.get(name)) for name in TokenUsage.__struct_fields__))
