"""The groups of packages before 2025-09: a tree of directories, each with a ``testdata.yaml`` for a grader.

A tree becomes groups as we have them: where scores are summed, each branch is a group of its own; below that everything
is one group, which gives its points for the worst of its test points or the mean of them.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, structs

from .cases import Arguments, read_cases
from .files import GROUP_FILE, NAME, OLD_GROUP_FILE
from .problem import Case, PackageError, PointGroup
from .published import words
from .yamlfile import convert, is_number, read_yaml

_MODES: Final = ("sum", "avg", "min", "max")
# What decides only how much is run, or what is shown.
_SILENT: Final = frozenset({"on_reject", "grading", "reject_score", "run_samples", "objective", "full_feedback"})
_ARGUMENTS: Final = ("args", "output_validator_args", "input_validator_args")


class _Node(Struct):
    """A directory: its own test points, and the directories below it."""

    name: str
    settings: Arguments
    accept: float = 1.0
    """Points of an accepted test point."""
    mode: str = "sum"
    most: float | None = None
    """The upper end of its own ``range``; None: it has none."""
    cases: tuple[Case, ...] = ()
    inner: list[_Node] = []  # msgspec copies it

    @property
    def full(self) -> float:
        """The points of a submission that passes everything."""
        if self.most is not None:
            return self.most
        scores = [self.accept] * len(self.cases) + [node.full for node in self.inner]
        if not scores:
            return 0.0
        if self.mode in ("sum", "avg"):
            return math.fsum(scores) / (len(scores) if self.mode == "avg" else 1)
        return min(scores) if self.mode == "min" else max(scores)

    def all_cases(self) -> tuple[Case, ...]:
        found = [*self.cases, *(case for node in self.inner for case in node.all_cases())]
        return tuple(sorted(found, key=lambda case: case.id))


def read_groups(root: Path, scoring: bool, notes: list[str]) -> list[PointGroup]:
    """The samples and the groups of ``data/secret``. Raises: PackageError."""
    place = root / "data"
    top = _with_file(_Node("", Arguments()), place, notes)
    groups: list[PointGroup] = []
    if (place / "sample").is_dir():
        cases = _read(place / "sample", "sample", top, notes).all_cases()
        if cases:
            groups.append(PointGroup("sample", cases, visible=True))
    if not (place / "secret").is_dir():
        raise PackageError(f"{place / 'secret'}: missing; it must contain the hidden test points")
    secret = _read(place / "secret", "secret", top, notes)
    cases = secret.all_cases()
    if not cases:
        raise PackageError(f"{place / 'secret'}: no test points; a test point is a file .in with its .ans")
    if not scoring:
        return [*groups, PointGroup("secret", cases, 100.0)]
    return [*groups, *_branches(secret, notes)]


def _branches(node: _Node, notes: list[str]) -> list[PointGroup]:
    if node.mode == "sum" and node.inner:
        found = [group for inner in node.inner for group in _branches(inner, notes)]
        if node.cases:
            alone = structs.replace(node, inner=[], most=None)
            found.insert(0, _group(alone, notes))
        return found
    return [_group(node, notes)] if node.all_cases() else []


def _group(node: _Node, notes: list[str]) -> PointGroup:
    if node.mode == "max":
        notes.append(f"data/{node.name}: the best score of a group counts there, here the worst")
    mode = "sum" if node.mode in ("sum", "avg") else "min"
    return PointGroup(node.name, node.all_cases(), node.full, mode)  # type: ignore[arg-type]


def _read(place: Path, name: str, above: _Node, notes: list[str]) -> _Node:
    node = _with_file(_Node(name, above.settings, above.accept, above.mode), place, notes)
    node.cases = read_cases(place, name, node.settings, descend=False, notes=notes)
    for path in sorted(place.iterdir()):
        if path.is_dir() and NAME.fullmatch(path.name) and not path.name.endswith(".files"):
            node.inner.append(_read(path, f"{name}/{path.name}", node, notes))
    return node


def _with_file(node: _Node, place: Path, notes: list[str]) -> _Node:
    """The node with what the file in its directory says."""
    file = next((place / one for one in (OLD_GROUP_FILE, GROUP_FILE) if (place / one).is_file()), None)
    if file is None:
        return node
    given = read_yaml(file, notes)
    for old, new in (("output_validator_flags", _ARGUMENTS[1]), ("input_validator_flags", _ARGUMENTS[2])):
        if old in given:
            given[new] = _arguments(given.pop(old), by_program=new == _ARGUMENTS[2])
    arguments = {key: given.pop(key) for key in _ARGUMENTS if key in given}
    node.settings = convert(arguments, Arguments, str(file)).below(node.settings)
    _grade(node, given)
    known = {"accept_score", "range", "grader_flags", "max_score", "score_aggregation", *_SILENT}
    notes += [f"data/{node.name or '.'}: {key} has no meaning here" for key in sorted(given.keys() - known)]
    return node


def _arguments(raw: object, *, by_program: bool) -> Any:
    """Arguments as a list, or for input validators as lists by the program's name."""
    if not isinstance(raw, dict):
        return words(raw)
    if set(raw) == {"name", "flags"}:
        return {str(raw["name"]): words(raw["flags"])} if by_program else words(raw["flags"])
    if by_program:
        return {str(name): words(flags) for name, flags in raw.items()}
    return [word for flags in raw.values() for word in words(flags)]


def _grade(node: _Node, given: dict[str, Any]) -> None:
    accept = given.get("accept_score", given.get("max_score"))
    if accept is not None and is_number(accept):
        node.accept = float(accept)
    flags = words(given.get("grader_flags")) + words(given.get("score_aggregation"))
    node.mode = next((flag for flag in reversed(flags) if flag in _MODES), node.mode)
    ends = words(given.get("range"))
    try:
        most = float(ends[-1]) if len(ends) == 2 else math.inf
    except ValueError:
        most = math.inf
    if is_number(given.get("max_score")):
        most = float(given["max_score"])
    if math.isfinite(most) and most >= 0:
        node.most = most
