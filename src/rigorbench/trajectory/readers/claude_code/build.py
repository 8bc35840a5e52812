"""Puts the lines of Claude Code logs (persisted, streamed, sub-agents') together into one trajectory.

Everything is linked by id: blocks of one model call by ``message.id``, results by ``tool_use_id``, sub-agents by the
id of the call that started them. Position only decides the order of steps, so that shuffled and repeated lines are
harmless.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from ...logfile import LogFile
from ...model import (
    MAIN_LANE,
    EndState,
    Lane,
    Read,
    Role,
    Shell,
    ShellOutput,
    Source,
    Spawn,
    Step,
    ToolCall,
    Trajectory,
    Usage,
    Wait,
)
from ...tools import interpret
from .link import link_lanes, name_plan_items
from .results import result_of, spawned_agent
from .text import reason_of, role_of, slash_command
from .wire import Block, Message, Outcome, Part, Tokens, ToolOutcome

SYNTHETIC = "<synthetic>"


def seconds(stamp: str | None) -> float | None:
    """Seconds since the epoch of an ISO time; a time without zone is UTC. None if it is not a time."""
    if not stamp:
        return None
    try:
        time = datetime.fromisoformat(stamp)
        return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


class Builder:
    """Collects one session; :meth:`finish` links what could only be linked at the end."""

    def __init__(self, log: LogFile) -> None:
        self.log = log
        self.steps: list[Step] = []
        self.calls: dict[str, ToolCall] = {}
        self.lanes: dict[str, Lane] = {}
        self.started_at: float | None = None
        self.ended_at: float | None = None
        self.cwd: str | None = None
        self._messages: dict[str, Step] = {}
        self._tokens: dict[str, Tokens] = {}
        self._stops: dict[str, str | None] = {}
        self._early: dict[str, tuple[Block, ToolOutcome, bool, Source, float | None, str]] = {}
        self._seen: set[str] = set()
        self._spawns: dict[str, Step] = {}
        self._agents: dict[str, str] = {}  # Spawn call -> id of its sub-agent
        self._shells: set[str] = set()
        self._exits: dict[str, int] = {}  # background shell -> exit status, as a notification told it
        self._boundaries: dict[str, Step] = {}
        self._errors: set[int] = set()

    def fresh(self, uuid: str | None) -> bool:
        """Whether this line was not met before (in a progress line, a sub-agent's file, a repeated line)."""
        if uuid is None:
            return True
        if uuid in self._seen:
            return False
        self._seen.add(uuid)
        return True

    def at(self, stamp: str | None) -> float | None:
        time = seconds(stamp)
        if time is not None:
            if self.started_at is None or time < self.started_at:
                self.started_at = time
            if self.ended_at is None or time > self.ended_at:
                self.ended_at = time
        return time

    def lane(
        self,
        identity: str,
        *,
        parent_call: str | None = None,
        agent_type: str | None = None,
        prompt: str | None = None,
    ) -> Lane:
        lane = self.lanes.get(identity)
        if lane is None:
            lane = self.lanes[identity] = Lane(identity)
        if lane.parent_call is None:
            lane.parent_call = parent_call
        lane.agent_type = lane.agent_type or agent_type
        lane.prompt = lane.prompt or prompt
        return lane

    # -- model calls -------------------------------------------------------------------------------------------------

    def agent(
        self,
        message: Message,
        key: str | None,
        lane: str,
        source: Source,
        time: float | None,
        *,
        cwd: str | None = None,
        is_error: bool = False,
    ) -> None:
        """One line of a model call. ``key`` identifies the call when the message has no id."""
        content = message.content
        if message.model == SYNTHETIC or is_error:
            # Written by the program (an API error, a limit, an empty answer), in the model's place.
            notice = content if isinstance(content, str) else "\n".join(b.text for b in content or () if b.text)
            if notice:
                self._errors.add(id(self.say("harness", notice, lane, source, time)))
            return
        key = message.id or key or f"line {source.line}"
        step = self._messages.get(key)
        if step is None:
            step = Step("agent", source, lane, model=message.model, message_id=message.id, time=time)
            self._messages[key] = step
            self.steps.append(step)
        if isinstance(content, str):
            step.text = f"{step.text}\n{content}" if step.text else content
        elif content is not None:
            for block in content:
                kind = block.type
                if kind == "text":
                    text = block.text
                    if text:
                        step.text = f"{step.text}\n{text}" if step.text else text
                elif kind == "thinking":
                    thought = block.thinking
                    if thought:
                        step.reasoning = f"{step.reasoning}\n{thought}" if step.reasoning else thought
                elif kind.endswith("tool_use"):
                    self._call(step, block, source, time, cwd)
                elif kind.endswith("tool_result"):
                    self.result(block, None, False, source, time, lane)
        tokens = message.usage
        if tokens is not None:
            known = self._tokens.get(key)
            # The last snapshot of a call counts. Output only grows, so in a shuffled log the largest was the last.
            if known is None or (tokens.output_tokens or 0) >= (known.output_tokens or 0):
                self._tokens[key] = tokens
        if message.stop_reason is not None:
            self._stops[key] = message.stop_reason

    def _call(self, step: Step, block: Block, source: Source, time: float | None, cwd: str | None) -> None:
        identity = block.id or f"{source.file}:{source.line}:{len(step.calls)}"
        if identity in self.calls:
            return
        name = block.name or ""
        action = interpret(name, block.input)
        if isinstance(action, Shell):
            if cwd is not None and action.cwd is None:
                action.cwd = cwd
        elif isinstance(action, Spawn):
            self._spawns[identity] = step
        elif isinstance(action, Read) and self._shells and action.target.endswith(".output"):
            # The file into which a background command writes, named after the command's id.
            shell = action.target.replace("\\", "/").rsplit("/", 1)[-1][:-7]
            if shell in self._shells:
                action = ShellOutput(shell_id=shell)
        call = ToolCall(identity, name, block.input, action, source, None, time)
        step.calls.append(call)
        self.calls[identity] = call
        if self._early and identity in self._early:
            self.result(*self._early.pop(identity))

    # -- results -----------------------------------------------------------------------------------------------------

    def result(
        self, block: Block, outcome: ToolOutcome, refused: bool, source: Source, time: float | None, lane: str
    ) -> None:
        identity = block.tool_use_id
        call = self.calls.get(identity) if identity is not None else None
        if call is None:
            if identity is None:
                self.log.skip(source.line, "a tool result does not say whose it is; skipped", file=source.file)
            else:
                self._early[identity] = (block, outcome, refused, source, time, lane)
            return
        told = outcome if isinstance(outcome, Outcome) else None
        if call.result is not None and (told is None or call.result.stdout is not None):
            return
        result = call.result = result_of(call, block, told, refused, source, time)
        if result.shell_id is not None:
            self._shells.add(result.shell_id)
        action = call.action
        if isinstance(action, Spawn):
            agent = spawned_agent(result, told)
            if agent is not None:
                self._agents[call.id] = agent
        elif isinstance(action, ShellOutput):
            if told is not None and told.task is not None and told.task.task_type == "local_agent":
                call.action = Wait(action.shell_id or "")
            elif result.exit_status is None and action.shell_id is not None:
                result.exit_status = self._exits.get(action.shell_id)
        if result.denied:
            reason = reason_of(result.text)
            if reason is not None:
                self.say("user", reason, lane, source, time)

    # -- everything else ---------------------------------------------------------------------------------------------

    def say(self, role: Role, text: str, lane: str, source: Source, time: float | None) -> Step:
        step = Step(role, source, lane, text=text, time=time)
        self.steps.append(step)
        return step

    def user(
        self,
        message: Message,
        lane: str,
        source: Source,
        time: float | None,
        *,
        outcome: ToolOutcome = None,
        refused: bool = False,
        harness: bool = False,
        summary: bool = False,
        parent: str | None = None,
    ) -> None:
        """A ``user`` line: tool results, a human's words, or the harness's."""
        content = message.content
        if isinstance(content, str):
            self.words(content, lane, source, time, harness=harness, summary=summary, parent=parent)
            return
        texts: list[str] = []
        for block in content or ():
            if block.type.endswith("tool_result"):
                self.result(block, outcome, refused, source, time, lane)
            elif block.text:
                texts.append(block.text)
        # One message may hold the editor's context, the human's words and a note on an interruption: each for itself.
        spoken: list[str] = []
        for text in texts:
            if not (harness or summary or lane != MAIN_LANE) and role_of(text) == "user":
                spoken.append(text)
            else:
                self.words(text, lane, source, time, harness=harness, summary=summary, parent=parent)
        if spoken:
            self.words("\n".join(spoken), lane, source, time)

    def words(
        self,
        text: str,
        lane: str,
        source: Source,
        time: float | None,
        *,
        harness: bool = False,
        summary: bool = False,
        parent: str | None = None,
    ) -> None:
        if not text:
            return
        role: Role = role_of(text)
        if role == "interrupt":
            self.say(role, text, lane, source, time)
            return
        if summary or (role == "compaction" and not harness):
            boundary = self._boundaries.pop(parent, None) if parent is not None else None
            if boundary is not None and not boundary.text:
                boundary.text = text
            else:
                self.say("compaction", text, lane, source, time)
            return
        if lane != MAIN_LANE:
            self.lanes[lane].prompt = self.lanes[lane].prompt or text
            self.say("harness", text, lane, source, time)
            return
        if role == "harness":
            typed = slash_command(text)
            if typed is not None and not harness:
                self.say("user", typed, lane, source, time)
            else:
                self.say("harness", text, lane, source, time)
                if text.startswith("<task-notification>"):
                    self.notified(text)
            return
        self.say("harness" if harness else "user", text, lane, source, time)

    def notified(self, text: str) -> None:
        """A background task ended: remember what the notification says of its exit status."""
        task = _between(text, "<task-id>", "</task-id>")
        status = _between(text, "(exit code ", ")") or _between(text, "with exit code ", "<")
        if task and status and status.strip().isdigit():
            self._exits[task] = int(status)

    def boundary(self, uuid: str | None, lane: str, source: Source, time: float | None) -> None:
        """The history was summarised here; the summary follows in a line that names this one as its parent."""
        step = self.say("compaction", "", lane, source, time)
        if uuid is not None:
            self._boundaries[uuid] = step

    # -- the end -----------------------------------------------------------------------------------------------------

    def finish(self, trajectory: Trajectory) -> Trajectory:
        for block, _, _, source, _, _ in self._early.values():
            self.log.skip(
                source.line, f"a tool result without its call ({block.tool_use_id}); skipped", file=source.file
            )
        self._give_usage()
        if not link_lanes(self.lanes, self.calls, self._spawns, self._agents):
            trajectory.usage_complete = False
        name_plan_items(self.steps)
        trajectory.steps = self.steps
        trajectory.lanes = {MAIN_LANE: Lane(MAIN_LANE), **self.lanes}
        trajectory.started_at, trajectory.ended_at = self.started_at, self.ended_at
        models = Counter(s.model for s in self.steps if s.model is not None and s.lane == MAIN_LANE)
        if trajectory.model is None and models:
            trajectory.model = models.most_common(1)[0][0]
        if trajectory.end is None:
            trajectory.end = self._end()
        return trajectory

    def _give_usage(self) -> None:
        for key, tokens in self._tokens.items():
            details = tokens.output_tokens_details
            self._messages[key].usage = Usage(
                tokens.input_tokens,
                tokens.cache_read_input_tokens,
                tokens.cache_creation_input_tokens,
                tokens.output_tokens,
                details.thinking_tokens if details is not None else None,
            )

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
            if step.role == "harness" and id(step) in self._errors and "No response requested" not in step.text:
                return "limit" if "limit" in step.text[:200].lower() else "error"
        return None

    def stopped(self, step: Step) -> bool:
        """Whether the log says why this model call ended (before that, its output count is a snapshot)."""
        return step.message_id in self._stops


def text_of_prompt(prompt: str | list[Part] | None) -> str:
    if isinstance(prompt, str):
        return prompt
    return "\n".join(p.text for p in prompt or () if p.text)


def _between(text: str, start: str, end: str) -> str | None:
    at = text.find(start)
    if at < 0:
        return None
    stop = text.find(end, at + len(start))
    return text[at + len(start) : stop] if stop >= 0 else None
