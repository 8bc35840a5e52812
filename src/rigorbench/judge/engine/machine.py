"""Facts about this machine that a measured time depends on."""

from __future__ import annotations

import os
from functools import cache

from ..build.table import LanguageError, find
from ..build.toolchains import versions


@cache
def machine(language: str) -> dict[str, str]:
    """Processor, cores, kernel, and the programs of a language by version, as far as they are known.

    "cmake" and "make" have the programs of C++ as well; an unknown language has none.
    """
    found = {"cpu": _processor(), "cores": str(os.cpu_count() or 1), "kernel": os.uname().release}
    more = (language,) if language in ("cmake", "make") else ()
    try:
        known = find("cpp" if more or language == "header" else language)
    except LanguageError:
        programs = {}
    else:
        programs = versions((*known.programs, *more))
    return {name: value for name, value in {**found, **programs}.items() if value}


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() in ("model name", "Processor", "cpu model"):
                    return " ".join(value.split())
    except OSError:
        pass
    return os.uname().machine
