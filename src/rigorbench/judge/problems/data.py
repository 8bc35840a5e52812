"""``data/``: test points and groups, and what relates them: drivers, chains, twins, requirements."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, NoReturn

from msgspec import structs

from .cases import Arguments, read_cases
from .files import GROUP_FILE, NAME, select
from .metadata import Metadata, Sanitize, check_options
from .problem import Case, PackageError, PointGroup, SanitizerCheck, Whole
from .published import read_groups
from .statement import put_constants
from .yamlfile import Texts, convert, parse_yaml, read_text, texts

_AGGREGATIONS: Final = {"pass-fail": "min", "min": "min", "sum": "sum"}
Groups = tuple[PointGroup, ...]
Overlays = tuple[SanitizerCheck, ...]
Chains = tuple[tuple[str, ...], ...]


class GroupKeys(Arguments, frozen=True):
    """The content of a ``test_group.yaml``."""

    max_score: Whole | Literal["unbounded"] | None = None
    score_aggregation: Literal["pass-fail", "min", "sum"] | None = None
    require_pass: Texts = ()
    static_validation_score: Whole | Literal["pass-fail"] | None = None
    static_validator_args: tuple[str, ...] | None = None

    @property
    def full(self) -> float | None:
        return float(self.max_score) if isinstance(self.max_score, int) else None

    @property
    def static_args(self) -> tuple[str, ...] | None:
        return None if self.static_validation_score is None else self.static_validator_args or ()

    @property
    def static_full(self) -> float:
        return float(self.static_validation_score) if isinstance(self.static_validation_score, int) else 0.0


def read_data(
    root: Path, meta: Metadata, *, builtin: bool, earlier: list[str] | None
) -> tuple[Groups, Overlays, Chains, tuple[Case, ...]]:
    """Read and check ``data/``: groups, overlays, chains, invalid inputs.

    `builtin`: outputs are compared by a built-in comparison, whose options are checked here. `earlier`: the package is
    of a version before 2025-09; gets what has no effect here. Raises: PackageError: something is wrong with it.
    """
    scoring = "scoring" in meta.types
    if earlier is not None:
        groups = read_groups(root, scoring, earlier)
        if builtin:
            _check_case_options(groups)
        return tuple(groups), (), (), ()
    groups = []
    own, cases = _directory(root, "sample", GroupKeys(), meta, scoring=False)
    if cases:
        groups.append(PointGroup("sample", cases, visible=True, static_args=own.static_args))
    groups += _secret(root, meta, scoring)
    if builtin:
        _check_case_options(groups)
    groups = _with_drivers(root, groups, meta)
    chains = _find_chains(root, groups, meta)
    twins, overlays, chains = _make_twins(root, groups, meta.sanitize, chains)
    _check_requirements(root, groups)
    _, invalid = _directory(root, "invalid_input", GroupKeys(), meta, scoring=False, answers=False)
    return (*groups, *twins), overlays, chains, invalid


def _secret(root: Path, meta: Metadata, scoring: bool) -> list[PointGroup]:
    place = root / "data" / "secret"
    if not place.is_dir():
        raise PackageError(f"{place}: missing; it must contain the hidden test points")
    directories = [d for d in sorted(place.iterdir()) if d.is_dir() and NAME.fullmatch(d.name)]
    grouped = [d for d in directories if (d / GROUP_FILE).is_file()]
    if not grouped:
        own, cases = _directory(root, "secret", GroupKeys(), meta, scoring=scoring, nested=True)
        if not cases:
            raise PackageError(f"{place}: no test points; a test point is a file .in with its .ans")
        return [_group("secret", own, cases, scoring, 100.0 if own.full is None else own.full, "sum")]
    for directory in directories:
        if directory not in grouped and not directory.name.endswith(".files"):
            raise PackageError(f"{directory}: no {GROUP_FILE}; where there are groups, every directory is one")
    loose = next((path for path in sorted(place.glob("*.in")) if NAME.fullmatch(path.name)), None)
    if loose is not None:
        raise PackageError(f"{loose}: where there are groups, every test point is in one; move it into a group")
    own, _ = _directory(root, "secret", GroupKeys(), meta, scoring=scoring, descend=False)
    groups = []
    for directory in grouped:
        settings, cases = _directory(root, f"secret/{directory.name}", own, meta, scoring=scoring, nested=True)
        if not cases and settings.static_args is None:
            raise PackageError(f"{directory}: a group without test points; add one or remove the directory")
        if scoring and settings.full is None and not (own.score_aggregation == "pass-fail"):
            raise PackageError(f"{directory / GROUP_FILE}: max_score: missing; write the points of the group")
        group = _group(f"secret/{directory.name}", settings, cases, scoring, settings.full or 0.0, "pass-fail")
        requires = dict.fromkeys((*texts(own.require_pass), *group.requires))
        groups.append(structs.replace(group, requires=tuple(requires)))
    if not scoring or own.score_aggregation == "pass-fail":
        return [_merged(groups, 100.0 if own.full is None or not scoring else own.full)]
    if own.score_aggregation == "min":
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
    return PointGroup("secret", cases, full, "min", tuple(requires), static_args=static)


def _group(
    name: str, settings: GroupKeys, cases: tuple[Case, ...], scoring: bool, full: float, default: str
) -> PointGroup:
    aggregation = _AGGREGATIONS[settings.score_aggregation or default] if scoring else "min"
    return PointGroup(
        name,
        cases,
        full if scoring else 100.0,
        "sum" if aggregation == "sum" else "min",
        texts(settings.require_pass),
        static_args=settings.static_args,
        static_full=settings.static_full,
    )


def _directory(
    root: Path,
    name: str,
    above: GroupKeys,
    meta: Metadata,
    *,
    scoring: bool,
    answers: bool = True,
    nested: bool = False,
    descend: bool = True,
) -> tuple[GroupKeys, tuple[Case, ...]]:
    """Settings and test points of a directory below ``data``, which need not exist."""
    place = root / "data" / name
    if not place.is_dir():
        return above, ()
    settings = above
    if (place / GROUP_FILE).is_file():
        text, file = put_constants(read_text(place / GROUP_FILE), meta.values), str(place / GROUP_FILE)
        settings = _settings(convert(parse_yaml(text, file), GroupKeys, file), file, name, scoring).below(above)
    return settings, read_cases(
        place, name, settings, answers=answers, nested=nested, descend=descend, generated=meta.generated
    )


def _settings(keys: GroupKeys, file: str, name: str, scoring: bool) -> GroupKeys:
    """Check the settings of a directory. Raises: PackageError."""

    def fail(key: str, what: str) -> NoReturn:
        raise PackageError(f"{file}: {key}: {what}")

    if keys.max_score == "unbounded":
        fail("max_score", "unbounded scores are not supported; write points, and `metric` in problem.yaml")
    secret = name.split("/")[0] == "secret"
    for key in () if secret and scoring else ("max_score", "score_aggregation", "require_pass"):
        if getattr(keys, key) not in (None, ()):
            fail(key, "only in problems of `type: scoring`" if secret else "only in data/secret")
    if keys.static_validation_score is None and keys.static_validator_args is not None:
        fail("static_validator_args", "needs static_validation_score beside it")
    if keys.static_full > (keys.full or 0.0):
        fail("static_validation_score", f"more than the group's max_score, {keys.full or 0:g}")
    return keys


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
    if meta.build.kind != "header":
        return groups
    ids = [case.id for group in groups for case in group.cases]
    driver_of: dict[str, str] = {}
    for pattern, driver in meta.build.cases.items():
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


def _find_chains(root: Path, groups: list[PointGroup], meta: Metadata) -> Chains:
    """Ids of the cases of each chain. Raises: PackageError: a pattern matches nothing, or a case is misplaced."""
    group_of = {case.id: group.id for group in groups for case in group.cases}
    chains: list[tuple[str, ...]] = []
    seen: set[str] = set()
    for index, patterns in enumerate(meta.chain):
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
    root: Path, groups: list[PointGroup], entries: tuple[Sanitize, ...], chains: Chains
) -> tuple[list[PointGroup], Overlays, Chains]:
    """(twin groups, overlays, all chains with those of the twins). Raises: PackageError."""
    known = {group.id: group for group in groups}
    twins: list[PointGroup] = []
    overlays: list[SanitizerCheck] = []
    further = list(chains)
    for index, entry in enumerate(entries):
        where = f"{root / 'problem.yaml'}: sanitize[{index}]."
        name = entry.of if entry.of in known else f"secret/{entry.of}"
        if name not in known:
            raise PackageError(f"{where}of: no group {entry.of!r}; one of: {', '.join(known)}")
        checks = (entry.checks,) if isinstance(entry.checks, str) else entry.checks
        if entry.group is None:
            if any(overlay.group == name for overlay in overlays):
                raise PackageError(f"{where}of: {name} is given twice; name all checks in one entry")
            overlays.append(SanitizerCheck(name, checks))
            continue
        own = f"secret/{entry.group.removeprefix('secret/')}"
        if own in known or any(twin.id == own for twin in twins) or not NAME.fullmatch(own.removeprefix("secret/")):
            raise PackageError(f"{where}group: {entry.group!r} is taken or not a valid name; choose another")
        original = known[name]
        renamed = {case.id: f"{own}/{case.id.removeprefix(name + '/')}" for case in original.cases}
        cases = tuple(structs.replace(case, id=renamed[case.id]) for case in original.cases)
        twin = PointGroup(own, cases, entry.score or 0.0, original.aggregation, (), name, checks, original.visible)
        twins.append(twin)
        further += [tuple(renamed[case] for case in chain) for chain in chains if chain[0] in renamed]
    return twins, tuple(overlays), tuple(further)
