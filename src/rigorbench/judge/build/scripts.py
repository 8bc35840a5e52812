"""Programs of a package with their own scripts ``build`` and ``run``, as the Kattis format allows for validators."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .toolchains import Toolchain, toolchain
from .unit import Command, Take, Unit

# What a script may expect to find; one that is missing here shows when the script calls it.
_PROGRAMS: Final = ("gcc", "g++", "make", "python3")
# Archives lose modes, so the scripts are made executable here.
_BUILD: Final = (
    'cp -R "$1" "$2" && cd "$2" && chmod +x build run 2>/dev/null; '
    "if [ -f build ]; then ./build; fi && [ -f run ] && chmod +x run"
)
RUN: Final = "/code/tool/run"
NAMES: Final = frozenset({"build", "run"})


def tools() -> Toolchain:
    return toolchain(_PROGRAMS)


def unit(found: Toolchain, root: Path, include: tuple[Path, ...]) -> Unit:
    """The run of ``build`` in a copy of the program's directory, which becomes the artefact."""
    shown = {"/src": root, **{f"/include/{n}": directory for n, directory in enumerate(include)}}
    return Unit(
        what="the package's build script",
        tools=found,
        commands=(Command(("/bin/sh", "-c", _BUILD, "sh", "/src", "/w/tool"), cwd="/w"),),
        take=(Take(("tool",), "tool", "programs"),),
        shown=shown,
        env={"CPATH": ":".join(place for place in shown if place != "/src")},
        key=("scripts",),
    )
