"""The table of languages: ``languages.toml`` beside this file, overlaid with the user's own."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from ...base.errors import GivenError
from ...base.strict import DocumentError, read_toml, with_key
from .program import Reports, Variant

_SHIPPED = Path(__file__).with_name("languages.toml")
_SIZE = re.compile(r"(\d+) ?(KiB|MiB|GiB)?")
_FACTOR = {None: 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
Factor = Annotated[float, Meta(gt=0, le=1000)]
Words = Annotated[tuple[str, ...], Meta(min_length=1)]


class Size(int):
    """Bytes; in the file also a text such as "64 MiB"."""


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
    image: tuple[str, ...] = ()
    time: Factor = 1.0
    memory: Factor = 1.0
    startup_memory: Size = Size(0)
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
    programs: Words
    run: Words
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
    image: tuple[str, ...] = ()
    time: Factor = 1.0
    memory: Factor = 1.0
    startup_memory: Size = Size(0)
    processes: int = 0
    stack_limit: Size | None = None
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
    where = own or _SHIPPED
    try:
        raw = read_toml(_SHIPPED)
        if own is not None:
            _lay_over(raw, read_toml(own))
    except DocumentError as error:
        raise LanguageError(str(error)) from None
    return {name: _language(name, entry, raw, f"{where}: [{name}]") for name, entry in raw.items()}


def _lay_over(below: dict[str, Any], above: dict[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            _lay_over(below[key], value)
        else:
            below[key] = value


def _language(name: str, entry: object, raw: dict[str, Any], where: str) -> Language:
    if not re.fullmatch(r"[a-z][a-z0-9+_-]{0,30}", name):
        raise LanguageError(f"{where}: a language's name has small letters, digits, + _ - (at most 31)")
    variants = entry.get("variants") if isinstance(entry, dict) else None
    resolved: dict[str, Any] = {}
    for key, value in variants.items() if isinstance(variants, dict) else ():
        if not isinstance(value, dict) or (like := value.get("like")) is None:
            continue
        language, _, variant = str(like).partition(".")
        try:
            base = dict(raw[language]["variants"][variant or key])
        except (KeyError, TypeError):
            raise LanguageError(f"{where}: variants.{key}: like = {like!r} names no variant") from None
        if "like" in base:
            raise LanguageError(f"{where}: variants.{key}: like = {like!r} itself has a `like`")
        resolved[key] = base | {k: v for k, v in value.items() if k != "like"}
    if isinstance(entry, dict) and resolved:
        entry = {**entry, "variants": {**entry["variants"], **resolved}}
    try:
        found = msgspec.convert(entry, Language, dec_hook=_size)
    except msgspec.ValidationError as error:
        raise LanguageError(f"{where}: {with_key(str(error))}") from None
    return msgspec.structs.replace(found, id=name)


def _size(_: type, value: object) -> Size:
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if match is not None:
        return Size(int(match[1]) * _FACTOR[match[2]])
    if not isinstance(value, int):
        raise ValueError(f"expected bytes or a size such as '64 MiB', not {value!r}")
    return Size(value)


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
