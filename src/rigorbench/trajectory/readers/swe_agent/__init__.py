"""SWE-agent trajectories."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "swe-agent",
        title="SWE-agent .traj",
        files="`.traj`, six layouts",
        tokens="totals",
        exit_status="never",
        times="never",
        subagents="no",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = ()
