"""Scripted policies: what a "scripted model" says and does, turn by turn. Data, and no model.

A policy is a TOML file::

    description = "Plans, tests first, fixes the producer, commits each concern."

    [[turn]]
    text = "I look at the project first."

    [[turn.call]]
    tool = "shell"
    command = "python -m pytest -q"

    [[turn]]
    text = "Done: ..."          # a turn without calls ends the session

Calls (``tool``): ``shell`` (command), ``write`` (path, content), ``edit`` (path, old, new), ``read`` (path), ``plan``
(items: tables of text and status), ``ask`` (text). Paths are relative to the root of the repository. Instead of
``content`` a call may name ``content_from``, a file beside the policy (or above it, in the task's directory).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field


class PolicyError(ValueError):
    """A policy cannot be used. The message is one line that names the file and the place in it."""


class Item(Struct, frozen=True):
    text: str
    status: Literal["pending", "in_progress", "completed"] = "pending"


class Call(Struct, frozen=True, omit_defaults=True):
    """One abstract tool call; which fields it needs depends on ``tool`` (see the module's docstring)."""

    tool: Literal["shell", "write", "edit", "read", "plan", "ask"]
    command: str | None = None
    path: str | None = None
    content: str | None = None
    content_from: str | None = None
    old: str | None = None
    new: str | None = None
    items: tuple[Item, ...] = ()
    text: str | None = None


class Turn(Struct, frozen=True):
    """One model call: what is said, and the calls made, in order. Without calls the session ends here."""

    text: str = ""
    call: tuple[Call, ...] = ()


class Policy(Struct, frozen=True):
    """``name``: what ``--model scripted/NAME`` selects. ``digest``: SHA-256 of the policy's content."""

    name: str
    description: str = ""
    turns: tuple[Turn, ...] = ()
    digest: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple)
