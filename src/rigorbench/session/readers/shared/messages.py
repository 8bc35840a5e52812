"""Sessions that are a list of messages: a role, and blocks of text, reasoning, calls and results."""

from __future__ import annotations

import re
from typing import Any

from ...logfile import LogFile
from ...model import Edit, Read, Result, Role, Source, Step, ToolCall
from ...tools import interpret, text_of
from .builder import SessionBuilder
from .values import arguments, flag, joined, mapping, optional, sequence, string

_TEXTS = ("text", "input_text", "output_text")
_THOUGHTS = ("thinking", "reasoning")
_CALLS = ("tool_use", "tool-call")
_RESULTS = ("tool_result", "tool-result")
# Blocks without words.
_MUTE = ("image", "image_url", "file", "document", "redacted_thinking", "redacted-reasoning", "source")


class MessageSession(SessionBuilder):
    """Formats override what a call does, what a result states, and who speaks in a text that the user's role has."""

    def __init__(self, log: LogFile) -> None:
        super().__init__(log)
        self.unnamed = 0  # calls without an id so far

    def message(self, role: str, content: Any, source: Source, time: float | None = None) -> Step | None:
        """Adds a message; the step, if it is a model's. A role that is not known is reported."""
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else sequence(content)
        self.at(time)
        if role not in ("user", "assistant", "tool", "system"):
            self.log.skip(source.line, f"a message of the unknown role {role[:40]!r}; skipped", file=source.file)
        elif role == "assistant":
            step = self.answer(source, time)
            for block in blocks:
                self.block(step, mapping(block), source, time)
            return step
        for block in blocks:
            self.block(None, mapping(block), source, time) if role in ("user", "tool") else None
        return None

    def block(self, step: Step | None, block: dict[str, Any], source: Source, time: float | None) -> None:
        """One block of a message: of the model's (``step``) or of the user's role."""
        kind = string(block.get("type"))
        if kind in _RESULTS:
            identity = optional(block.get("tool_use_id")) or optional(block.get("toolCallId"))
            self.close()
            self.deliver(identity, source, lambda call: self.receive(call, block, source, time))
        elif step is None and kind in _TEXTS:
            self.heard(string(block.get("text")), source, time)
        elif step is not None and kind in _TEXTS:
            step.text = joined(step.text, string(block.get("text")), by="\n\n")
        elif step is not None and kind in _THOUGHTS:
            thought = string(block.get("thinking")) or string(block.get("text"))
            step.reasoning = joined(step.reasoning, thought, by="\n\n")
        elif step is not None and kind in _CALLS:
            name = string(block.get("name")) or string(block.get("toolName"))
            given = block.get("input", block.get("args"))
            identity = optional(block.get("id")) or optional(block.get("toolCallId"))
            self.called(step, identity, name, arguments(given), source, time)
        elif kind not in _MUTE:
            self.log.skip(source.line, f"a block of the unknown kind {kind[:40]!r}; skipped", file=source.file)

    def called(
        self, step: Step, identity: str | None, name: str, given: Any, source: Source, time: float | None
    ) -> ToolCall:
        """Adds a call to the model's message."""
        self.unnamed += identity is None
        return self.call(step, identity or f"call {self.unnamed}", name, given, interpret(name, given), source, time)

    def receive(self, call: ToolCall, block: dict[str, Any], source: Source, time: float | None) -> None:
        """Gives a call its result."""
        text = text_of(block.get("content", block.get("result", block.get("output"))))
        self.settle(call, Result(text, is_error=flag(block.get("is_error")), time=time, source=source))

    def settle(self, call: ToolCall, result: Result) -> None:
        """Gives a call this result; what it shows of files is kept."""
        call.result = result
        if isinstance(call.action, Read) and not result.is_error:
            self.note_file(call.action.target)
        elif isinstance(call.action, Edit) and not result.is_error:
            self.note_edit(call.action)

    def heard(self, text: str, source: Source, time: float | None) -> None:
        """A text of the user's role: whose words it is."""
        if text:
            self.say("user", text, source, time)


def told_apart(text: str, query: re.Pattern[str]) -> list[tuple[Role, str]]:
    """The user's words that ``query`` finds in a text (its first group), and what the harness put around them."""
    parts: list[tuple[Role, str]] = []
    at = 0
    for found in query.finditer(text):
        parts += [("harness", text[at : found.start()].strip()), ("user", found[1].strip())]
        at = found.end()
    parts.append(("harness" if at else "user", text[at:].strip()))
    return [(role, words) for role, words in parts if words]
