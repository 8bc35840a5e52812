"""The test points of one directory below ``data/``."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Self

from msgspec import Struct, structs

from .files import GROUP_FILE, NAME, OLD_GROUP_FILE
from .problem import Case, Generated, PackageError
from .yamlfile import convert, read_text, read_yaml

# Longest first: "01.in.statement" is not the case "01.in" with the suffix ".statement".
_SUFFIXES: Final = tuple(
    ".in.statement .ans.statement .in.download .ans.download .interaction .in .ans .out .yaml .hint .desc .files .png "
    ".jpg .jpeg .svg".split()
)
_SHOWN: Final = frozenset({".interaction", ".in.statement", ".ans.statement", ".in.download", ".ans.download"})
_NOTES: Final = frozenset({"README", "README.md", "README.txt"})


class Arguments(Struct, frozen=True, forbid_unknown_fields=True):
    """The arguments of programs that a group or test point sets; without a value: those of what is above it."""

    args: tuple[str, ...] | None = None
    output_validator_args: tuple[str, ...] | None = None
    input_validator_args: tuple[str, ...] | dict[str, tuple[str, ...]] | None = None
    """For all validators, or by the validator's name."""
    # Without effect here.
    input_visualizer_args: tuple[str, ...] | None = None
    output_visualizer_args: tuple[str, ...] | None = None
    full_feedback: bool = False

    def below(self, above: Arguments) -> Self:
        names = ("args", "output_validator_args", "input_validator_args")
        return structs.replace(self, **{name: getattr(above, name) for name in names if getattr(self, name) is None})


class CaseKeys(Arguments, frozen=True):
    """The content of a test point's ``NN.yaml``."""

    hint: str | None = None
    description: str | None = None


def interactions(root: Path) -> tuple[Path, ...]:
    """Samples that are only shown: what both sides say in an interactive problem, without a test point."""
    place = root / "data" / "sample"
    found = sorted(place.glob("*.interaction")) if place.is_dir() else []
    return tuple(path for path in found if NAME.fullmatch(path.name) and not path.with_suffix(".in").exists())


def read_cases(
    place: Path,
    name: str,
    settings: Arguments,
    *,
    answers: bool = True,
    nested: bool = True,
    descend: bool = True,
    notes: list[str] | None = None,
    generated: Generated | None = None,
) -> tuple[Case, ...]:
    """The test points of a directory, and with `descend` of those below it.

    `notes`: gets a line for each file that is not of a test point; None: such a file is an error. `generated`: the
    files that are not in the package. Raises: PackageError: a file is missing, misplaced or not of a test point.
    """
    bases: dict[str, set[str]] = {}
    inner: list[Path] = []
    for path in sorted(place.iterdir()):
        if not NAME.fullmatch(path.name) or path.name in _NOTES or path.name in (GROUP_FILE, OLD_GROUP_FILE):
            continue
        suffix = next((s for s in _SUFFIXES if path.name.endswith(s)), None)
        if path.is_dir() and suffix != ".files":
            inner.append(path)
        elif suffix is None or path.is_dir() != (suffix == ".files"):
            if notes is not None:
                notes.append(f"data/{name}/{path.name}: not a file of a test point")
                continue
            raise PackageError(f"{path}: not a file of a test point (.in, .ans, .yaml ...); rename it")
        else:
            bases.setdefault(path.name.removesuffix(suffix), set()).add(suffix)
    listed = sorted(generated.hashes) if generated is not None else []
    made = {f.rpartition("/")[2]: generated.place / f for f in listed if generated and f.rpartition("/")[0] == name}
    for path in made.values():
        bases.setdefault(path.stem, set()).add(path.suffix)
    found: list[Case] = []
    for base, suffixes in bases.items():
        if suffixes <= _SHOWN and name == "sample":
            # Only shown, in the statement or as files.
            continue
        if notes is not None and ".in" not in suffixes:
            notes.append(f"data/{name}/{base}{min(suffixes)}: no {base}.in beside it")
            continue
        found.append(_case(place, name, base, suffixes, settings, answers, made))
    for directory in inner if descend else []:
        if not nested:
            raise PackageError(f"{directory}: no directories are allowed here; move its test points up")
        if directory.name in bases:
            raise PackageError(f"{directory}: a test point has the same name; rename one of them")
        if (directory / GROUP_FILE).is_file():
            raise PackageError(f"{directory / GROUP_FILE}: groups must be directly in data/secret; move it there")
        found += read_cases(directory, f"{name}/{directory.name}", settings, answers=answers, generated=generated)
    return tuple(sorted(found, key=lambda case: case.id))


def _case(
    place: Path, name: str, base: str, suffixes: set[str], settings: Arguments, answers: bool, made: dict[str, Path]
) -> Case:
    file = place / f"{base}.in"
    if ".in" not in suffixes:
        other = f"{base}{min(suffixes)}"
        raise PackageError(f"{place / other}: no {base}.in beside it; add the input, or remove this file")
    if answers and ".ans" not in suffixes:
        raise PackageError(f"{file}: no {base}.ans beside it; add the answer (it may be empty for a checker)")
    keys: Arguments = settings
    hint: str | None = None
    if ".yaml" in suffixes:
        path = place / f"{base}.yaml"
        own = convert(read_yaml(path), CaseKeys, str(path))
        keys, hint = own.below(settings), own.hint
    if ".hint" in suffixes:
        if hint is not None:
            raise PackageError(f"{place / f'{base}.hint'}: {base}.yaml has a hint as well; keep one of them")
        hint = read_text(place / f"{base}.hint").strip()
    validators = keys.input_validator_args
    return Case(
        f"{name}/{base}",
        made.get(file.name, file),
        made.get(f"{base}.ans", place / f"{base}.ans") if ".ans" in suffixes else None,
        keys.args or (),
        keys.output_validator_args or (),
        hint=hint,
        files=place / f"{base}.files" if ".files" in suffixes else None,
        validator_args={"": validators} if isinstance(validators, tuple) else validators or {},
    )
