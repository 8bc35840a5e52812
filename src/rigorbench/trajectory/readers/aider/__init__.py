"""Aider: the chat history, a Markdown file in the repository."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "aider",
        title="Aider chat histories",
        files="`.aider.chat.history.md`, with the prompt log beside it if there is one",
        tokens="rounded",
        exit_status="never",
        times="start only; more with the prompt log",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (SessionFolder(agent="aider", globs=(".aider.chat.history.md",)),)
