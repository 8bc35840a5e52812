"""The precompiled <bits/stdc++.h>: parsing it takes most of the time of compiling a short program.

It is made once for each compiler and set of flags, kept in the cache of compiles, and offered in an additional
directory of system headers. The compiler uses it only where that changes nothing (same flags, only comments before it,
no macro defined that it depends on), and otherwise reads the plain header by way of one that stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from ...sandbox.kit.mount import Mount
from ..files import scratch
from ..judgement import JudgeError
from .cache import CacheEntry
from .unit import BuildCommand, CompileUnit, Take, run_unit

if TYPE_CHECKING:
    from .unit import Common

TARGET = "/pch"
PREFIX = "/prefix/all.hpp"
_TIME, _MEMORY = 120.0, 4 << 30


def precompiled(common: Common, flags: tuple[str, ...]) -> tuple[Mount, ...]:
    """What is mounted at `TARGET`; nothing if the header cannot be precompiled (compiles then work without)."""
    name = common.language.pch
    # The compiler opens the header behind the precompiled one where a program includes it again by another header.
    entry = _made(common, flags, name, f"#include <{name}>\n", f"#include_next <{name}>\n", {})
    return (Mount(entry.code, TARGET),) if entry.ok else ()


def prefix(common: Common, flags: tuple[str, ...], text: str, shown: Mapping[str, Path]) -> tuple[Mount, ...]:
    """The first includes of a driver, precompiled: what is mounted to provide `PREFIX`.

    Raises: JudgeError: they do not compile, which is a fault of the package.
    """
    place, _, name = PREFIX.rpartition("/")
    ours = {target: path for target, path in shown.items() if target.startswith("/rigor/")}
    entry = _made(common, flags, name, text, text, ours)
    if not entry.ok:
        raise JudgeError(f"what a driver of the problem includes does not compile: {entry.log[:300]}")
    return (Mount(entry.code, place),)


def _made(
    common: Common, flags: tuple[str, ...], name: str, text: str, plain: str, shown: Mapping[str, Path]
) -> CacheEntry:
    compiler = common.tools.where[common.language.programs[0]]
    kind = "c-header" if common.language.id == "c" else "c++-header"
    with scratch("header") as base:
        sources = {"/src/all.hpp": base / "all.hpp", "/src/plain.hpp": base / "plain.hpp"}
        for path, content in zip(sources.values(), (text, plain), strict=True):
            path.write_text(content, encoding="utf-8")
        unit = CompileUnit(
            what="a precompiled header",
            tools=common.tools,
            commands=(
                BuildCommand((compiler, *flags, "-x", kind, "/src/all.hpp", "-o", "/w/all.gch")),
                BuildCommand(("/bin/cp", "/src/plain.hpp", "/w/plain.hpp")),
            ),
            take=(Take(("all.gch",), f"{name}.gch", "file"), Take(("plain.hpp",), name, "file")),
            shown={**shown, **sources},
            awaited=True,
            verified=False,  # a hundred megabytes, which the compiler checks itself
        )
        return run_unit(unit, structs.replace(common.place, time=_TIME, memory=_MEMORY))[0]
