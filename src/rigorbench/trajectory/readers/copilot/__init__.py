"""GitHub Copilot CLI."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "copilot",
        title="GitHub Copilot CLI events",
        files="GitHub Copilot CLI `events.jsonl`, and its stream",
        tokens="per call",
        exit_status="stated",
        times="yes",
        subagents="inline",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="copilot",
        directory=".copilot",
        variable="COPILOT_HOME",
        globs=("session-state/*/events.jsonl", "session-state/*.jsonl"),
    ),
)
