"""The programs of ``presets.toml``, and what their output says."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class Said(Struct):
    """What a program's output says. ``error``: why there is no answer, in its words; "": there is one."""

    text: str = ""
    error: str = ""
    model: str | None = None
    input: int | None = None
    output: int | None = None
    cost: float | None = None


class Private(Struct, frozen=True):
    """A directory of settings for one question; the keys are explained in ``presets.toml``, as those of a preset."""

    variable: str
    own: str
    links: list[str] = []
    files: list[str] = []
    keeps: list[str] = []
    settings: dict[str, Any] = {}


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    install: str
    login: str
    words: list[str]
    tried: str = ""
    program: str = ""
    model: tuple[str, ...] = ("--model", "{model}")
    keys: list[str] = []
    status: list[str] = []
    environment: dict[str, str] = {}
    private: list[Private] = []
    prepends: bool = False
    model_in: tuple[str, str] | None = None
    output: dict[str, list[str]] = {}
    """Empty: all of it is the answer."""

    def read(self, out: str, err: str) -> Said:
        """From what it wrote to standard output and standard error."""
        if not self.output:
            return Said(out)
        found: dict[str, Any] = {}
        for each in (*_objects(out), *_objects(err)):
            for name, rules in self.output.items():
                for rule in rules:
                    *conditions, paths = rule.split()
                    if all(
                        str(value_at(each, path)).lower() == value for path, value in (c.split("=") for c in conditions)
                    ):
                        values = [
                            v for v in (value_at(each, path) for path in paths.split("+")) if v not in (None, "", {})
                        ]
                        found |= {name: _joined(name, values)} if values else {}
        try:
            return msgspec.convert(found, Said)
        except msgspec.ValidationError:
            return Said(error="its output has another form; see `rigor doctor`")


@cache
def presets() -> dict[str, Preset]:
    document = tomllib.loads(Path(__file__).with_name("presets.toml").read_text("utf-8"))
    return {name: msgspec.convert({"program": name, **entry}, Preset) for name, entry in document.items()}


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects in the lines of a text, and in documents over several lines."""
    for part in [*text.splitlines(), *re.findall(r"(?ms)^[\[{]$.*?^[\]}]$", text)]:
        try:
            found = json.loads(part) if part[:1] in ("[", "{") else []
        except (ValueError, RecursionError):
            continue
        yield from (each for each in (found if isinstance(found, list) else [found]) if isinstance(each, dict))


def value_at(value: Any, path: str) -> Any:
    """What is at a path; "*" is the largest of the models."""
    for key in path.split("."):
        try:
            value = value[_largest(value) if key == "*" else int(key) if isinstance(value, list) else key]
        except (TypeError, LookupError, ValueError):
            return None
    return value


def _largest(models: dict[str, Any]) -> str:
    # Small models do side tasks; numbers of tokens are what is large.
    return max(models, key=lambda name: sum(map(int, re.findall(r"\d+", json.dumps(models[name])))), default="")


def _joined(name: str, values: list[Any]) -> Any:
    if name in ("input", "output", "cost"):
        return sum(v for v in values if isinstance(v, int | float))
    if isinstance(values[0], dict):
        return _largest(values[0])
    return " ".join(map(str, values))
