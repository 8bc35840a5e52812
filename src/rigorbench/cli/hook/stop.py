"""The review of a turn when its agent stops: what to tell the user, and whether the agent has to go on."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from msgspec import Struct, field

from ...base.text import count
from ...bench.rigorscore.score import open_session
from ...evidence.events import EditEvent, RunEvent, VcsEvent
from ...review.catalogue import findings
from ...review.config import FILES, Config, ConfigError, parse_config
from ...review.pages.proof import finding_lines
from ...review.work import Work
from ...session.logfile import LogFile
from ...session.model import MAIN_LANE, Source, Step, Trajectory
from ...session.registry import read_log
from .settings import PLACES, SettingsError, is_ours, project_root, read, starts

# The user's word: alone at the beginning or the end of a line, so that a text about it is none.
_SKIP = re.compile(r"(?m)^[ \t]*rigor-skip\b(?![-\w])|(?<!\S)rigor-skip[.!]?[ \t]*$")
# In what is sent back to the agent, so that the log shows that it was; and how the logs of both agents begin it.
MARK = "(rigor hook)"
_FEEDBACK = ("Stop hook feedback:", "<hook_prompt")
_MOST = 5


class StopInput(Struct):
    """What an agent tells a Stop hook; both agents use these names."""

    hook_event_name: str = ""
    transcript_path: str | None = None
    """The log of the session."""
    session_id: str = ""
    cwd: str | None = None
    stop_hook_active: bool = False
    """The agent is already going on because a hook asked for it."""
    last_assistant_message: str | None = None
    """The closing message, which the log may not have yet."""
    background_tasks: list[Any] = field(default_factory=list)
    """What still runs (Claude Code)."""


def answer(data: bytes, *, agent: str | None, block: bool) -> dict[str, Any] | None:
    """The reply to the agent; None: nothing to say."""
    stop = msgspec.json.decode(data, type=StopInput)
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


def _session(stop: StopInput, path: Path) -> Trajectory | None:
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
    if trajectory is not None:
        trajectory.end = trajectory.end or "completed"
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


_SHA = re.compile(r"[0-9a-f]{7,40}")
_REMOVES = re.compile(r"\brigor\s+hook\s+remove\b(?!.*--dry-run)")
_GIT_SECONDS = 3


def user_config() -> Path:
    """The user's own configuration, which holds where a project has none."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".config") / "rigor" / "rigor.toml"


def config_at_start(trajectory: Trajectory, cwd: Path) -> tuple[Config, str | None]:
    """(the configuration as it was when the session began, a remark on why one is not used).

    A project's is read from the commit that the session began on: what is only in the work tree, or was committed
    since, may be the agent's. Where the project has none, the user's own file holds.
    """
    try:
        for name, text in _committed(trajectory, cwd):
            config = parse_config(text, PurePosixPath(name))
            if config is not None:
                return config, None
        own = user_config()
        if own.is_file():
            return parse_config(own.read_text("utf-8"), own) or Config(), None
    except (ConfigError, OSError, UnicodeDecodeError) as error:
        return Config(), f"the configuration is not used: {error}"
    return Config(), None


def _committed(trajectory: Trajectory, cwd: Path) -> list[tuple[str, str]]:
    """(path in the repository, text) of the configuration files of that commit, the nearest directory first."""
    root = project_root(cwd)
    if not (root / ".git").exists():
        return []
    commit = trajectory.start_commit
    if commit is None or not _SHA.fullmatch(commit):
        if trajectory.started_at is None:
            return []
        commit = _git(root, "rev-list", "-1", f"--before=@{int(trajectory.started_at)}", "HEAD").strip()
        if not commit:
            return []
    try:
        below = PurePosixPath(cwd.resolve().relative_to(root.resolve()).as_posix())
    except ValueError:
        below = PurePosixPath()
    names = [str(d / name) for d in (below, *below.parents) for name in FILES]
    tracked = _git(root, "ls-tree", "-z", "--name-only", "--full-tree", commit, "--", *names).split("\0")
    return [(name, _git(root, "show", f"{commit}:{name}")) for name in dict.fromkeys(names) if name in tracked]


def _git(root: Path, *words: str) -> str:
    """What git prints; "" where it fails. Raises: OSError when it cannot be started or takes too long."""
    import subprocess  # costs time, and few stops need it

    line = ["git", "-C", str(root), *words]
    try:
        done = subprocess.run(line, capture_output=True, timeout=_GIT_SECONDS, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise OSError(f"git took longer than {_GIT_SECONDS} s") from error
    return done.stdout.decode("utf-8") if done.returncode == 0 else ""


def switched(work: Work, since: int, agent: str | None, cwd: Path) -> list[str]:
    """What the agent did since that step that could switch the hook off, a sentence each."""
    told: list[str] = []
    places = [PLACES[agent]] if agent in PLACES else list(PLACES.values())
    names = [f"{place.folder}/{name}" for place in places for name in (place.file, *place.others)]
    watched = [*names, *(str(f) for place in places for f in place.files(project_root(cwd))), str(user_config())]
    for event in work.session.events:
        if event.step < since:
            continue
        at = f" (line {event.source.line} of the log)" if event.source.line is not None else ""
        if isinstance(event, EditEvent):
            path = PurePosixPath(event.path)
            if any(path.match(name) for name in watched):
                told.append(f"the agent edited {event.path}{at}, which decides whether this hook runs; look at it")
            elif path.name in FILES and _is_about_us(work, event, path.name):
                told.append(f"the agent edited {event.path}{at}; this hook uses it as it was when the session began")
        elif isinstance(event, RunEvent | VcsEvent) and _REMOVES.search(event.command):
            told.append(f"the agent ran `rigor hook remove`{at}")
    return list(dict.fromkeys([*told, *_gone(work, agent, cwd)]))


def _is_about_us(work: Work, event: EditEvent, name: str) -> bool:
    if name == "rigor.toml":
        return True
    change = work.session.facts(event).change
    texts = [t for hunk in change.hunks for t in hunk] + [change.before or "", change.after or ""]
    return any("tool.rigor" in text for text in texts)


def _gone(work: Work, agent: str | None, cwd: Path) -> list[str]:
    """The hook is in none of the settings any more, and one of them was changed since the session began."""
    started = work.session.evidence.trajectory.started_at
    if agent not in PLACES or started is None:
        return []
    changed = []
    for file in PLACES[agent].files(project_root(cwd)):
        try:
            if is_ours(file.read_text("utf-8")):
                return []
            if file.stat().st_mtime > started:
                changed.append(file)
        except (OSError, UnicodeDecodeError):
            continue
    return [f"this hook is no longer in {' or '.join(map(str, changed))}, changed in this session"] if changed else []
