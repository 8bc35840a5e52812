"""Means over projects: what the agent brought about counts, what the provider or the machine did does not."""

from __future__ import annotations

from rigorbench.bench.experiment.model import (
    MANIFEST_SCHEMA,
    RESULT_SCHEMA,
    Budget,
    Cell,
    Manifest,
    ProjectOutcome,
    RunResult,
)
from rigorbench.bench.experiment.projects import project_means


def result(repeat: int, status: str, execution: float | None) -> RunResult:
    outcome = None
    if execution is not None:
        outcome = ProjectOutcome(execution, None, None, [execution], execution, 1, 1, [], {}, "book")
    cell = Cell("book", "react", "baseline", "acme/x", repeat)
    return RunResult(RESULT_SCHEMA, cell, status, 0.0, 1.0, project=outcome)  # type: ignore[arg-type]


def test_a_provider_that_was_down_is_no_zero_of_the_model_and_a_crash_is() -> None:
    results = [result(1, "completed", 80.0), result(2, "error", None), result(3, "crashed", None)]
    manifest = Manifest(
        MANIFEST_SCHEMA,
        "x",
        0.0,
        "projdev",
        [],
        [r.cell for r in results],
        Budget(),
        "bwrap",
        {},
        {},
        {},
        {},
        [],
        {},
        {},
    )
    (row,) = project_means(manifest, results)
    assert (row.runs, row.execution) == (2, 40.0)
