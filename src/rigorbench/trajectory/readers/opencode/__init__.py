"""opencode: its database, exports, older files and JSON stream."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "opencode",
        title="opencode database, with its write-ahead log",
        files="the database with its write-ahead log, or the older `storage/`",
        tokens="per step",
        exit_status="stated",
        times="yes",
        subagents="child sessions",
    ),
    LogFormat(
        "opencode-export",
        title="opencode export",
        files="`opencode export`",
        tokens="per step",
        exit_status="stated",
        times="yes",
        subagents="child sessions beside it",
    ),
    LogFormat(
        "opencode-stream",
        title="opencode run --format json",
        files="`opencode run --format json`",
        tokens="per step",
        exit_status="stated",
        times="yes",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="opencode", directory=".local/share", variable="XDG_DATA_HOME", globs=("opencode/opencode.db",)
    ),
)
