"""Auggie (Augment's CLI)."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "auggie",
        title="Auggie sessions",
        files="session documents (partial: prompts are often missing)",
        tokens="per exchange",
        exit_status="in the text",
        times="yes",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (SessionFolder(agent="auggie", directory=".augment", globs=("sessions/*.json",)),)
