"""Rules about C and C++ on compiled code: no evasion that compiles passes, and clean programs do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import review_builds
import review_clean
import review_evasions
from review_helpers import decided, decided_each

from rigorbench.judge.codereview.result import RuleResult
from rigorbench.judge.problems.problem import BuildKind

pytestmark = pytest.mark.slow(reason="compiles two hundred programs, once in each worker")


def rule_of(forbidden: str) -> tuple[str, str]:
    """The kind and keys of the rule of a case."""
    if forbidden.startswith("<"):
        return "includes", f'forbid = ["{forbidden[1:-1]}"]'
    if forbidden == "identifiers":
        return "identifiers", "ascii = true"
    presets = ", ".join(f'"{preset}"' for preset in sorted(forbidden.split()))
    return "constructs", f"forbid = [{presets}]"


EVASIONS = {
    f"{prefix}{name}": (*rule_of(forbidden), code)
    for prefix, table in (("", review_evasions.CPP), ("C: ", review_evasions.C))
    for forbidden, programs in table.items()
    for name, code in programs.items()
}
CLEAN = {
    f"{prefix}{name}": (*rule_of(" ".join(review_clean.PRESETS - {*review_clean.BREAKS.get(name, "").split()})), code)
    for prefix, programs in (("", review_clean.CPP), ("C: ", review_clean.C))
    for name, code in programs.items()
}
BUILDS = {name: (forbidden, files) for forbidden, each in review_builds.BUILDS.items() for name, files in each.items()}
CMAKE: dict[str, Any] = {"fields": {"build": BuildKind(kind="cmake")}, "language": "auto"}


@pytest.fixture(scope="module")
def evasions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RuleResult]:
    return decided_each(tmp_path_factory.mktemp("evasions"), EVASIONS)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RuleResult]:
    return decided_each(tmp_path_factory.mktemp("clean"), CLEAN)


@pytest.mark.parametrize("name", EVASIONS)
def test_no_evasion_passes(name: str, evasions: dict[str, RuleResult]) -> None:
    result = evasions[name]
    assert (result.outcome, result.reason) == ("failed", "")


@pytest.mark.parametrize("name", CLEAN)
def test_clean_programs_pass(name: str, clean: dict[str, RuleResult]) -> None:
    result = clean[name]
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")


@pytest.mark.parametrize(("forbidden", "files"), BUILDS.values(), ids=BUILDS)
def test_no_evasion_of_a_build_passes(tmp_path: Path, forbidden: str, files: dict[str, str]) -> None:
    assert decided(tmp_path, *rule_of(forbidden), files, **CMAKE).outcome == "failed"


@pytest.mark.parametrize("files", review_builds.CLEAN.values(), ids=review_builds.CLEAN)
def test_clean_builds_pass(tmp_path: Path, files: dict[str, str]) -> None:
    result = decided(tmp_path, *rule_of(review_builds.ALL), files, **CMAKE)
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")
