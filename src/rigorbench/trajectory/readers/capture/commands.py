"""Which command of the sandbox a shell call was, and what the witness knows of it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ...model import Result, SeenProgram, Shell, Source, ToolCall
from .records import SeenCommand

# The clock of the model call and that of the sandbox are one; what is told of a call may come a moment late.
_SLACK = 0.75
# Programs of one command that are kept.
_MOST = 200
_EVAL = re.compile(r"(?:^|[\s;&|])eval\s+(?=\S)")


class Window(Struct):
    """A call with the time in which its command must have been started (None: not known)."""

    call: ToolCall
    action: Shell
    step: int
    start: float | None
    end: float | None


def match(
    windows: Sequence[Window], commands: Sequence[SeenCommand], inside: Mapping[str, Sequence[SeenCommand]]
) -> dict[int, SeenCommand]:
    """The command of each call, by the call's ``id()``. Every command is at most one call's.

    What the engine said of a command (its tag) decides first, then equal texts, then a text that holds the other; each
    call takes the earliest that is left. ``inside``: the programs that ran in each command: what a command became by
    executing another program in its place names it as well.
    """
    found: dict[int, SeenCommand] = {}
    free = dict.fromkeys(c.record.id for c in commands)
    by_tag = {c.record.tag: c for c in commands if c.record.tag}
    texts = {c.record.id: _spellings(c, inside.get(c.record.id, ())) for c in commands}
    for window in windows:
        tagged = by_tag.get(window.call.id)
        if tagged is not None and tagged.record.id in free:
            found[id(window.call)] = tagged
            del free[tagged.record.id]
    fits: tuple[Callable[[str, list[str]], bool], ...] = (_equal, _within)
    for fit, slack in ((fit, slack) for slack in (0.0, _SLACK) for fit in fits):
        for window in windows:
            if id(window.call) in found:
                continue
            wanted = _wanted(window)
            for command in commands:
                if (
                    command.record.id in free
                    and _in_time(window, command, slack)
                    and fit(wanted, texts[command.record.id])
                ):
                    found[id(window.call)] = command
                    del free[command.record.id]
                    break
    return found


def _wanted(window: Window) -> str:
    # Inspect's tool for Python hands the code to the interpreter's standard input.
    return "python3 -" if window.call.name == "python" else _plain(window.action.command)


def _in_time(window: Window, command: SeenCommand, slack: float) -> bool:
    if window.start is not None and command.start < window.start - slack:
        return False
    return window.end is None or command.start <= window.end + slack


def _equal(wanted: str, spellings: list[str]) -> bool:
    return any(wanted == text for text in spellings)


def _within(wanted: str, spellings: list[str]) -> bool:
    """Whether a command's text holds the call's, as a whole and not as a part of a longer word."""
    if not wanted:
        return False
    quoted = shlex.quote(wanted)
    for text in spellings:
        if quoted != wanted and quoted in text:
            return True
        at = text.find(wanted)
        while at >= 0:
            before, after = text[at - 1 : at], text[at + len(wanted) : at + len(wanted) + 1]
            if not (before.isalnum() or after.isalnum() or before in ("-", "/", "_") or after in ("-", "/", "_")):
                return True
            at = text.find(wanted, at + 1)
    return False


def _spellings(command: SeenCommand, inside: Sequence[SeenCommand]) -> list[str]:
    """The texts under which a call may name a command: its arguments, its script, and what the script evaluates."""
    found = [_plain(shlex.join(command.record.argv))]
    for later in inside:
        if later.record.pid == command.record.pid and later.script is not None:
            found.insert(0, _plain(later.script))
    if command.script is not None:
        found.insert(0, _plain(command.script))
        for match_ in _EVAL.finditer(command.script):
            word = _shell_word(command.script, match_.end())
            if word:
                found.insert(0, _plain(word))
    return list(dict.fromkeys(found))


def _plain(text: str) -> str:
    """Text without what does not change a command: space at line ends and around it, Windows' line ends."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))


def _shell_word(text: str, at: int) -> str:
    """The shell word that begins at ``at``, its quoting undone."""
    out: list[str] = []
    end = len(text)
    while at < end and not text[at].isspace() and text[at] not in ";&|<>()":
        c = text[at]
        if c == "'":
            close = text.find("'", at + 1)
            close = end if close < 0 else close
            out.append(text[at + 1 : close])
            at = close + 1
        elif c == '"':
            at += 1
            while at < end and text[at] != '"':
                if text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\", "$", "`", "\n"):
                    at += 1
                    if text[at] == "\n":
                        at += 1
                        continue
                out.append(text[at : at + 1])
                at += 1
            at += 1
        elif c == "\\":
            out.append(text[at + 1 : at + 2])
            at += 2
        else:
            out.append(c)
            at += 1
    return "".join(out)


def tell(
    call: ToolCall, action: Shell, command: SeenCommand, inside: Sequence[SeenCommand], *, hears: bool, journal: str
) -> None:
    """Put what the witness knows of a call's command into the call: how it ended, where it ran, what it printed.

    ``inside``: the programs that ran in it; ``hears``: outputs were recorded at all.
    """
    ended = command.exit
    result = call.result
    if result is None:
        if ended is None:
            return  # still at it when the record ends: nothing came back
        result = call.result = Result("")
        result.text = command.output
        result.interrupted = True
    if action.cwd is None:
        action.cwd = command.record.cwd
    result.programs = [SeenProgram(c.record.argv, None if c.exit is None else c.exit.status) for c in inside[:_MOST]]
    result.source = result.source or Source(journal, command.exit_line or command.line)
    if action.background and (ended is None or (result.time is not None and ended.time > result.time)):
        return  # it went on when the call came back
    if hears and not command.unheard and (command.printed or not result.text.strip()):
        result.stdout = command.output
        result.truncated = result.truncated or command.cut
    if ended is None:
        result.exit_status = None
        return
    result.exit_status = ended.status
    result.duration = max(0.0, ended.time - command.start)
    result.time = ended.time if result.time is None else min(result.time, max(ended.time, command.start))
    if ended.reason == "timeout":
        result.timed_out = True
    if ended.reason == "lost":
        result.exit_status = None


def disown(call: ToolCall) -> None:
    """A call whose command no witness saw: nothing that is said of it is believed."""
    result = call.result
    if result is None:
        return
    result.unseen = True
    result.exit_status = None
    result.is_error = None
    result.stdout = ""
