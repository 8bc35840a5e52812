"""Facts of the running sample, for models, tools and hooks that are called in its context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from inspect_ai.solver._task_state import sample_state
from msgspec import Struct

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


class Origin(Struct, frozen=True):
    """Why a command is run: see :class:`rigorbench.base.journal.Command`."""

    kind: Literal["tool", "engine"]
    tag: str | None


_ORIGIN: ContextVar[Origin | None] = ContextVar("rigorbench_origin", default=None)


def origin() -> Origin | None:
    """The origin that :func:`on_behalf` has set in this context; None: unknown."""
    return _ORIGIN.get()


@contextmanager
def on_behalf(kind: Literal["tool", "engine"], tag: str | None = None) -> Iterator[None]:
    """Commands in the block are recorded as those of a tool call (``tag``: its id) or of the engine."""
    token = _ORIGIN.set(Origin(kind, tag))
    try:
        yield
    finally:
        _ORIGIN.reset(token)
