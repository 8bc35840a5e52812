"""The review of a turn when its agent stops: what to tell the user, and whether the agent has to go on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from ...base.text import count
from ...bench.rigorscore.score import open_session
from ...review.catalogue import findings
from ...review.work import Work
from ...session.logfile import LogFile
from ...session.model import MAIN_LANE, Source, Step, Trajectory
from ...session.registry import read_log
from ..finding_lines import finding_lines
from .settings import PLACES, SettingsError, project_root, read, starts
from .switches import config_at_start, switched

# The user's word: alone at the beginning or the end of a line, so that a text about it is none.
_SKIP = re.compile(r"(?m)^[ \t]*rigor-skip\b(?![-\w])|(?<!\S)rigor-skip[.!]?[ \t]*$")
# In what is sent back to the agent, so that the log shows that it was; and how the logs of both agents begin it.
MARK = "(rigor hook)"
_FEEDBACK = ("Stop hook feedback:", "<hook_prompt")
_MOST = 5


class Stop(Struct):
    """What an agent tells a Stop hook; both agents use these names.

    Attributes:
        transcript_path: the log of the session.
        stop_hook_active: the agent is already going on because a hook asked for it.
        last_assistant_message: the closing message, which the log may not have yet.
        background_tasks: what still runs (Claude Code).
    """

    hook_event_name: str = ""
    transcript_path: str | None = None
    session_id: str = ""
    cwd: str | None = None
    stop_hook_active: bool = False
    last_assistant_message: str | None = None
    background_tasks: list[Any] = field(default_factory=list)


def answer(data: bytes, *, agent: str | None, block: bool) -> dict[str, Any] | None:
    """The reply to the agent; None: nothing to say."""
    stop = msgspec.json.decode(data, type=Stop)
    if stop.hook_event_name == "ConfigChange":
        return _kept(agent, Path(stop.cwd or "."), block=block)
    if stop.hook_event_name != "Stop" or not stop.transcript_path:
        return None
    trajectory = _session(stop, Path(stop.transcript_path))
    if trajectory is None:
        return None
    begin, since = turn(trajectory)
    words = [s.text for s in trajectory.steps[begin:] if s.role == "user" and s.lane == MAIN_LANE]
    if any(_SKIP.search(text) for text in words):
        return None
    work = Work(open_session(trajectory, replay=False))
    cwd = Path(stop.cwd or trajectory.cwd or ".")
    notes = switched(work, since, agent, cwd)
    events = {e.id: e for e in work.session.events}
    new = [f for f in findings(work) if any(events[i].step >= since for i in f.events if i in events)]
    if any(f.severity != "strength" for f in new):
        config, problem = config_at_start(trajectory, cwd)
        new = config.shown([f for f in new if f.fingerprint not in config.exclude], trajectory.source.file)
        notes += [problem] if problem else []
    flags = [f for f in new if f.severity == "flag"]
    if not flags and not notes:
        return None
    told = [line for n, f in enumerate(flags[:_MOST], 1) for line in finding_lines(f, events, f"{n}. ")]
    if len(flags) > _MOST:
        told.append(f"and {count(len(flags) - _MOST, 'more flag')}")
    title = [f"rigor: {count(len(flags), 'flag')} in this turn"] if flags else []
    text = "\n".join([*title, *told, *(f"rigor: {note}" for note in notes)])
    goes_on = stop.stop_hook_active or since > begin or bool(stop.background_tasks)
    if not block or not flags or goes_on:
        return {"systemMessage": text}
    order = (
        "Before you stop: run the commands above, then repair the work, or correct what you said. If a flag is wrong, "
        f"say why. You will not be asked again in this turn. {MARK}"
    )
    return {"decision": "block", "reason": f"{text}\n{order}", "systemMessage": text}


def turn(trajectory: Trajectory) -> tuple[int, int]:
    """(index of the message that began this turn, index after which nothing was reviewed yet).

    A message that the user adds while the agent works begins no turn. The second index is a later one when the hook
    has already sent the agent back to work in this turn.
    """
    begin, ended = 0, True
    for index, step in enumerate(trajectory.steps):
        if step.lane != MAIN_LANE:
            continue
        if step.role == "user" and ended:
            begin = index
        if step.role in ("user", "agent", "interrupt"):
            ended = step.role != "user" and not step.calls
    sent_back = [
        index
        for index, step in enumerate(trajectory.steps)
        if index > begin and step.role == "harness" and step.text.startswith(_FEEDBACK) and MARK in step.text
    ]
    return begin, sent_back[-1] if sent_back else begin


def _session(stop: Stop, path: Path) -> Trajectory | None:
    """The session in the log with the closing message, read from the file once; None: there is none."""
    if not path.is_file():
        raise FileNotFoundError(f"the log {path} is missing")
    found = list(read_log(LogFile(path)))
    trajectory = next((t for t in found if t.id == stop.session_id), found[-1] if found else None)
    said = (stop.last_assistant_message or "").strip()
    if trajectory is not None and said:
        recent = [s.text for s in trajectory.steps[-20:] if s.role == "agent" and s.lane == MAIN_LANE]
        if not any(said in text for text in recent):
            trajectory.steps.append(Step("agent", Source(trajectory.source.file), text=said))
    return trajectory


def _kept(agent: str | None, cwd: Path, *, block: bool) -> dict[str, Any] | None:
    """The reply to a change of settings; None: the hook is still started by some of them, with its option.

    Claude Code takes over what changes in its settings at once, so an agent could end the review of its own session by
    one edit. Who edits cannot be seen here: a user's own edit holds from the next session on as well.
    """
    place = PLACES.get(agent or "")
    if place is None or "ConfigChange" not in place.events:
        return None
    found: list[dict[str, Any]] = []
    for file in place.files(project_root(cwd)):
        try:
            found.append(read(file))
        except SettingsError:
            continue  # not to be understood by the agent's program either
    off = any(settings.get("disableAllHooks") for settings in found)
    if not off and any(starts(settings, "--block" if block else "") for settings in found):
        return None
    why = "this change of settings would end the review of this session, so it holds from the next session on"
    return {"decision": "block", "reason": f"rigor: {why}", "systemMessage": f"rigor: {why}"}
