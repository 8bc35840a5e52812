"""Matches shell calls to the commands that were seen to run, and adds the recorded facts to the calls."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ...model import ObservedProcess, Result, Shell, Source, ToolCall
from .records import ObservedCommand

# The model calls and the sandbox have the same clock; the report of a call may come a moment late.
SLACK = 0.75
# Programs of one command that are kept.
_MOST = 200
_CD = re.compile(r"(?<![\w./-])cd \S+ && ")
_EVAL = re.compile(r"(?:^|[\s;&|])eval\s+(?=\S)")


class Span(Struct):
    """A call and the time in which it was at work.

    Attributes:
        call: the call.
        step: number of its step.
        start: None: not known.
        end: None: not known.
        command: the command that was run for it (None: not a shell call, or none was seen).
    """

    call: ToolCall
    step: int
    start: float | None
    end: float | None
    command: ObservedCommand | None = None


def match(
    spans: Sequence[Span], commands: Sequence[ObservedCommand], inside: Mapping[str, Sequence[ObservedCommand]]
) -> None:
    """Sets the command of each shell call. Every command belongs to one call at most.

    First the engine's word about a command (its tag) decides, then equal texts, then one without the call's first
    ``cd``, then a text that contains the other, then one to whose words the agent's program has added (a trailer of a
    commit's message, an option); each call takes the earliest command that is left.

    Args:
        spans: the calls.
        commands: the commands that tools started.
        inside: the programs that ran in each command. A command that executed another program in its place may be
            named after that program.
    """
    shells = [(span, span.call.action) for span in spans if isinstance(span.call.action, Shell)]
    free = dict.fromkeys(c.record.id for c in commands)
    by_tag = {c.record.tag: c for c in commands if c.record.tag}
    texts = {c.record.id: _spellings(c, inside.get(c.record.id, ())) for c in commands}
    for span, _ in shells:
        tagged = by_tag.get(span.call.id)
        if tagged is not None and tagged.record.id in free:
            span.command = tagged
            del free[tagged.record.id]
    fits: tuple[Callable[[str, list[str]], bool], ...] = (_equal, _shortened, _within)
    tries = [*((fit, slack) for slack in (0.0, SLACK) for fit in fits), (_extended, 0.0), (_extended, SLACK)]
    for fit, slack in tries:
        for span, action in shells:
            if span.command is not None:
                continue
            # Inspect's tool for Python passes the code to the interpreter's standard input.
            text = "python3 -" if span.call.name == "python" else _plain(action.command)
            for command in commands:
                identity = command.record.id
                if identity in free and _in_time(span, command, slack) and fit(text, texts[identity]):
                    if fit is _shortened:
                        action.command, action.cwd = _as_it_ran(text, texts[identity]) or text, command.record.cwd
                    span.command = command
                    del free[identity]
                    break


def _in_time(span: Span, command: ObservedCommand, slack: float) -> bool:
    if span.start is not None and command.start < span.start - slack:
        return False
    return span.end is None or command.start <= span.end + slack


def _equal(text: str, spellings: list[str]) -> bool:
    return text in spellings


def _shortened(text: str, spellings: list[str]) -> bool:
    """Whether a command is the call's without some changes of the directory: Claude Code drops those to where it is."""
    return _as_it_ran(text, spellings) is not None


def _as_it_ran(text: str, spellings: list[str]) -> str | None:
    """The spelling of which the call's text is one with more changes of the directory."""
    bare = _CD.sub("", text)
    return next((s for s in spellings if len(s) < len(text) and _CD.sub("", s) == bare), None)


def _within(text: str, spellings: list[str]) -> bool:
    """Whether a command's text contains the call's, as a whole and not as a part of a longer word."""
    if not text:
        return False
    quoted = shlex.quote(text)
    for spelling in spellings:
        if quoted != text and quoted in spelling:
            return True
        at = spelling.find(text)
        while at >= 0:
            before, after = spelling[at - 1 : at], spelling[at + len(text) : at + len(text) + 1]
            if not (before.isalnum() or after.isalnum() or before in ("-", "/", "_") or after in ("-", "/", "_")):
                return True
            at = spelling.find(text, at + 1)
    return False


def _extended(text: str, spellings: list[str]) -> bool:
    """Whether a command has the call's words in their order, each as it is or with something added to its end."""
    words = _words(text)
    if len(words) < 2:
        return False
    for spelling in spellings:
        longer = iter(_words(spelling))
        if next(longer, None) == words[0] and all(any(w.startswith(word) for w in longer) for word in words[1:]):
            return True
    return False


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _spellings(command: ObservedCommand, inside: Sequence[ObservedCommand]) -> list[str]:
    """The texts under which a call may name a command: its arguments, its script, and what the script evaluates."""
    found = [_plain(shlex.join(command.record.argv))]
    for later in inside:
        if later.record.pid == command.record.pid and later.script is not None:
            found.insert(0, _plain(later.script))
    if command.script is not None:
        found.insert(0, _plain(command.script))
        for match_ in _EVAL.finditer(command.script):
            word = _shell_word(command.script[match_.end() :])
            if word:
                found.insert(0, _plain(word))
    return list(dict.fromkeys(found))


def _plain(text: str) -> str:
    """Text without what does not change a command: space at line ends and around it, carriage returns."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))


def _shell_word(text: str) -> str:
    """The first shell word of a text, its quoting undone; "" if it has none."""
    words = shlex.shlex(text, posix=True, punctuation_chars=True)
    words.whitespace_split, words.commenters = True, ""
    try:
        return words.get_token() or ""
    except ValueError:
        return ""


def add_facts(
    span: Span, command: ObservedCommand, inside: Sequence[ObservedCommand], *, output: bool, journal: str
) -> None:
    """Adds to a shell call what was recorded of its command: how it ended, where it ran, what it printed.

    Args:
        span: the call.
        command: its command.
        inside: the programs that ran in the command.
        output: whether outputs were recorded at all.
        journal: the journal's name.
    """
    call, action, ended = span.call, span.call.action, command.exit
    assert isinstance(action, Shell)
    result = call.result
    if result is None:
        if ended is None:
            return  # it still runs when the record ends: nothing came back
        result = call.result = Result(command.output, interrupted=True)
    if action.cwd is None:
        action.cwd = command.record.cwd
    result.programs = [
        ObservedProcess(c.record.argv, None if c.exit is None else c.exit.status, c.record.cwd) for c in inside[:_MOST]
    ]
    result.source = result.source or Source(journal, command.exit_line or command.line)
    if action.background and (ended is None or (result.time is not None and ended.time > result.time)):
        return  # it went on when the call returned
    if output and not command.output_lost and (command.printed or not result.text.strip()):
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


def distrust(result: Result) -> None:
    """The result of a call whose command was not seen to run: what it claims does not count."""
    result.not_observed = True
    result.exit_status = None
    result.is_error = None
    result.stdout = ""
