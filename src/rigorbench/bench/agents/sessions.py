"""Where an agent's own log lies after a run. It is kept beside the journal, to be read, and is no evidence."""

from __future__ import annotations

import glob
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from .spec import AgentSpec


def session_files(spec: AgentSpec, host_path: Callable[[str], Path], home: str) -> list[tuple[Path, str]]:
    """The agent's own log: (file or directory on the host, its name relative to the directory it is to be kept in).

    Args:
        host_path: from a path inside the sandbox to where it lies on the host.
        home: the home directory, as seen inside.
    """
    found = []
    for pattern in spec.session_paths:
        inside = PurePosixPath(home, pattern)  # an absolute pattern stays what it is
        directory = host_path(str(inside.parent))
        for path in sorted(glob.glob(f"{glob.escape(str(directory))}/{inside.name}")):
            name = inside.name if pattern.startswith("/") else pattern
            found.append((Path(path), str(PurePosixPath(name).with_name(Path(path).name))))
    return found
