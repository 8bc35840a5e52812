"""Strict reading of TOML files: a misspelt key is an error, and every error is one line that names file and key."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from msgspec import Struct

_AT = re.compile(r" - at `\$\.?([^`]*)`$")


class DocumentError(ValueError):
    """A file cannot be read. One line that names the file."""


def read_toml(path: Path) -> dict[str, Any]:
    """Raises: DocumentError."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise DocumentError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"{path}: {' '.join(str(error).split())}") from None


def unknown_key(table: dict[str, Any], kind: type[Struct]) -> str | None:
    """A message about the first key of a table that is no field of ``kind``, or None."""
    unknown = next((key for key in table if key not in kind.__struct_fields__), None)
    if unknown is None:
        return None
    return f"{' '.join(unknown.split())}: unknown key; allowed are {', '.join(kind.__struct_fields__)}"


def unknown_keys(document: dict[str, Any], kinds: dict[str, type[Struct]], place: str = "") -> str | None:
    """The same for tables and arrays of tables within a document: ``kinds`` by their keys."""
    for key, kind in kinds.items():
        found = document.get(key)
        entries = [(f"{place}{key}.", found)]
        if isinstance(found, list):
            entries = [(f"{place}{key}[{index}].", entry) for index, entry in enumerate(found)]
        for prefix, entry in entries:
            problem = unknown_key(entry, kind) if isinstance(entry, dict) else None
            if problem is not None:
                return f"{prefix}{problem}"
    return None


def with_key(message: str, place: str = "") -> str:
    """msgspec's message with the key in front."""
    match = _AT.search(message)
    if match is None:
        return f"{place.rstrip('.')}: {message}".lstrip(": ")
    return f"{place}{match.group(1)}: {message[: match.start()]}"
