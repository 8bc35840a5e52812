"""What could switch the hook off, and why the agent under review cannot: the configuration as it was when the session
began, and what became of the settings since."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from ...evidence.events import EditEvent, RunEvent, VcsEvent
from ...review.config import FILES, Config, ConfigError, parse_config
from ...review.work import Work
from ...session.model import Trajectory
from .settings import PLACES, is_ours, project_root

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
    watched = _watched(agent, cwd)
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


def _watched(agent: str | None, cwd: Path) -> list[str]:
    places = [PLACES[agent]] if agent in PLACES else list(PLACES.values())
    names = [f"{place.folder}/{name}" for place in places for name in (place.file, *place.others)]
    return [*names, *(str(f) for place in places for f in place.files(project_root(cwd))), str(user_config())]


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
