"""The table of languages: ``languages.toml`` beside this file, overlaid with the user's own."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

from ...base.errors import GivenError
from .program import Reports, Variant

_SHIPPED = Path(__file__).with_name("languages.toml")
_SIZE = re.compile(r"(\d+) ?(KiB|MiB|GiB)?")
_FACTOR = {None: 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_SIZES = ("startup_memory", "stack_limit")


class LanguageError(GivenError):
    """The table is wrong, or does not have a language. One line with file, key and remedy."""


class Sanitized(Struct, frozen=True, forbid_unknown_fields=True):
    """A variant of a language. In the file, ``like`` names a "language" or "language.variant" to inherit from.

    `wrap`: words before the program. `time` and `memory` are factors on top of the language's own.
    """

    flags: tuple[str, ...] = ()
    wrap: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    reports: Reports | None = None
    time: float = 1.0
    memory: float = 1.0
    startup_memory: int = 0
    processes: int = 0
    address_space: bool = False


class BuildTool(Struct, frozen=True, forbid_unknown_fields=True):
    """How a directory with ``file`` at its root is compiled instead."""

    file: str
    compile: tuple[str, ...]


class Language(Struct, frozen=True, forbid_unknown_fields=True):
    """One language. docs/judge-languages.md describes the keys; sizes are bytes."""

    name: str
    extensions: tuple[str, ...]
    programs: tuple[str, ...]
    run: tuple[str, ...]
    compile: tuple[str, ...] = ()
    id: str = ""
    aliases: tuple[str, ...] = ()
    main: tuple[str, ...] = ()
    artefact: Literal["program", "classes", "sources"] = "program"
    project: BuildTool | None = None
    compile_env: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    pch: str = ""
    memory_marker: str = ""
    time: float = 1.0
    memory: float = 1.0
    startup_memory: int = 0
    processes: int = 0
    stack_limit: int | None = None
    address_space: bool = False
    variants: dict[Variant, Sanitized] = field(default_factory=dict)


Table = dict[str, Language]


def user_table() -> Path:
    """Path of the user's own table: ``RIGOR_LANGUAGES``, or else in the configuration directory. It may not exist."""
    named = os.environ.get("RIGOR_LANGUAGES")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME", "")
    root = Path(base) if base.startswith("/") else Path.home() / ".config"
    return root / "rigorbench" / "languages.toml"


def languages() -> Table:
    """The table in use, by name. Raises: LanguageError: the user's file cannot be read or is wrong."""
    own = user_table()
    named = "RIGOR_LANGUAGES" in os.environ
    try:
        status = own.stat()
    except OSError as error:
        if named and os.environ["RIGOR_LANGUAGES"]:
            raise LanguageError(f"{own}: {error.strerror} (RIGOR_LANGUAGES names it)") from None
        return _load(None, 0)
    return _load(own, status.st_mtime_ns)


@cache
def _load(own: Path | None, _changed: int) -> Table:
    raw = _read(_SHIPPED)
    where = _SHIPPED
    if own is not None:
        where = own
        _lay_over(raw, _read(own))
    return {name: _language(name, entry, raw, where) for name, entry in raw.items()}


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LanguageError(f"{path}: {reason}") from None


def _lay_over(below: dict[str, Any], above: dict[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            _lay_over(below[key], value)
        else:
            below[key] = value


def _language(name: str, entry: object, raw: dict[str, Any], where: Path) -> Language:
    if not isinstance(entry, dict):
        raise LanguageError(f"{where}: {name}: expected a table [{name}] with the keys of a language")
    if not re.fullmatch(r"[a-z][a-z0-9+_-]{0,30}", name):
        raise LanguageError(f"{where}: [{name}]: a language's name has small letters, digits, + _ - (at most 31)")
    filled = {**entry, "id": name}
    variants = entry.get("variants", {})
    if not isinstance(variants, dict):
        raise LanguageError(f"{where}: [{name}.variants]: expected tables")
    filled["variants"] = {
        key: _sizes(_resolved(name, key, value, raw, where), f"{where}: [{name}.variants.{key}]")
        for key, value in variants.items()
    }
    try:
        language = msgspec.convert(_sizes(filled, f"{where}: [{name}]"), Language)
    except msgspec.ValidationError as error:
        raise LanguageError(f"{where}: [{name}]: {error}") from None
    factors: list[Language | Sanitized] = [language, *language.variants.values()]
    for factor in factors:
        if not (0 < factor.time <= 1000 and 0 < factor.memory <= 1000):
            raise LanguageError(f"{where}: [{name}]: time and memory must be above 0 and at most 1000")
    if not language.run or not language.programs:
        raise LanguageError(f"{where}: [{name}]: run and programs need at least one word")
    return language


def _resolved(name: str, key: str, value: object, raw: dict[str, Any], where: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise LanguageError(f"{where}: [{name}.variants.{key}]: expected a table")
    like = value.get("like")
    if like is None:
        return dict(value)
    language, _, variant = str(like).partition(".")
    try:
        base = dict(raw[language]["variants"][variant or key])
    except (KeyError, TypeError):
        raise LanguageError(f"{where}: [{name}.variants.{key}]: like = {like!r} names no variant") from None
    if "like" in base:
        raise LanguageError(f"{where}: [{name}.variants.{key}]: like = {like!r} itself has a `like`")
    return {**base, **{k: v for k, v in value.items() if k != "like"}}


def _sizes(entry: dict[str, Any], where: str) -> dict[str, Any]:
    out = dict(entry)
    for key in _SIZES:
        value = out.get(key)
        if isinstance(value, str):
            match = _SIZE.fullmatch(value)
            if match is None:
                raise LanguageError(f"{where}: {key}: expected bytes or a size such as '64 MiB', not {value!r}")
            out[key] = int(match[1]) * _FACTOR[match[2]]
    return out


def find(name: str, table: Table | None = None) -> Language:
    """A language by its name or one of its aliases, in any case. Raises: LanguageError: there is none of this name."""
    table = languages() if table is None else table
    lower = name.lower()
    if lower in table:
        return table[lower]
    for language in table.values():
        if lower in language.aliases:
            return language
    raise LanguageError(f"no language {name!r}; one of: {', '.join(table)}")


def by_extension(path: str, table: Table | None = None) -> Language | None:
    """The language of a source file; None: no language has its suffix."""
    table = languages() if table is None else table
    suffix = os.path.splitext(path)[1]
    exact = [language for language in table.values() if suffix in language.extensions]
    if exact:
        return exact[0]
    folded = suffix.lower()
    return next((language for language in table.values() if folded in language.extensions), None)
