"""The journal's records, grouped: commands with their output and their end, model calls, trees."""

from __future__ import annotations

import posixpath
import shlex
from functools import cached_property
from typing import Any

import msgspec

from ....base import journal as records
from ....base.decoding import decoder
from ...logfile import LogFile

_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ash", "ksh", "busybox"))


def _script(words: list[str]) -> str | None:
    """The script among a shell's arguments: the first that is not an option, if one of the options is ``c``."""
    given = valued = False
    for word in words:
        if valued:
            valued = False
        elif word[:1] in ("-", "+") and " " not in word and len(word) < 12:
            given = given or (word[:1] == "-" and not word.startswith("--") and "c" in word)
            valued = word in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")
        else:
            return word if given else None
    return None


class ObservedCommand:
    """A command that was seen to run; its lines in the journal. ``output_lost``: its output could not be recorded."""

    def __init__(self, record: records.CommandRecord, line: int) -> None:
        self.record, self.line = record, line
        self.exit: records.Exit | None = None
        self.exit_line: int | None = None
        self.printed: list[records.OutputRecord] = []
        self.output_lost = False

    @property
    def start(self) -> float:
        return self.record.time

    @property
    def end(self) -> float | None:
        return None if self.exit is None else self.exit.time

    def at_work(self, time: float, slack: float = 0.0) -> bool:
        return self.start <= time and (self.end is None or time <= self.end + slack)

    @property
    def output(self) -> str:
        """What it printed: standard output and error in the order in which they came."""
        parts: list[str] = []
        for piece in self.printed:
            if piece.omitted:
                parts.append(f"\n[... {piece.omitted} bytes left out ...]\n")
            parts.append(piece.text)
        return "".join(parts)

    @property
    def cut(self) -> bool:
        return any(piece.omitted for piece in self.printed)

    @property
    def text(self) -> str:
        """The command as one would type it."""
        return self.script if self.script is not None else shlex.join(self.record.argv)

    @cached_property
    def script(self) -> str | None:
        """What a shell got by ``-c``; None if it is not a shell with such a script."""
        argv = self.record.argv
        for at, word in enumerate(argv[:4]):
            if posixpath.basename(word).lstrip("-") in _SHELLS:
                return _script(argv[at + 1 :])
        return None

    @property
    def is_waiting_shell(self) -> bool:
        """Whether it is a shell that reads its commands from elsewhere: its arguments do not show them."""
        name = posixpath.basename(self.record.argv[0]) if self.record.argv else ""
        return name.lstrip("-") in _SHELLS and self.script is None


class Journal:
    """Everything in a journal. A killed run simply has no later records."""

    def __init__(self, log: LogFile) -> None:
        self.name = log.name
        self.run: records.RunRecord | None = None
        self.end: records.End | None = None
        self.models: list[tuple[int, records.Model]] = []
        self.commands: dict[str, ObservedCommand] = {}
        self.trees: list[tuple[int, records.TreeRecord]] = []
        self.decoys: list[tuple[int, records.Decoy]] = []
        self.limits: list[tuple[int, records.Limit]] = []
        self.gaps: list[tuple[int, records.Gap]] = []
        self.notes: list[tuple[int, records.Note]] = []
        self.last_time: float | None = None
        decode = decoder(records.AnyRecord).decode
        pending: tuple[int, str] | None = None
        for number, line in log.lines():
            if pending is not None:
                log.skip(*pending)
                pending = None
            try:
                self._take(number, decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                pending = number, f"not a record of a capture journal ({' '.join(str(error).split())[:120]}); skipped"
        if pending is not None:
            log.cut = True
            log.skip(pending[0], "the last line is cut off (the run was killed while it was written); skipped")

    def _take(self, line: int, record: records.AnyRecord) -> None:
        self.last_time = record.time if self.last_time is None else max(self.last_time, record.time)
        kept: dict[type, list[Any]] = {
            records.Model: self.models,
            records.TreeRecord: self.trees,
            records.Decoy: self.decoys,
            records.Limit: self.limits,
            records.Gap: self.gaps,
            records.Note: self.notes,
        }
        if type(record) in kept:
            kept[type(record)].append((line, record))
        if isinstance(record, records.RunRecord):
            self.run = self.run or record
        elif isinstance(record, records.CommandRecord):
            self.commands.setdefault(record.id, ObservedCommand(record, line))
        elif isinstance(record, records.OutputRecord):
            if (printing := self.commands.get(record.id)) is not None:
                printing.printed.append(record)
        elif isinstance(record, records.Exit):
            ended = self.commands.get(record.id)
            if ended is not None and ended.exit is None:
                ended.exit, ended.exit_line = record, line
        elif isinstance(record, records.Gap):
            silent = self.commands.get(record.command or "")
            if silent is not None and "output" in record.what:
                silent.output_lost = True
        elif isinstance(record, records.End):
            self.end = record

    def tool_command(self, id: str | None) -> ObservedCommand | None:
        """The command of a tool in whose process tree a command runs; None if there is none."""
        seen: set[str] = set()
        command = self.commands.get(id or "")
        while command is not None and command.record.origin != "tool" and command.record.id not in seen:
            seen.add(command.record.id)
            command = self.commands.get(command.record.parent or "")
        return command if command is not None and command.record.origin == "tool" else None

    def tool_commands(self) -> list[ObservedCommand]:
        """The commands that tools started, by the time of their start."""
        return sorted((c for c in self.commands.values() if c.record.origin == "tool"), key=lambda c: (c.start, c.line))

    @property
    def features(self) -> list[str]:
        return [] if self.run is None else self.run.features
