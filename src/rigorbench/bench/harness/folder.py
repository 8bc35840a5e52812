"""A plain folder as a harness: files as people keep them (CLAUDE.md, .claude/skills), placed as they are."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ..agents.registry import AGENTS, conventions
from ..agents.spec import Conventions
from .harness import Harness, HarnessError, Overlay, PlacedFile
from .paths import files_of

# More than this is no harness but a whole project.
_MOST_FILES, _MOST_BYTES = 1000, 8 << 20
# They describe the folder, and most projects have their own.
_ABOUT = re.compile(r"(readme|licen[cs]e|copying|changelog)(\.\w+)?", re.IGNORECASE)


def load_folder(path: Path, spelling: str) -> Harness:
    """The harness that a folder without a harness.toml is.

    Raises:
        HarnessError: no agent reads any of its files, or it is too large.
    """
    files = _files(path)
    known = [(file.path, c) for file in files for c in _all_conventions()]
    if not any(c.reads(path) or _is_skill(path, c) or path == c.hooks for path, c in known):
        raise HarnessError(
            f"{path}: has neither a harness.toml nor a file that an agent reads (CLAUDE.md, AGENTS.md, .claude/skills)"
        )
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.path}\0{file.executable}\0{hashlib.sha256(file.data).hexdigest()}\n".encode())
    name = re.sub(r"[^a-z0-9._-]+", "-", path.resolve().name.lower()).strip("-._") or "folder"
    return Harness(
        name=name,
        version=digest.hexdigest()[:12],
        description="A folder of files, placed as they are.",
        kind="overlay",
        licence="unknown",
        directory=path.absolute(),
        spelling=spelling,
        digest=digest.hexdigest(),
        folder=True,
    )


def folder_overlay(harness: Harness, agent: str) -> tuple[Overlay, str]:
    """What the folder places for an agent, and the text of it that the agent reads at its start.

    Nothing is translated: an agent that reads AGENTS.md does not get a CLAUDE.md under that name. If it reads none of
    the files, the text of all instructions is looked for, and the check after the run says that it was not loaded.
    """
    known = conventions(agent)
    files = _files(harness.directory)
    instructions = [f for f in files if any(c.reads(f.path) for c in _all_conventions())]
    read = [f for f in instructions if known.reads(f.path)]
    notes = []
    if instructions and not read:
        notes.append(f"{agent} reads none of the folder's instructions: {', '.join(f.path for f in instructions)}")
    if not any(_is_skill(f.path, known) for f in files) and (
        unread := [f.path for f in files if f.path.endswith("/SKILL.md")]
    ):
        notes.append(f"{agent} does not look for skills where the folder has them: {unread[0]}")
    text = "\n".join(f.data.decode("utf-8", "replace") for f in read or instructions)
    overlay = Overlay(
        repository=tuple(f for f in files if f not in instructions),
        appended=tuple(instructions),
        instruction_files=tuple(f.path for f in read),
        notes=tuple(notes),
        reading=sum(len(f.data.decode("utf-8", "replace")) for f in read),
    )
    return overlay, text


def _files(path: Path) -> list[PlacedFile]:
    found: list[PlacedFile] = []
    for entry in sorted(path.iterdir()):
        if entry.name == ".git" or (entry.is_file() and _ABOUT.fullmatch(entry.name)):
            continue
        if entry.is_symlink():
            raise HarnessError(f"{entry}: a symbolic link; links are not followed")
        if entry.is_file() or any(entry.iterdir()):
            found += files_of(entry, entry.name, str(path))
        if len(found) > _MOST_FILES or sum(len(f.data) for f in found) > _MOST_BYTES:
            raise HarnessError(f"{path}: too large for a harness; give a folder with nothing but the harness's files")
    return found


def _all_conventions() -> list[Conventions]:
    return [spec.conventions for spec in AGENTS.values()]


def _is_skill(file: str, known: Conventions) -> bool:
    return known.skills is not None and file.startswith(f"{known.skills}/")
