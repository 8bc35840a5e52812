"""Reads ACMOJ packages (``config.json``)."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, Final

from .. import RESOURCES
from ..model import PackageError
from .acmoj_config import KINDS, MARKER, Config, Detail, read_config
from .unpack import inside
from .write import NO_STATEMENT, NewCase, NewGroup, NewProblem, case_names, group_directories

_HEADER: Final = "src.hpp"

# Put before a driver: what it prints to std::cout becomes its result.
_SHIM: Final = """#include "rigor_driver.hpp"

#include <cstdlib>
#include <iostream>

namespace {
struct Carry {
    Carry() {
        std::cout.rdbuf(rigor::out.rdbuf());
        std::atexit(rigor_finish);
    }
} carry;
}  // namespace

"""
_SCORE: Final = b"""import sys

# What the driver printed is its score.
try:
    score = float(sys.stdin.read(64).split()[0])
except (IndexError, ValueError):
    score = 0.0
if not 0 < score <= 1:
    sys.exit(43)
with open(sys.argv[3] + "score_multiplier.txt", "w") as file:
    file.write(f"{score}\\n")
sys.exit(42)
"""


def read_acmoj(root: Path, title: str) -> NewProblem:
    """The problem in the directory of an ACMOJ package; it refers to files below `root`.

    ``TestPoints`` and ``Dependency`` are numbers of entries of ``Details``, from 1; ``ID`` names the files.

    Raises:
        PackageError: the package is damaged, or cannot be judged here (Verilog, quizzes, scorers).
    """
    config = read_config(root / MARKER)
    problem = NewProblem({"en": title})
    cases = [_case(root, detail, config) for detail in config.details]
    _limits(config, problem)
    _statement(root, problem)
    _judging(root, config, problem)
    _groups(config, cases, problem)
    _solutions(root, config, problem)
    problem.lost.append("input validators: ACMOJ has none; write one below input_validators/")
    return problem


def _case(root: Path, detail: Detail, config: Config) -> NewCase:
    given = root / f"{detail.id}.in"
    answers = [root / f"{detail.id}{suffix}" for suffix in (".ans", ".out")]
    answer = next((path for path in answers if path.is_file() and not path.is_symlink()), None)
    if answer is None and KINDS[config.spj][1] == "compare":
        raise PackageError(
            f"{root / MARKER}: test point {detail.id}: neither {detail.id}.ans nor {detail.id}.out exists"
        )
    return NewCase(given if given.is_file() and not given.is_symlink() else b"", answer)


def _limits(config: Config, problem: NewProblem) -> None:
    """Set the limits. Our format has one for all test points: the largest."""
    limits: dict[str, Any] = {}

    def largest(name: str, values: list[int | None]) -> int | None:
        known = [abs(value) for value in values if value]
        if len(set(known)) > 1:
            problem.lost.append(
                f"{name}: differs between test points ({min(known)} to {max(known)}); all get the largest"
            )
        return max(known, default=None)

    time = largest("TimeLimit", [d.time_limit for d in config.details])
    memory = largest("MemoryLimit", [d.memory_limit for d in config.details])
    disk = largest("DiskLimit", [d.disk_limit for d in config.details])
    files = largest("FileNumberLimit", [d.file_number_limit for d in config.details])
    if time is not None:
        limits["time_limit"] = time / 1000
    if memory is not None:
        limits["memory"] = max(1, math.ceil(memory / (1 << 20)))
    if disk is not None:
        limits["disk"] = disk / (1 << 20)
        problem.header["allow_file_writing"] = True
    if files is not None and files > 0:
        limits["files"] = files
    if config.compile_time_limit:
        limits["compilation_time"] = max(1, math.ceil(config.compile_time_limit / 1000))
    problem.header["type"] = "scoring"
    problem.header["limits"] = limits


def _statement(root: Path, problem: NewProblem) -> None:
    path = root / "description.md"
    if path.is_file() and not path.is_symlink():
        text = path.read_text("utf-8", "replace").replace("\r\n", "\n")
        problem.files["statement/problem.en.md"] = (text if text.endswith("\n") else text + "\n").encode()
    else:
        problem.files["statement/problem.en.md"] = NO_STATEMENT
        problem.lost.append("description.md: missing; write statement/problem.en.md")


def _judging(root: Path, config: Config, problem: NewProblem) -> None:
    kind, judged = KINDS[config.spj]
    where = str(root / MARKER)
    supported = {name: inside(root, name, f"{where}: SupportedFiles") for name in config.supported_files}
    if kind == "header":
        _drivers(root, config, problem)
        for name, path in supported.items():
            problem.files[f"drivers/include/{name}"] = path
        if supported:
            problem.header["build"]["include"] = "drivers/include"
    elif kind == "output":
        problem.header["type"] = ["scoring", "submit-answer"]
        problem.header["build"] = {"kind": "output-only", "artefact": "answer.txt"}
    else:
        for name, path in supported.items():
            problem.files[f"include/default/{name}"] = path
    if judged == "compare":
        problem.header["checker"] = {"compare": "line"}
    elif judged == "score":
        problem.files["output_validator/score.py"] = _SCORE
    else:
        spj = root / "spj.cpp"
        if not spj.is_file():
            raise PackageError(f"{spj}: no such file; a binary checker (spj_bin) cannot be used here")
        problem.files["output_validator/spj.cpp"] = spj
        problem.files["output_validator/acmoj_spj.cpp"] = RESOURCES / "acmoj_spj.cpp"
        for path in sorted(root.iterdir()):
            if path.suffix in (".h", ".hpp") and path.is_file() and not path.is_symlink():
                problem.files[f"output_validator/{path.name}"] = path
        problem.lost.append("spj.cpp: a score between 0 and 1 means accepted with part of the points here, not WA")


def _drivers(root: Path, config: Config, problem: NewProblem) -> None:
    main = root / "main.cpp"
    sources = {"main": main} if main.is_file() else {str(d.id): root / f"{d.id}.cpp" for d in config.details}
    drivers: dict[str, str] = {}
    for name, path in sources.items():
        if not path.is_file() or path.is_symlink():
            raise PackageError(f"{path}: no such file, and no main.cpp")
        text = path.read_text("utf-8", "replace")
        if re.search(r"\b(printf|puts|putchar|fwrite|write)\s*\(", text):
            problem.lost.append(f"{path.name}: only its output to std::cout is its result; correct drivers/{path.name}")
        problem.files[f"drivers/{name}.cpp"] = f'{_SHIM}#line 1 "{path.name}"\n{text}'.encode()
        drivers[name] = f"drivers/{name}.cpp"
    problem.header["build"] = {"kind": "header", "headers": [_HEADER], "drivers": drivers}


def _groups(config: Config, cases: list[NewCase], problem: NewProblem) -> None:
    names = [f"{group.group_name or 'task'}-{index}" for index, group in enumerate(config.groups, start=1)]
    scale = next((s for s in (1, 10, 100) if all(float(g.group_score * s).is_integer() for g in config.groups)), 1000)
    if scale > 1:
        problem.lost.append(f"GroupScore: only whole points are possible here; all are multiplied by {scale}")
    group_of: dict[int, int] = {}
    for index, group in enumerate(config.groups):
        for point in group.test_points:
            group_of.setdefault(point, index)
    twins = _twins(config, cases)
    sanitize: list[dict[str, Any]] = []
    for index, group in enumerate(config.groups):
        score = round(group.group_score * scale)
        if index in twins:
            continue
        requires = _requires(config, index, group_of, twins, names, problem)
        members = [cases[point - 1] for point in group.test_points]
        problem.groups.append(NewGroup(names[index], score, members, "min", requires))
    directories = group_directories(problem.groups)
    for index, group in enumerate(config.groups):
        checks = ["leak", "address", "uninitialised"]
        if index in twins:
            of, score = f"secret/{directories[names[twins[index]]]}", round(group.group_score * scale)
            name = f"{len(config.groups) + len(sanitize) + 1:02d}-checked-{index + 1}"
            sanitize.append({"of": of, "checks": checks, "score": score, "group": name})
            problem.extra += score
        elif any(config.details[point - 1].valgrind_test_on for point in group.test_points):
            sanitize.append({"of": f"secret/{directories[names[index]]}", "checks": checks})
            if not all(config.details[point - 1].valgrind_test_on for point in group.test_points):
                problem.lost.append(f"ValgrindTestOn: only some test points of {names[index]}; all are checked here")
    if sanitize:
        problem.header["sanitize"] = sanitize
    _chains(config, group_of, directories, names, problem)
    if problem.header.get("build", {}).get("kind") == "header" and len(problem.header["build"]["drivers"]) > 1:
        _driver_cases(config, directories, names, twins, problem)


def _twins(config: Config, cases: list[NewCase]) -> dict[int, int]:
    """Groups that repeat the test points of another group under valgrind: {their index: index of the other}."""

    def content(point: int) -> tuple[bytes, bytes | None, str]:
        case = cases[point - 1]
        driver = "" if KINDS[config.spj][0] != "header" else str(point)
        given = case.input.read_bytes() if isinstance(case.input, Path) else case.input
        answer = case.answer.read_bytes() if isinstance(case.answer, Path) else case.answer
        return given, answer, driver

    found: dict[int, int] = {}
    checked = {
        i for i, g in enumerate(config.groups) if all(config.details[p - 1].valgrind_test_on for p in g.test_points)
    }
    for index in checked:
        own = [content(point) for point in config.groups[index].test_points]
        for other, group in enumerate(config.groups):
            if other not in checked and [content(point) for point in group.test_points] == own:
                found[index] = other
                break
    return found


def _requires(
    config: Config, index: int, group_of: dict[int, int], twins: dict[int, int], names: list[str], problem: NewProblem
) -> list[str]:
    """The groups that a group requires: our format has no dependencies between single test points."""
    required: dict[str, None] = {}
    for point in config.groups[index].test_points:
        needed = config.details[point - 1].dependency or 0
        other = group_of.get(needed)
        if not needed or other is None or other == index:
            continue
        other = twins.get(other, other)
        if other > index:
            problem.lost.append(f"Dependency of {point} on {needed}: its group comes later; left out")
            continue
        if len(config.groups[other].test_points) > 1 and names[other] not in required:
            problem.lost.append(f"Dependency of {point} on {needed}: the whole group {names[other]} is required here")
        required[names[other]] = None
    return list(required)


def _chains(
    config: Config, group_of: dict[int, int], directories: dict[str, str], names: list[str], problem: NewProblem
) -> None:
    """Set the chains: a negative disk limit starts a new disk, a positive one keeps the previous entry's."""
    chains: list[list[int]] = []
    for point, detail in enumerate(config.details, start=1):
        limit = detail.disk_limit or 0
        if limit > 0 and chains and chains[-1]:
            chains[-1].append(point)
        else:
            chains.append([point] if limit < 0 else [])
    written = []
    for chain in (chain for chain in chains if len(chain) > 1):
        groups = {group_of.get(point) for point in chain}
        index = groups.pop()
        if groups or index is None or names[index] not in directories:
            numbers = ", ".join(map(str, chain))
            problem.lost.append(
                f"DiskLimit: test points {numbers} share a disk but are in different groups; the chain is left out"
            )
            continue
        members = config.groups[index].test_points
        place, inside_names = f"secret/{directories[names[index]]}", case_names(len(members))
        written.append([f"{place}/{inside_names[members.index(point)]}" for point in chain])
    if written:
        problem.header["chain"] = written


def _driver_cases(
    config: Config, directories: dict[str, str], names: list[str], twins: dict[int, int], problem: NewProblem
) -> None:
    cases: dict[str, str] = {}
    for index, group in enumerate(config.groups):
        if index in twins:
            continue
        for name, point in zip(case_names(len(group.test_points)), group.test_points, strict=True):
            cases[f"secret/{directories[names[index]]}/{name}"] = str(config.details[point - 1].id)
    problem.header["build"]["cases"] = cases


def _solutions(root: Path, config: Config, problem: NewProblem) -> None:
    kind = KINDS[config.spj][0]
    for path in sorted(root.glob("solution*")):
        if not path.is_file() or path.is_symlink():
            continue
        if path.stem != "solution":
            problem.lost.append(f"{path.name}: its verdict is not known; put it below submissions/ by hand")
        elif kind == "header" and path.suffix in (".h", ".hpp"):
            problem.files[f"submissions/accepted/solution/{_HEADER}"] = path
        elif kind == "source" and path.suffix in (".cpp", ".cc", ".py", ".c"):
            problem.files[f"submissions/accepted/{path.name}"] = path
        elif kind == "output":
            problem.files["submissions/accepted/solution/answer.txt"] = path
    if not any(name.startswith("submissions/accepted/") for name in problem.files):
        problem.lost.append("solution: none; put the reference into submissions/accepted")
