"""Recorded runs: the journal of the sandbox's recorder and the trees beside it."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "rigor-capture",
        title="runs recorded by rigor run: the journal that was written outside the sandbox, with its trees",
        files="the directory of a recorded run ([below](#rigor-capture-recorded-runs))",
        tokens="per call",
        exit_status="recorded",
        times="recorded",
        subagents="by their conversations",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = ()
