"""Where the figures of an experiment come from: its report."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from .documents import Unreadable, decode, read_file
from .rows import Digests

_REPORT = "report/index.html"
# The digests of the files that `rigor report` read.
_INPUTS = "report/tables/inputs.json"
_INPUTS_SCHEMA = "rigor-report-inputs/1"


class _RunInput(Struct):
    run: str
    result: str | None = None
    score: str | None = None
    review: str | None = None


class _Experiment(Struct):
    id: str
    manifest: str
    runs: list[_RunInput] = field(default_factory=list)


class _Inputs(Struct):
    schema: str
    experiments: list[_Experiment] = field(default_factory=list)


def report_of(
    directory: Path, experiment: str, manifest: str, runs: Mapping[str, Digests]
) -> tuple[str | None, bool | None]:
    """(path of the report in the experiment's directory, whether it was made from other files than exist now).

    The second is None if the report does not say which files it was made from.

    Args:
        directory: of the experiment.
        experiment: its id.
        manifest: SHA-256 of the manifest.
        runs: for each run with a result, the digests of its files.
    """
    if not os.path.isfile(directory / _REPORT):
        return None, None
    try:
        data = read_file(directory / _INPUTS)
        inputs = None if data is None else decode(data, _Inputs, _INPUTS_SCHEMA)
    except Unreadable:
        inputs = None
    noted = None if inputs is None else next((e for e in inputs.experiments if e.id == experiment), None)
    if noted is None:
        return _REPORT, None
    known = {r.run: r for r in noted.runs if r.result is not None}
    same = noted.manifest == manifest and known.keys() == runs.keys()
    # A report also reads the scores of runs that broke; here they are not compared.
    same = same and all(
        known[r].result == now.result
        and (now.score is None or known[r].score == now.score)
        and (now.review is None or known[r].review == now.review)
        for r, now in runs.items()
    )
    return _REPORT, not same
