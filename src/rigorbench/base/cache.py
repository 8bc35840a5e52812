"""The directory for files that can be made again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_directory() -> Path:
    """The user's cache directory for runs: toolchains, standards of tasks. It may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".cache"
    return root / "rigorbench" / "bench"
