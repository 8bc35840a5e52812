"""What the running sample says about itself, for those who are called in its context (models, tools, hooks)."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal

from inspect_ai.solver._task_state import sample_state

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = "/work"


def fact(name: str) -> Any:
    """An entry of the sample's metadata (``task_directory``, ``root``); None outside a sample, or without it."""
    state = sample_state()
    return (state.metadata or {}).get(name) if state is not None else None


def root() -> str:
    """The repository as the agent sees it."""
    return str(fact("root") or ROOT)


def identity() -> str | None:
    """The unique id of the running sample; None outside one."""
    state = sample_state()
    return state.uuid if state is not None else None


class Origin:
    """Who asks for the commands that are run now: see :class:`rigorbench.trajectory.journal.Command`."""

    __slots__ = ("kind", "tag")

    def __init__(self, kind: Literal["tool", "engine"], tag: str | None) -> None:
        self.kind = kind
        self.tag = tag


_ORIGIN: ContextVar[Origin | None] = ContextVar("rigorbench_origin", default=None)


def origin() -> Origin | None:
    """What :func:`on_behalf` says in this context; None: nothing is known."""
    return _ORIGIN.get()


@contextmanager
def on_behalf(kind: Literal["tool", "engine"], tag: str | None = None) -> Iterator[None]:
    """Commands run inside the block are recorded as a tool call's (``tag``: its id) or as the engine's own."""
    token = _ORIGIN.set(Origin(kind, tag))
    try:
        yield
    finally:
        _ORIGIN.reset(token)
