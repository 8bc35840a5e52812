"""Cursor's agent on the command line (stream-json)."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "cursor-stream",
        title="cursor-agent --output-format stream-json",
        files="`cursor-agent --output-format stream-json`, read after its documentation only",
        tokens="total",
        exit_status="stated",
        times="no",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = ()
