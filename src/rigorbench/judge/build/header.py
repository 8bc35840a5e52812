"""Header problems: each driver of the problem is compiled with the submission's headers."""

from __future__ import annotations

import re
from pathlib import Path

from ..judgement import JudgeError
from . import instrument
from .source import native
from .sources import SourceError
from .unit import Common, CompileUnit

_INCLUDE = re.compile(r'#\s*include\s*(?:<[\w./+-]+>|"rigor_driver\.hpp")\s*(?://[^\\]*)?')


def units(common: Common, root: Path) -> dict[str, CompileUnit]:
    """One unit for each driver.

    Raises: SourceError: a required header is missing. JudgeError: the package itself has a header of that name.
    """
    build = common.build
    assert build is not None
    for name in build.headers:
        if not (root / name).is_file():
            raise SourceError(f"{name} is missing: the problem requires {', '.join(build.headers)}")
    flags, shown = include_options(common)
    shown["/src"] = root
    objects, words = instrument.runtime(common, instrument.RESULTS)
    shown.update(objects)
    made: dict[str, CompileUnit] = {}
    for name, path in build.drivers.items():
        inside = f"/driver/{path.name}"
        made[name] = native(
            common,
            {**shown, inside: path},
            (inside,),
            flags,
            {},
            main_root=path.parent,
            names=[path.name],
            runtime=words,
            prefix=prefix(path.read_text(encoding="utf-8", errors="replace")),
        )
    return made


def include_options(common: Common) -> tuple[tuple[str, ...], dict[str, Path]]:
    """The options that say where drivers find headers, and what must be shown for them: path in the cell -> path here.

    Raises: JudgeError: the package itself has a header that a submission must bring.
    """
    build = common.build
    assert build is not None
    shown: dict[str, Path] = {"/rigor/include": instrument.RESOURCES / "include"}
    # The judge's and the package's directories come first, and the submission's is for includes in quotes only: it must
    # not replace rigor_driver.hpp, what the drivers share, or a header of the standard library.
    flags = ["-iquote", "/rigor/include"]
    if build.include is not None:
        for name in build.headers:
            if (build.include / name).exists():
                raise JudgeError(f"{build.include / name} would hide the submission's own: remove it from the package")
        shown["/include/0"] = build.include
        flags += ["-iquote", "/include/0", "-I", "/include/0"]
    flags += ["-iquote", "."]
    return tuple(flags), shown


def prefix(text: str) -> str:
    """The first lines of a driver that only include system headers and the judge's header.

    They are the same for every submission, and compiling them takes most of the time of a driver.
    """
    taken: list[str] = []
    comment = False
    for line in text.splitlines():
        bare = line.strip()
        if comment or bare.startswith("/*"):
            comment = "*/" not in bare
            if not comment and not bare.endswith("*/"):
                break
            continue
        if not bare or bare.startswith("//"):
            if bare.endswith("\\"):
                break
            continue
        if not _INCLUDE.fullmatch(bare):
            break
        taken.append(bare.partition("//")[0].rstrip() + "\n")
    return "".join(taken)
