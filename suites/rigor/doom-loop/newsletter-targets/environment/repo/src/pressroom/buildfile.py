"""Reads press.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from .errors import PressError

NAME = "press.toml"
_COMMON = ("kind", "inputs", "output")


@dataclass(frozen=True)
class Target:
    """One thing to build. ``options``: what its kind asks for beyond the common keys."""

    name: str
    kind: str
    inputs: str
    output: str
    options: dict[str, str] = field(default_factory=dict)

    def option(self, key: str) -> str:
        """The value of an option that the kind cannot do without."""
        if key not in self.options:
            raise PressError(f"{self.name}: a target of kind {self.kind} needs {key!r}")
        return self.options[key]


def load(root: Path) -> list[Target]:
    """The targets of the build file in `root`, in the order in which they are written there."""
    path = root / NAME
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PressError(f"there is no {NAME} in {root}") from None
    except tomllib.TOMLDecodeError as error:
        raise PressError(f"{NAME}: {error}") from None
    targets = []
    for name, table in document.get("targets", {}).items():
        for key in _COMMON:
            if not isinstance(table.get(key), str):
                raise PressError(f"{NAME}: {name}: {key!r} is missing, or no text")
        options = {key: str(value) for key, value in table.items() if key not in _COMMON}
        targets.append(Target(name, table["kind"], table["inputs"], table["output"], options))
    if not targets:
        raise PressError(f"{NAME}: there are no targets")
    _distinct_outputs(targets)
    return targets


def _distinct_outputs(targets: list[Target]) -> None:
    makers: dict[str, str] = {}
    for target in targets:
        other = makers.setdefault(target.output, target.name)
        if other != target.name:
            raise PressError(f"{NAME}: {other} and {target.name} both make {target.output}")
