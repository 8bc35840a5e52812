"""Which program started which: the commands of a run and their processes."""

from __future__ import annotations

import os
import re
import select
import shlex
from collections import deque
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from . import procfs
from .tee import FileCopy, OutputCopy, Tee

Origin = Literal["agent", "tool", "nested", "engine"]

_SERVER: Final = "inspect-sandbox-tools"  # Inspect's helper inside a sandbox: starts agents on the engine's behalf
_SHELLS: Final = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh"})
_COMMAND = re.compile(rb"-(?!-).*c", re.DOTALL)
_SCRIPT: Final = re.compile(r"\.(c|m)?[jt]s$|\.py$|\.pyz$")
_REMEMBERED: Final = 500  # commands by whose words a process without its parents is recognised


@dataclass(eq=False, slots=True)
class StartedCommand:
    """One program that was started."""

    id: str
    """In the journal."""
    argv: list[bytes]
    origin: Origin
    """Whose program it is."""
    watch: ProcessWatch | None
    """The listener that reported it."""
    parent: StartedCommand | None = None
    exe: str | None = None
    tag: str | None = None
    """From the engine."""
    cwd: str | None = None
    started: bool = False
    ended: bool = False
    stopping: bool = False
    """Whether the engine is ending it."""
    copy: OutputCopy | None = None
    tees: list[Tee] = field(default_factory=list)
    """Its streams that pass through the recorder."""
    files: list[FileCopy] = field(default_factory=list)
    """Its streams that go to files."""

    def stopped(self) -> bool:
        """Whether the engine is ending it, or what it runs in."""
        command: StartedCommand | None = self
        while command is not None:
            if command.stopping:
                return True
            command = command.parent
        return False


@dataclass(eq=False, slots=True)
class RecordedProcess:
    """A process whose execve was recorded. ``commands``: the programs that it was, one after the other."""

    pid: int
    pidfd: int
    commands: list[StartedCommand] = field(default_factory=list)

    def alive(self) -> bool:
        """False once it has ended, also when another process has its number now."""
        if self.pidfd < 0:
            return os.path.exists(f"/proc/{self.pid}")
        poll = select.poll()
        poll.register(self.pidfd, select.POLLIN)
        return not poll.poll(0)


@dataclass(eq=False, slots=True)
class ProcessWatch:
    """What one listener reports: the engine's command ``root`` and everything it started."""

    root: StartedCommand
    pid: int | None = None
    runner: int | None = None
    """The process outside the sandbox that started it, the parent of its orphans."""
    recent: deque[StartedCommand] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))


class Processes:
    """The living processes of all listeners, and the command to which a new one belongs."""

    def __init__(self) -> None:
        self.by_pid: dict[int, RecordedProcess] = {}

    def get(self, pid: int) -> RecordedProcess | None:
        """The process of that number, if it is still the same."""
        process = self.by_pid.get(pid)
        return process if process is not None and process.alive() else None

    def parent(self, watch: ProcessWatch, pid: int, parent: int) -> StartedCommand:
        """The command in whose process tree process ``pid`` runs, by its present parents.

        A daemon has outlived them. Until its own execve it is a copy of the program that forked it, with the same
        words; else only the listener that reported it is known.
        """
        process = self.get(pid)
        if process is not None:
            return process.commands[-1]
        for _ in range(100):
            if parent <= 1 or parent == watch.runner:
                break
            process = self.get(parent)
            if process is not None:
                return process.commands[-1]
            relatives = procfs.family(parent)
            if relatives is None:
                break
            parent = relatives[1]
        words = procfs.command_line(pid)
        if words:
            for command in reversed(watch.recent):
                # A script's words follow those of its interpreter.
                if (
                    command.argv
                    and words[-len(command.argv) + 1 :] == command.argv[1:]
                    and (words == command.argv or (len(words) > len(command.argv) > 1))
                ):
                    return command
        return watch.root


def is_server(argv: list[bytes]) -> bool:
    """Whether this is Inspect's own helper."""
    return bool(argv) and os.path.basename(os.fsdecode(argv[0])).startswith(_SERVER)


def origin_of(parent: StartedCommand, argv: list[bytes], *, in_place: bool) -> Origin:
    """Whose program it is that ``parent`` has started (``in_place``: has become)."""
    match parent.origin:
        case "engine":
            return "agent" if is_server(parent.argv) and not is_server(argv) else "engine"
        case "agent":
            return "agent" if in_place or launches(parent.argv, argv) else "tool"
    return "nested"


def launches(launcher: list[bytes], argv: list[bytes]) -> bool:
    """Whether ``argv`` is the agent itself, started by a wrapper of its own and not as one of its commands.

    That is so when it has the wrapper's own last words, is the same script, or has the name of the wrapper's script
    (``node codex.js exec ...`` starts ``.../codex exec ...``), or when it is the whole text of a ``sh -c``.
    """
    if not launcher or not argv:
        return False
    if len(launcher) > len(argv) and launcher[-len(argv) :] == argv:
        return True
    rest = argv[1:]
    if rest and len(launcher) > len(rest) and launcher[-len(rest) :] == rest:
        return True
    if len(launcher) > 1 and _SCRIPT.search(os.fsdecode(launcher[1])):
        if launcher[1] in argv:
            return True
        stem = os.path.basename(os.fsdecode(launcher[1])).partition(".")[0]
        return stem == os.path.basename(os.fsdecode(argv[0]))
    if os.path.basename(os.fsdecode(launcher[0])) in _SHELLS and len(launcher) > 2:
        # After an option such as -c or -lc.
        return any(_contains(script, argv) for word, script in pairwise(launcher[1:]) if _COMMAND.fullmatch(word))
    return False


def _contains(script: bytes, argv: list[bytes]) -> bool:
    try:
        words = [os.fsencode(word) for word in shlex.split(os.fsdecode(script))]
    except ValueError:
        return False
    size = len(argv)
    return any(words[at : at + size] == argv for at in range(len(words) - size + 1))
