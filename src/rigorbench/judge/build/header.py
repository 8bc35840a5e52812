"""Header libraries: each driver of the problem, compiled with the submission's headers."""

from __future__ import annotations

from pathlib import Path

from . import instrument
from .source import Common, native
from .sources import SourceError
from .unit import Unit


def units(common: Common, root: Path) -> dict[str, Unit]:
    """One unit for each driver.

    Raises:
        SourceError: a header that the problem asks for is not there.
    """
    build = common.build
    assert build is not None
    for wanted in build.headers:
        if not (root / wanted).is_file():
            raise SourceError(f"{wanted} is missing: the problem asks for {', '.join(build.headers)}")
    shown: dict[str, Path] = {"/src": root, "/rigor/include": instrument.RESOURCES / "include"}
    flags = ["-I", "/rigor/include"]
    if build.include is not None:
        shown["/include/0"] = build.include
        flags += ["-I", "/include/0"]
    objects, words = instrument.runtime(common, instrument.RESULTS)
    shown.update(objects)
    made: dict[str, Unit] = {}
    for name, path in build.drivers.items():
        inside = f"/driver/{path.name}"
        made[name] = native(
            common, {**shown, inside: path}, (inside,), tuple(flags), {},
            main_root=path.parent, names=[path.name], runtime=words,
        )  # fmt: skip
    return made
