"""Reads the tables of programs, wrappers, runners and messages, which are TOML files beside the modules that use them.

In these files a list of words is a string separated by blanks: easy to read and quick to parse.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_origin

import msgspec

_Row = TypeVar("_Row", bound=msgspec.Struct)


def load(module: str, name: str) -> dict[str, Any]:
    """The document `name` beside the file `module` (pass ``__file__``)."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


def rows(section: dict[str, dict[str, Any]], row: type[_Row]) -> dict[str, _Row]:
    """The rows of a section by name, as structs.

    ``like = "other"`` takes over the keys of another row, except `programs`, which is the row's own name by default.
    """
    lists = {f.encode_name for f in msgspec.structs.fields(row) if get_origin(f.type) in (tuple, frozenset)}

    def keys(name: str) -> dict[str, Any]:
        own = dict(section[name])
        if (like := own.pop("like", None)) is not None:
            own = {**keys(like), "programs": [name], **own}
        return own

    def struct(name: str) -> _Row:
        values = {"name": name, "programs": [name], **keys(name)}
        return msgspec.convert(
            {k: v.split() if k in lists and isinstance(v, str) else v for k, v in values.items()}, row
        )

    return {name: struct(name) for name in section}


def by_program(table: dict[str, _Row]) -> dict[str, _Row]:
    """The rows by each of their `programs`."""
    return {program: row for row in table.values() for program in row.programs}  # type: ignore[attr-defined]
