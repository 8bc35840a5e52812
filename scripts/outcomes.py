"""Whether the review goes with success: checks and grades against verdicts of hidden tests.

    python scripts/outcomes.py LOGS VERDICTS.csv [--rows ROWS.jsonl] [--within task,model]

``VERDICTS.csv`` has a row per log with the columns ``log`` (a file's name in ``LOGS`` without its suffix), ``passed``
(1 or 0), ``task`` and ``model``. Sessions are compared only inside a stratum, of the same task and model: those that
passed with those that did not. Of each stratum with both, d is the share of such pairs in which the one that passed
has the higher grade, less the share in which it has the lower one (Somers' d; for a check: how much more often it
fires where the session passed). Strata weigh by n1 n0 / (n1 + n0). The 95 % intervals are from a bootstrap over tasks.

``--rows`` keeps what was measured, so that a run that was broken off goes on and a table is made again at once.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rigorbench.api import read
from rigorbench.base.stats.resampling import interval, weights
from rigorbench.bench.rigorscore.score import open_session
from rigorbench.review.catalogue import all_checks
from rigorbench.review.grades import review_session
from rigorbench.review.review import GRADES
from rigorbench.session.logfile import LogError

# A check that fires in fewer sessions of the strata says nothing.
FEWEST = 10


@dataclass(frozen=True)
class Row:
    """One session with a verdict. ``grades``: by name, "overall" among them; ``checks``: the ids that fired."""

    log: str
    task: str
    stratum: tuple[str, ...]
    passed: bool
    grades: dict[str, int | None]
    checks: frozenset[str]


def measured(path: Path) -> dict[str, Any]:
    """The review of a log as one line of the file of rows."""
    review = review_session(open_session(read(path)[0]))
    grades = {name: review.grades[name].value for name in GRADES} | {"overall": review.overall}
    return {"log": path.stem, "grades": grades, "checks": sorted({c.id for c in review.checks})}


def rows(logs: Path, verdicts: Path, kept: Path | None, within: Sequence[str]) -> Iterator[Row]:
    """The sessions that have both a log and a verdict."""
    known = {}
    if kept is not None and kept.is_file():
        known = {r["log"]: r for r in map(json.loads, kept.read_text("utf-8").splitlines())}
    files = {p.stem: p for p in sorted(logs.iterdir())}
    for row in csv.DictReader(verdicts.open(encoding="utf-8")):
        if row["log"] not in files:
            continue
        if row["log"] not in known:
            try:
                known[row["log"]] = measured(files[row["log"]])
            except LogError as error:
                sys.stderr.write(f"left out: {error}\n")
                continue
            if kept is not None:
                with kept.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(known[row["log"]]) + "\n")
        found = known[row["log"]]
        stratum = tuple(row[name] for name in within)
        yield Row(row["log"], row["task"], stratum, row["passed"] == "1", found["grades"], frozenset(found["checks"]))


@dataclass(frozen=True)
class Association:
    """d with its interval, and what it rests on: sessions, strata with both verdicts, tasks among them."""

    d: float | None
    interval: tuple[float, float] | None
    sessions: int
    strata: int
    tasks: int


def association(rows: Sequence[Row], value: Callable[[Row], float | None]) -> Association:
    """Somers' d of a value with the verdict inside strata; sessions without the value are left out."""
    strata: dict[tuple[str, ...], list[tuple[bool, float]]] = defaultdict(list)
    task_of: dict[tuple[str, ...], str] = {}
    for row in rows:
        found = value(row)
        if found is not None:
            strata[row.stratum].append((row.passed, found))
            task_of[row.stratum] = row.task
    sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    sessions = used = 0
    for stratum, both in strata.items():
        won = np.array([v for passed, v in both if passed])
        lost = np.array([v for passed, v in both if not passed])
        if not len(won) or not len(lost):
            continue
        weight = len(won) * len(lost) / len(both)
        total = sums[task_of[stratum]]
        total[0] += weight * float(np.sign(won[:, None] - lost[None, :]).mean())
        total[1] += weight
        sessions, used = sessions + len(both), used + 1
    if not sums:
        return Association(None, None, sessions, used, 0)
    table = np.array(list(sums.values()))
    drawn = weights(len(table)) @ table
    ends = interval(drawn[:, 0] / drawn[:, 1], len(table))
    return Association(float(table[:, 0].sum() / table[:, 1].sum()), ends, sessions, used, len(table))


def table(rows: Sequence[Row]) -> str:
    """The associations as a table in Markdown: the grades, then the checks."""
    passed = sum(r.passed for r in rows)
    lines = [
        f"{len(rows)} sessions, {passed} of them passed",
        "",
        "| grade or check | fires in | sessions compared | strata | tasks | d [95 %] |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in (*GRADES, "overall"):
        lines.append(_line(f"grade: {name}", None, association(rows, lambda r, name=name: r.grades[name])))
    for id in all_checks():
        count = sum(id in r.checks for r in rows)
        found = association(rows, lambda r, id=id: float(id in r.checks)) if count >= FEWEST else None
        lines.append(_line(id, count, found))
    return "\n".join(lines) + "\n"


def _line(name: str, fires: int | None, found: Association | None) -> str:
    times = "" if fires is None else f"{fires:,}"
    if found is None or found.d is None:
        return f"| {name} | {times} | – | – | – | – |"
    span = "no interval" if found.interval is None else f"[{found.interval[0]:+.2f}, {found.interval[1]:+.2f}]"
    return f"| {name} | {times} | {found.sessions:,} | {found.strata} | {found.tasks} | {found.d:+.2f} {span} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("logs", type=Path)
    parser.add_argument("verdicts", type=Path)
    parser.add_argument("--rows", type=Path, help="what was measured, a line per log")
    parser.add_argument("--within", default="task,model", help="columns that make a stratum")
    options = parser.parse_args()
    sys.stdout.write(table(list(rows(options.logs, options.verdicts, options.rows, options.within.split(",")))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
