"""What a harness is: data that is laid over a task's repository before the agent starts.

A harness is a directory with a ``harness.toml``; :mod:`.load` reads it, ``docs/harnesses.md`` explains each key.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, field

Kind = Literal["control", "overlay", "user"]


class HarnessError(ValueError):
    """A harness cannot be used. The message is one line that names the file and, where there is one, the key."""


class HarnessSource(Struct, frozen=True):
    """The public project that a recipe installs from; we contain none of its text."""

    git: str
    revision: str | None = None
    """The commit that the recipe was checked with. The user's clone may have another one, which the result records."""
    licence_file: str = "LICENSE"
    requires: tuple[str, ...] = ()
    """Glob patterns that must match in a clone, so that a project with another layout is refused."""
    status: str = ""
    """What was verified of the recipe and what was not."""


class FileRule(Struct, frozen=True):
    """Files to place, from exactly one origin."""

    path: str
    """In the repository, or in the agent's home if it begins with ``~/``."""
    content: str | None = None
    content_from: str | None = None
    from_source: str | None = None
    """A file or directory in the clone."""
    from_argument: bool = False
    executable: bool = False
    agents: tuple[str, ...] = ()
    """Only for these; empty: for all."""


# A text before the prompt that has this tells the agent the limits of its run.
LIMITS = "{{limits}}"


class Instructions(Struct, frozen=True):
    """Text for the file that the agent reads by itself (CLAUDE.md, AGENTS.md ...), or for its prompt if it has none."""

    text: str | None = None
    text_from: str | None = None
    from_source: str | None = None
    from_argument: bool = False
    skip_front_matter: bool = False
    """Leave out the YAML block at the start of a text from the clone."""
    file: str | None = None
    """Use this file, such as ``CLAUDE.md``, if the agent reads it."""


class Skills(Struct, frozen=True):
    """A directory of skills (each a directory with a SKILL.md), placed where the agent looks for them."""

    from_source: str | None = None
    content_from: str | None = None


class Hook(Struct, frozen=True):
    """A command that the agent's CLI runs at an event of its own. Only Claude Code's settings are written."""

    event: str
    command: str
    matcher: str | None = None


class LoadSign(Struct, frozen=True):
    """How to see that the agent loaded the harness."""

    markers: tuple[str, ...] = ()
    """Texts of which one must be in a model call; empty: a line of the instructions."""
    files: tuple[str, ...] = ()
    """Files (as placed) that the agent must have read by its own action."""


class Placebo(Struct, frozen=True):
    """Neutral text, as long as what the harness ``matches`` makes the agent read, or of ``length`` characters."""

    matches: str
    length: int


class HarnessDocument(Struct, frozen=True):
    """The keys of a harness.toml, in the order of the documentation."""

    name: str
    version: str
    description: str
    kind: Kind
    licence: str
    source: HarnessSource | None = None
    file: tuple[FileRule, ...] = ()
    instructions: Instructions | None = None
    skills: Skills | None = None
    hook: tuple[Hook, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    prompt_prefix: str = ""
    check: LoadSign = LoadSign()
    placebo: Placebo | None = None


class Harness(HarnessDocument, frozen=True, kw_only=True):
    """A harness as it was read."""

    directory: Path
    spelling: str
    """As the user wrote it (``agents-md=docs/AGENTS.md``); part of a cell's name."""
    digest: str
    """SHA-256 of its file, of the files that it names beside itself, and of the user's argument; the clone that a
    recipe installs from is not part of it."""
    argument: str | None = None
    folder: bool = False
    """A plain folder, whose files are placed as they are."""


class Clone(Struct, frozen=True):
    """A user's clone of a harness's project."""

    path: Path
    revision: str | None
    tree: str | None
    """Git's hash of its content; None: it is no repository."""
    modified: bool
    licence: str
    licence_file: str | None


class PlacedFile(Struct, frozen=True):
    """A file that the overlay places; ``path`` is relative to the repository, or to the agent's home."""

    path: str
    data: bytes
    executable: bool = False


class SkillMarks(Struct, frozen=True):
    """Texts that show in a model call that it was ``offered`` a skill (its description), or that it ``read`` it."""

    offered: str
    read: str


class Overlay(Struct, frozen=True):
    """A harness resolved for one agent: exactly what is placed, and what to look for afterwards."""

    repository: tuple[PlacedFile, ...] = ()
    appended: tuple[PlacedFile, ...] = ()
    """Texts for files that the starter may have already; they are appended."""
    home: tuple[PlacedFile, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    prompt_prefix: str = ""
    instruction_files: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    read_files: dict[str, str] = field(default_factory=dict)
    """Files that the agent must have read, each with a line of it."""
    skills: dict[str, SkillMarks] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What the harness contains and the agent does not support, for people."""
    reading: int = 0
    """Number of characters that the agent is made to read."""
    clone: Clone | None = None
    digest: str = ""


class HarnessWorkspace(Struct, frozen=True):
    """The repository as the agent finds it, and what else the harness brings."""

    path: Path
    start_commit: str
    """With the overlay, like ``start_tree``."""
    start_tree: str
    base_commit: str
    """The starter alone, like ``base_tree``; the same as the start if the overlay adds nothing."""
    base_tree: str
    prompt: str
    overlay: Overlay
    facts: dict[str, Any] = field(default_factory=dict)
