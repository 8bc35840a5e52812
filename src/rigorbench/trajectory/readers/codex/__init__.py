"""Codex CLI: rollouts of every generation, and ``codex exec --json``."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "codex",
        title="Codex CLI rollouts",
        files="rollouts from 2025 on, `~/.codex/sessions`",
        tokens="per response",
        exit_status="stated or in the text",
        times="yes",
        subagents="rollouts of child threads in the same folder",
    ),
    LogFormat(
        "codex-exec",
        title="codex exec --json",
        files="`codex exec --json`, both dialects",
        tokens="per turn",
        exit_status="stated",
        times="no",
        subagents="none seen",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="codex",
        directory=".codex",
        variable="CODEX_HOME",
        globs=("sessions/*/*/*/rollout-*.jsonl*", "archived_sessions/rollout-*.jsonl*"),
    ),
)
