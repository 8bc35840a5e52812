"""What the host's ``/proc`` says about processes. A process that is gone gives an empty answer, never an error."""

from __future__ import annotations

import itertools
import os
from contextlib import suppress
from pathlib import Path


def number(path: Path, key: str, *, base: int = 10) -> int | None:
    """The number after ``key`` in a file of lines such as "VmHWM:  100 kB" or "oom_kill 3"; None: there is none."""
    with suppress(OSError, ValueError):
        for line in path.read_text(encoding="ascii", errors="replace").splitlines():
            words = line.split(None, 2)
            if len(words) > 1 and words[0].rstrip(":") == key:
                return int(words[1], base)
    return None


def children(pid: int) -> list[int]:
    """The processes that a process (any of its threads) has started."""
    found: list[int] = []
    with suppress(OSError, ValueError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text(encoding="ascii").split())
    return found


def descendants(pid: int) -> list[int]:
    """All processes below one, nearest first. Orphans are not among them: they have another parent now."""
    found: list[int] = []
    for parent in itertools.chain([pid], found):  # which grows
        found += children(parent)
    return found
