"""Constants of a problem inside its programs: a copy of them in the user's cache, with the values put in."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ..base.cache import cache_directory
from .files import walk
from .statement import put_constants

# Where the format puts constants in, besides the statement and test_group.yaml.
_PARTS: Final = ("include", "input_validators", "output_validator", "static_validator", "submissions", "interactor")
_LARGEST: Final = 1 << 20


def expanded(root: Path, digest: str, constants: Mapping[str, str]) -> Path:
    """The directory in which the package's programs are to be found: the package's own, or, where constants occur in
    them, one in the cache that holds copies with the values put in (named by the digest, so made once).

    Raises:
        PackageError: see `rigorbench.problems.files.walk`.
        OSError: the cache cannot be written.
    """
    if not constants:
        return root
    changed: dict[Path, str] = {}
    for inside, path in walk(root):
        if inside.parts[0] in _PARTS and (text := _text(path)) is not None:
            put = put_constants(text, constants)
            if put != text:
                changed[Path(inside)] = put
    if not changed:
        return root
    place = cache_directory().parent / "judge" / "packages" / digest
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=place.parent))
    try:
        for inside, path in walk(root):
            if inside.parts[0] in _PARTS:
                target = draft / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
                if Path(inside) in changed:
                    target.write_text(changed[Path(inside)], "utf-8", newline="")
        draft.chmod(0o755)
        try:
            draft.rename(place)
        except OSError:
            # Somebody else was quicker with the same content.
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return place


def _text(path: Path) -> str | None:
    data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    try:
        return data.decode() if b"{{" in data else None
    except UnicodeDecodeError:
        return None
