"""Reads the directories of experiments into the tables. Each file that cannot be read gives one message."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ....base.text import count
from ....review.document import REVIEW_FILE
from ..records import MANIFEST_SCHEMA, Cell, Manifest
from ..store import MANIFEST, RESULT, set_aside_name
from .files import INPUTS_SCHEMA, Inputs, RunInput, Unreadable, decode, digest, read_file, read_review, read_run
from .rows import (
    Row,
    blank_row,
    failure_rows,
    hint_rows,
    moment,
    row,
    run_row,
    submetric_rows,
    submission_rows,
    task_rows,
    text,
    wrong_clock,
)
from .schema import TABLES, TESTS

Tell = Callable[[str], None]
_REPORT = "report/index.html"
# The digests of the files that `rigor report` read.
_INPUTS = "report/tables/inputs.json"


class ResultTables(Struct):
    """Rows by table, with all columns of :data:`.schema.TABLES`."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in TABLES})


def shown(name: str) -> str:
    """A file's name as text, whatever bytes it consists of."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def read_experiment(
    directory: Path, place: str, tell: Tell, *, deep: bool = True, now: float | None = None
) -> ResultTables | None:
    """The rows of an experiment; None if it has no manifest that can be read.

    Args:
        directory: of the experiment.
        place: its path in the tables.
        tell: called with one line for each problem.
        deep: whether to read sub-metrics and hidden tests as well.
        now: seconds since 1970; no run can have begun more than a day later. Default: now.
    """
    try:
        data = read_file(directory / MANIFEST)
        if data is None:
            raise Unreadable("missing")
        manifest = decode(data, Manifest, MANIFEST_SCHEMA)
    except Unreadable as error:
        tell(f"{directory / MANIFEST}: {error}; experiment left out")
        return None
    tables = ResultTables()
    reader = _Reader(directory, manifest, tell, now if now is not None else time.time(), deep)
    reader.read(tables)
    if not reader.digests:
        tell(f"{directory}: no run has a result that can be read")
    tables.rows["tasks"] += task_rows(manifest)
    tables.rows["experiments"].append(reader.experiment_row(place, digest(data)))
    return tables


class _Reader:
    def __init__(self, directory: Path, manifest: Manifest, tell: Tell, now: float, deep: bool) -> None:
        self.directory = directory
        self.manifest = manifest
        self.tell = tell
        self.now = now
        self.deep = deep
        self.left_out = 0
        self.unplanned = 0
        self.clocks: Counter[str] = Counter()
        self.digests: dict[str, RunInput] = {}
        self.readers: set[str] = set()

    def read(self, tables: ResultTables) -> None:
        runs = self.directory / "runs"
        try:
            there = set(os.listdir(runs))
        except OSError:
            there = set()
        cells = {cell.id: cell for cell in self.manifest.cells}
        for name, cell in cells.items():
            status = self._run(runs / name, cell, tables) if name in there else "missing"
            if status is not None:
                tables.rows["runs"].append(blank_row(self.manifest, cell, status))
        unnamed = [n for n in there - cells.keys() if set_aside_name(n) is None and os.path.exists(runs / n / RESULT)]
        self.unplanned = len(unnamed)
        if unnamed:
            self.tell(f"{runs}: {count(len(unnamed), 'run')} that the manifest does not name; not counted")
        for what, number in self.clocks.items():
            self.tell(f"{self.directory}: clocks disagree: {count(number, 'run')} {what}; their dates are not used")

    def _run(self, directory: Path, cell: Cell, tables: ResultTables) -> str | None:
        """Read a run: why it has no figures ("missing", "damaged"), or None if it was read."""
        try:
            files = read_run(directory, cell)
        except Unreadable as error:
            self.left_out += 1
            self.tell(f"{directory / error.file}: {error}; run left out")
            return "damaged"
        if files is None:
            return "missing"
        result, score = files.result, files.score
        clock = wrong_clock(result, self.manifest.created, self.now)
        if clock is not None:
            self.clocks[clock] += 1
        reviewed = review = None
        try:
            data = read_file(directory / REVIEW_FILE) if result.status != "error" else None
            if data is not None:
                reviewed = digest(data)
                review = read_review(data)
        except Unreadable as error:  # the run's other figures stay
            self.tell(f"{directory / REVIEW_FILE}: {error}; the run has no review")
        files.digests = replace(files.digests, review=reviewed)
        self.digests[cell.id] = files.digests
        if score is not None:
            self.readers |= {r for p in score.pillars.values() for s in p.submetrics.values() for r in s.readers}
        tables.rows["runs"].append(run_row(self.manifest, files, review, clock=clock is None))
        if self.deep:
            if score is not None:
                tables.rows["submetrics"] += submetric_rows(self.manifest.id, cell.id, score)
            if result.outcome is not None:
                found = {t.id: t.outcome for t in result.outcome.tests}
                tables.rows["tests"] += [row(TESTS, self.manifest.id, cell.id, *test) for test in found.items()]
            if result.project is not None:
                tables.rows["submissions"] += submission_rows(self.manifest.id, cell.id, result.project)
                tables.rows["hints"] += hint_rows(self.manifest.id, cell.id, result.project)
                tables.rows["project_failures"] += failure_rows(self.manifest.id, cell.id, result.project)
        return None

    def experiment_row(self, place: str, manifest_digest: str) -> Row:
        manifest, versions, machine = self.manifest, self.manifest.versions, self.manifest.machine
        suite = manifest.suite_facts
        tasks = suite.get("tasks")
        sizes = [n for v in tasks.values() if (n := _whole(v)) is not None] if isinstance(tasks, dict) else []
        created = manifest.created if manifest.created <= self.now + 86_400 else None
        if created is None:
            self.tell(f"{self.directory}: clocks disagree: its manifest was made in the future; its date is not used")
        report, stale = self._report(manifest_digest)
        return {
            "experiment": manifest.id,
            "place": place,
            "created": None if created is None else moment(created),
            "suite": manifest.suite,
            "suite_digest": text(suite.get("digest")),
            "suite_tasks": sum(sizes) if sizes else None,
            "planned": len({c.id for c in manifest.cells}),
            "runs": len(self.digests),
            "left_out": self.left_out,
            "strangers": self.unplanned,
            "seconds_limit": manifest.budget.seconds,
            "tokens_limit": manifest.budget.tokens,
            "context_limit": manifest.budget.context,
            "hints_limit": manifest.budget.hints,
            "metering": manifest.budget.metering,
            "sandbox": manifest.sandbox,
            **{name: versions.get(name) for name in ("rigorbench", "python", "kernel")},
            **{name: text(machine.get(name)) for name in ("os", "architecture")},
            **{name: _whole(machine.get(name)) for name in ("cores", "memory")},
            "readers": sorted(self.readers) or None,
            "manifest_digest": manifest_digest,
            "report": report,
            "report_stale": stale,
        }

    def _report(self, manifest_digest: str) -> tuple[str | None, bool | None]:
        """(path of the report in the experiment's directory, whether it was made from other files than exist now).

        The second is None if the report does not say which files it was made from.
        """
        if not os.path.isfile(self.directory / _REPORT):
            return None, None
        try:
            data = read_file(self.directory / _INPUTS)
            experiments = [] if data is None else decode(data, Inputs, INPUTS_SCHEMA).experiments
        except Unreadable:
            experiments = []
        noted = next((e for e in experiments if e.id == self.manifest.id), None)
        if noted is None:
            return _REPORT, None
        known = {r.run: r for r in noted.runs if r.result is not None}
        # A report also reads the scores of runs that broke; here they are not compared.
        same = known.keys() == self.digests.keys() and all(
            known[r].result == now.result
            and (now.score is None or known[r].score == now.score)
            and (now.review is None or known[r].review == now.review)
            for r, now in self.digests.items()
        )
        return _REPORT, not (same and noted.manifest == manifest_digest)


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 60 else None


def merged(found: Sequence[tuple[str, ResultTables]], tell: Tell) -> ResultTables:
    """One set of tables with each experiment once. ``found``: (source, its rows) each.

    Of several experiments with one id the one with the most runs counts, of equal ones the first.
    """
    best: dict[str, tuple[int, int]] = {}
    for number, (_, tables) in enumerate(found):
        for found_row in tables.rows["experiments"]:
            runs = found_row["runs"] or 0
            if found_row["experiment"] not in best or runs > best[found_row["experiment"]][0]:
                best[found_row["experiment"]] = (runs, number)
    whole = ResultTables()
    for number, (where, tables) in enumerate(found):
        ids = [e["experiment"] for e in tables.rows["experiments"]]
        kept = {i for i in ids if best[i][1] == number}
        for i in ids:
            if i not in kept:
                tell(f"{where}: left out experiment {i}, which is also in {found[best[i][1]][0]}")
        for name, rows in tables.rows.items():
            whole.rows[name] += rows if len(kept) == len(ids) else [r for r in rows if r["experiment"] in kept]
    return whole
