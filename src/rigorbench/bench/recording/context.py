"""Facts of the running sample, for models, tools and hooks that are called in its context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, Protocol

from inspect_ai.solver._task_state import sample_state
from msgspec import Struct

from ...base.journal import JOURNAL, JournalRecord
from ...sandbox.record.writer import JournalWriter
from ..tasks.workspace import ROOT


def fact(name: str) -> Any:
    """An entry of the sample's metadata (``task_directory``, ``root``); None: no sample, or no such entry."""
    state = sample_state()
    return (state.metadata or {}).get(name) if state is not None else None


def root() -> str:
    """Path of the repository in the sandbox."""
    return str(fact("root") or ROOT)


def identity() -> str | None:
    """The unique id of the running sample; None outside one."""
    state = sample_state()
    return state.uuid if state is not None else None


class CommandOrigin(Struct, frozen=True):
    """Why a command is run: see :class:`rigorbench.base.journal.CommandRecord`."""

    kind: Literal["tool", "engine"]
    tag: str | None


_ORIGIN: ContextVar[CommandOrigin | None] = ContextVar("rigorbench_origin", default=None)


def origin() -> CommandOrigin | None:
    """The origin that :func:`on_behalf` has set in this context; None: unknown."""
    return _ORIGIN.get()


@contextmanager
def on_behalf(kind: Literal["tool", "engine"], tag: str | None = None) -> Iterator[None]:
    """Commands in the block are recorded as those of a tool call (``tag``: its id) or of the engine."""
    token = _ORIGIN.set(CommandOrigin(kind, tag))
    try:
        yield
    finally:
        _ORIGIN.reset(token)


class Recorder(Protocol):
    """A :class:`~rigorbench.sandbox.box.box.Box` is one. ``gone``: why nothing is recorded any more."""

    gone: str | None

    async def record(self, record: JournalRecord) -> None: ...

    async def snapshot(self, cause: str) -> str | None: ...


class HostJournal:
    """The journal of a run in a sandbox that is not ours; it contains only what the engine observes."""

    gone: str | None = None

    def __init__(self, directory: Path) -> None:
        """Raises: FileExistsError when the directory contains a journal already: two runs must not share one."""
        directory.mkdir(parents=True, exist_ok=True)
        (directory / JOURNAL).touch(exist_ok=False)
        self._writer = JournalWriter(directory / JOURNAL)

    async def record(self, record: JournalRecord) -> None:
        self._writer.write(record)

    async def snapshot(self, cause: str) -> str | None:
        return None

    def close(self) -> None:
        self._writer.close()


# By the unique id of the running sample (TaskState.uuid, and `sample_id` of Inspect's hooks).
_RECORDERS: dict[str, Recorder] = {}


def set_recorder(sample: str, recorder: Recorder) -> None:
    _RECORDERS[sample] = recorder


def recorder_of(sample: str | None) -> Recorder | None:
    """The recorder of a running sample; None: it is not one of our runs."""
    return _RECORDERS.get(sample) if sample is not None else None


def forget_recorder(sample: str) -> None:
    _RECORDERS.pop(sample, None)
