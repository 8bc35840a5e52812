"""A problem's constants in its programs: a copy of them in the user's cache, with the values put in."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ...base.cache import cache_directory
from .files import new_directory, walk
from .model import PackageError
from .statement import put_constants

# Where the format puts constants in, besides the statement and test_group.yaml.
_PARTS: Final = (
    "include",
    "input_validators",
    "output_validator",
    "output_validators",
    "static_validator",
    "submissions",
    "interactor",
)
_LARGEST: Final = 1 << 20


def expanded(root: Path, digest: str, constants: Mapping[str, str]) -> Path:
    """The directory with the package's programs: the package, or a copy in the cache where constants occur in them.

    The copy is named by the package's digest, so it is made once.

    Raises:
        PackageError: see `rigorbench.judge.problems.files.walk`.
        OSError: the cache cannot be written.
    """
    if not constants:
        return root
    programs = {inside: path for inside, path in walk(root) if inside.parts[0] in _PARTS}
    texts = {inside: text for inside, path in programs.items() if (text := _text(path)) is not None}
    expanded_texts = {inside: put_constants(text, constants) for inside, text in texts.items()}
    if expanded_texts == texts:
        return root
    place = cache_directory().parent / "judge" / "packages" / digest
    if place.is_dir():
        return place
    try:
        with new_directory(place) as draft:
            for inside, path in programs.items():
                target = draft / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
                if expanded_texts.get(inside) != texts.get(inside):
                    target.write_text(expanded_texts[inside], "utf-8", newline="")
    except (PackageError, OSError):
        # Another process may have made the same copy meanwhile.
        if not place.is_dir():
            raise
    return place


def _text(path: Path) -> str | None:
    """The text of a file that may contain constants."""
    data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    try:
        return data.decode() if b"{{" in data else None
    except UnicodeDecodeError:
        return None
