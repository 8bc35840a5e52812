"""Runs whose files are damaged or contradict themselves. They are reported beside the tables, which rest on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ....review.result import SCHEMA as SCORE_SCHEMA
from ...experiment.model import RESULT_SCHEMA, RunResult
from ...experiment.results.documents import ScoreFile, Unreadable, decode, read_file
from ...experiment.results.rows import contradiction
from ...experiment.store import RESULT, ExperimentDirectory, load_manifest
from .gather import SCORE


def damaged_runs(outs: Sequence[Path]) -> Iterator[str]:
    """One line for each run whose files are damaged, or whose figures are impossible or contradict each other.

    The checks are those of ``rigor query`` and the leaderboard, which leave such runs out.

    Raises:
        StoreError: a directory has no manifest, or a damaged one.
    """
    for out in outs:
        directory = ExperimentDirectory(out)
        for cell in load_manifest(out).cells:
            path = directory.run(cell) / RESULT
            try:
                data = read_file(path)
                if data is None:
                    continue
                result = decode(data, RunResult, RESULT_SCHEMA)
                path = directory.run(cell) / SCORE
                scored = read_file(path) if result.status != "error" else None
                score = None if scored is None else decode(scored, ScoreFile, SCORE_SCHEMA)
                wrong = contradiction(cell, result, score)
            except Unreadable as error:
                yield f"{path.parent}: {path.name} is {error}" if path.name == SCORE else f"{path}: {error}"
                continue
            if wrong is not None:
                yield f"{directory.run(cell) / RESULT}: {wrong}"
