"""From the recorded model calls to the steps of a trajectory: one lane per conversation."""

from __future__ import annotations

import re
from typing import Any

from ... import journal as records
from ...model import MAIN_LANE, Action, Finish, Lane, Result, Shell, Source, Spawn, Step, ToolCall, Trajectory, Usage
from ...tools import interpret, text_of
from ..shared.chat import arguments, count
from .records import Journal

SIDE_CALL = "side call"
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
# What agents without tools write their commands in.
_FENCED = re.compile(r"^```(?:bash|sh|shell|mswea_bash_command)[ \t]*\n(.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)


def build_steps(journal: Journal, trajectory: Trajectory) -> dict[int, float]:
    """Fill in the trajectory's steps and lanes; the time at which each call's results were sent on, by ``id(call)``."""
    return _Conversations(journal, trajectory).run()


class _Conversations:
    def __init__(self, journal: Journal, trajectory: Trajectory) -> None:
        self.journal, self.trajectory = journal, trajectory
        self.prompt = (journal.run.prompt or "").strip() if journal.run is not None else ""
        self.told_prompt = False
        self.calls: dict[tuple[str, str], ToolCall] = {}
        self.last: dict[str, Step] = {}
        self.sent: dict[int, float] = {}
        self.first_text: dict[str, str] = {}
        self.spawned: set[int] = set()
        self.lane_of: dict[str, str] = {}
        self.shown: dict[str, int] = {}

    def run(self) -> dict[int, float]:
        if not self.journal.models:
            return self.sent
        self._name_lanes()
        for line, record in self.journal.models:
            self._call(line, record)
        if self.prompt and not self.told_prompt:
            source = Source(self.journal.name, 1)
            self.trajectory.steps.insert(0, Step("user", source, text=self.prompt, time=self._first_time()))
        return self.sent

    def _first_time(self) -> float | None:
        return None if self.journal.run is None else self.journal.run.time

    # Lanes

    def _name_lanes(self) -> None:
        threads: dict[str, list[records.Model]] = {}
        for _, record in self.journal.models:
            threads.setdefault(record.conversation, []).append(record)
        self.first_text = {name: "\n".join(_texts(calls[0], "user")) for name, calls in threads.items()}
        working = [name for name, calls in threads.items() if any(c.tools or _tool_calls(c.output) for c in calls)]
        candidates = working or list(threads)
        main = max(
            candidates,
            key=lambda n: (
                n == "main",
                bool(self.prompt) and self.prompt in self.first_text[n],
                len(threads[n]),
                -threads[n][0].time,
            ),
        )
        self.lane_of[main] = MAIN_LANE
        over = max(c.time for c in threads[main])
        for name, calls in threads.items():
            if name == main:
                continue
            if name not in working:
                kind: str | None = SIDE_CALL if working else None
                self.trajectory.lanes[name] = Lane(name, MAIN_LANE, agent_type=kind)
                self.lane_of[name] = name
            elif (calls[0].started or calls[0].time) >= over and not self._is_task(name, threads, main):
                # The same strand of work goes on under another name: its history was rewritten.
                self.lane_of[name] = MAIN_LANE
                over = max(over, *(c.time for c in calls))
            else:
                self.trajectory.lanes[name] = Lane(name, MAIN_LANE, prompt=self.first_text[name] or None)
                self.lane_of[name] = name

    def _is_task(self, name: str, threads: dict[str, list[records.Model]], main: str) -> bool:
        """Whether a call of the main conversation gave this one its prompt."""
        text = self.first_text[name]
        for record in threads[main]:
            for call in _tool_calls(record.output):
                action = interpret(str(call.get("name") or ""), arguments(call.get("arguments")))
                if isinstance(action, Spawn) and _gave(action, text):
                    return True
        return False

    def _adopt(self, lane: str, conversation: str) -> None:
        """Link a sub-agent's lane to the call that started it."""
        known = self.trajectory.lanes.get(lane)
        if known is None or known.parent_call is not None or known.agent_type == SIDE_CALL:
            return
        text = self.first_text.get(conversation, "")
        for step in reversed(self.trajectory.steps):
            for call in step.calls:
                if isinstance(call.action, Spawn) and id(call) not in self.spawned and _gave(call.action, text):
                    self.spawned.add(id(call))
                    call.action.lane = lane
                    known.parent, known.parent_call = step.lane, call.id
                    return

    # Model calls

    def _call(self, line: int, record: records.Model) -> None:
        lane = self.lane_of[record.conversation]
        source = Source(self.journal.name, line)
        if lane != MAIN_LANE and lane not in self.last:
            self._adopt(lane, record.conversation)
        side = lane in self.trajectory.lanes and self.trajectory.lanes[lane].agent_type == SIDE_CALL
        if not side:
            # A message that is merely sent in other words (a reminder, a cut output) is no rewritten history.
            compacted = lane in self.last and record.dropped * 2 > self.shown.get(lane, 0)
            if compacted:
                summary = "\n".join(_texts(record, "user"))
                self.trajectory.steps.append(Step("compaction", source, lane=lane, text=summary, time=record.started))
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
            self.trajectory.steps.append(Step("harness", source, lane=lane, text=text, time=time))

    def _result(self, message: dict[str, Any], text: str, lane: str, source: Source, time: float) -> None:
        call = self.calls.get((lane, str(message.get("tool_call_id")))) or self._unanswered(lane)
        if call is None or call.result is not None:
            return
        error = message.get("error")
        problem = error if isinstance(error, str) else text_of(error)
        failed = bool(error)
        result = call.result = Result(text or problem, is_error=True if failed else None, time=time, source=source)
        if failed and isinstance(error, dict) and error.get("type") == "timeout":
            result.timed_out = True
        self.sent[id(call)] = time

    def _unanswered(self, lane: str) -> ToolCall | None:
        """The call that an answer with an unknown id belongs to: not every protocol carries ids, but all keep order."""
        step = self.last.get(lane)
        return next((c for c in step.calls if c.result is None), None) if step is not None else None

    def _said(self, text: str, lane: str, source: Source, time: float, *, compacted: bool) -> None:
        """Words put before the model. The task is the user's, all others are the harness's."""
        answered = self._observation(lane, text, source, time)
        if not text.strip() or answered or compacted:
            return
        rest = text
        if lane == MAIN_LANE and not self.told_prompt:
            if self.prompt and self.prompt in text:
                rest = text.replace(self.prompt, "", 1)
                self._user(self.prompt, source, time)
            elif not self.prompt:
                own = _REMINDER.sub("", text).strip()
                if own:
                    self._user(own, source, time)
                    rest = "\n".join(_REMINDER.findall(text))
        if rest.strip():
            self.trajectory.steps.append(Step("harness", source, lane=lane, text=rest.strip(), time=time))

    def _user(self, text: str, source: Source, time: float) -> None:
        self.told_prompt = True
        self.trajectory.steps.append(Step("user", source, text=text, time=time))

    def _observation(self, lane: str, text: str, source: Source, time: float) -> bool:
        """Whether a message is what came back from a command that the agent wrote as text."""
        step = self.last.get(lane)
        call = step.calls[0] if step is not None and len(step.calls) == 1 else None
        if call is None or call.name != "text" or call.result is not None:
            return False
        call.result = Result(text, time=time, source=source)
        self.sent[id(call)] = time
        return True

    def _answer(self, record: records.Model, lane: str, source: Source, *, side: bool) -> None:
        usage = _usage(record.usage)
        output = record.output
        if output is None:
            if usage is not None or record.error is None:
                self.trajectory.steps.append(
                    Step("agent", source, lane=lane, usage=usage, model=record.model, time=record.time)
                )
            else:
                self.trajectory.steps.append(Step("harness", source, lane=lane, text=record.error, time=record.time))
            return
        step = Step("agent", source, lane=lane, usage=usage, model=record.model, time=record.time, message_id=record.id)
        if not side:
            step.text = text_of(output.get("content"))
            step.reasoning = text_of(output.get("reasoning"))
            for value in _tool_calls(output):
                name, given = str(value.get("name") or ""), arguments(value.get("arguments"))
                call = ToolCall(str(value.get("id")), name, given, _action(name, given), source, time=record.time)
                step.calls.append(call)
                self.calls[(lane, call.id)] = call
            if not step.calls and not record.tools:
                self._written(step, source, record)
        self.trajectory.steps.append(step)
        self.last[lane] = step

    def _written(self, step: Step, source: Source, record: records.Model) -> None:
        """The command of an agent that has no tools: the one fenced block of its answer."""
        blocks = _FENCED.findall(step.text)
        if len(blocks) == 1:
            call = ToolCall(record.id, "text", {"command": blocks[0]}, Shell(blocks[0]), source, time=record.time)
            step.calls.append(call)


def _action(name: str, given: Any) -> Action:
    action = interpret(name, given)
    if name == "python" and isinstance(given, dict) and isinstance(given.get("code"), str):
        action = Shell(f"python3 - <<'EOF'\n{given['code']}\nEOF")
    if isinstance(action, Finish) and not action.text and isinstance(given, dict):
        action.text = next((v for v in given.values() if isinstance(v, str)), "")
    return action


def _tool_calls(message: Any) -> list[dict[str, Any]]:
    found = message.get("tool_calls") if isinstance(message, dict) else None
    return [c for c in found if isinstance(c, dict)] if isinstance(found, list) else []


def _texts(record: records.Model, role: str) -> list[str]:
    return [
        text
        for m in record.input
        if isinstance(m, dict) and m.get("role") == role and (text := text_of(m.get("content"))).strip()
    ]


def _gave(action: Spawn, text: str) -> bool:
    prompt = action.prompt.strip()
    return len(prompt) > 3 and prompt in text


def _usage(value: dict[str, int | None] | None) -> Usage | None:
    if value is None:
        return None
    names = Usage.__struct_fields__
    return Usage(**{n: count(value.get(n)) for n in names})
