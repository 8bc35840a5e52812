"""What a row of the agents' table contains: how an agent is installed and started, and what it reads. No engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

# Where the programs of agents are inside a sandbox; whatever runs from here is the agent, not its work.
INSIDE = "/opt/agents"
BIN = f"{INSIDE}/bin"

Paths = Mapping[str, Path]


class AgentError(ValueError):
    """An agent cannot be used. The message is one line that names it and the remedy."""


class Distribution(Struct, frozen=True):
    """How a program is distributed."""

    kind: Literal["npm", "pip", "program"]
    name: str
    executable: str

    @property
    def remedy(self) -> str:
        if self.kind == "npm":
            return f"npm install -g {self.name}"
        if self.kind == "pip":
            return f"pipx install {self.name}"
        return f"install {self.name} so that `{self.executable}` is on PATH"


class Adapter(Struct, frozen=True):
    """How a command line program is started so that its model calls go to the bridge.

    In ``command``, ``environment`` and ``files`` these placeholders are replaced: ``{prompt}``, ``{url}`` (of the
    bridge, without a path), ``{home}``, ``{cwd}`` and ``{executable}``.
    """

    api: Literal["anthropic", "openai", "google", "own"]
    """The protocol of its model calls; "own": it uses its vendor's service and not the bridge."""
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """Path in the home directory -> text."""
    stdin: bool = False
    """The prompt is written to standard input instead of the command line."""

    def fill(self, text: str, values: Mapping[str, str]) -> str:
        for key, value in values.items():
            if key != "prompt":
                text = text.replace("{" + key + "}", value)
        # The prompt comes last and once: it may contain anything, our own placeholders too.
        return text.replace("{prompt}", values["prompt"])


class Conventions(Struct, frozen=True):
    """Which files of a repository an agent uses without being asked, according to its own documentation."""

    instructions: str | None = None
    also: tuple[str, ...] = ()
    """Further files that it reads; a name that ends with "/" is a directory."""
    skills: str | None = None
    settings: tuple[str, str] | None = None
    """A file that makes it read the instructions, with its content."""
    hooks: str | None = None
    """The settings file in which it keeps hooks."""

    def reads(self, file: str) -> bool:
        return file == self.instructions or any(
            file == name or (name.endswith("/") and file.startswith(name)) for name in self.also
        )


class AgentSpec(Struct, frozen=True, kw_only=True):
    """One agent."""

    name: str
    title: str
    engine: Literal["react", "swe", "adapter"]
    """What runs its loop: "react" (ours, on Inspect), "swe" (inspect_swe) or "adapter" (the program itself, started as
    ``adapter`` says)."""
    conventions: Conventions
    package: Distribution | None = None
    adapter: Adapter | None = None
    aliases: tuple[str, ...] = ()
    session_paths: tuple[str, ...] = ()
    """Glob patterns of its own log inside the sandbox, absolute or relative to the home directory."""
    environment: dict[str, str] = field(default_factory=dict)
    passes: tuple[str, ...] = ()
    """Variables of the host that it needs to log in to its vendor's service."""
    network: bool = False
    """It cannot use the bridge and needs its vendor's service."""
    note: str = ""
    known_model: str | None = None
    """Name under which a scripted model is introduced, if the program treats unknown names worse."""
    unscripted: str = ""
    """Why no scripted policy can be played through it; "": it can."""
    plan_tool: bool = False
    """The built-in loop offers a tool for a todo list."""
    resumes: bool = False
    """A session of its program that ended with a question is continued with the scripted user's reply."""
    paths: dict[str, Path] = field(default_factory=dict)
    """Directories given by the user, searched before RIGOR_AGENTS and PATH."""

    def path(self) -> str | None:
        """The directory to add to the sandbox's PATH."""
        return None if self.package is None else BIN

    def env(self) -> dict[str, str]:
        """Variables for the whole sandbox: those of the host that the agent's own service needs."""
        return {name: os.environ[name] for name in self.passes if name in os.environ}
