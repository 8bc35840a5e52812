"""Pi (pi-coding-agent)."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "pi",
        title="Pi sessions",
        files="session files and JSON mode",
        tokens="per message",
        exit_status="in the text",
        times="yes",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (SessionFolder(agent="pi", directory=".pi", globs=("agent/sessions/*/*.jsonl",)),)
