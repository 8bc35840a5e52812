"""Attributes what was recorded to the calls: shell calls to the commands that were seen to run, changes to calls."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from ....base import journal as records
from ...logfile import LogFile
from ...model import (
    Edit,
    FileChange,
    ObservedProcess,
    Other,
    RecordedRun,
    Result,
    Shell,
    Source,
    Spawn,
    ToolCall,
    Trajectory,
    TreeState,
)
from .records import Journal, ObservedCommand
from .store import MissingObject, TreeReader, changes

# The model calls and the sandbox have the same clock; the report of a call may come a moment late.
SLACK = 0.75
# Programs of one command that are kept.
_MOST = 200
_CD = re.compile(r"(?<![\w./-])cd \S+ && ")
_EVAL = re.compile(r"(?:^|[\s;&|])eval\s+(?=\S)")


class Span(Struct):
    """A call, the number of its step, the time in which it was at work, and the command that was run for it."""

    call: ToolCall
    step: int
    start: float | None
    end: float | None
    command: ObservedCommand | None = None

    def may_have_run(self, command: ObservedCommand, slack: float = SLACK) -> bool:
        """Whether a command began while the call was at work."""
        begun = self.start is None or command.start >= self.start - slack
        return begun and (self.end is None or command.start <= self.end + slack)


def match(
    spans: Sequence[Span], commands: Sequence[ObservedCommand], inside: Mapping[str, Sequence[ObservedCommand]]
) -> None:
    """Sets the command of each shell call. Every command belongs to one call at most.

    First the engine's word about a command (its tag) decides, then equal texts, then one without the call's first
    ``cd``, then a text that contains the other, then one to whose words the agent's program has added (a trailer of a
    commit's message, an option), then one that is nearly equal; each call takes the earliest command that is left.

    ``inside``: the programs that ran in each command. One that executed another program in its place may be named
    after that program.
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
    fits: tuple[Callable[[str, list[str]], object], ...] = (lambda text, texts: text in texts, _as_it_ran, _within)
    tries = [(fit, slack) for some in (fits, (_extended,), (_nearly,)) for slack in (0.0, SLACK) for fit in some]
    for fit, slack in tries:
        for span, action in shells:
            if span.command is not None:
                continue
            # Inspect's tool for Python passes the code to the interpreter's standard input.
            text = "python3 -" if span.call.name == "python" else _plain(action.command)
            for command in commands:
                identity = command.record.id
                if identity not in free or not span.may_have_run(command, slack):
                    continue
                if found := fit(text, texts[identity]):
                    if isinstance(found, str):
                        action.command, action.cwd = found, command.record.cwd
                    span.command = command
                    del free[identity]
                    break


def _as_it_ran(text: str, spellings: list[str]) -> str | None:
    """The spelling of which the call's text is one with more changes of the directory: Claude Code drops some."""
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


def _nearly(text: str, spellings: list[str]) -> str | None:
    """The spelling that is nearly the call's text: an agent's program may write out escapes of what a model sends."""
    from rapidfuzz import fuzz

    bare = _CD.sub("", text)
    return next((s for s in spellings if fuzz.ratio(_CD.sub("", s), bare, score_cutoff=95)), None)


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
            words = shlex.shlex(command.script[match_.end() :], posix=True, punctuation_chars=True)
            words.whitespace_split, words.commenters = True, ""
            with suppress(ValueError):
                if word := words.get_token():
                    found.insert(0, _plain(word))
    return list(dict.fromkeys(found))


def _plain(text: str) -> str:
    """Text without what does not change a command: space at line ends and around it, carriage returns."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))


def add_facts(
    span: Span, command: ObservedCommand, inside: Sequence[ObservedCommand], *, output: bool, journal: str
) -> None:
    """Adds to a shell call what was recorded of its command: how it ended, where it ran, what it printed.

    ``inside``: the programs that ran in the command. ``output``: whether outputs were recorded at all.
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


BACKGROUND = "background"


class Attribution:
    """Attributes every change of the tree to the call that made it, or to none: then it happened in the background."""

    def __init__(
        self, log: LogFile, journal: Journal, store: TreeReader, trajectory: Trajectory, spans: list[Span]
    ) -> None:
        self.log, self.journal, self.store, self.trajectory, self.spans = log, journal, store, trajectory, spans
        self.root = "" if journal.run is None else journal.run.root.rstrip("/")
        self.owners = {s.command.record.id: s for s in spans if s.command is not None}
        self.at_start: set[str] = set()
        self.guessed: list[tuple[Span, FileChange, TreeState]] = []
        """Changes seen while several commands were at work, with the call that started last."""
        self.in_background = 0

    def run(self, recording: RecordedRun) -> None:
        """Fills in the calls' ``observed`` and the recording's snapshots."""
        previous = recording.start_tree
        if previous is not None:
            self._note_start(previous)
        for span in self.spans:
            span.call.observed = []
        for line, record in self.journal.trees:
            source = Source(self.journal.name, line)
            state = TreeState(record.tree, record.cause, source, record.time)
            if record.cause == "start" or previous is None:
                previous = record.tree
                if recording.start_tree is None:
                    recording.start_tree = record.tree
                    self._note_start(record.tree)
            elif record.tree != previous:
                try:
                    found = changes(self.store, previous, record.tree, self.at_start)
                except MissingObject as missing:
                    self.log.skip(line, f"the tree {record.tree[:12]} is incomplete in the store ({missing}); left out")
                    continue
                previous = record.tree
                if found:
                    self._attribute(found, line, record, state)
            recording.snapshots.append(state)

    def _note_start(self, tree: str) -> None:
        try:
            self.at_start = set(self.store.files(tree))
        except MissingObject:
            self.log.skip(None, f"the start tree {tree[:12]} is missing from the store")

    def _attribute(self, found: list[FileChange], line: int, record: records.TreeRecord, state: TreeState) -> None:
        owner = self._owner(record)
        if owner is not None:
            self._claim(owner, {change.path for change in found})
            # Nobody looks between the calls of a message: an edit without a command is seen with the next command.
            message = [s for s in self.spans if s.step == owner.step]
            earlier = [s for s in reversed(message[: message.index(owner)]) if s.command is None]
            makers = [next((s for s in earlier if self._names(s.call, change)), owner) for change in found]
            # The state that a command leaves is its own, whatever of it is seen late.
            for made in sorted(zip(found, makers, strict=True), key=lambda pair: pair[1] is owner):
                self._add(made[1], [made[0]], state)
            return
        rest: list[FileChange] = []
        for change in found:
            maker = None if record.cause == "after" else self._maker(change, record.time)
            if maker is None:
                rest.append(change)
            else:
                self._add(maker, [change], state)
        if not rest:
            return
        # The last started command at work, if all of them belong to calls.
        at_work = [c for c in self.journal.tool_commands() if c.at_work(record.time) and not c.is_waiting_shell]
        owners = [self.owners.get(c.record.id) for c in at_work if record.cause != "after"]
        only = owners[-1] if owners and None not in owners else None
        if only is None and record.cause in ("model", "before", "end"):
            only = self._only_tool(record.time)
        if only is not None:
            self._add(only, rest, state)
            self.guessed += [(only, change, state) for change in rest]
        else:
            self._in_background(rest, line, record, state)

    def _owner(self, record: records.TreeRecord) -> Span | None:
        """The call whose command it was; what a command leaves running and does later has no owner."""
        if record.command is None or record.cause == "before":
            return None
        command = self.journal.tool_command(record.command)
        if command is None or (record.cause != "after" and not command.at_work(record.time)):
            return None
        return self.owners.get(command.record.id)

    def _claim(self, owner: Span, paths: set[str]) -> None:
        """Gives a call what was seen of the files that its command changed while that was at work: what a command puts
        aside and takes back would else be in the order of calls that ran at once."""
        for n, (span, change, state) in enumerate(self.guessed):
            mine = owner.command is not None and state.time is not None and owner.command.at_work(state.time)
            if span is not owner and mine and change.path in paths:
                assert span.call.observed is not None
                span.call.observed.remove(change)
                self._add(owner, [change], state)
                self.guessed[n] = owner, change, state

    def _add(self, span: Span, found: list[FileChange], state: TreeState) -> None:
        assert span.call.observed is not None
        span.call.observed += found
        state.step, state.call = span.step, span.call.id

    def _open(self, time: float, slack: float = 0.0) -> list[Span]:
        return [
            s
            for s in self.spans
            if s.start is not None and s.start - slack <= time and (s.end is None or time <= s.end + slack)
        ]

    def _maker(self, change: FileChange, time: float) -> Span | None:
        """The call at work that names the file as one that it edits (the last of them: the others came before it)."""
        for slack in (0.0, SLACK):
            named = [s for s in self._open(time, slack) if self._names(s.call, change)]
            if named:
                return named[-1] if slack == 0.0 else named[0]
        return None

    def _names(self, call: ToolCall, change: FileChange) -> bool:
        paths = {change.path, change.new_path or change.path}
        if isinstance(call.action, Edit):
            return any(self._inside(p) in paths for c in call.action.changes for p in (c.path, c.new_path) if p)
        if isinstance(call.action, Other):
            text = str(call.input)
            return any(p in text for p in paths)
        return False

    def _inside(self, path: str) -> str:
        path = posixpath.normpath(path)
        return path[len(self.root) + 1 :] if self.root and path.startswith(self.root + "/") else path

    def _only_tool(self, time: float) -> Span | None:
        """The only tool at work whose effect on files is not known."""
        found = [s for s in self._open(time) if isinstance(s.call.action, Other) and not s.call.background]
        busy = [s for s in self._open(time) if isinstance(s.call.action, Edit | Shell | Spawn)]
        return found[0] if len(found) == 1 and not busy else None

    def _in_background(self, found: list[FileChange], line: int, record: records.TreeRecord, state: TreeState) -> None:
        index = nearest_step(self.trajectory, record.time)
        if index is None:
            return
        command = self.journal.tool_command(record.command)
        what = BACKGROUND if command is None else f"{BACKGROUND}: {command.text[:200]}"
        self.in_background += 1
        call = ToolCall(
            f"seen-{self.in_background}",
            BACKGROUND,
            {},
            Other(target=what),
            Source(self.journal.name, line),
            time=record.time,
            observed=found,
            background=True,
        )
        self.trajectory.steps[index].calls.append(call)
        state.step, state.call = index, call.id


def nearest_step(trajectory: Trajectory, time: float) -> int | None:
    """The number of the agent's last step that began before ``time``, else of its first; None if there is none."""
    best: int | None = None
    for index, step in enumerate(trajectory.steps):
        if step.role == "agent" and (best is None or (step.time is not None and step.time <= time)):
            best = index
    return best
