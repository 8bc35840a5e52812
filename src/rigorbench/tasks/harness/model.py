"""What a harness is: data that is laid over a task's repository before the agent starts.

A harness is a directory with a ``harness.toml``; :mod:`.load` reads it, ``docs/harnesses.md`` says
what each key means.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

Kind = Literal["control", "overlay", "user"]


class HarnessError(ValueError):
    """A harness cannot be used. The message is one line that names the file and, where there is one, the key."""


class Source(Struct, frozen=True):
    """The public project that a recipe installs from. None of its text lies in ours.

    ``git``: where it is published. ``revision``: the commit whose layout the recipe was checked against; the clone
    that is used may be at another one, which the result records. ``requires``: glob patterns that must match in a
    clone, so that a project whose layout has changed is refused instead of installed by halves. ``status``: what was
    verified of the recipe and what was not.
    """

    git: str
    revision: str | None = None
    licence_file: str = "LICENSE"
    requires: tuple[str, ...] = ()
    status: str = ""


class FileRule(Struct, frozen=True):
    """Files to place: one from ``content``, ``content_from`` (beside harness.toml), the clone or the user's argument.

    ``path``: in the repository, or under the agent's home where it begins with ``~/``. ``from_source`` may name a
    directory, which is placed with everything in it. ``agents``: only for these (empty: for all).
    """

    path: str
    content: str | None = None
    content_from: str | None = None
    from_source: str | None = None
    from_argument: bool = False
    executable: bool = False
    agents: tuple[str, ...] = ()


class Instructions(Struct, frozen=True):
    """Text for the file that the agent reads by itself (CLAUDE.md, AGENTS.md ...), or for its prompt if it has none.

    ``file``: always use this one, such as ``CLAUDE.md``, whatever the agent reads. ``skip_front_matter``: leave out
    the YAML block at the head of a text from the clone.
    """

    text: str | None = None
    text_from: str | None = None
    from_source: str | None = None
    from_argument: bool = False
    skip_front_matter: bool = False
    file: str | None = None


class Skills(Struct, frozen=True):
    """A directory of skills (each a directory with a SKILL.md), placed where the agent looks for them."""

    from_source: str | None = None
    content_from: str | None = None


class Hook(Struct, frozen=True):
    """A command that the agent's CLI runs at an event of its own. Only Claude Code's settings are written."""

    event: str
    command: str
    matcher: str | None = None


class Check(Struct, frozen=True):
    """How to see that the agent loaded it.

    ``markers``: texts, one of which must show in a model call; empty: a line of the instructions. ``files``: files
    (as placed) that the agent must have read by its own action.
    """

    markers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Placebo(Struct, frozen=True):
    """Neutral text of the length of what ``matches`` makes the agent read, or of ``length`` characters without it."""

    matches: str
    length: int


class Harness(Struct, frozen=True):
    """``spelling``: how it was asked for (``agents-md=docs/AGENTS.md``), the name of a cell.

    ``directory``: where its file lies. ``argument``: what stood behind the ``=``. ``digest``: SHA-256 of its file, of
    what that names beside it, and of the user's argument, not of the clone that a recipe installs from.
    """

    name: str
    version: str
    description: str
    kind: Kind
    licence: str
    directory: Path
    spelling: str
    digest: str
    argument: str | None = None
    source: Source | None = None
    file: tuple[FileRule, ...] = ()
    instructions: Instructions | None = None
    skills: Skills | None = None
    hook: tuple[Hook, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    prompt_prefix: str = ""
    check: Check = Check()
    placebo: Placebo | None = None


class Clone(Struct, frozen=True):
    """A user's clone of a harness's project. ``tree``: git's hash of its content; None where it is no repository.

    ``modified``: it holds changes that are in no commit.
    """

    path: Path
    revision: str | None
    tree: str | None
    modified: bool
    licence: str
    licence_file: str | None


class PlacedFile(Struct, frozen=True):
    """A file that the overlay places; ``path`` is relative to the repository, or to the agent's home."""

    path: str
    data: bytes
    executable: bool = False


class Overlay(Struct, frozen=True):
    """A harness resolved for one agent: exactly what is placed, and what to look for afterwards.

    ``instruction_files``: the files of ``repository`` that carry the instructions. ``appended``: text for a file that
    the starter may have already; it is put behind what is there. ``notes``: what the harness asked for and the agent
    has no place for, in plain words. ``read_files``: files that the agent must have read, each with a line of it.
    ``reading``: characters that the agent is made to read.
    """

    repository: tuple[PlacedFile, ...] = ()
    appended: tuple[PlacedFile, ...] = ()
    home: tuple[PlacedFile, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    prompt_prefix: str = ""
    instruction_files: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    read_files: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reading: int = 0
    clone: Clone | None = None
    digest: str = ""


class Workspace(Struct, frozen=True):
    """The repository as the agent finds it, and what else the harness brings.

    ``start_commit``/``start_tree``: with the overlay; ``base_commit``/``base_tree``: the starter alone (the same ones
    where the overlay places nothing in the repository). ``home_files`` go into the agent's home, ``env`` into its
    environment, ``prompt`` is the whole first message. ``facts``: for the journal and the manifest.
    """

    path: Path
    start_commit: str
    start_tree: str
    base_commit: str
    base_tree: str
    prompt: str
    digest: str
    env: dict[str, str] = field(default_factory=dict)
    home_files: tuple[PlacedFile, ...] = ()
    instruction_files: tuple[str, ...] = ()
    overlay_files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    read_files: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
