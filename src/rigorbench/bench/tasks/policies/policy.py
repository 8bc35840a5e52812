"""Scripted policies: what a "scripted model" says and does, turn by turn, as data.

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
``content`` a call may name ``content_from``, a file of the task, relative to the policy.

:func:`load_policy` refuses everything that would fail during a run: an unknown key, a call with missing or superfluous
fields, a path that leaves the repository.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from ....base.strict import DocumentError, read_toml, unknown_key

# Category -> pillar -> sub-metrics that its disciplined policy must have a score for, with a replay.
TARGETS: dict[str, dict[str, tuple[str, ...]]] = {
    "plan-then-build": {"PF": ("PAC", "DQ", "PEA"), "ATI": ("BH", "TS", "CH")},
    "verify-or-die": {"VC": ("TCR", "dC", "RT"), "RE": ("f(RAC)", "1-TWR")},
    "doom-loop": {"RE": ("f(RAC)", "SD", "1-TWR")},
    "know-when-to-fold": {"AQ": ("AQ",)},
    "dont-break-the-build": {"ATI": ("BH", "TS", "CH"), "PF": ("PAC", "DQ", "PEA")},
}
# The disciplined policy must be this much above the reckless one on each of these pillars.
SEPARATION = 0.3
# On a trivial task the policy with heavy process may score this much more than the plain one.
TOLERANCE = 0.02
# The policies of every task, and those of a trivial one: (the good one, the other).
POLICIES = ("disciplined", "reckless")
TRIVIAL_POLICIES = ("minimal", "heavy")


class PolicyError(ValueError):
    """A policy cannot be used. The message is one line that names the file and the turn."""


class PolicyItem(Struct, frozen=True):
    text: str
    status: Literal["pending", "in_progress", "completed"] = "pending"


class PolicyCall(Struct, frozen=True, omit_defaults=True):
    """One abstract tool call; which fields it needs depends on ``tool`` (see the module's docstring)."""

    tool: Literal["shell", "write", "edit", "read", "plan", "ask"]
    command: str | None = None
    path: str | None = None
    content: str | None = None
    content_from: str | None = None
    old: str | None = None
    new: str | None = None
    items: tuple[PolicyItem, ...] = ()
    text: str | None = None


class Turn(Struct, frozen=True):
    """One model call: its text, and its calls in order. Without calls the session ends here."""

    text: str = ""
    call: tuple[PolicyCall, ...] = ()


class Policy(Struct, frozen=True):
    """A policy."""

    name: str
    description: str = ""
    turns: tuple[Turn, ...] = ()
    digest: str = ""
    notes: tuple[str, ...] = field(default_factory=tuple)


class _File(Struct, forbid_unknown_fields=True):
    description: str = ""
    notes: tuple[str, ...] = ()
    turn: list[dict[str, Any]] = field(default_factory=list)


# Per tool: the fields that a call must have.
_NEEDS: dict[str, tuple[str, ...]] = {
    "shell": ("command",),
    "write": ("path", "content"),
    "edit": ("path", "old", "new"),
    "read": ("path",),
    "plan": ("items",),
    "ask": ("text",),
}


def load_policy(path: Path) -> Policy:
    """Read and check a policy; its name is the file's stem, and every ``content_from`` is replaced by the content.

    Raises:
        PolicyError: the file is missing or no TOML, or a turn or call cannot be played.
    """
    try:
        loaded = msgspec.convert(read_toml(path), _File)
    except DocumentError as error:
        raise PolicyError(str(error)) from None
    except msgspec.ValidationError as error:
        raise PolicyError(f"{path}: {error}") from None
    if not loaded.turn:
        raise PolicyError(f"{path}: no turns; a policy needs at least one [[turn]]")
    turns = tuple(_turn(path, number, table) for number, table in enumerate(loaded.turn, 1))
    return named(path.stem, loaded.description, turns, loaded.notes)


def named(name: str, description: str, turns: tuple[Turn, ...], notes: tuple[str, ...] = ()) -> Policy:
    """A policy with the digest of its turns (without name and description)."""
    digest = hashlib.sha256(msgspec.json.encode(turns, order="deterministic")).hexdigest()
    return Policy(name, description, turns, digest, notes)


def _turn(path: Path, number: int, table: dict[str, Any]) -> Turn:
    place = f"turn {number}"
    _check_keys(path, place, table, Turn)
    calls = table.get("call", [])
    for index, call in enumerate(calls if isinstance(calls, list) else (), 1):
        if isinstance(call, dict):
            _check_keys(path, f"{place}, call {index}", call, PolicyCall)
            for item in call.get("items", ()) if isinstance(call.get("items", ()), list) else ():
                if isinstance(item, dict):
                    _check_keys(path, f"{place}, call {index}, items", item, PolicyItem)
    try:
        turn = msgspec.convert(table, Turn)
    except msgspec.ValidationError as error:
        raise PolicyError(f"{path}: {place}: {error}") from None
    if not turn.text.strip() and not turn.call:
        raise PolicyError(f"{path}: {place}: neither text nor a call")
    checked = tuple(_call(path, f"{place}, call {index}", call) for index, call in enumerate(turn.call, 1))
    return msgspec.structs.replace(turn, call=checked)


def _check_keys(path: Path, place: str, table: dict[str, Any], kind: type[Struct]) -> None:
    problem = unknown_key(table, kind)
    if problem is not None:
        raise PolicyError(f"{path}: {place}: {problem}")


def _call(path: Path, place: str, call: PolicyCall) -> PolicyCall:
    if call.content_from is not None:
        if call.tool != "write" or call.content is not None:
            why = "only `write` takes it" if call.tool != "write" else "`content` is given as well"
            raise PolicyError(f"{path}: {place}: content_from: {why}")
        call = msgspec.structs.replace(call, content=_content(path, place, call.content_from), content_from=None)
    needs = _NEEDS[call.tool]
    for key in needs:
        value = getattr(call, key)
        # An edit may insert into an empty file, remove, or write an empty one.
        blank = isinstance(value, str) and not value.strip() and key not in ("new", "content")
        if value is None or value == () or blank:
            more = " (or content_from)" if key == "content" else ""
            raise PolicyError(f"{path}: {place}: a `{call.tool}` call needs `{key}`{more}")
    for key in PolicyCall.__struct_fields__:
        if key not in ("tool", *needs) and getattr(call, key) not in (None, ()):
            raise PolicyError(f"{path}: {place}: a `{call.tool}` call does not use `{key}`")
    if call.path is not None:
        parts = PurePosixPath(call.path)
        if parts.is_absolute() or ".." in parts.parts:
            raise PolicyError(
                f"{path}: {place}: path: {call.path!r} is not inside the repository; give it from its root"
            )
    if call.tool == "edit" and call.old == call.new:
        raise PolicyError(f"{path}: {place}: `old` and `new` are the same")
    return call


def _content(path: Path, place: str, name: str) -> str:
    """The text of a file in the task's directory (without a task: in the policy's own)."""
    here = path.absolute().parent
    marks = ("task.toml", "problem.yaml")
    fence = next((d for d in (here, *here.parents) if any((d / mark).is_file() for mark in marks)), here).resolve()
    target = (here / name).resolve()
    if not target.is_relative_to(fence):
        raise PolicyError(f"{path}: {place}: content_from: {name} is outside {fence}")
    try:
        return target.read_bytes().decode("utf-8")
    except OSError as error:
        raise PolicyError(f"{path}: {place}: content_from: {name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise PolicyError(f"{path}: {place}: content_from: {name} is no UTF-8 text") from None
