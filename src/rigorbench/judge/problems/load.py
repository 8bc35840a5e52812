"""Reads a package: in the Kattis 2025-09 layout with our keys, or in an earlier version of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from msgspec import structs

from ...base.cache import cache_directory
from ...base.sealed import is_sealed
from ..files import copy_readable
from . import files, statement
from .cases import interactions
from .data import read_data
from .expectations import read_submissions
from .metadata import Metadata, check_options, checker_of, read_metadata
from .problem import Checker, PackageError, Problem
from .published import directory
from .yamlfile import read_yaml

# What lies beside programs and is none: validators in languages without an interpreter here, headers and notes.
_NO_PROGRAMS = frozenset({".ctd", ".viva", ".h", ".hpp", ".hh", ".md", ".txt", ".yaml"})
# Where the format puts constants in, besides the statement and test_group.yaml.
_PARTS = frozenset(
    "include input_validators output_validator output_validators static_validator submissions interactor".split()
)
_LARGEST = 1 << 20


def load_problem(path: str | os.PathLike[str]) -> Problem:
    """Read and check a package. Raises: PackageError: it cannot be used."""
    try:
        return _load(Path(os.path.abspath(path)))
    except OSError as error:
        where = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else os.fspath(path)
        raise PackageError(f"{where}: {error.strerror or error}") from None


def _load(root: Path) -> Problem:
    if not root.is_dir():
        zipped = " (unpack it first)" if root.is_file() else ""
        raise PackageError(f"{root}: no such directory{zipped}; a package is a directory with problem.yaml")
    file = root / "problem.yaml"
    if not file.is_file():
        hint = ""
        if (root / "problem.xml").is_file():
            hint = "; `rigor judge import` makes a package of one for Polygon"
        raise PackageError(f"{file}: no such file{hint or '; a package is a directory with problem.yaml'}")
    if is_sealed(root.absolute().parent):
        raise PackageError(f"{root}: in a sealed suite; open it with `rigor suite seal --open` and judge by the copy")
    digest = files.digest(root)
    problem, meta, notes = read_metadata(read_yaml(file), root)
    statements = statement.find_statements(root, required=not problem.earlier)
    if not statements:
        notes.append("no problem_statement/ with a text or PDF that is named problem")
    if not problem.earlier and set(meta.names) != set(statements):
        raise PackageError(
            f"{file}: name: is for {', '.join(sorted(meta.names))}, the statement for {', '.join(sorted(statements))}; "
            "name the problem in each language of its statement"
        )
    # The directory with the package's programs, the problem's constants put in.
    home = _expanded(root, digest, meta.values)
    checker, interactor = _programs(home, file, meta)
    groups, overlays, chains, invalid = read_data(
        root, meta, builtin=checker.compare is not None, earlier=notes if problem.earlier else None
    )
    if problem.metric is not None and checker.compare is not None:
        raise PackageError(f"{file}: metric: its raw value comes from output_validator/ (score.txt), which is missing")
    static = _program(home / "static_validator")
    if static is None and any(group.static_args is not None for group in groups):
        raise PackageError(f"{root / 'static_validator'}: missing, and a test_group.yaml has static_validation_score")
    samples = next((group.cases for group in groups if group.visible and group.twin_of is None), ())
    text, _ = statement.source(statements, meta.values)
    full = sum(group.full for group in groups)
    labelled = read_submissions(root, notes, earlier=problem.earlier, full=full)
    submissions = tuple(structs.replace(one, path=home / one.path.relative_to(root)) for one in labelled)
    place = directory(home, "input_validators")
    entries = sorted(place.iterdir()) if place is not None else []
    validators = [entry for entry in entries if files.NAME.fullmatch(entry.name) and entry.suffix not in _NO_PROGRAMS]
    review = root / "review.toml"
    problem = structs.replace(
        problem,
        digest=digest,
        statement=statement.render(text, samples, interactions(root)),
        groups=groups,
        included=home / "include" if problem.included else None,
        checker=checker,
        interactor=interactor,
        chains=chains,
        overlays=overlays,
        attachments=root / "attachments" if (root / "attachments").is_dir() else None,
        validators=tuple(validators),
        invalid_inputs=invalid,
        static_validator=static,
        submissions=submissions,
        review=review if review.is_file() else None,
        notes=tuple(notes),
    )
    if problem.floor is not None and problem.floor > problem.full:
        raise PackageError(f"{file}: floor: {problem.floor:g} is more than all {problem.full:g} points")
    names = {group.id.rpartition("/")[2] for group in problem.groups}
    for one in problem.hints:
        if one.group not in names:
            raise PackageError(f"{file}: hints.{one.group}: no such test group; one of: {', '.join(sorted(names))}")
    return problem


def _programs(home: Path, file: Path, meta: Metadata) -> tuple[Checker, Path | None]:
    """The checker and the interactor, from the key ``checker``, ``output_validator/`` and the type."""
    place = directory(home, "output_validator")
    program = _program(place) if place is not None else None
    checker = None if meta.checker is None else checker_of(meta.checker, str(file), meta.types)
    flags = meta.validator_flags
    if checker is not None and checker.compare is not None:
        if program is not None:
            raise PackageError(f"{file}: checker.compare: there is an output_validator/ as well; keep one of them")
        return checker, None
    contract = checker.contract if checker is not None else "kattis"
    if program is None:
        if checker is not None or "interactive" in meta.types:
            raise PackageError(f"{home / 'output_validator'}: missing; put the program that judges there")
        problem = check_options(flags)
        if problem is not None:
            raise PackageError(f"{file}: validator_flags: {problem}")
        return Checker("token", flags), None
    if "interactive" not in meta.types:
        return Checker(None, flags, program, contract), None
    interactor = None if meta.checker is None else meta.checker.interactor
    if interactor is not None:
        other = _program(home / interactor.relative_to(file.parent)) or interactor
        return Checker(None, program=program, contract=contract), other
    return Checker(None, flags, contract=contract), program


def _program(place: Path) -> Path | None:
    """The program in a directory for one: its only entry, or else the directory itself."""
    if not place.exists():
        return None
    if place.is_file():
        return place
    entries = [entry for entry in sorted(place.iterdir()) if files.NAME.fullmatch(entry.name)]
    programs = [entry for entry in entries if entry.is_dir() or entry.suffix not in _NO_PROGRAMS]
    if len(programs) == 1 and programs[0].is_dir():
        return programs[0]
    if not entries:
        raise PackageError(f"{place}: empty; put the program there, or remove it")
    return entries[0] if len(entries) == 1 else place


def _expanded(root: Path, digest: str, constants: Mapping[str, str]) -> Path:
    """The directory with the package's programs: the package, or a copy in the cache where constants occur in them.

    The copy is named by the package's digest, so it is made once.

    Raises: PackageError: see `files.walk`. OSError: the cache cannot be written.
    """
    if not constants:
        return root
    programs = {inside: path for inside, path in files.walk(root) if inside.parts[0] in _PARTS}
    texts: dict[PurePosixPath, str] = {}
    for inside, path in programs.items():
        data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
        with suppress(UnicodeDecodeError):
            if b"{{" in data:
                texts[inside] = data.decode()
    expanded_texts = {inside: statement.put_constants(text, constants) for inside, text in texts.items()}
    if expanded_texts == texts:
        return root
    place = cache_directory().parent / "judge" / "packages" / digest
    if place.is_dir():
        return place
    try:
        with files.new_directory(place) as draft:
            for inside, path in programs.items():
                copy_readable(path, draft / inside)
                if expanded_texts.get(inside) != texts.get(inside):
                    (draft / inside).write_text(expanded_texts[inside], "utf-8", newline="")
    except (PackageError, OSError):
        # Another process may have made the same copy meanwhile.
        if not place.is_dir():
            raise
    return place
