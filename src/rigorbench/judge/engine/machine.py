"""Facts about this machine that a measured time depends on."""

from __future__ import annotations

import os
from functools import cache


@cache
def machine(language: str) -> dict[str, str]:
    """Processor, cores, kernel, and the compilers of a language, as far as they are known."""
    from ..build import versions

    found = {"cpu": _processor(), "cores": str(os.cpu_count() or 1), "kernel": os.uname().release}
    return {name: value for name, value in {**found, **versions(language)}.items() if value}


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
