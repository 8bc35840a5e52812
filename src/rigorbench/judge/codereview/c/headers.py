"""Names of headers of the system, however an include spells them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

_PARTS = ("bits/", "debug/", "pstl/", "parallel/", "backward/")
# Where compilers find headers.
_DIRECTORIES = re.compile(r"^.*?/include/(?:[^/]+-linux-[^/]+/)?(?:c\+\+/[^/]+/)?")
# These take in the whole library, whatever it is that is forbidden.
_EVERYTHING = frozenset({"bits/stdc++.h", "bits/extc++.h", "bits/stdtr1c++.h", "std", "std.compat"})
_INTERNAL_HEADER = re.compile(r"(?:.*/)?(?:stl_)?(.+?)(?:\.h|\.tcc|\.hpp)?")


def header_name(name: str) -> str:
    """The name of a header as a program should write it: an absolute or climbing path is the same header."""
    normalized = posixpath.normpath(name)
    if normalized.startswith(("/", "..")):
        return _DIRECTORIES.sub("", normalized)
    return normalized


def matches_any(name: str, globs: Sequence[str]) -> bool:
    """Whether the name of a header or module matches one of the globs."""
    name = posixpath.normpath(name)
    return any(fnmatchcase(name, glob) for glob in globs)


def forbidden_header(name: str, globs: Sequence[str], read: Iterable[str]) -> str | None:
    """The forbidden header that an include of ``name`` pulls in; None when there is none.

    ``bits/stl_vector.h``, ``debug/vector`` or an absolute path are ``vector`` spelled differently.

    Args:
        name: The header as it is written.
        globs: What is forbidden.
        read: The paths of the system's headers that the compiler read.
    """
    normalized = posixpath.normpath(name)
    if matches_any(normalized, globs):
        return normalized
    if normalized in _EVERYTHING:
        return next((header for header in map(header_name, read) if matches_any(header, globs)), None)
    internal = _INTERNAL_HEADER.fullmatch(normalized)
    if internal is None:
        return None
    if matches_any(internal[1], globs):
        return internal[1]
    # No program has a reason to include a part of a header of the library.
    return "a part of a header of the library" if normalized.startswith(_PARTS) else None
