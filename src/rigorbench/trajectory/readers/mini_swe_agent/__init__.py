"""mini-swe-agent trajectories."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "mini-swe-agent",
        title="mini-swe-agent trajectories",
        files="versions 1 and 2, bare lists",
        tokens="per call (version 2)",
        exit_status="stated",
        times="version 2",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="mini-swe-agent",
        directory=".config/mini-swe-agent",
        variable="MSWEA_GLOBAL_CONFIG_DIR",
        globs=("*.traj.json",),
    ),
)
