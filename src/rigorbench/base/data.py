"""Where the data that comes with the package lies: the task suites and the harnesses.

In a source checkout (and an editable install of one) they are directories at the top of the repository; a wheel carries
them in ``rigorbench/_data``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

# The directory of the package ``rigorbench``.
PACKAGE = Path(__file__).resolve().parents[1]


class DataError(ValueError):
    """Data of the package is missing. The message is one line that says where it was looked for."""


def data_dir(name: Literal["suites", "harnesses"]) -> Path:
    """Directory of the packaged data `name`.

    Raises:
        DataError: it is in neither place; the installation is incomplete.
    """
    places = [PACKAGE / "_data" / name]
    # src/rigorbench of a checkout: two levels up is its root. Anything else there is not ours.
    if PACKAGE.parent.name == "src" and (PACKAGE.parents[1] / "pyproject.toml").is_file():
        places.insert(0, PACKAGE.parents[1] / name)
    for place in places:
        if place.is_dir():
            return place
    raise DataError(f"{name}: not found in {' or '.join(str(place) for place in places)}; reinstall rigorbench")
