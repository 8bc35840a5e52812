"""What people see of an experiment: :func:`print_comparison` on a terminal, :func:`write_site` as HTML pages.

Both work from what lies on disk (:mod:`..experiment.model`); neither needs the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from ..evidence.extract import extract
from ..experiment.compare import compare
from ..experiment.model import Manifest, RunResult
from ..experiment.store import ExperimentDirectory
from ..metrics.findings import findings
from ..metrics.result import SCHEMA, Score, SessionReport
from ..metrics.session import Session
from ..trajectory.logfile import LogError, LogFile
from ..trajectory.readers import read_log
from . import experiment_terminal
from .experiment_index import index_view
from .experiment_run import context, run_view
from .html import render
from .places import anchors
from .session import session_view

__all__ = ["print_comparison", "write_site"]

INDEX = "index.html"
RUNS = "runs"
_STEM = 120
_READ_OTHERWISE = "this version finds other events in the log than the one that scored it: links to events may be off"
# The others are the run's, and its page has them from the result.
_SESSION_FACTS = ("Directory", "Branch", "Log")


def print_comparison(manifest: Manifest, results: Sequence[RunResult], console: Console | None = None) -> None:
    """Prints the comparison of the conditions of an experiment: conditions, differences, what went wrong.

    ``console`` defaults to one on stdout, without colours when that is no terminal.
    """
    where = console if console is not None else experiment_terminal.default_console()
    experiment_terminal.print_comparison(manifest, compare(manifest, results), where)


def write_site(
    out: Path,
    manifest: Manifest,
    results: Sequence[RunResult],
    directory: Path | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    problem: Callable[[str], None] | None = None,
) -> Path:
    """Writes ``index.html`` and a page per run, and returns the path of the index.

    Args:
        out: directory of the experiment; the runs are read from ``out/runs/<cell id>``.
        directory: where the pages go; default ``out/report``.
        progress: told of the pages written (done, of how many).
        problem: told, in one line each, of what could not be read; the run's page says it too.

    Raises:
        OSError: the pages cannot be written.
    """
    site = directory if directory is not None else out / "report"
    (site / RUNS).mkdir(parents=True, exist_ok=True)
    experiment = ExperimentDirectory(out)
    names = _names(results)
    for number, result in enumerate(results, 1):
        page, troubles = render_run(manifest, result, experiment.run(result.cell))
        _write(site / names[result.cell.id], page)
        for trouble in troubles if problem is not None else ():
            assert problem is not None
            problem(f"{experiment.run(result.cell)}: {trouble}")
        if progress is not None:
            progress(number, len(results))
    view = index_view(manifest, compare(manifest, results), results, names, experiment.aside())
    index = site / INDEX
    _write(index, render("experiment.html.j2", "index.js", ["experiment.css"], **view))
    return index


def render_run(manifest: Manifest, result: RunResult, directory: Path) -> tuple[str, list[str]]:
    """The page of one run, and what of its directory could not be read (an error run is allowed to lack its score)."""
    troubles: list[str] = []
    score = _score(directory, troubles)
    report = None if score is None else _report(score, directory, troubles)
    if report is None and result.status == "error":
        troubles.clear()
    replay = None if score is None or score.replay is msgspec.UNSET else score.replay
    view = run_view(manifest, result, directory, replay)
    remarks = []
    if report is not None and report.score.trajectory.events != len(report.events):
        remarks.append(_READ_OTHERWISE)
    values = context(view, f"../{INDEX}", [*troubles, *remarks])
    if report is None:
        page = render("run.html.j2", "bare.js", ["session.css", "run.css"], layout="bare.html.j2", **values)
    else:
        session = session_view(report, anchors(report.events))
        facts = [fact for fact in session["facts"] if fact[0] in _SESSION_FACTS]
        values |= {"layout": "session.html.j2", "facts": facts}
        page = render("run.html.j2", "session.js", ["session.css", "run.css"], **{**session, **values})
    return page, troubles if result.status == "error" else [*troubles, *view.problems]


def _score(directory: Path, troubles: list[str]) -> Score | None:
    try:
        score = msgspec.json.decode((directory / "score.json").read_bytes(), type=Score)
    except FileNotFoundError:
        troubles.append("no score.json; score the run again with `rigor run`")
        return None
    except OSError as error:
        troubles.append(f"score.json cannot be read ({error.strerror})")
        return None
    except msgspec.DecodeError as error:
        troubles.append(f"score.json is damaged ({' '.join(str(error).split())[:120]})")
        return None
    if score.schema != SCHEMA:
        troubles.append(f"score.json has the schema {score.schema!r}, this version shows {SCHEMA!r}")
        return None
    return score


def _report(score: Score, directory: Path, troubles: list[str]) -> SessionReport | None:
    """The session as it was scored: its log read again, the score as it lies there. None: it cannot be shown."""
    log = LogFile(directory, name=f"{RUNS}/{directory.name}")
    try:
        trajectory = read_log(log)[0]
    except LogError as error:
        troubles.append(error.reason)
        return None
    except OSError as error:
        troubles.append(f"the recorded run cannot be read ({error.strerror})")
        return None
    evidence = extract(trajectory)
    session = Session(evidence)
    return SessionReport(trajectory, list(session.events), score, findings(session, score.pillars))


def _names(results: Sequence[RunResult]) -> dict[str, str]:
    """Cell id -> address of its page, seen from the index. Unique, also on file systems that ignore case."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for result in results:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", result.cell.id).strip(".-")[:_STEM] or "run"
        name, number = stem, 1
        while name.lower() in used:
            number += 1
            name = f"{stem}.{number}"
        used.add(name.lower())
        names[result.cell.id] = f"{RUNS}/{name}.html"
    return names


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8", newline="\n")
