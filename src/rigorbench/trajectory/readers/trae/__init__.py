"""trae-agent trajectories."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "trae",
        title="trae-agent trajectories",
        files="trajectory documents",
        tokens="per call",
        exit_status="never; success flag of the command",
        times="yes",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = ()
