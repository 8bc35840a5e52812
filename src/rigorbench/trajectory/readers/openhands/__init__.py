"""OpenHands: V0 and V1 logs."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "openhands-v0",
        title="OpenHands output.jsonl",
        files="`output.jsonl`, arrays, event lists",
        tokens="accumulated or per call",
        exit_status="stated",
        times="yes",
        subagents="delegates",
    ),
    LogFormat(
        "openhands",
        title="OpenHands conversation folders",
        files="conversation folders (`base_state.json`, `events/`)",
        tokens="per call",
        exit_status="stated; -1 is unknown",
        times="yes",
        subagents="own folders",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="openhands", directory=".openhands", globs=("conversations/*/base_state.json",), log_is_folder=True
    ),
)
