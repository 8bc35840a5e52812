"""The capture journal: what a recorded run did, written from outside the agent's sandbox.

``journal.jsonl`` in the directory of a run contains one record per line, each a JSON object whose ``type`` names the
structure below. Records are only appended, one write each, in the order in which their facts became known: a killed
run keeps every line that it had written, and a last line without its newline is dropped. Times are seconds since the
epoch (float), paths are as the agent sees them, trees are git tree hashes in ``store.git`` beside the journal. Unknown
is absent (``None``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from .decoding import decoder

SCHEMA = "rigor-capture/1"
JOURNAL = "journal.jsonl"
STORE = "store.git"


class JournalRecord(Struct, tag_field="type", omit_defaults=True):
    time: float


class RunRecord(JournalRecord, tag="run"):
    """The first line."""

    schema: str
    id: str
    root: str
    """The repository as the agent sees it."""
    start_commit: str | None = None
    start_tree: str | None = None
    """The state in which the agent found the repository, including the harness overlay."""
    base_tree: str | None = None
    """The state before the overlay."""
    prompt: str | None = None
    task: dict[str, Any] = field(default_factory=dict)
    """Name, version and digest, as far as they exist; also of ``agent`` and ``harness``."""
    agent: dict[str, Any] = field(default_factory=dict)
    harness: dict[str, Any] = field(default_factory=dict)
    model: str | None = None
    scripted: bool = False
    features: list[str] = field(default_factory=list)
    """What is recorded ("commands", "output", "trees", "models", "decoys")."""


class Model(JournalRecord, tag="model"):
    """One completed model call; ``time`` is its end.

    Messages are {"role", "content", "reasoning"?, "tool_calls"?: [{"id", "name", "arguments"}], "tool_call_id"?,
    "error"?}.
    """

    id: str
    conversation: str
    """The thread of messages it belongs to (sub-agents and side calls have threads of their own)."""
    model: str
    started: float | None = None
    input: list[dict[str, Any]] = field(default_factory=list)
    """The messages that this thread had not shown before."""
    dropped: int = 0
    """How many earlier messages are no longer sent (compaction, a rewritten history)."""
    output: dict[str, Any] | None = None
    usage: dict[str, int | None] | None = None
    """{"input" (uncached), "cache_read", "cache_write", "output" (reasoning included), "reasoning"}."""
    stop: str | None = None
    tools: int | None = None
    declared: list[dict[str, str]] | None = None
    """Name and description of the offered tools, where they are not those of the call before."""
    estimate: dict[str, int] | None = None
    """"input" and "output" as estimated from the texts, where the server sent no usage."""
    repeated: float | None = None
    """Share of the request, by its texts, with which the last request of the conversation began as well."""
    error: str | None = None


class CommandRecord(JournalRecord, tag="command"):
    """A program was started (its execve was seen). ``time``: the start."""

    id: str
    pid: int
    argv: list[str]
    """Cut to 200 words and 32 KiB (``cut``)."""
    cwd: str | None = None
    exe: str | None = None
    parent: str | None = None
    """The command in whose process tree it runs (None: started by the agent itself, or by the engine)."""
    origin: Literal["agent", "tool", "nested", "engine"] = "tool"
    """"agent" (the agent's own program, an agent CLI), "tool" (a command that the agent asked for: the engine executed
    a tool call, or an agent CLI started a shell or another program), "nested" (inside such a command), "engine"
    (set-up, not the agent's doing)."""
    tag: str | None = None
    """What the engine said about it (such as the id of a tool call)."""
    cut: bool = False


class OutputRecord(JournalRecord, tag="output"):
    """A piece of what command ``id`` printed, as it came. Undecodable bytes are replaced.

    At most 256 KiB per command are kept: the first half as it comes, of the rest the last part, when the command ends.
    """

    id: str
    text: str
    stream: Literal["out", "err", "both"] = "out"
    omitted: int = 0
    """Bytes left out before this piece."""


class Exit(JournalRecord, tag="exit"):
    """Command ``id`` ended."""

    id: str
    status: int | None = None
    """As a shell states it (128 + signal when killed); None: not seen."""
    signal: int | None = None
    reason: Literal["exit", "signal", "timeout", "lost"] = "exit"
    """"exit", "signal", "timeout" (the engine stopped it), "lost" (it is gone, and its end was not seen)."""


class TreeRecord(JournalRecord, tag="tree"):
    """The work tree differs from the last record of this kind (or this is the first)."""

    tree: str
    cause: Literal["start", "before", "after", "model", "background", "end"]
    """"start", "before" a command ran, "after" it ended (``command``), "model" (before a model call was answered),
    "background" (no known command was running, or one was still running), "end"."""
    command: str | None = None
    paths: list[str] = field(default_factory=list)
    """What changed, at most 1,000."""
    more: int = 0
    """How many further paths changed."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Paths that were not stored (too large, or unreadable), each with its reason."""


class Decoy(JournalRecord, tag="decoy"):
    """A path was opened that is only of use to somebody who looks for the hidden tests or the grader."""

    path: str
    access: str
    command: str | None = None


class Limit(JournalRecord, tag="limit"):
    """A budget was exceeded; ``limit`` and ``used`` in its unit (seconds, tokens, messages)."""

    kind: str
    limit: float | None = None
    used: float | None = None


class Gap(JournalRecord, tag="gap"):
    """Something that should have been recorded could not be, and why (one line, plain words)."""

    what: str
    reason: str
    command: str | None = None


REPAIRED = "repaired"


class Note(JournalRecord, tag="note"):
    """A further fact from the engine: ``name`` says what kind, ``data`` belongs to it.

    "reply": what a user said. "repaired": what was wrong with an answer of the model's server.
    """

    name: str
    data: dict[str, Any] = field(default_factory=dict)


class End(JournalRecord, tag="end"):
    """Last line of a run that ended in order (also by a limit). Without it the run was killed."""

    state: Literal["completed", "limit", "error", "interrupted"]
    message: str | None = None
    final_tree: str | None = None


AnyRecord = RunRecord | Model | CommandRecord | OutputRecord | Exit | TreeRecord | Decoy | Limit | Gap | Note | End


def read_records(path: Path, *kinds: str) -> Iterator[tuple[int, AnyRecord]]:
    """(line, record) of a journal, without damaged lines and a last one that a kill has cut off.

    Args:
        kinds: leave out lines of other kinds undecoded (output makes up most of a journal); none: all.

    Raises:
        OSError: it cannot be read.
    """
    decode = decoder(AnyRecord).decode
    tags = [f'"type":"{kind}"'.encode() for kind in kinds]
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.endswith(b"\n") and (not tags or any(tag in line for tag in tags)):
                try:
                    yield number, decode(line)
                except msgspec.DecodeError:
                    continue
