"""Builds the repository from which an agent starts: the task's starter, with the harness's files as one commit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ..tasks.build_repo import commit, git
from ..tasks.suite import SuiteTask
from ..tasks.workspace import build_repository, tree_of
from .harness import Harness, HarnessWorkspace, Overlay
from .overlay import resolve
from .paths import write

# Neutral words: the agent sees this commit in the history of the project.
_MESSAGE = "Update project configuration"
_AUTHOR = "Developer <developer@example.org>"


def prepare(
    task: SuiteTask,
    harness: Harness,
    agent: str,
    dest: Path,
    *,
    sources: Mapping[str, str | Path] | None = None,
    cache: Path | None = None,
) -> HarnessWorkspace:
    """Build the repository of ``task`` in ``dest`` (missing or empty) and lay ``harness`` over it for ``agent``.

    Everything that the harness places in the repository is one commit on top of the starter's history. The run starts
    after it, so no metric counts it. A harness that places nothing there makes no commit. The same task, harness and
    agent give the same hashes. The caller writes the overlay's ``home`` files into the sandbox.

    Args:
        sources: harness name -> the user's clone (or URL@REVISION, or "fetch") for recipes that install from one.

    Raises:
        HarnessError: the harness cannot be resolved, or would replace a file of the starter.
        RepositoryError: the starter repository cannot be built.
    """
    overlay = resolve(harness, agent, sources=sources, cache=cache)
    base = build_repository(task.directory, dest)
    base_tree = tree_of(dest, base)
    start, start_tree = base, base_tree
    for file in overlay.repository:
        write(dest, file)
    for file in overlay.appended:
        target = dest / file.path
        if target.is_file() and not target.is_symlink():
            data = target.read_bytes()
            target.write_bytes(data.rstrip() + b"\n\n" + file.data if data.strip() else file.data)
        else:
            write(dest, file)
    names = [file.path for file in (*overlay.repository, *overlay.appended)]
    if names:
        when = datetime.fromisoformat(git(dest, "log", "-1", "--format=%cI").strip()) + timedelta(hours=1)
        start = commit(dest, names, _MESSAGE, _AUTHOR, when.isoformat())
        start_tree = tree_of(dest, start)
    instruction = task.task.instruction or ""
    prefix = overlay.prompt_prefix
    return HarnessWorkspace(
        path=dest,
        start_commit=start,
        start_tree=start_tree,
        base_commit=base,
        base_tree=base_tree,
        prompt=f"{prefix.rstrip()}\n\n{instruction}" if prefix.strip() else instruction,
        overlay=overlay,
        facts=facts(harness, overlay),
    )


def facts(harness: Harness, overlay: Overlay) -> dict[str, Any]:
    """The entry for the harness of a run in the journal and the manifest; JSON-compatible.

    ``digest`` covers the placed files, the environment and the prompt; ``definition`` covers harness.toml and the files
    that it names. A project that it was installed from adds ``revision``, ``tree``, ``modified`` and its licence.
    """
    found: dict[str, Any] = {
        "name": harness.name,
        "spelling": harness.spelling,
        "version": harness.version,
        "kind": harness.kind,
        "licence": harness.licence,
        "digest": overlay.digest,
        "definition": harness.digest,
        "instruction_files": list(overlay.instruction_files),
        "files": len(overlay.repository) + len(overlay.appended) + len(overlay.home),
        "characters": overlay.reading,
        "markers": list(overlay.markers),
        "read_files": dict(overlay.read_files),
        "skills": {name: [marks.offered, marks.read] for name, marks in overlay.skills.items()},
        "notes": list(overlay.notes),
    }
    if overlay.clone is not None and harness.source is not None:
        clone = overlay.clone
        found |= {
            "source": harness.source.git,
            "revision": clone.revision,
            "tree": clone.tree,
            "modified": clone.modified,
            "licence": clone.licence,
            "licence_file": clone.licence_file,
            "checked_against": harness.source.revision,
        }
    return found
