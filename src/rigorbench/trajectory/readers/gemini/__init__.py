"""Gemini CLI: chat files and its JSON stream."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "gemini",
        title="Gemini CLI chats, both generations",
        files="chats as one document (to 0.2x) and as lines",
        tokens="per message; incomplete to 0.2x",
        exit_status="in the text",
        times="yes",
        subagents="own files",
    ),
    LogFormat(
        "gemini-stream",
        title="gemini --output-format stream-json",
        files="`gemini --output-format stream-json`",
        tokens="totals",
        exit_status="in the text",
        times="yes",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(agent="gemini", directory=".gemini", globs=("tmp/*/chats/session-*",)),
)
