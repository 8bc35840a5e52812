"""Inspect logs (``.eval`` and JSON)."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "inspect",
        title="Inspect .eval and JSON logs (extra: inspect)",
        files="`.eval` and JSON logs, through Inspect's own reader (extra `inspect`)",
        tokens="per call",
        exit_status="of sandbox commands",
        times="yes",
        subagents="agent spans",
        extra="inspect",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = ()
