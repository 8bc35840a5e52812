"""Relations between test points and groups: drivers, chains, twins, requirements."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

from msgspec import structs

from .contract import check_options
from .files import NAME
from .metadata import Metadata, Sanitize
from .model import Group, Overlay, PackageError, Sanitizer
from .patterns import select

GROUP_FILE: Final = "test_group.yaml"
# Its name before 2025-09, where it had other keys.
OLD_GROUP_FILE: Final = "testdata.yaml"


def check_case_options(groups: list[Group]) -> None:
    """Raises: PackageError: a test point has arguments that are not options of the built-in comparison."""
    for group in groups:
        for case in group.cases:
            problem = check_options(case.checker_args)
            if problem is not None:
                raise PackageError(
                    f"{case.input.with_name(GROUP_FILE)}: output_validator_args: {problem} (test point {case.id}); "
                    "without output_validator/ they are options of the built-in comparison"
                )


def check_requirements(root: Path, groups: list[Group]) -> None:
    """Raises: PackageError: a group requires one that does not exist or does not come before it."""
    names = [group.id for group in groups]
    required = {group.id: group.requires for group in groups}
    for index, group in enumerate(groups):
        for name in group.requires:
            where = f"{root / 'data' / group.id / GROUP_FILE}: require_pass"
            if name not in required:
                raise PackageError(f"{where}: no group {name!r}; one of: {', '.join(names[:index]) or 'none'}")
            if _reaches(required, name, group.id):
                raise PackageError(f"{where}: {name} also requires {group.id}; remove one of the requirements")
            if names.index(name) > index:
                raise PackageError(f"{where}: {name} comes after {group.id} by name; rename one of them")


def _reaches(required: Mapping[str, tuple[str, ...]], start: str, goal: str) -> bool:
    pending, seen = [start], set()
    while pending:
        name = pending.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            pending += required.get(name, ())
    return False


def with_drivers(root: Path, groups: list[Group], meta: Metadata) -> list[Group]:
    """The groups with the driver of each test point set. Raises: PackageError: a test point has none, or two."""
    if meta.build.kind != "header":
        return groups
    ids = [case.id for group in groups for case in group.cases]
    driver_of: dict[str, str] = {}
    for pattern, driver in meta.driver_cases.items():
        found = select(pattern, ids)
        if not found:
            raise PackageError(
                f"{root / 'problem.yaml'}: build.cases: {pattern!r} matches no test point; correct or remove it"
            )
        for name in found:
            if driver_of.get(name, driver) != driver:
                raise PackageError(
                    f"{root / 'problem.yaml'}: build.cases: {name} matches two patterns with different drivers"
                )
            driver_of[name] = driver
    if len(meta.build.drivers) == 1:
        only = next(iter(meta.build.drivers))
        driver_of = dict.fromkeys(ids, only) | driver_of
    for name in ids:
        if name not in driver_of:
            raise PackageError(f"{root / 'problem.yaml'}: build.cases: no driver for {name}; add a pattern for it")
    return [
        structs.replace(group, cases=tuple(structs.replace(case, driver=driver_of[case.id]) for case in group.cases))
        for group in groups
    ]


def find_chains(root: Path, groups: list[Group], meta: Metadata) -> tuple[tuple[str, ...], ...]:
    """Ids of the cases of each chain. Raises: PackageError: a pattern matches nothing, or a case is misplaced."""
    group_of = {case.id: group.id for group in groups for case in group.cases}
    chains: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for index, patterns in enumerate(meta.chains):
        where = f"{root / 'problem.yaml'}: chain[{index}]"
        chain: list[str] = []
        for pattern in patterns:
            found = [pattern] if pattern in group_of else select(pattern, group_of)
            if not found:
                raise PackageError(f"{where}: {pattern!r} matches no test point; ids are such as {min(group_of)!r}")
            for name in found:
                if name in seen:
                    raise PackageError(f"{where}: {name} is already in a chain; a test point can be in one chain only")
                seen.add(name)
                chain.append(name)
        if len({group_of[name] for name in chain}) > 1:
            raise PackageError(f"{where}: its test points are in different groups; a chain must be within one group")
        chains.append(tuple(chain))
    return tuple(chains)


def make_twins(
    groups: list[Group], entries: tuple[Sanitize, ...], chains: tuple[tuple[str, ...], ...]
) -> tuple[list[Group], tuple[Overlay, ...], tuple[tuple[str, ...], ...]]:
    """(twin groups, overlays, all chains with those of the twins). Raises: PackageError."""
    known = {group.id: group for group in groups}
    twins: list[Group] = []
    overlays: list[Overlay] = []
    further = list(chains)
    for entry in entries:
        name = entry.of if entry.of in known else f"secret/{entry.of}"
        if name not in known:
            raise PackageError(f"{entry.where}of: no group {entry.of!r}; one of: {', '.join(known)}")
        checks = cast("tuple[Sanitizer, ...]", entry.checks)
        if entry.group is None:
            if any(overlay.group == name for overlay in overlays):
                raise PackageError(f"{entry.where}of: {name} is given twice; name all checks in one entry")
            overlays.append(Overlay(name, checks))
            continue
        own = f"secret/{entry.group.removeprefix('secret/')}"
        if own in known or any(twin.id == own for twin in twins) or not NAME.fullmatch(own.removeprefix("secret/")):
            raise PackageError(f"{entry.where}group: {entry.group!r} is taken or not a valid name; choose another")
        original = known[name]
        renamed = {case.id: f"{own}/{case.id.removeprefix(name + '/')}" for case in original.cases}
        cases = tuple(structs.replace(case, id=renamed[case.id]) for case in original.cases)
        twins.append(
            Group(
                own,
                cases,
                entry.score or 0.0,
                original.aggregation,
                twin_of=name,
                sanitizers=checks,
                visible=original.visible,
                name=own.rpartition("/")[2],
            )
        )
        further += [tuple(renamed[case] for case in chain) for chain in chains if chain[0] in renamed]
    return twins, tuple(overlays), tuple(further)
