"""Rules about C and C++ on compiled code: no evasion that compiles passes, and clean programs do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import review_builds
import review_clean
import review_evasions
from review_helpers import decided, decided_each

from rigorbench.judge.codereview.result import RuleResult
from rigorbench.judge.problems.problem import BuildKind

pytestmark = pytest.mark.slow(reason="compiles two hundred programs, once in each worker")
Cases = dict[str, tuple[str, str, str]]


def rule_of(forbidden: str) -> tuple[str, str]:
    """The kind and keys of the rule of a case."""
    if forbidden.startswith("<"):
        return "includes", f'forbid = ["{forbidden[1:-1]}"]'
    if forbidden == "identifiers":
        return "identifiers", "ascii = true"
    presets = ", ".join(f'"{preset}"' for preset in forbidden.split())
    return "constructs", f"forbid = [{presets}]"


def cases(cpp: Mapping[str, tuple[str, str]], c: Mapping[str, tuple[str, str]]) -> Cases:
    named = {**cpp, **{f"C: {name}": case for name, case in c.items()}}
    return {name: (*rule_of(forbidden), code) for name, (forbidden, code) in named.items()}


def kept(programs: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """The programs with the presets that they keep instead of those that they break."""
    return {
        name: (" ".join(sorted(review_clean.PRESETS - set(b.split()))), code) for name, (b, code) in programs.items()
    }


EVASIONS = cases(review_evasions.CPP, review_evasions.C)
CLEAN = cases(kept(review_clean.CPP), kept(review_clean.C))


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


@pytest.mark.parametrize(("forbidden", "kind", "files"), review_builds.BUILDS.values(), ids=review_builds.BUILDS)
def test_no_evasion_of_a_build_passes(
    tmp_path: Path, forbidden: str, kind: review_builds.Kind, files: dict[str, str]
) -> None:
    result = decided(tmp_path, *rule_of(forbidden), files, fields={"build": BuildKind(kind=kind)}, language="auto")
    assert result.outcome == "failed"


@pytest.mark.parametrize(("forbidden", "kind", "files"), review_builds.CLEAN.values(), ids=review_builds.CLEAN)
def test_clean_builds_pass(tmp_path: Path, forbidden: str, kind: review_builds.Kind, files: dict[str, str]) -> None:
    result = decided(tmp_path, *rule_of(forbidden), files, fields={"build": BuildKind(kind=kind)}, language="auto")
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")
