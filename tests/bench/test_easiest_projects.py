"""``--tasks easiest:N``: by the difficulty that packages state, or by earlier results."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fake_projects import project_manifest, project_results
from rigorbench.bench.run.planning.plan import expanded
from rigorbench.bench.tasks.suite import SuiteError, load_suite

# Stated: easy, medium, hard.
ORDER = ["rain-barrels", "mergeable-queue", "ice-library"]


def test_stated_difficulty_decides() -> None:
    suite = load_suite("projdev")
    ours = [name for name in expanded(suite, [f"easiest:{len(suite.tasks)}"]) if name in ORDER]
    assert ours == ORDER
    assert expanded(suite, ["ice-*", "easiest:1"])[0] == "ice-*"


def test_measured_execution_decides_where_results_are_given(tmp_path: Path) -> None:
    # In the invented experiment each task is harder than the one before it.
    manifest = project_manifest(tasks=("mergeable-queue", "ice-library", "rain-barrels"))
    (tmp_path / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    for run in project_results(manifest):
        directory = tmp_path / "runs" / run.cell.id
        directory.mkdir(parents=True)
        (directory / "result.json").write_bytes(msgspec.json.encode(run))
    assert expanded(load_suite("projdev"), [f"easiest:2={tmp_path}"]) == ["mergeable-queue", "ice-library"]


@pytest.mark.parametrize("pattern", ["easiest:0", "easiest:1000", "easiest:1=nowhere"])
def test_what_cannot_be_chosen_is_an_error(pattern: str) -> None:
    with pytest.raises(SuiteError, match=f"--tasks {pattern}: "):
        expanded(load_suite("projdev"), [pattern])


def test_other_suites_have_no_projects() -> None:
    with pytest.raises(SuiteError, match="rigor has no projects"):
        expanded(load_suite("rigor"), ["easiest:5"])
