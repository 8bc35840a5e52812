"""What a log format is: its name, what people call it, what its logs state, and where its agent keeps them.

The table of all formats is here, and not in their readers, so that no reader is loaded to list them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct


class LogFormat(Struct, frozen=True):
    """A log format as ``rigor doctor --formats`` and the table in ``docs/formats.md`` describe it.

    Attributes:
        id: the name of the format in scores and messages.
        module: the module of ``readers`` that reads it, with its ``READERS``.
        title: one line for ``rigor doctor --formats``.
        files: which files are read (Markdown).
        tokens: the unit for which the log states token counts.
        exit_status: where the exit status of a command comes from.
        times: whether the log states times.
        subagents: where the steps of sub-agents are.
        extra: the optional dependency group that its reader needs.
    """

    id: str
    module: str
    title: str
    files: str
    tokens: str
    exit_status: str
    times: str
    subagents: str
    extra: str | None = None


class SessionFolder(Struct, frozen=True):
    """Where an agent keeps the sessions of a user, by its own documentation and defaults.

    Attributes:
        agent: the name that ``rigor sessions --agent`` takes.
        globs: the session logs, relative to ``directory``.
        directory: relative to the home directory; None: the working directory.
        variable: an environment variable that names another directory.
        skipped: beginning of the names of files that are parts of another log.
        log_is_folder: the log is the folder of the file that the glob finds.
    """

    agent: str
    globs: tuple[str, ...]
    directory: str | None = None
    variable: str | None = None
    skipped: str | None = None
    log_is_folder: bool = False

    def base(self, home: Path) -> Path:
        """The directory that the globs start from."""
        moved = os.environ.get(self.variable) if self.variable is not None else None
        return Path(moved) if moved else home / self.directory if self.directory is not None else Path.cwd()

    def logs(self, home: Path) -> Iterator[tuple[Path, float]]:
        """The session logs in this folder: (path, time of last change in epoch seconds), in no particular order."""
        base = self.base(home)
        for pattern in self.globs:
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
        base = folder.base(home)
        for pattern in folder.globs:
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
        module="capture",
        title="runs recorded by rigor run: the journal that was written outside the sandbox, with its trees",
        files="the directory of a recorded run ([below](#rigor-capture-recorded-runs))",
        tokens="per call",
        exit_status="recorded",
        times="recorded",
        subagents="by their conversations",
    ),
    LogFormat(
        "claude-code",
        module="claude_code",
        title="Claude Code sessions, both generations, with their sub-agents",
        files="`~/.claude/projects/*/*.jsonl`, 2.0 and 2.1",
        tokens="per message, once",
        exit_status="`Exit code N` of failed commands",
        times="yes",
        subagents="own files, `progress` lines, side chains",
    ),
    LogFormat(
        "claude-code-stream",
        module="claude_code",
        title="claude -p --output-format stream-json",
        files="`claude -p --output-format stream-json`",
        tokens="totals; per message where stated",
        exit_status="`Exit code N` of failed commands",
        times="no",
        subagents="by parent call",
    ),
    LogFormat(
        "codex",
        module="codex",
        title="Codex CLI rollouts",
        files="rollouts from 2025 on, `~/.codex/sessions`",
        tokens="per response",
        exit_status="stated or in the text",
        times="yes",
        subagents="rollouts of child threads in the same folder",
    ),
    LogFormat(
        "codex-exec",
        module="codex",
        title="codex exec --json",
        files="`codex exec --json`, both dialects",
        tokens="per turn",
        exit_status="stated",
        times="no",
        subagents="none seen",
    ),
    LogFormat(
        "gemini",
        module="gemini",
        title="Gemini CLI chats, both generations",
        files="chats as one document (to 0.2x) and as lines",
        tokens="per message; incomplete to 0.2x",
        exit_status="in the text",
        times="yes",
        subagents="own files",
    ),
    LogFormat(
        "gemini-stream",
        module="gemini",
        title="gemini --output-format stream-json",
        files="`gemini --output-format stream-json`",
        tokens="totals",
        exit_status="in the text",
        times="yes",
        subagents="no",
    ),
    LogFormat(
        "qwen",
        module="qwen",
        title="Qwen Code chats",
        files="Qwen Code chats, `~/.qwen`",
        tokens="per message",
        exit_status="stated",
        times="yes",
        subagents="own files",
    ),
    LogFormat(
        "qwen-stream",
        module="qwen",
        title="qwen --output-format stream-json",
        files="`qwen --output-format stream-json`",
        tokens="per message",
        exit_status="stated",
        times="yes",
        subagents="by parent call",
    ),
    LogFormat(
        "opencode",
        module="opencode",
        title="opencode database, with its write-ahead log",
        files="the database with its write-ahead log, or the older `storage/`",
        tokens="per step",
        exit_status="stated",
        times="yes",
        subagents="child sessions",
    ),
    LogFormat(
        "opencode-export",
        module="opencode",
        title="opencode export",
        files="`opencode export`",
        tokens="per step",
        exit_status="stated",
        times="yes",
        subagents="child sessions beside it",
    ),
    LogFormat(
        "opencode-stream",
        module="opencode",
        title="opencode run --format json",
        files="`opencode run --format json`",
        tokens="per step",
        exit_status="stated",
        times="yes",
        subagents="no",
    ),
    LogFormat(
        "copilot",
        module="copilot",
        title="GitHub Copilot CLI events",
        files="GitHub Copilot CLI `events.jsonl`, and its stream",
        tokens="per call",
        exit_status="stated",
        times="yes",
        subagents="inline",
    ),
    LogFormat(
        "pi",
        module="pi",
        title="Pi sessions",
        files="session files and JSON mode",
        tokens="per message",
        exit_status="in the text",
        times="yes",
        subagents="no",
    ),
    LogFormat(
        "auggie",
        module="auggie",
        title="Auggie sessions",
        files="session documents (partial: prompts are often missing)",
        tokens="per exchange",
        exit_status="in the text",
        times="yes",
        subagents="no",
    ),
    LogFormat(
        "openhands-v0",
        module="openhands",
        title="OpenHands output.jsonl",
        files="`output.jsonl`, arrays, event lists",
        tokens="accumulated or per call",
        exit_status="stated",
        times="yes",
        subagents="delegates",
    ),
    LogFormat(
        "openhands",
        module="openhands",
        title="OpenHands conversation folders",
        files="conversation folders (`base_state.json`, `events/`)",
        tokens="per call",
        exit_status="stated; -1 is unknown",
        times="yes",
        subagents="own folders",
    ),
    LogFormat(
        "swe-agent",
        module="swe_agent",
        title="SWE-agent .traj",
        files="`.traj`, six layouts",
        tokens="totals",
        exit_status="never",
        times="never",
        subagents="no",
    ),
    LogFormat(
        "mini-swe-agent",
        module="mini_swe_agent",
        title="mini-swe-agent trajectories",
        files="versions 1 and 2, bare lists",
        tokens="per call (version 2)",
        exit_status="stated",
        times="version 2",
        subagents="no",
    ),
    LogFormat(
        "trae",
        module="trae",
        title="trae-agent trajectories",
        files="trajectory documents",
        tokens="per call",
        exit_status="never; success flag of the command",
        times="yes",
        subagents="no",
    ),
    LogFormat(
        "cursor-stream",
        module="cursor",
        title="cursor-agent --output-format stream-json",
        files="`cursor-agent --output-format stream-json`, read after its documentation only",
        tokens="total",
        exit_status="stated",
        times="no",
        subagents="no",
    ),
    LogFormat(
        "atif",
        module="atif",
        title="ATIF 1.0-1.8, Harbor job directories too",
        files="ATIF 1.0-1.8, with vendor fields; Harbor trials and jobs",
        tokens="per step",
        exit_status="`extra.exit_code` where present",
        times="yes",
        subagents="embedded or own files",
    ),
    LogFormat(
        "inspect",
        module="inspect",
        title="Inspect .eval and JSON logs (extra: inspect)",
        files="`.eval` and JSON logs, through Inspect's own reader (extra `inspect`)",
        tokens="per call",
        exit_status="of sandbox commands",
        times="yes",
        subagents="agent spans",
        extra="inspect",
    ),
    LogFormat(
        "aider",
        module="aider",
        title="Aider chat histories",
        files="`.aider.chat.history.md`, with the prompt log beside it if there is one",
        tokens="rounded",
        exit_status="never",
        times="start only; more with the prompt log",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="claude",
        directory=".claude",
        variable="CLAUDE_CONFIG_DIR",
        globs=("projects/*/*.jsonl",),
        skipped="agent-",
    ),
    SessionFolder(
        agent="codex",
        directory=".codex",
        variable="CODEX_HOME",
        globs=("sessions/*/*/*/rollout-*.jsonl*", "archived_sessions/rollout-*.jsonl*"),
    ),
    SessionFolder(agent="gemini", directory=".gemini", globs=("tmp/*/chats/session-*",)),
    SessionFolder(agent="qwen", directory=".qwen", globs=("projects/*/chats/*.jsonl", "tmp/*/chats/*")),
    SessionFolder(
        agent="opencode", directory=".local/share", variable="XDG_DATA_HOME", globs=("opencode/opencode.db",)
    ),
    SessionFolder(
        agent="copilot",
        directory=".copilot",
        variable="COPILOT_HOME",
        globs=("session-state/*/events.jsonl", "session-state/*.jsonl"),
    ),
    SessionFolder(agent="pi", directory=".pi", globs=("agent/sessions/*/*.jsonl",)),
    SessionFolder(agent="auggie", directory=".augment", globs=("sessions/*.json",)),
    SessionFolder(
        agent="openhands", directory=".openhands", globs=("conversations/*/base_state.json",), log_is_folder=True
    ),
    SessionFolder(
        agent="mini-swe-agent",
        directory=".config/mini-swe-agent",
        variable="MSWEA_GLOBAL_CONFIG_DIR",
        globs=("*.traj.json",),
    ),
    SessionFolder(agent="aider", globs=(".aider.chat.history.md",)),
)
