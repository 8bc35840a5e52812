"""Git on the host, without the user's settings, and without trust in what it reads."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

# No setting of the repository may start a program, whoever wrote it.
_SAFE: Final = (
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.excludesFile=/dev/null",
    "-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never", "-c", "safe.directory=*",
    "-c", "core.pager=cat", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.alternateRefsCommand=true",
)  # fmt: skip


def environment() -> dict[str, str]:
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
    }


def command(git_dir: Path, *arguments: str) -> list[str]:
    return ["git", *_SAFE, f"--git-dir={git_dir}", *arguments]


def run(git_dir: Path, *arguments: str, data: bytes = b"", timeout: float = 20.0) -> bytes | None:
    """What git prints, None if it failed, is missing or took too long."""
    try:
        done = subprocess.run(
            command(git_dir, *arguments),
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            timeout=timeout,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout
