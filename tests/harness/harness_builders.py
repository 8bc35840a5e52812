"""A small task and clones of the layout of the public projects that recipes install from; all text is ours."""

from __future__ import annotations

import subprocess
from pathlib import Path

from rigorbench.bench.harness import HarnessWorkspace
from sources import text_file

TASK = text_file("harness_builders.task.toml")

HIDDEN = "OnlyTheGraderKnowsThis"


def put(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def clone(root: Path, files: dict[str, str]) -> Path:
    """A repository with one commit that holds `files`."""
    put(root, files)
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "All of it"]):
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
    return root


def skill(name: str) -> str:
    head = f"---\nname: {name}\ndescription: {name} for tests\n---\n"
    return f"{head}\n# {name}\n\nThe steps of {name}, one after another.\n"


LICENCE = "MIT License\n\nPermission is hereby granted, free of charge, to any person, and so on.\n"


def placed(workspace: HarnessWorkspace) -> tuple[str, ...]:
    """The files that the overlay placed in the repository."""
    return tuple(file.path for file in (*workspace.overlay.repository, *workspace.overlay.appended))
