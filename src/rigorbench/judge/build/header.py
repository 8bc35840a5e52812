"""Header libraries: each driver of the problem, compiled with the submission's headers."""

from __future__ import annotations

import re
from pathlib import Path

from ..model import JudgeError
from . import instrument
from .common import Common
from .source import native
from .sources import SourceError
from .unit import Unit

_INCLUDE = re.compile(r'#\s*include\s*(?:<[\w./+-]+>|"rigor_driver\.hpp")\s*(?://[^\\]*)?')


def units(common: Common, root: Path) -> dict[str, Unit]:
    """One unit for each driver.

    Raises:
        SourceError: a header that the problem asks for is not there.
        JudgeError: the package itself has one of that name.
    """
    build = common.build
    assert build is not None
    for wanted in build.headers:
        if not (root / wanted).is_file():
            raise SourceError(f"{wanted} is missing: the problem asks for {', '.join(build.headers)}")
    ours = instrument.RESOURCES / "include"
    shown: dict[str, Path] = {"/src": root, "/rigor/include": ours}
    # Ours and the package's go first, and the submission's directory is for includes in quotes only: it must not stand
    # in for rigor_driver.hpp, for what the drivers share, or for a header of the standard library.
    flags = ["-iquote", "/rigor/include"]
    if build.include is not None:
        for wanted in build.headers:
            if (build.include / wanted).exists():
                raise JudgeError(
                    f"{build.include / wanted} would hide the submission's own: take it out of the package"
                )
        shown["/include/0"] = build.include
        flags += ["-iquote", "/include/0", "-I", "/include/0"]
    flags += ["-iquote", "."]
    objects, words = instrument.runtime(common, instrument.RESULTS)
    shown.update(objects)
    made: dict[str, Unit] = {}
    for name, path in build.drivers.items():
        inside = f"/driver/{path.name}"
        made[name] = native(
            common,
            {**shown, inside: path},
            (inside,),
            tuple(flags),
            {},
            main_root=path.parent,
            names=[path.name],
            runtime=words,
            prefix=prefix(path.read_text(encoding="utf-8", errors="replace")),
        )
    return made


def prefix(text: str) -> str:
    """The lines that a driver begins with as far as they include system headers and ours, and nothing else.

    They are the same for every submission, and most of what compiling a driver costs.
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
