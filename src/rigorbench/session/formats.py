"""The log formats by name, and where the agents keep their logs.

The table of all formats is here, and not in their readers, so that no reader is loaded to list them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from glob import escape
from itertools import product
from pathlib import Path
from typing import Any

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
        twins: globs, with ``{id}`` for the log's name and relative to the home directory if they begin with a dot, else
            to the third folder above the log: what they find is the same session in a store that states more.
    """

    agent: str
    globs: tuple[str, ...]
    directory: str | None = None
    variable: str | None = None
    skipped: str | None = None
    log_is_folder: bool = False
    twins: tuple[str, ...] = ()

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
                twins = (twin.replace("{id}", escape(path.stem)) for twin in self.twins)
                if (self.skipped is not None and path.name.startswith(self.skipped)) or any(
                    next((home if g.startswith(".") else path.parents[2]).glob(g), None) for g in twins
                ):
                    continue
                try:
                    changed = path.stat().st_mtime
                    log_of_database = path.with_name(path.name + "-wal")
                    if path.suffix in (".db", ".vscdb") and log_of_database.exists():
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
    LogFormat("kimi", "kimi", "Kimi Code and Kimi CLI sessions"),
    LogFormat("droid", "droid", "Droid (Factory) sessions"),
    LogFormat("grok", "grok", "Grok Build sessions"),
    LogFormat("crush", "crush", "Crush's database of a project"),
    LogFormat("antigravity", "antigravity", "Antigravity transcripts"),
    LogFormat("kiro", "kiro", "Kiro sessions"),
    LogFormat("kiro-ide", "kiro", "executions of Kiro's editor"),
    LogFormat("amazon-q", "amazon_q", "conversations of Amazon Q Developer's command line, and of Kiro's"),
    LogFormat("auggie", "auggie", "Auggie sessions"),
    LogFormat("openhands-v0", "openhands", "OpenHands output.jsonl"),
    LogFormat("openhands", "openhands", "OpenHands conversation folders"),
    LogFormat("swe-agent", "swe_agent", "SWE-agent .traj"),
    LogFormat("mini-swe-agent", "mini_swe_agent", "mini-swe-agent trajectories"),
    LogFormat("trae", "trae", "trae-agent trajectories"),
    LogFormat("cursor-stream", "cursor", "cursor-agent --output-format stream-json"),
    LogFormat("cursor-transcript", "cursor_transcript", "Cursor transcripts, with their sub-agents"),
    LogFormat("cursor-text", "cursor_transcript", "Cursor transcripts as plain text"),
    LogFormat("cursor-store", "cursor_store", "the store of Cursor's command line"),
    LogFormat("cursor-editor", "cursor_editor", "the database of Cursor's editor"),
    LogFormat("cline", "cline", "Cline sessions, with their sub-agents"),
    LogFormat("cline-task", "cline_task", "tasks of Cline (to version 3), Roo Code and Kilo Code"),
    LogFormat("vscode-chat", "vscode_chat", "chats of VS Code with Copilot, as stored and exported"),
    LogFormat("goose", "goose", "Goose sessions: the database, session files and exports"),
    LogFormat("atif", "atif", "ATIF 1.0-1.8, Harbor job directories too"),
    LogFormat("inspect", "inspect", "Inspect .eval and JSON logs (extra: inspect)"),
    LogFormat("aider", "aider", "Aider chat histories"),
)
# Where programs keep the data of a user, on Linux, macOS and Windows; and the editors that agents are extensions of.
_DATA = (".config", "Library/Application Support", "AppData/Roaming")
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SERVERS = (".vscode-server/data", ".vscode-server-insiders/data", ".cursor-server/data")


def _in_editors(agent: str, *globs: str, editors: tuple[str, ...] = _EDITORS, **more: Any) -> Iterator[SessionFolder]:
    """The folders of an agent below ``User`` of editors, on this machine and where one works on it from another."""
    for data in _DATA:
        yield SessionFolder(agent, tuple(f"{name}/User/{g}" for name in editors for g in globs), data, **more)
    for server in _SERVERS if editors == _EDITORS else ():
        yield SessionFolder(agent, tuple(f"User/{g}" for g in globs), server, **more)


_KIMI = "kimi-desktop/daimon-share/daimon/runtime/kimi-code/home"
_KIRO = "Kiro/User/globalStorage/kiro.kiroagent"
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
    SessionFolder("kimi", ("sessions/*/*/agents/main/wire.jsonl",), ".kimi-code", "KIMI_CODE_HOME"),
    SessionFolder("kimi", ("sessions/*/*/agents/main/wire.jsonl",), f"Library/Application Support/{_KIMI}"),
    SessionFolder("kimi", ("sessions/*/*/wire.jsonl",), ".kimi", "KIMI_SHARE_DIR"),
    SessionFolder("droid", ("sessions/*.jsonl", "sessions/*/*.jsonl"), ".factory"),
    SessionFolder("grok", ("sessions/*/*/chat_history.jsonl",), ".grok", "GROK_HOME"),
    SessionFolder("crush", (".crush/crush.db",)),
    SessionFolder("antigravity", ("antigravity*/brain/*/.system_generated/logs/transcript.jsonl",), ".gemini"),
    SessionFolder("kiro", ("sessions/cli/*.jsonl", "sessions/*/*/messages.jsonl"), ".kiro", "KIRO_HOME"),
    *(
        SessionFolder("kiro", (f"{_KIRO}/{'[0-9a-f]' * 8}*/[0-9a-f]*/[0-9a-f]*",), data)
        for data in (".config", "Library/Application Support", "AppData/Roaming")
    ),
    *(
        SessionFolder(agent, (f"{folder}/data.sqlite3",), data)
        for data in (".local/share", "Library/Application Support", "AppData/Local")
        for agent, folder in (("amazon-q", "amazon-q"), ("kiro", "kiro-cli"))
    ),
    SessionFolder("auggie", ("sessions/*.json",), ".augment"),
    SessionFolder("openhands", ("conversations/*/base_state.json",), ".openhands", log_is_folder=True),
    SessionFolder("mini-swe-agent", ("*.traj.json",), ".config/mini-swe-agent", "MSWEA_GLOBAL_CONFIG_DIR"),
    SessionFolder("aider", (".aider.chat.history.md",)),
    SessionFolder(
        "cursor",
        (
            "projects/*/agent-transcripts/*/*.jsonl",
            "projects/*/agent-transcripts/*.jsonl",
            "projects/*/agent-transcripts/*.txt",
        ),
        ".cursor",
        twins=(".cursor/chats/*/{id}/store.db",),
    ),
    SessionFolder("cursor", ("chats/*/*/store.db",), ".cursor"),
    *_in_editors("cursor", "globalStorage/state.vscdb", editors=("Cursor",)),
    SessionFolder("cline", ("sessions/*/*.messages.json",), ".cline/data", "CLINE_DATA_DIR", skipped="agent_"),
    SessionFolder("cline", ("tasks/*/api_conversation_history.json",), ".cline/data", "CLINE_DATA_DIR"),
    *_in_editors("cline", "globalStorage/saoudrizwan.claude-dev/tasks/*/api_conversation_history.json"),
    *_in_editors("roo-code", "globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json"),
    *_in_editors("kilo-code", "globalStorage/kilocode.kilo-code/tasks/*/api_conversation_history.json"),
    SessionFolder("kilo-code", ("cli/global/tasks/*/api_conversation_history.json",), ".kilocode"),
    SessionFolder("kilo-code", ("kilo/kilo.db",), ".local/share", "XDG_DATA_HOME"),
    *_in_editors(
        "vscode-copilot", "workspaceStorage/*/chatSessions/*.json*", "globalStorage/emptyWindowChatSessions/*.json*"
    ),
    *_in_editors(
        "vscode-copilot",
        "workspaceStorage/*/GitHub.copilot-chat/transcripts/*.jsonl",
        twins=("chatSessions/{id}.json*",),
    ),
    SessionFolder("goose", ("goose/sessions/sessions.db", "goose/sessions/*.jsonl"), ".local/share", "XDG_DATA_HOME"),
    SessionFolder("goose", ("data/sessions/sessions.db", "data/sessions/*.jsonl"), "AppData/Roaming/Block/goose"),
)

# Stores that are known and have no reader, by the program's name: what they hold is named where sessions are listed.
UNREAD: tuple[SessionFolder, ...] = (
    SessionFolder("Windsurf", ("*.pb",), ".codeium/windsurf/cascade"),
    SessionFolder("Continue", ("*.json",), ".continue/sessions"),
    SessionFolder("Zed", ("threads.db",), ".local/share/zed/threads"),
    SessionFolder("Zed", ("threads.db",), "Library/Application Support/Zed/threads"),
    SessionFolder("Amp", ("T-*.json",), ".local/share/amp/threads"),
    SessionFolder("Junie", ("*/events.jsonl",), ".junie/sessions"),
    SessionFolder("OpenClaw", ("*/sessions/*.jsonl",), ".openclaw/agents"),
    SessionFolder("iFlow", ("*/*.jsonl",), ".iflow/projects"),
)


def unread_stores(home: Path) -> Iterator[str]:
    """A line for each store of this machine that no reader reads."""
    for folder in UNREAD:
        number = sum(1 for _ in folder.logs(home))
        if number:
            yield f"{folder.agent} sessions in ~/{folder.directory}: not read yet"
