"""The log formats by name, and where the agents keep their logs.

The table of all formats is here, and not in their readers, so that no reader is loaded to list them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

from msgspec import Struct


class LogFormat(Struct, frozen=True):
    """A log format; what its logs state is in ``docs/formats.md``."""

    id: str
    """The name of the format in scores and messages."""
    module: str
    """The module of ``readers`` that reads it, with its ``READERS``."""
    title: str


class SessionFolder(Struct, frozen=True):
    """Where an agent keeps the sessions of a user, by its own documentation and defaults.

    Attributes:
        agent: the name that ``rigor sessions --agent`` takes.
        globs: the session logs, relative to ``directory``.
        directory: relative to the home directory; None: the working directory.
        variable: an environment variable that names another directory, or several (commas between them).
        skipped: beginning of the names of files that are parts of another log.
        log_is_folder: the log is the folder of the file that the glob finds.
    """

    agent: str
    globs: tuple[str, ...]
    directory: str | None = None
    variable: str | None = None
    skipped: str | None = None
    log_is_folder: bool = False

    def bases(self, home: Path) -> list[Path]:
        """The directories that the globs start from."""
        moved = os.environ.get(self.variable, "") if self.variable is not None else ""
        named = [Path(name.strip()).expanduser() for name in moved.split(",") if name.strip()]
        return named or [home / self.directory if self.directory is not None else Path.cwd()]

    def logs(self, home: Path) -> Iterator[tuple[Path, float]]:
        """The session logs in this folder: (path, time of last change in epoch seconds), in no particular order."""
        for base, pattern in product(self.bases(home), self.globs):
            try:
                matches = list(base.glob(pattern))
            except OSError:
                continue
            for path in matches:
                if self.skipped is not None and path.name.startswith(self.skipped):
                    continue
                try:
                    changed = path.stat().st_mtime
                    log_of_database = path.with_name(path.name + "-wal")
                    if path.suffix == ".db" and log_of_database.exists():
                        changed = max(changed, log_of_database.stat().st_mtime)
                except OSError:
                    continue
                yield path.parent if self.log_is_folder else path, changed


def find_sessions(
    folders: Iterable[SessionFolder], home: Path, agent: str | None = None
) -> Iterator[tuple[str, Path, float]]:
    """(agent, log, time of last change in epoch seconds) of every session log of the user, in no particular order."""
    for folder in folders:
        if agent is None or agent == folder.agent:
            for path, changed in folder.logs(home):
                yield folder.agent, path, changed


def unreadable(folders: Iterable[SessionFolder], home: Path) -> list[Path]:
    """Directories that hold sessions, or folders of them, and that this user may not list."""
    found: dict[Path, None] = {}
    for folder in folders:
        for base, pattern in product(folder.bases(home), folder.globs):
            parts = pattern.split("/")[:-1]
            for depth in range(len(parts) + 1):
                with suppress(OSError):  # below a directory that is in the list already
                    for directory in base.glob("/".join(parts[:depth])) if depth else [base]:
                        if directory.is_dir() and not os.access(directory, os.R_OK | os.X_OK):
                            found[directory] = None
    return list(found)


# In order of detection: the formats that are easiest to tell apart first, the generic interchange formats last.
FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "rigor-capture",
        "capture",
        "runs recorded by rigor run: the journal that was written outside the sandbox, with its trees",
    ),
    LogFormat("claude-code", "claude_code", "Claude Code sessions, both generations, with their sub-agents"),
    LogFormat("claude-code-stream", "claude_code", "claude -p --output-format stream-json"),
    LogFormat("codex", "codex", "Codex CLI rollouts"),
    LogFormat("codex-exec", "codex", "codex exec --json"),
    LogFormat("gemini", "gemini", "Gemini CLI chats, both generations"),
    LogFormat("gemini-stream", "gemini", "gemini --output-format stream-json"),
    LogFormat("qwen", "qwen", "Qwen Code chats"),
    LogFormat("qwen-stream", "qwen", "qwen --output-format stream-json"),
    LogFormat("opencode", "opencode", "opencode database, with its write-ahead log"),
    LogFormat("opencode-export", "opencode", "opencode export"),
    LogFormat("opencode-stream", "opencode", "opencode run --format json"),
    LogFormat("copilot", "copilot", "GitHub Copilot CLI events"),
    LogFormat("pi", "pi", "Pi sessions"),
    LogFormat("auggie", "auggie", "Auggie sessions"),
    LogFormat("openhands-v0", "openhands", "OpenHands output.jsonl"),
    LogFormat("openhands", "openhands", "OpenHands conversation folders"),
    LogFormat("swe-agent", "swe_agent", "SWE-agent .traj"),
    LogFormat("mini-swe-agent", "mini_swe_agent", "mini-swe-agent trajectories"),
    LogFormat("trae", "trae", "trae-agent trajectories"),
    LogFormat("cursor-stream", "cursor", "cursor-agent --output-format stream-json"),
    LogFormat("atif", "atif", "ATIF 1.0-1.8, Harbor job directories too"),
    LogFormat("inspect", "inspect", "Inspect .eval and JSON logs (extra: inspect)"),
    LogFormat("aider", "aider", "Aider chat histories"),
)
_CLAUDE = (
    "projects/*/*.jsonl*",
    "projects/*/*/subagents/**/agent-*.jsonl*",
    "projects/*/[0-9a-f]*-*-*-*-*.json",  # a session on the web, as one document
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder("claude", _CLAUDE, ".claude", "CLAUDE_CONFIG_DIR"),
    SessionFolder("claude", _CLAUDE, ".config/claude"),
    SessionFolder(
        "codex",
        ("sessions/[0-9]*/[0-9]*/[0-9]*/rollout-*.jsonl*", "archived_sessions/rollout-*.jsonl*"),
        ".codex",
        "CODEX_HOME",
    ),
    SessionFolder("gemini", ("tmp/*/chats/session-*",), ".gemini"),
    SessionFolder("qwen", ("projects/*/chats/*.jsonl", "tmp/*/chats/*"), ".qwen"),
    SessionFolder("opencode", ("opencode/opencode*.db",), ".local/share", "XDG_DATA_HOME"),
    SessionFolder("copilot", ("session-state/*/events.jsonl", "session-state/*.jsonl"), ".copilot", "COPILOT_HOME"),
    SessionFolder("pi", ("agent/sessions/*/*.jsonl",), ".pi"),
    SessionFolder("auggie", ("sessions/*.json",), ".augment"),
    SessionFolder("openhands", ("conversations/*/base_state.json",), ".openhands", log_is_folder=True),
    SessionFolder("mini-swe-agent", ("*.traj.json",), ".config/mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR"),
    SessionFolder("aider", (".aider.chat.history.md",)),
)
