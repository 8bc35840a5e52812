"""Remembers from what each target was built, to tell whether it is still fresh."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from .buildfile import Target
from .errors import PressError


def fingerprint(root: Path, target: Target, files: Sequence[str]) -> str:
    """A text that changes with the description of the target, its files and their content."""
    digest = hashlib.sha256()
    described = [target.kind, target.inputs, target.output, sorted(target.options.items())]
    digest.update(json.dumps(described).encode())
    for name in files:
        try:
            content = (root / name).read_bytes()
        except FileNotFoundError:
            raise PressError(f"{target.name}: {name}: no such file, and no target makes it") from None
        digest.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


class State:
    """The fingerprints of the last build, in ``.pressroom/state.json``."""

    def __init__(self, root: Path) -> None:
        self._path = root / ".pressroom" / "state.json"
        try:
            self._known: dict[str, str] = json.loads(self._path.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            # Without it everything is built again, which is never wrong.
            self._known = {}

    def is_fresh(self, target: Target, mark: str, root: Path) -> bool:
        return self._known.get(target.name) == mark and (root / target.output).exists()

    def remember(self, target: Target, mark: str) -> None:
        self._known[target.name] = mark
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps(self._known, indent=1, sort_keys=True))
