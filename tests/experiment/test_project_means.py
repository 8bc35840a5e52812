"""Means over projects: what the agent brought about counts, what the provider or the machine did does not."""

from __future__ import annotations

import pytest

from fake_experiment import make_manifest
from rigorbench.bench.experiment.projects import project_means
from rigorbench.bench.experiment.records import RESULT_SCHEMA, ProjectOutcome, RunResult, Status


@pytest.mark.parametrize(
    ("status", "counted"),
    [("error", (1, 80.0)), ("crashed", (2, 40.0))],
    ids=["a provider that was down is no zero of the model", "a crash of the agent is one"],
)
def test_a_run_without_a_result_counts_if_it_is_the_agents_doing(status: Status, counted: tuple[int, float]) -> None:
    manifest = make_manifest(tasks=("book",), models=("acme/x",), repeats=2)
    done, broken = (RunResult(RESULT_SCHEMA, cell, "completed", 0.0, 1.0) for cell in manifest.cells)
    done.project, broken.status = ProjectOutcome(80.0, execution_at=[80.0]), status
    (row,) = project_means(manifest, [done, broken])
    assert (row.runs, row.execution) == counted
