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
    takes = (Take(("all.gch",), f"{name}.gch", "file"), Take(("plain.hpp",), name, "file"))
    # The compiler opens the header behind the precompiled one where a program includes it again by another header.
    plain = f"#include_next <{name}>\n"
    with scratch("header") as base:
        entry = _made(common, flags, f"#include <{name}>\n", plain, base, {}, takes)
    return (Mount(entry.code, TARGET),) if entry.ok else ()


def prefix(common: Common, flags: tuple[str, ...], text: str, shown: Mapping[str, Path]) -> tuple[Mount, ...]:
    """The first includes of a driver, precompiled: what is mounted to provide `PREFIX`.

    Raises:
        JudgeError: they do not compile, which is a fault of the package.
    """
    name = PREFIX.rsplit("/", 1)[1]
    takes = (Take(("all.gch",), f"{name}.gch", "file"), Take(("plain.hpp",), name, "file"))
    ours = {target: path for target, path in shown.items() if target.startswith("/rigor/")}
    with scratch("header") as base:
        entry = _made(common, flags, text, text, base, ours, takes)
    if not entry.ok:
        raise JudgeError(f"what a driver of the problem includes does not compile: {entry.log[:300]}")
    return (Mount(entry.code, PREFIX.rsplit("/", 1)[0]),)


def _made(
    common: Common,
    flags: tuple[str, ...],
    text: str,
    plain: str,
    base: Path,
    shown: Mapping[str, Path],
    takes: tuple[Take, ...],
) -> CacheEntry:
    sources = {"/src/all.hpp": base / "all.hpp", "/src/plain.hpp": base / "plain.hpp"}
    for path, content in zip(sources.values(), (text, plain), strict=True):
        path.write_text(content, encoding="utf-8")
    compiler = common.tools.where[common.language.programs[0]]
    kind = "c-header" if common.language.id == "c" else "c++-header"
    unit = CompileUnit(
        what="a precompiled header",
        tools=common.tools,
        commands=(
            BuildCommand((compiler, *flags, "-x", kind, "/src/all.hpp", "-o", "/w/all.gch")),
            BuildCommand(("/bin/cp", "/src/plain.hpp", "/w/plain.hpp")),
        ),
        take=takes,
        shown={**shown, **sources},
        awaited=True,
        verified=False,  # a hundred megabytes, which the compiler checks itself
    )
    entry, _ = run_unit(unit, structs.replace(common.place, time=_TIME, memory=_MEMORY))
    return entry
