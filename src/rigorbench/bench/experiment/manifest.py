"""The manifest: what was run, with what, on what, so that somebody else can run it again."""

from __future__ import annotations

import getpass
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from msgspec import structs

from ...base.errors import GivenError
from ...base.version import __version__
from .grid import check_ids
from .records import Manifest, Subject

# The distributions whose version can change what a run does or how it is scored.
_DISTRIBUTIONS = ("inspect-ai", "inspect-swe", "anthropic", "openai", "google-genai", "pytest", "coverage", "msgspec")


class ManifestConflict(GivenError):
    """The experiment in a directory and the requested one do not fit together. One line with the remedy."""


def merged(old: Manifest | None, new: Manifest, out: Path) -> Manifest:
    """The manifest after a further call in the same directory: the union of both, with the call in its history.

    Raises: ManifestConflict.
    """
    if old is None:
        return new
    for kind, what, before, now in differences(old, new):
        if kind == "condition":
            was, wanted = ("none" if value is None else value for value in (before, now))
            raise ManifestConflict(f"{out}: made with {what} {was}, but {wanted} was requested; {_REMEDY}")
        if kind == "part":
            raise ManifestConflict(f"{out}: {what} has changed for {now} since its runs were made there; {_REMEDY}")
        if before is not None and now is not None:
            words = f"has changed since its runs were made there (content {before[:12]}, now {now[:12]})"
            if kind == "version":
                words = f"was version {before} when its runs were made there, and is now {now}"
            raise ManifestConflict(f"{out}: {what} {words}; {_REMEDY}")
    known = set(old.cells)
    added = [cell for cell in new.cells if cell not in known]
    cells = [*old.cells, *added]
    check_ids(cells)
    changed = {
        key: {"before": before.get(key), "now": now.get(key)}
        for before, now in ((old.versions, new.versions), (old.machine, new.machine))
        for key in sorted({*before, *now})
        if before.get(key) != now.get(key)
    }
    entry: dict[str, Any] = {"time": new.created, "command": new.command, "added": [c.id for c in added]}
    if changed:
        entry["changed"] = changed
    return structs.replace(
        old,
        cells=cells,
        tasks={**old.tasks, **new.tasks},
        agents={**old.agents, **new.agents},
        harnesses=_union("agents", old.harnesses, new.harnesses),
        models=_union("policies", old.models, new.models),
        scripted=sorted({*old.scripted, *new.scripted}),
        history=[*old.history, entry],
    )


def differences(first: Manifest, second: Manifest) -> Iterator[tuple[str, str, Any, Any]]:
    """(kind, what, before, now) of each condition, and each version, content and part of a subject of both, that is
    not the same. Of a part only its name is told: a harness may differ for each agent, a policy on each task."""
    now = conditions(second)
    for what, before in conditions(first).items():
        if before != now[what]:
            yield "condition", what, before, now[what]
    for kind in ("task", "agent", "harness", "model"):
        olds, news = (getattr(m, _TABLES[kind]) for m in (first, second))
        for name in sorted(olds.keys() & news.keys()):
            what, old, new = f"{kind} {shortened(name)}", olds[name], news[name]
            if old.version != new.version:
                yield "version", what, old.version, new.version
            if old.digest != new.digest:
                yield "content", what, old.digest, new.digest
            for part in ("agents", "policies"):
                mine, theirs = old.facts.get(part), new.facts.get(part)
                if isinstance(mine, dict) and isinstance(theirs, dict):
                    for key in sorted(mine.keys() & theirs.keys()):
                        if _part_digest(mine[key]) != _part_digest(theirs[key]):
                            yield "part", what, key, key


def shortened(text: Any) -> str:
    """A value on one line; of a long one, such as a digest, the beginning."""
    shown = " ".join(str("none" if text is None else text).split())
    return shown if len(shown) <= 60 else shown[:12] + "…"


def conditions(manifest: Manifest) -> dict[str, Any]:
    """What must be the same for runs to be pooled, by its name: the suite, the sandbox, the limits, the options."""
    budget = manifest.budget
    return {
        "suite": manifest.suite,
        "sandbox": manifest.sandbox,
        "time limit": f"{budget.seconds:g} s",
        "token limit": budget.tokens,
        "metering": budget.metering,
        "context limit": budget.context,
        "cost limit": None if budget.cost is None else f"${budget.cost:g}",
        "model options": ", ".join(f"{name} {value}" for name, value in sorted(manifest.generation.items())) or None,
    }


_REMEDY = "use another --out for it"
_TABLES = {"task": "tasks", "agent": "agents", "harness": "harnesses", "model": "models"}


def _union(parts: str, olds: dict[str, Subject], news: dict[str, Subject]) -> dict[str, Subject]:
    """The union of both; the fact named ``parts`` says what a subject is for each agent, or on each task."""
    found = {**olds, **news}
    for name in olds.keys() & news.keys():
        before, now = olds[name].facts.get(parts, {}), news[name].facts.get(parts, {})
        if before or now:
            found[name] = structs.replace(news[name], facts={**news[name].facts, parts: {**before, **now}})
    return found


def _part_digest(part: Any) -> Any:
    """What tells whether a harness is the same for an agent, or a policy on a task."""
    return part.get("digest") if isinstance(part, dict) else part


def without_home(words: Sequence[str]) -> list[str]:
    """A command line without the user's name: paths in the home directory start with ``~``, others say ``USER``."""
    home = str(Path.home())
    patterns = [(rf"(?<![\w./-]){re.escape(home)}(?![\w.-])", "~")] if home not in ("/", "") else []
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "root"
    if user != "root":
        patterns.append((rf"(?<=/){re.escape(user)}(?=/|$)", "USER"))
    found = list(words)
    for pattern, replacement in patterns:
        found = [re.sub(pattern, replacement, word) for word in found]
    return found


def versions() -> dict[str, str]:
    """Versions of RigorBench, and of what it runs on."""
    found = {"rigorbench": __version__, "python": platform.python_version(), "kernel": platform.release()}
    for name in _DISTRIBUTIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    for name in ("bwrap", "git"):
        try:
            done = subprocess.run(
                [name, "--version"], capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=False, text=True
            )
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            continue
        if match := re.search(r"\d+(\.\d+)+\S*", done.stdout):
            found[name] = match.group()
    return found


def machine() -> dict[str, Any]:
    """The properties of the machine that may affect a run, without anything that identifies it or its user."""
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        memory = None
    try:
        os_name = platform.freedesktop_os_release().get("PRETTY_NAME") or platform.system()
    except OSError:
        os_name = platform.system()
    return {
        "os": os_name,
        "architecture": platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory": memory,
        "python": f"{sys.implementation.name} {platform.python_version()}",
        "root": os.geteuid() == 0,
    }
