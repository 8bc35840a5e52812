"""The known evasions (docs/validation/review-evasions.tsv) are caught by what the list says; clean programs pass."""

from __future__ import annotations

import csv
import ctypes
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import review_builds
import review_clean
from review_helpers import decided, decided_each

from rigorbench.judge.codereview.result import RuleResult
from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import BuildKind
from rigorbench.judge.submission import from_bytes

slow = pytest.mark.slow(reason="compiles two hundred programs, once in each worker")
LIST = Path(__file__).parents[3] / "docs" / "validation" / "review-evasions.tsv"
PACKAGES = Path(__file__).parent.parent / "packages"


def rule_of(forbidden: str) -> tuple[str, str]:
    """The kind and keys of the rule of a case."""
    if forbidden.startswith("<"):
        return "includes", f'forbid = ["{forbidden[1:-1]}"]'
    if forbidden == "identifiers":
        return "identifiers", "ascii = true"
    presets = ", ".join(f'"{preset}"' for preset in sorted(forbidden.split()))
    return "constructs", f"forbid = [{presets}]"


def _code(row: dict[str, str]) -> str:
    return row["code"].encode("latin-1", "backslashreplace").decode("unicode_escape")


# Caught by what ("out of scope" first words) -> the rows by language and name.
ROWS: dict[str, dict[str, dict[str, str]]] = {"rule": {}, "cell": {}, "out of scope": {}}
with LIST.open(encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
        language = {"a.cpp": "", "a.c": "C: "}.get(row["file"], f"{row['file']}: ")
        ROWS[row["caught by"].partition(": ")[0]][f"{language}{row['evasion']}"] = row
EVASIONS = {
    name: (*rule_of(row["rule"]), _code(row))
    for caught in ("rule", "out of scope")
    for name, row in ROWS[caught].items()
    if row["file"] in ("a.cpp", "a.c")
}
BUILDS = {name: row for name, row in ROWS["rule"].items() if row["file"] == "CMakeLists.txt"}
OTHERS = {name: row for name, row in ROWS["rule"].items() if name not in EVASIONS and name not in BUILDS}
CLEAN = {
    f"{prefix}{name}": (*rule_of(" ".join(review_clean.PRESETS - {*review_clean.BREAKS.get(name, "").split()})), code)
    for prefix, programs in (("", review_clean.CPP), ("C: ", review_clean.C))
    for name, code in programs.items()
}
CMAKE: dict[str, Any] = {"fields": {"build": BuildKind(kind="cmake")}, "language": "auto"}


@pytest.fixture(scope="module")
def evasions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RuleResult]:
    return decided_each(tmp_path_factory.mktemp("evasions"), EVASIONS)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RuleResult]:
    return decided_each(tmp_path_factory.mktemp("clean"), CLEAN)


def test_whoever_is_out_of_scope_has_a_reason() -> None:
    assert all(":" in row["caught by"] for what in ("cell", "out of scope") for row in ROWS[what].values())
    assert len(EVASIONS) + len(BUILDS) + len(OTHERS) + len(ROWS["cell"]) == sum(map(len, ROWS.values())) > 150


@slow
@pytest.mark.parametrize("name", EVASIONS)
def test_an_evasion_is_caught_unless_it_is_out_of_scope(name: str, evasions: dict[str, RuleResult]) -> None:
    result = evasions[name]
    assert (result.outcome, result.reason) == ("passed" if name in ROWS["out of scope"] else "failed", "")


@pytest.mark.parametrize("name", OTHERS)
def test_an_evasion_in_another_language_is_caught(tmp_path: Path, name: str) -> None:
    row = OTHERS[name]
    result = decided(tmp_path, *rule_of(row["rule"]), {row["file"]: _code(row)})
    assert result.outcome == "failed", result.reason
    assert int(row["line"]) in {found.line for found in result.findings}


@slow
@pytest.mark.parametrize("name", BUILDS)
def test_no_evasion_of_a_build_passes(tmp_path: Path, name: str) -> None:
    row = BUILDS[name]
    assert decided(tmp_path, *rule_of(row["rule"]), json.loads(row["code"]), **CMAKE).outcome == "failed"


@slow
@pytest.mark.bwrap
@pytest.mark.parametrize("name", ROWS["cell"])
def test_a_program_finds_no_other_program(tmp_path: Path, name: str) -> None:
    """It answers by ``echo``, which works where this test runs."""
    library = ctypes.CDLL(None)
    address = [ctypes.cast(function, ctypes.c_void_p).value or 0 for function in (library.system, library.abs)]
    code = _code(ROWS["cell"][name]).replace("OFFSET", str(address[0] - address[1]))
    (tmp_path / "a.cpp").write_text(code)
    subprocess.run([shutil.which("g++") or "", "-o", tmp_path / "a", tmp_path / "a.cpp"], check=True)
    assert subprocess.run([tmp_path / "a"], capture_output=True, text=True).stdout == "6\n"
    judge = Judge(JudgeSettings(slots=1))
    try:
        problem = load_problem(PACKAGES / "sum")
        judged = judge.judge(problem, from_bytes("a.cpp", code.encode(), tmp_path / "taken", language="cpp"))
    finally:
        judge.close()
    assert judged.compilation.ok
    assert not any(point.verdict == "accepted" for group in judged.groups for point in group.points)


@slow
@pytest.mark.parametrize("name", CLEAN)
def test_clean_programs_pass(name: str, clean: dict[str, RuleResult]) -> None:
    result = clean[name]
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")


@slow
@pytest.mark.parametrize("files", review_builds.CLEAN.values(), ids=review_builds.CLEAN)
def test_clean_builds_pass(tmp_path: Path, files: dict[str, str]) -> None:
    result = decided(tmp_path, *rule_of(review_builds.ALL), files, **CMAKE)
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")
