"""Processes that outlive their call: what later calls show of them belongs to the command that started them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace as copy

from ...session.model import Result, Shell, ShellOutput, ToolCall
from ..events import Position
from .found import Found

_INTERRUPT = "\x03"


class _Process(Struct):
    """A command that goes on. ``edits``: how many edits there were when it was started."""

    call: ToolCall
    at: Position
    edits: int
    chunks: list[Result]
    interrupted: bool = False

    def joined(self, *, ended: bool) -> ToolCall:
        """The call, as if it had returned when the process ended, or when it was last asked for."""
        first, last = self.chunks[0], self.chunks[-1]
        result = copy(
            first,
            text="".join(_output(chunk) for chunk in self.chunks),
            stdout=None,
            exit_status=None if self.interrupted else last.exit_status,
            time=last.time,
            duration=None,
            interrupted=not ended,
            timed_out=last.timed_out,
            truncated=any(chunk.truncated for chunk in self.chunks),
            shell_id=None,
        )
        return copy(self.call, result=result)


class Processes:
    """The processes that go on at one point of the session, by lane and id."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self._running: dict[tuple[str, str], _Process] = {}

    def goes_on(self, call: ToolCall, action: Shell, at: Position) -> bool:
        """Whether a call returned before its command ended, without having been told not to wait for it."""
        result = call.result
        if result is None or result.shell_id is None or result.exit_status is not None or action.background:
            return False
        self._running[at.lane, result.shell_id] = _Process(call, at, len(self.found.edits), [result])
        return True

    def asked(self, action: ShellOutput, result: Result | None, at: Position) -> tuple[ToolCall, Position] | None:
        """Takes what a call shows of a process. If the process has ended: its call, and where it belongs.

        A command that ended after later edits stays where it was started: it did not see them.
        """
        process = self._running.get((at.lane, action.shell_id or ""))
        if process is None or result is None:
            return None
        process.chunks.append(result)
        process.interrupted = process.interrupted or _INTERRUPT in (action.stdin or "")
        if result.exit_status is None:
            return None
        del self._running[at.lane, action.shell_id or ""]
        return process.joined(ended=True), at if len(self.found.edits) == process.edits else process.at

    def left(self) -> Iterator[tuple[ToolCall, Position]]:
        """The processes of which the log does not show that they ended."""
        for process in self._running.values():
            yield process.joined(ended=False), process.at


def _output(result: Result) -> str:
    return result.stdout if result.stdout is not None else result.text
