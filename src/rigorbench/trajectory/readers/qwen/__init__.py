"""Qwen Code: chats, their sub-agents, and stream-json."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "qwen",
        title="Qwen Code chats",
        files="Qwen Code chats, `~/.qwen`",
        tokens="per message",
        exit_status="stated",
        times="yes",
        subagents="own files",
    ),
    LogFormat(
        "qwen-stream",
        title="qwen --output-format stream-json",
        files="`qwen --output-format stream-json`",
        tokens="per message",
        exit_status="stated",
        times="yes",
        subagents="by parent call",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(agent="qwen", directory=".qwen", globs=("projects/*/chats/*.jsonl", "tmp/*/chats/*")),
)
