"""Reads the directories of experiments into the tables. Each file that cannot be read gives one message."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ....base.text import count
from ..records import MANIFEST_SCHEMA, Manifest
from ..store import MANIFEST, RESULT, Unreadable, decode, read_file, set_aside_name
from .files import INPUTS_SCHEMA, Inputs, RunInput, digest, read_run
from .rows import (
    TABLES,
    TESTS,
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

Tell = Callable[[str], None]
_REPORT = "report/index.html"
# The digests of the files that `rigor report` read.
_INPUTS = "report/tables/inputs.json"


class ResultTables(Struct):
    """Rows by table, with all columns of :data:`.rows.TABLES`."""

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
    now = now if now is not None else time.time()
    tables = ResultTables()
    runs = directory / "runs"
    cells = {cell.id: cell for cell in manifest.cells}
    digests: dict[str, RunInput] = {}
    readers: set[str] = set()
    clocks: Counter[str] = Counter()
    left_out = 0
    for name, cell in cells.items():
        files = read_run(runs / name, cell)
        result, score, project = files.result, files.score, None
        if files.problem:
            left_out += 1
            tell(f"{files.problem}; run left out")
        if files.problem or result is None:
            tables.rows["runs"].append(blank_row(manifest, cell, "damaged" if files.problem else "missing"))
            continue
        if files.no_review:  # the run's other figures stay
            tell(f"{files.no_review}; the run has no review")
        digests[name], project = files.digests, result.project
        clock = wrong_clock(result, manifest.created, now)
        if clock is not None:
            clocks[clock] += 1
        tables.rows["runs"].append(run_row(manifest, files, result, clock=clock is None))
        if score is not None:
            readers |= {r for p in score.pillars.values() for s in p.submetrics.values() for r in s.readers}
        if not deep:
            continue
        if score is not None:
            tables.rows["submetrics"] += submetric_rows(manifest.id, name, score)
        if result.outcome is not None:
            tests = {t.id: t.outcome for t in result.outcome.tests}
            tables.rows["tests"] += [row(TESTS, manifest.id, name, *test) for test in tests.items()]
        if project is not None:
            tables.rows["submissions"] += submission_rows(manifest.id, name, project)
            tables.rows["hints"] += hint_rows(manifest.id, name, project)
            tables.rows["project_failures"] += failure_rows(manifest.id, name, project)
    there = os.listdir(runs) if runs.is_dir() else []
    unnamed = [n for n in there if n not in cells and set_aside_name(n) is None and os.path.exists(runs / n / RESULT)]
    if unnamed:
        tell(f"{runs}: {count(len(unnamed), 'run')} that the manifest does not name; not counted")
    for what, number in clocks.items():
        tell(f"{directory}: clocks disagree: {count(number, 'run')} {what}; their dates are not used")
    if not digests:
        tell(f"{directory}: no run has a result that can be read")
    created = manifest.created if manifest.created <= now + 86_400 else None
    if created is None:
        tell(f"{directory}: clocks disagree: its manifest was made in the future; its date is not used")
    tables.rows["tasks"] += task_rows(manifest)
    report, stale = _report(directory, manifest, digest(data), digests)
    tables.rows["experiments"].append(
        {
            **_about(manifest),
            "place": place,
            "created": None if created is None else moment(created),
            "planned": len(cells),
            "runs": len(digests),
            "left_out": left_out,
            "strangers": len(unnamed),
            "readers": sorted(readers) or None,
            "manifest_digest": digest(data),
            "report": report,
            "report_stale": stale,
        }
    )
    return tables


def _about(manifest: Manifest) -> Row:
    """What the manifest itself says of an experiment."""
    suite, machine, budget = manifest.suite_facts, manifest.machine, manifest.budget
    tasks = suite.get("tasks")
    sizes = [n for v in tasks.values() if (n := _whole(v)) is not None] if isinstance(tasks, dict) else []
    return {
        "experiment": manifest.id,
        "suite": manifest.suite,
        "suite_digest": text(suite.get("digest")),
        "suite_tasks": sum(sizes) if sizes else None,
        "seconds_limit": budget.seconds,
        "tokens_limit": budget.tokens,
        "context_limit": budget.context,
        "hints_limit": budget.hints,
        "metering": budget.metering,
        "sandbox": manifest.sandbox,
        **{name: manifest.versions.get(name) for name in ("rigorbench", "python", "kernel")},
        **{name: text(machine.get(name)) for name in ("os", "architecture")},
        **{name: _whole(machine.get(name)) for name in ("cores", "memory")},
    }


def _report(
    directory: Path, manifest: Manifest, manifest_digest: str, digests: dict[str, RunInput]
) -> tuple[str | None, bool | None]:
    """(path of the report in the experiment's directory, whether it was made from other files than exist now).

    The second is None if the report does not say which files it was made from.
    """
    if not os.path.isfile(directory / _REPORT):
        return None, None
    try:
        data = read_file(directory / _INPUTS)
        experiments = [] if data is None else decode(data, Inputs, INPUTS_SCHEMA).experiments
    except Unreadable:
        experiments = []
    noted = next((e for e in experiments if e.id == manifest.id), None)
    if noted is None:
        return _REPORT, None
    known = {r.run: r for r in noted.runs if r.result is not None}
    return _REPORT, (known, noted.manifest) != (digests, manifest_digest)


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
