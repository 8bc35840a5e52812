"""The precompiled <bits/stdc++.h>: parsing it is most of what compiling a short program costs.

It is made once for each compiler and set of flags, kept in the cache of compiles, and offered through one more
directory of system headers. The compiler itself uses it only where that changes nothing (same flags, nothing but
comments before it, no macro defined that it would have seen), and reads the plain header else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..sandbox.spec import Mount
from .unit import Budget, Command, Take, Unit, run_unit, scratch

if TYPE_CHECKING:
    from .source import Common

TARGET = "/pch"


def precompiled(common: Common, flags: tuple[str, ...]) -> tuple[Mount, ...]:
    """What is to be mounted at `TARGET`; nothing where the header cannot be precompiled (the compile does without)."""
    name = common.language.pch
    compiler = common.tools.where[common.language.programs[0]]
    with scratch("header") as base:
        text = base / "all.hpp"
        text.write_text(f"#include <{name}>\n", encoding="ascii")
        unit = Unit(
            what=f"precompiled {name}",
            tools=common.tools,
            commands=(Command((compiler, *flags, "-x", "c++-header", "/src/all.hpp", "-o", "/w/all.gch")),),
            take=(Take(("all.gch",), f"{name}.gch", "file"),),
            shown={"/src/all.hpp": text},
            awaited=True,
            verified=False,  # a hundred megabytes, which the compiler checks in its own way
        )
        entry, _ = run_unit(unit, Budget(120.0, 4 << 30), common.place)
    return (Mount(entry.code, TARGET),) if entry.ok else ()
