"""What is known about an agent before anything runs: how it is installed, started and read. Imports no engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

# Where the programs of agents show inside a sandbox; whatever runs from here is the agent, not its work.
INSIDE = "/opt/agents"
BIN = f"{INSIDE}/bin"

Paths = Mapping[str, Path]


class AgentError(ValueError):
    """An agent cannot be used. The message is one line that names it and the remedy."""


class Readiness(Struct, frozen=True):
    """Whether an agent can run here. ``why`` (one line) and ``remedy`` where it cannot; ``where``: what was found."""

    ok: bool
    version: str | None = None
    why: str = ""
    remedy: str = ""
    where: str | None = None


class Package(Struct, frozen=True):
    """How a program is distributed. ``executable`` is its name on PATH; ``name`` that of the package."""

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
    """How a command line program is started so that it talks to the bridge. Data only.

    In ``command``, ``environment`` and ``files``: ``{prompt}``, ``{url}`` (the bridge, no path), ``{home}``, ``{cwd}``
    and ``{executable}`` are replaced; nothing else is special. ``files``: path in the home directory -> text.
    ``stdin``: the prompt goes there and not on the command line.
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
        # Last, and once: a prompt may hold anything, our own placeholders too.
        return text.replace("{prompt}", values["prompt"])


class AgentSpec(Struct, frozen=True):
    """One agent.

    ``engine``: who runs its loop: "react" (ours, on Inspect), "swe" (inspect_swe), "adapter" (the program, started by
    ``adapter``). ``session_paths``: glob patterns of its own log, relative to the home directory or absolute, as seen
    inside. ``instruction_file``: where it looks for instructions in a repository. ``passes``: variables of the host
    that it needs to reach a service of its own. ``network``: it cannot use the bridge and talks to its own service.
    ``paths``: directories given by the user, before RIGOR_AGENTS and PATH are searched.
    """

    name: str
    title: str
    engine: Literal["react", "swe", "adapter"]
    package: Package | None = None
    adapter: Adapter | None = None
    session_paths: tuple[str, ...] = ()
    instruction_file: str = "AGENTS.md"
    environment: tuple[tuple[str, str], ...] = ()
    passes: tuple[str, ...] = ()
    network: bool = False
    note: str = ""
    paths: dict[str, Path] = field(default_factory=dict)

    def path(self) -> str | None:
        """The directory to put on the sandbox's PATH (None: nothing)."""
        return None if self.package is None else BIN

    def env(self) -> dict[str, str]:
        """Variables for the whole sandbox: those of the host that the agent's own service needs, else none."""
        return {name: os.environ[name] for name in self.passes if name in os.environ}

    def home_files(self) -> dict[str, str]:
        """Files for the home directory that do not depend on the bridge; path -> text. The rest is written when the
        agent starts."""
        return {}
