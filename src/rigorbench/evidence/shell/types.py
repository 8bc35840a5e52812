"""The simple commands that shell text is taken apart into."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

# How the exit status of the whole line speaks of one command: "exact" is its own; "if_zero": 0 means that it was 0, any
# other value says nothing; "none": says nothing.
StatusLink = Literal["exact", "if_zero", "none"]


class Redirect(Struct):
    """``operator`` with its descriptor (``>>``, ``2>``, ``&>``); ``target`` is a path or a descriptor (``2>&1``)."""

    operator: str
    target: str


class Command(Struct):
    """One simple command of a line, without the programs that merely run it.

    ``program`` is its bare name, ``path`` the word as written. ``args`` follow it, quotes removed; expansions stay as
    written unless the same line assigns the variable a literal. ``text`` is the source (without the bodies of
    here-documents). ``wrappers`` are outermost first ("timeout", "uv run", "python -m", "docker compose exec").
    ``cwd`` is where it runs as far as the line tells: relative to the call's own directory or absolute, None when the
    line says nothing; for ``cd`` itself it is the directory afterwards. ``stdin`` is the text fed to it; not
    ``stdin_literal``: with expansions that are left as written.
    """

    program: str
    args: list[str] = field(default_factory=list)
    text: str = ""
    path: str = ""
    wrappers: list[str] = field(default_factory=list)
    cwd: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    stdin: str | None = None
    stdin_literal: bool = True
    redirects: list[Redirect] = field(default_factory=list)
    piped_into: list[str] = field(default_factory=list)
    piped_from: str | None = None
    negated: bool = False
    background: bool = False
    status: StatusLink = "exact"
