"""``data/``: test points and groups, and what relates them: drivers, chains, twins, requirements."""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from msgspec import structs

from .cases import GroupSettings, inherited, read_cases
from .contract import check_options
from .files import GROUP_FILE, NAME
from .metadata import Metadata, Sanitize
from .patterns import select
from .problem import Case, PackageError, PointGroup, Sanitizer, SanitizerCheck
from .published import VERSION
from .statement import put_constants
from .testdata import read_groups
from .yamlfile import YamlMapping, parse_table, read_text

_AGGREGATIONS: Final = {"pass-fail": "min", "min": "min", "sum": "sum"}
Groups = tuple[PointGroup, ...]
Overlays = tuple[SanitizerCheck, ...]
Chains = tuple[tuple[str, ...], ...]


def read_data(root: Path, meta: Metadata, *, builtin: bool) -> tuple[Groups, Overlays, Chains, tuple[Case, ...]]:
    """Read and check ``data/``: groups, overlays, chains, invalid inputs.

    Args:
        builtin: outputs are compared by a built-in comparison, whose options are checked here.

    Raises:
        PackageError: something is wrong with it.
    """
    scoring = "scoring" in meta.types
    if meta.version != VERSION:
        groups = read_groups(root, scoring, meta.notes)
        if builtin:
            _check_case_options(groups)
        return tuple(groups), (), (), ()
    groups = []
    own, cases = _directory(root, "sample", GroupSettings(), meta, scoring=False)
    if cases:
        groups.append(PointGroup("sample", cases, visible=True, name="sample", static_args=own.static_args))
    groups += _secret(root, meta, scoring)
    if builtin:
        _check_case_options(groups)
    groups = _with_drivers(root, groups, meta)
    chains = _find_chains(root, groups, meta)
    twins, overlays, chains = _make_twins(groups, meta.sanitize, chains)
    _check_requirements(root, groups)
    _, invalid = _directory(root, "invalid_input", GroupSettings(), meta, scoring=False, answers=False)
    return (*groups, *twins), overlays, chains, invalid


def _secret(root: Path, meta: Metadata, scoring: bool) -> list[PointGroup]:
    place = root / "data" / "secret"
    if not place.is_dir():
        raise PackageError(f"{place}: missing; it must contain the hidden test points")
    directories = [d for d in sorted(place.iterdir()) if d.is_dir() and NAME.fullmatch(d.name)]
    grouped = [d for d in directories if (d / GROUP_FILE).is_file()]
    if not grouped:
        own, cases = _directory(root, "secret", GroupSettings(), meta, scoring=scoring, nested=True)
        if not cases:
            raise PackageError(f"{place}: no test points; a test point is a file .in with its .ans")
        return [_group("secret", own, cases, scoring, 100.0 if own.full is None else own.full, "sum")]
    for directory in directories:
        if directory not in grouped and not directory.name.endswith(".files"):
            raise PackageError(f"{directory}: no {GROUP_FILE}; where there are groups, every directory is one")
    loose = next((path for path in sorted(place.glob("*.in")) if NAME.fullmatch(path.name)), None)
    if loose is not None:
        raise PackageError(f"{loose}: where there are groups, every test point is in one; move it into a group")
    own, _ = _directory(root, "secret", GroupSettings(), meta, scoring=scoring, descend=False)
    groups = []
    for directory in grouped:
        settings, cases = _directory(root, f"secret/{directory.name}", own, meta, scoring=scoring, nested=True)
        if not cases and settings.static_args is None:
            raise PackageError(f"{directory}: a group without test points; add one or remove the directory")
        if scoring and settings.full is None and not (own.aggregation == "pass-fail"):
            raise PackageError(f"{directory / GROUP_FILE}: max_score: missing; write the points of the group")
        group = _group(f"secret/{directory.name}", settings, cases, scoring, settings.full or 0.0, "pass-fail")
        groups.append(structs.replace(group, requires=(*dict.fromkeys((*own.requires, *settings.requires)),)))
    if not scoring or own.aggregation == "pass-fail":
        return [_merged(groups, 100.0 if own.full is None or not scoring else own.full)]
    if own.aggregation == "min":
        raise PackageError(
            f"{place / GROUP_FILE}: score_aggregation: groups are summed; write sum, or make them one group"
        )
    total, most = sum(group.full for group in groups), 100.0 if own.full is None else own.full
    total += sum(entry.score or 0.0 for entry in meta.sanitize)
    if total > most + 1e-9:
        raise PackageError(
            f"{place / GROUP_FILE}: max_score: the groups have {total:g} points in total, more than {most:g}; "
            f"write max_score: {total:g}"
        )
    return groups


def _merged(groups: list[PointGroup], full: float) -> PointGroup:
    """One group of all test points: all or nothing over several groups."""
    cases = tuple(case for group in groups for case in group.cases)
    requires = dict.fromkeys(name for group in groups for name in group.requires if name == "sample")
    static = next((group.static_args for group in groups if group.static_args is not None), None)
    return PointGroup("secret", cases, full, "min", tuple(requires), name="secret", static_args=static)


def _group(
    name: str, settings: GroupSettings, cases: tuple[Case, ...], scoring: bool, full: float, default: str
) -> PointGroup:
    aggregation = _AGGREGATIONS[settings.aggregation or default] if scoring else "min"
    return PointGroup(
        name,
        cases,
        full if scoring else 100.0,
        "sum" if aggregation == "sum" else "min",
        settings.requires,
        name=name.rpartition("/")[2],
        static_args=settings.static_args,
        static_full=settings.static_full,
    )


def _directory(
    root: Path,
    name: str,
    above: GroupSettings,
    meta: Metadata,
    *,
    scoring: bool,
    answers: bool = True,
    nested: bool = False,
    descend: bool = True,
) -> tuple[GroupSettings, tuple[Case, ...]]:
    """Settings and test points of a directory below ``data``, which need not exist."""
    place = root / "data" / name
    if not place.is_dir():
        return above, ()
    settings = above
    if (place / GROUP_FILE).is_file():
        text = put_constants(read_text(place / GROUP_FILE), meta.constants)
        settings = _settings(parse_table(text, str(place / GROUP_FILE)), above, name, scoring)
    return settings, read_cases(
        place, name, settings, answers=answers, nested=nested, descend=descend, generated=meta.problem.generated
    )


def _settings(table: YamlMapping, above: GroupSettings, name: str, scoring: bool) -> GroupSettings:
    if table.take("max_score") == "unbounded":
        table.fail("max_score", "unbounded scores are not supported; write points, and `metric` in problem.yaml")
    limit = table.whole("max_score")
    full = None if limit is None else float(limit)
    aggregation = table.text("score_aggregation", choices=tuple(_AGGREGATIONS))
    requires = table.texts("require_pass", one=True) or ()
    secret = name.split("/")[0] == "secret"
    if not (secret and scoring):
        for key, value in (("max_score", full), ("score_aggregation", aggregation), ("require_pass", requires or None)):
            if value is not None:
                table.fail(key, "only in problems of `type: scoring`" if secret else "only in data/secret")
    static = table.take("static_validation_score")
    static_args = table.texts("static_validator_args")
    if static is None and static_args is not None:
        table.fail("static_validator_args", "needs static_validation_score beside it")
    points = 0.0
    if static is not None and static != "pass-fail":
        points = float(table.whole("static_validation_score") or 0)
        if points > (full or 0.0):
            table.fail("static_validation_score", f"more than the group's max_score, {full or 0:g}")
    table.flag("full_feedback")
    found = GroupSettings(
        *inherited(table, above),
        full,
        aggregation,
        requires,
        (static_args or ()) if static is not None else None,
        points,
    )
    table.done()
    return found


# -- relations ------------------------------------------------------------------------------------------------------


def _check_case_options(groups: list[PointGroup]) -> None:
    """Raises: PackageError: a test point has arguments that are not options of the built-in comparison."""
    for group in groups:
        for case in group.cases:
            problem = check_options(case.checker_args)
            if problem is not None:
                raise PackageError(
                    f"{case.input.with_name(GROUP_FILE)}: output_validator_args: {problem} (test point {case.id}); "
                    "without output_validator/ they are options of the built-in comparison"
                )


def _check_requirements(root: Path, groups: list[PointGroup]) -> None:
    """Raises: PackageError: a group requires one that does not exist or does not come before it."""
    names = [group.id for group in groups]
    required = {group.id: group.requires for group in groups}
    for index, group in enumerate(groups):
        for name in group.requires:
            where = f"{root / 'data' / group.id / GROUP_FILE}: require_pass"
            if name not in required:
                raise PackageError(f"{where}: no group {name!r}; one of: {', '.join(names[:index]) or 'none'}")
            pending, reached = [name], set[str]()
            while pending:
                other = pending.pop()
                if other not in reached:
                    reached.add(other)
                    pending += required.get(other, ())
            if group.id in reached:
                raise PackageError(f"{where}: {name} also requires {group.id}; remove one of the requirements")
            if names.index(name) > index:
                raise PackageError(f"{where}: {name} comes after {group.id} by name; rename one of them")


def _with_drivers(root: Path, groups: list[PointGroup], meta: Metadata) -> list[PointGroup]:
    """The groups with the driver of each test point set. Raises: PackageError: a test point has none, or two."""
    if meta.problem.build.kind != "header":
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
    if len(meta.problem.build.drivers) == 1:
        only = next(iter(meta.problem.build.drivers))
        driver_of = dict.fromkeys(ids, only) | driver_of
    for name in ids:
        if name not in driver_of:
            raise PackageError(f"{root / 'problem.yaml'}: build.cases: no driver for {name}; add a pattern for it")
    return [
        structs.replace(group, cases=tuple(structs.replace(case, driver=driver_of[case.id]) for case in group.cases))
        for group in groups
    ]


def _find_chains(root: Path, groups: list[PointGroup], meta: Metadata) -> Chains:
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


def _make_twins(
    groups: list[PointGroup], entries: tuple[Sanitize, ...], chains: Chains
) -> tuple[list[PointGroup], Overlays, Chains]:
    """(twin groups, overlays, all chains with those of the twins). Raises: PackageError."""
    known = {group.id: group for group in groups}
    twins: list[PointGroup] = []
    overlays: list[SanitizerCheck] = []
    further = list(chains)
    for entry in entries:
        name = entry.of if entry.of in known else f"secret/{entry.of}"
        if name not in known:
            raise PackageError(f"{entry.where}of: no group {entry.of!r}; one of: {', '.join(known)}")
        checks = cast("tuple[Sanitizer, ...]", entry.checks)
        if entry.group is None:
            if any(overlay.group == name for overlay in overlays):
                raise PackageError(f"{entry.where}of: {name} is given twice; name all checks in one entry")
            overlays.append(SanitizerCheck(name, checks))
            continue
        own = f"secret/{entry.group.removeprefix('secret/')}"
        if own in known or any(twin.id == own for twin in twins) or not NAME.fullmatch(own.removeprefix("secret/")):
            raise PackageError(f"{entry.where}group: {entry.group!r} is taken or not a valid name; choose another")
        original = known[name]
        renamed = {case.id: f"{own}/{case.id.removeprefix(name + '/')}" for case in original.cases}
        cases = tuple(structs.replace(case, id=renamed[case.id]) for case in original.cases)
        twins.append(
            PointGroup(
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
