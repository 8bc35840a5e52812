"""Reads ``harness.toml``, strictly, so that a harness with a misspelt key is an error."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from ...base.data import data_path
from ...base.strict import DocumentError, read_toml, unknown_key, unknown_keys, with_key
from ..agents.registry import AGENTS
from .folder import load_folder
from .harness import (
    FileRule,
    Harness,
    HarnessDocument,
    HarnessError,
    HarnessSource,
    Hook,
    Instructions,
    LoadSign,
    Placebo,
    Skills,
)
from .paths import HOME, inside, read_text, safe_path

FILE = "harness.toml"

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


_TABLES: dict[str, type[Struct]] = {
    "source": HarnessSource,
    "instructions": Instructions,
    "skills": Skills,
    "check": LoadSign,
    "placebo": Placebo,
    "file": FileRule,
    "hook": Hook,
}


def list_harnesses() -> list[Harness]:
    """The harnesses that come with RigorBench, by name. Those of kind "user" have no argument yet.

    Raises:
        HarnessError: one of them cannot be used.
    """
    return [_read(path, path.parent.name) for path in sorted(data_path("harnesses").glob(f"*/{FILE}"))]


def load_harness(name_or_path: str | Path) -> Harness:
    """A harness by its name, its directory or its file; ``NAME=ARGUMENT`` gives it an argument.

    A directory without a harness.toml is a harness of its own: its files are placed as they are.

    Harnesses of kind "user" need one, the user's own file (``agents-md=docs/AGENTS.md``). A placebo may have one: the
    harness whose length it imitates, or a number of characters (``placebo=superpowers``, ``placebo=4000``).

    Raises:
        HarnessError: there is no such harness, its file has a fault, or its argument is missing or cannot be used.
    """
    spelling = str(name_or_path)
    name, _, argument = spelling.partition("=")
    # A path may contain a "=" of its own.
    if Path(spelling).exists():
        name, argument = spelling, ""
    if name and Path(name).is_dir() and not Path(name, FILE).is_file():
        return load_folder(Path(name), spelling)
    harness = _read(_locate(name), spelling)
    if harness.kind == "user" and not argument:
        raise HarnessError(f"{harness.name}: needs a file; write {harness.name}=PATH")
    if not argument:
        return harness
    if harness.placebo is not None:
        if argument.isdecimal():
            if not 100 <= int(argument) <= 1_000_000:
                raise HarnessError(f"{harness.spelling}: expected 100 to 1000000 characters")
            placebo = Placebo("", int(argument))
        else:
            load_harness(argument)  # it must be the name of one
            placebo = Placebo(argument, 0)
        digest = hashlib.sha256(f"{harness.digest}\0{argument}".encode()).hexdigest()
        return msgspec.structs.replace(harness, argument=argument, placebo=placebo, digest=digest)
    if harness.kind != "user":
        raise HarnessError(f"{spelling}: {harness.name} takes no argument")
    # The shell does not expand a "~" after an "=".
    argument = str(Path(argument).expanduser())
    text = read_text(Path(argument), f"the file of {harness.name}")
    digest = hashlib.sha256(f"{harness.digest}\0{text}".encode()).hexdigest()
    return msgspec.structs.replace(harness, argument=argument, digest=digest)


def _locate(name: str) -> Path:
    if not name:
        raise HarnessError("a harness needs a name or a path")
    path = Path(name)
    if path.is_dir() and (path / FILE).is_file():
        return path / FILE
    if path.is_file():
        return path
    packaged = data_path("harnesses") / name / FILE
    if safe_path(name) == name and packaged.is_file():
        return packaged
    known = ", ".join(sorted(p.parent.name for p in data_path("harnesses").glob(f"*/{FILE}")))
    raise HarnessError(f"{name}: no such harness; there are {known}, or give the path of a {FILE}")


def _read(path: Path, spelling: str) -> Harness:
    try:
        document = read_toml(path)
    except DocumentError as error:
        raise HarnessError(str(error)) from None
    problem = unknown_key(document, HarnessDocument) or unknown_keys(document, _TABLES)
    if problem is not None:
        raise HarnessError(f"{path}: {problem}")
    try:
        read = msgspec.convert(document, HarnessDocument)
    except msgspec.ValidationError as error:
        raise HarnessError(f"{path}: {with_key(str(error))}") from None
    _check_values(path, read)
    digest = hashlib.sha256(path.read_bytes())
    names = [rule.content_from for rule in read.file]
    names.append(read.instructions.text_from if read.instructions else None)
    names.append(read.skills.content_from if read.skills else None)
    for name in [name for name in names if name is not None]:
        file = inside(path.parent, name, "content_from")
        for piece in sorted(file.rglob("*")) if file.is_dir() else [file]:
            if piece.is_file():
                digest.update(f"\0{piece.relative_to(path.parent).as_posix()}\0".encode() + piece.read_bytes())
    fields = msgspec.structs.asdict(read)
    return Harness(**fields, directory=path.absolute().parent, spelling=spelling, digest=digest.hexdigest())


def _check_values(path: Path, read: HarnessDocument) -> None:
    def wrong(key: str, why: str) -> HarnessError:
        return HarnessError(f"{path}: {key}: {why}")

    if not _NAME.fullmatch(read.name):
        raise wrong("name", f"expected lower-case letters, digits, '.', '_' and '-', not {read.name!r}")
    for key in ("version", "description", "licence"):
        if not getattr(read, key).strip():
            raise wrong(key, "is empty")
    uses_source, uses_argument = [], []
    for index, rule in enumerate(read.file):
        place = f"file[{index}]"
        bare = rule.path.removeprefix(HOME)
        if safe_path(bare) is None:
            raise wrong(
                f"{place}.path", f"{rule.path!r} is no path within the repository, or within the home after '~/'"
            )
        _one_origin(wrong, place, rule, ("content", "content_from", "from_source", "from_argument"))
        for agent in rule.agents:
            if agent not in AGENTS:
                raise wrong(f"{place}.agents", f"no agent {agent!r}; there are {', '.join(AGENTS)}")
        uses_source.append((f"{place}.from_source", rule.from_source))
        uses_argument.append((f"{place}.from_argument", rule.from_argument))
    if read.instructions is not None:
        origins = ("text", "text_from", "from_source", "from_argument")
        _one_origin(wrong, "instructions", read.instructions, origins)
        if read.instructions.file is not None and safe_path(read.instructions.file) is None:
            raise wrong("instructions.file", f"{read.instructions.file!r} is no path within the repository")
        uses_source.append(("instructions.from_source", read.instructions.from_source))
        uses_argument.append(("instructions.from_argument", read.instructions.from_argument))
    if read.skills is not None:
        _one_origin(wrong, "skills", read.skills, ("from_source", "content_from"))
        uses_source.append(("skills.from_source", read.skills.from_source))
    for key, value in uses_source:
        if value is None:
            continue
        if read.source is None:
            raise wrong(key, "needs a table [source] that says where the project is published")
        if safe_path(value) is None:
            raise wrong(key, f"{value!r} is no path within the clone")
    if any(value for _, value in uses_argument) != (read.kind == "user"):
        raise wrong(
            "kind", '"user" is for harnesses that place the file given as NAME=PATH (from_argument), and only them'
        )
    for name in read.env:
        if not _VARIABLE.fullmatch(name):
            raise wrong(f"env.{name}", "no name of an environment variable")
    for index, name in enumerate(read.check.files):
        if safe_path(name) is None:
            raise wrong(f"check.files[{index}]", f"{name!r} is no path within the repository")
    if any(not marker.strip() for marker in read.check.markers):
        raise wrong("check.markers", "an empty text shows everywhere")
    if read.placebo is not None and read.instructions is None:
        raise wrong("placebo", "needs [instructions]: the text that is cut to length")
    if read.placebo is not None and not 100 <= read.placebo.length <= 1_000_000:
        raise wrong("placebo.length", "expected 100 to 1000000 characters")


def _one_origin(wrong: Callable[[str, str], HarnessError], place: str, table: Struct, keys: tuple[str, ...]) -> None:
    given = [key for key in keys if getattr(table, key)]
    if len(given) != 1:
        raise wrong(place, f"needs exactly one of {', '.join(keys)}; given: {', '.join(given) or 'none'}")
