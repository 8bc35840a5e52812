"""From a submission to programs: the table of languages, compiling in a sandbox, the cache of compiles."""

from __future__ import annotations


def versions(language: str) -> dict[str, str]:
    """Versions of a language's programs on this machine, by program; "cmake" and "make" have those of C++ as well.

    An unknown language has none.
    """
    from . import table, toolchains

    name = "cpp" if language in ("cmake", "make", "header") else language
    more = (language,) if language in ("cmake", "make") else ()
    try:
        found = table.find(name)
    except table.LanguageError:
        return {}
    return toolchains.versions((*found.programs, *more))
