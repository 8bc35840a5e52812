"""The simple commands that shell text is taken apart into."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

# What the exit status of the line proves about one command. "exact": it is the command's own; "if_zero": 0 means that
# the command's was 0, any other value proves nothing; "none": it proves nothing.
StatusLink = Literal["exact", "if_zero", "none"]


class Redirect(Struct):
    """``operator`` with its descriptor (``>>``, ``2>``, ``&>``); ``target`` is a path or a descriptor (``2>&1``)."""

    operator: str
    target: str


class SimpleCommand(Struct):
    """One simple command of a line, without the programs that only run it."""

    program: str
    args: list[str] = field(default_factory=list)
    """Its arguments without quotes. Expansions stay as written unless the line assigns the variable a literal."""
    text: str = ""
    """The source, without the bodies of here-documents."""
    path: str = ""
    """The program as written."""
    wrappers: list[str] = field(default_factory=list)
    """The programs that run it, outermost first ("timeout", "uv run", "python -m", "docker compose exec")."""
    cwd: str | None = None
    """Where it runs: absolute, or relative to the directory of the call; None: the line does not change it. For ``cd``
    itself, the directory afterwards."""
    env: dict[str, str] = field(default_factory=dict)
    """Variables that the line sets for it."""
    stdin: str | None = None
    """The text on its standard input, if the line contains it."""
    stdin_literal: bool = True
    """Whether ``stdin`` is without expansions."""
    redirects: list[Redirect] = field(default_factory=list)
    """Its redirections, in order."""
    piped_into: list[str] = field(default_factory=list)
    """The programs of the further stages of its pipeline."""
    piped_from: str | None = None
    """The program of the stage before it."""
    negated: bool = False
    """``!`` is in front of it."""
    background: bool = False
    """It is started and not waited for."""
    status: StatusLink = "exact"
    """What the exit status of the line proves about it."""
    guards: list[str] = field(default_factory=list)
    """The texts of the commands right before it in its ``&&`` list: if one of them fails, it does not run."""
