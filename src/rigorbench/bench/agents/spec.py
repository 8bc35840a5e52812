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

    Attributes:
        api: the protocol of its model calls; "own": it uses its vendor's service and not the bridge.
        files: path in the home directory -> text.
        stdin: the prompt is written to standard input instead of the command line.
    """

    api: Literal["anthropic", "openai", "google", "own"]
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    stdin: bool = False

    def fill(self, text: str, values: Mapping[str, str]) -> str:
        for key, value in values.items():
            if key != "prompt":
                text = text.replace("{" + key + "}", value)
        # The prompt comes last and once: it may contain anything, our own placeholders too.
        return text.replace("{prompt}", values["prompt"])


class Conventions(Struct, frozen=True):
    """Which files of a repository an agent uses without being asked, according to its own documentation.

    Attributes:
        also: further files that it reads; a name that ends with "/" is a directory.
        settings: a file that makes it read the instructions, with its content.
        hooks: the settings file in which it keeps hooks.
    """

    instructions: str | None = None
    also: tuple[str, ...] = ()
    skills: str | None = None
    settings: tuple[str, str] | None = None
    hooks: str | None = None

    def reads(self, file: str) -> bool:
        return file == self.instructions or any(
            file == name or (name.endswith("/") and file.startswith(name)) for name in self.also
        )


class AgentSpec(Struct, frozen=True, kw_only=True):
    """One agent.

    Attributes:
        engine: what runs its loop: "react" (ours, on Inspect), "swe" (inspect_swe) or "adapter" (the program itself,
            started as ``adapter`` says).
        session_paths: glob patterns of its own log inside the sandbox, absolute or relative to the home directory.
        passes: variables of the host that it needs to log in to its vendor's service.
        network: it cannot use the bridge and needs its vendor's service.
        known_model: name under which a scripted model is introduced, if the program treats unknown names worse.
        unscripted: why no scripted policy can be played through it; "": it can.
        plan_tool: the built-in loop offers a tool for a todo list.
        resumes: a session of its program that ended with a question is continued with the scripted user's reply.
        paths: directories given by the user, searched before RIGOR_AGENTS and PATH.
    """

    name: str
    title: str
    engine: Literal["react", "swe", "adapter"]
    conventions: Conventions
    package: Distribution | None = None
    adapter: Adapter | None = None
    aliases: tuple[str, ...] = ()
    session_paths: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    passes: tuple[str, ...] = ()
    network: bool = False
    note: str = ""
    known_model: str | None = None
    unscripted: str = ""
    plan_tool: bool = False
    resumes: bool = False
    paths: dict[str, Path] = field(default_factory=dict)

    def path(self) -> str | None:
        """The directory to add to the sandbox's PATH."""
        return None if self.package is None else BIN

    def env(self) -> dict[str, str]:
        """Variables for the whole sandbox: those of the host that the agent's own service needs."""
        return {name: os.environ[name] for name in self.passes if name in os.environ}
