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


class Command(Struct):
    """One simple command of a line, without the programs that only run it.

    Attributes:
        program: its bare name.
        args: its arguments without quotes. Expansions stay as written unless the line assigns the variable a literal.
        text: the source, without the bodies of here-documents.
        path: the program as written.
        wrappers: the programs that run it, outermost first ("timeout", "uv run", "python -m", "docker compose exec").
        cwd: where it runs: absolute, or relative to the directory of the call; None: the line does not change it. For
            ``cd`` itself, the directory afterwards.
        env: variables that the line sets for it.
        stdin: the text on its standard input, if the line contains it.
        stdin_literal: whether ``stdin`` is without expansions.
        redirects: its redirections, in order.
        piped_into: the programs of the further stages of its pipeline.
        piped_from: the program of the stage before it.
        negated: ``!`` is in front of it.
        background: it is started and not waited for.
        status: what the exit status of the line proves about it.
        guards: the texts of the commands right before it in its ``&&`` list: if one of them fails, it does not run.
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
    guards: list[str] = field(default_factory=list)
