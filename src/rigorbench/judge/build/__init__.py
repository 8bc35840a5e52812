"""From a submission to programs: the table of languages, compiling in a sandbox, the cache of compiles."""

from __future__ import annotations


def versions(language: str) -> dict[str, str]:
    """The programs of a language on this machine and their versions: what a verdict on time depends on.

    A name that the table has not ("cmake" and "make" are those of C++) gives nothing.
    """
    from . import table, toolchains

    name = "cpp" if language in ("cmake", "make", "header") else language
    more = (language,) if language in ("cmake", "make") else ()
    try:
        found = table.find(name)
    except table.LanguageError:
        return {}
    return toolchains.versions((*found.programs, *more))
