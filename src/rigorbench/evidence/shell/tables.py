"""The tables of the shell reader: wrappers (``wrappers.toml``) and what is known of programs (``programs.toml``)."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Struct

from ..tables import by_program, load, rows


class Wrapper(Struct, frozen=True, forbid_unknown_fields=True):
    """A program (or a program and its sub-command) that runs another program; how to get past it."""

    name: str = ""
    programs: tuple[str, ...] = ()
    rule: str = ""
    """The function of :mod:`.wrappers` that decides instead."""
    valued: frozenset[str] = frozenset()
    """Options that take a value."""
    cwd: frozenset[str] = frozenset()
    """Options whose value is the directory to run in."""
    skip: int = 0
    """Number of words before the program."""
    remote: bool = False
    """The program runs in a container or on another machine."""
    package: bool = False
    """The program may be written with a version (ruff@latest)."""
    script_options: frozenset[str] = frozenset()
    """Options whose value is shell text."""


class Wrappers(Struct, frozen=True):
    """The wrappers by label ("uv", "uv run"), and the labels that a sub-command has to follow."""

    rows: dict[str, Wrapper]
    with_subcommands: frozenset[str]


@cache
def wrappers() -> Wrappers:
    """``wrappers.toml``, read once."""
    found = by_program(rows(load(__file__, "wrappers.toml"), Wrapper))
    parents = {label.rsplit(" ", n)[0] for label in found for n in range(1, label.count(" ") + 1)}
    return Wrappers({**dict.fromkeys(parents, Wrapper()), **found}, frozenset(parents))


class ShellPrograms(Struct, frozen=True, forbid_unknown_fields=True):
    """The groups of ``programs.toml``, which explains each, and the options that name a directory, by program."""

    node_tools: frozenset[str]
    infallible: frozenset[str]
    passing: frozenset[str]
    change_directory: frozenset[str]
    computing: frozenset[str]
    directories: dict[str, frozenset[str]]


@cache
def programs() -> ShellPrograms:
    """``programs.toml``, read once."""
    document = load(__file__, "programs.toml")
    words = {name: text.split() for name, text in document["groups"].items()}
    directories = {name: text.split() for name, text in document["directories"].items()}
    return msgspec.convert({**words, "directories": directories}, ShellPrograms)
