"""ATIF (Agent Trajectory Interchange Format): documents of others, our own export, Harbor trials."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "atif",
        title="ATIF 1.0-1.8, Harbor job directories too",
        files="ATIF 1.0-1.8, with vendor fields; Harbor trials and jobs",
        tokens="per step",
        exit_status="`extra.exit_code` where present",
        times="yes",
        subagents="embedded or own files",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = ()
