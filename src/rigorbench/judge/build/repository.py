"""Repositories that are built with CMake or make, from a clean copy."""

from __future__ import annotations

import os
from pathlib import Path

from ...base.files import replace_file
from . import instrument
from .cache import key, place
from .image import build_root
from .unit import BuildCommand, Common, CompileUnit, Take

_WRAPPERS = "/rigor/bin"
# What __DATE__ and __TIME__ are: the same sources make the same program.
_DATE = "1577836800"
# A writable copy (many projects generate files beside their sources), without a committed program of the artefact's
# name and without the CMake cache of another machine.
_COPY = 'cp -R "$2" "$3" && cd "$3" && { [ -d "$1" ] || rm -f -- "$1"; } && rm -rf CMakeCache.txt CMakeFiles'


def unit(common: Common, root: Path, kind: str) -> CompileUnit:
    build = common.build
    assert build is not None
    tools = common.tools
    artefact = build.artefact
    jobs = str(min(4, os.cpu_count() or 1))
    flags = {"CFLAGS": "-O2", "CXXFLAGS": "-O2", "SOURCE_DATE_EPOCH": _DATE}
    env = {"CC": tools.where["gcc"], "CXX": tools.where["g++"], **flags}
    shown = {"/src": root}
    if build.include is not None:
        shown["/include/0"] = build.include
        env["CPATH"] = "/include/0"
    if common.sanitized.flags:
        # Compiler wrappers that add a variant's flags, however the repository calls them.
        objects: tuple[str, ...] = ()
        if common.sanitized.reports == "sanitizer":
            more, objects = instrument.runtime(common, instrument.CHECKS)
            shown.update(more)
        for names, program in ((("g++", "c++"), "g++"), (("gcc", "cc"), "gcc")):
            flagged = " ".join(common.sanitized.flags)
            text = (instrument.RESOURCES / "wrapper.sh").read_text("utf-8")
            text = text.format(program=tools.where[program], flags=flagged, objects=" ".join(objects))
            # A file that is named by its content.
            path = place().parent / "wrappers" / key((text,))[:24]
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                replace_file(path, text.encode(), 0o755)
            shown.update({f"{_WRAPPERS}/{name}": path for name in names})
        env |= {"CC": f"{_WRAPPERS}/gcc", "CXX": f"{_WRAPPERS}/g++", "PATH": f"{_WRAPPERS}:{tools.path}"}
    copy = BuildCommand(("/bin/sh", "-c", _COPY, "sh", artefact, "/src", "/w/src"), cwd="/w")
    target = (build.target,) if build.target else ()
    commands: tuple[BuildCommand, ...]
    cmake = tools.where.get("cmake", "")
    if kind == "cmake":
        commands = (
            copy,
            BuildCommand((cmake, "-S", "/w/src", "-B", "/w/build", "-G", "Unix Makefiles"), cwd="/w/src"),
            BuildCommand(
                (cmake, "--build", "/w/build", "-j", jobs, *(("--target", *target) if target else ())), cwd="/w/build"
            ),
        )
    else:
        # -B: everything is built here, whatever the times of committed objects.
        commands = (copy, BuildCommand((tools.where["make"], "-B", "-j", jobs, "--", *target), cwd="/w/src"))
    places = (f"build/{artefact}", f"src/{artefact}")

    def checked(code: Path) -> dict[str, str]:
        instrument.checkable(code / "main", common.sanitized.reports)
        return {}

    return CompileUnit(
        what=f"the {kind} repository",
        tools=tools,
        commands=commands,
        take=(Take(places, "main"),),
        shown=shown,
        env=env,
        root=build_root,
        key=(kind, artefact, "root"),
        after=checked,
    )
