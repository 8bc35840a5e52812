"""The data that comes with the package: the task suites, the harnesses, the columns of results.

In a source checkout (and an editable install of one) they are below the top of the repository; a wheel has them in
``rigorbench/_data``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

# The directory of the package ``rigorbench``.
PACKAGE = Path(__file__).resolve().parents[1]


class DataError(ValueError):
    """Data of the package is missing. The message is one line with the paths that were tried."""


def data_path(name: Literal["suites", "harnesses", "docs/results.tsv"]) -> Path:
    """Where the packaged data `name` are.

    Raises:
        DataError: it is missing; the installation is incomplete.
    """
    candidates = [PACKAGE / "_data" / name]
    # src/rigorbench of a checkout: two levels up is its root. Anything else there is not ours.
    if PACKAGE.parent.name == "src" and (PACKAGE.parents[1] / "pyproject.toml").is_file():
        candidates.insert(0, PACKAGE.parents[1] / name)
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise DataError(f"{name}: not found in {' or '.join(map(str, candidates))}; reinstall rigorbench")
