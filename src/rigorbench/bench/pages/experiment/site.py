"""An experiment as HTML pages, made from its files; they need no engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import msgspec
from markupsafe import Markup

from ....base.journal import STORE
from ....evidence.walk.extract import extract
from ....review.document import REVIEW_FILE, decode_review
from ....review.findings import findings
from ....review.pages.html import Page, render
from ....review.pages.places import anchors
from ....review.pages.view import SessionView
from ....review.result import SCHEMA, ReplaySummary, Score, SessionReport
from ....review.review import Fired, Review
from ....review.session import Session
from ....session.logfile import LogError, LogFile
from ....session.readers.capture.records import Journal
from ....session.registry import read_log
from ...experiment.analysis import Analysis, analyse
from ...experiment.compare import Comparison, compare
from ...experiment.projects import ProjectMeans, project_means
from ...experiment.records import Manifest, RunResult
from ...experiment.results.files import SCORE
from ...experiment.store import ExperimentDirectory, Unreadable, decode, read_file
from ..text import experiment as say
from . import figures
from . import projects as of_projects
from . import run as run_words
from . import runs as of_runs
from .diffs import TreeChange, tree_changes
from .runs import TaskRun

INDEX = "index.html"
RUNS = "runs"
TASKS = "tasks"
TABLES = "tables.html"
_STEM = 120
_READ_OTHERWISE = "links to events may be wrong: the version that scored this log found other events in it"
# The page has the other facts from the result of the run.
_SESSION_FACTS = ("Directory", "Branch")


def write_site(
    out: Path,
    manifest: Manifest,
    results: Sequence[RunResult],
    directory: Path | None = None,
    *,
    progress: Callable[[int, int], None] = lambda done, pages: None,
    problem: Callable[[str], None] = lambda line: None,
) -> Path:
    """Writes ``index.html``, a page per run and a page per task, and returns the path of the index.

    Args:
        out: directory of the experiment; the runs are read from ``out/runs/<cell id>``.
        directory: where the pages go; default ``out/report``.
        progress: called after each page (pages done, pages in all).
        problem: called with a line about each file that could not be read; the run's page has it, too.

    Raises:
        OSError: the pages cannot be written.
    """
    site = directory if directory is not None else out / "report"
    for folder in (RUNS, TASKS):
        (site / folder).mkdir(parents=True, exist_ok=True)
    experiment = ExperimentDirectory(out)
    # The same runs in another order make the same pages.
    order = {cell.id: n for n, cell in enumerate(manifest.cells)}
    results = sorted(results, key=lambda r: (order.get(r.cell.id, len(order)), r.cell.id))
    names = _names(RUNS, (result.cell.id for result in results))
    tasks = _names(TASKS, dict.fromkeys([*(c.task for c in manifest.cells), *(r.cell.task for r in results)]))
    pages = len(results) + len(tasks) + 1
    done = 0

    def write(name: str, page: str) -> None:
        nonlocal done
        (site / name).write_text(page, encoding="utf-8", newline="\n")
        done += 1
        progress(done, pages)

    runs: dict[str, TaskRun] = {}
    for result in results:
        cell = result.cell
        page, runs[cell.id], troubles = render_run(
            manifest, result, experiment.run(cell), names[cell.id], tasks[cell.task]
        )
        write(names[cell.id], page)
        for trouble in troubles:
            problem(f"{experiment.run(cell)}: {trouble}")
    comparison = compare(manifest, results)
    for task, name in tasks.items():
        write(name, render(TaskPage(manifest, comparison, task, runs, tasks, INDEX)))
    index = ExperimentPage(
        manifest,
        comparison,
        results,
        names,
        experiment.aside(),
        tasks,
        analyse(manifest, results),
        figures.drawings(manifest, results, names),
        run_words.who_judged(runs.values()),
        project_means(manifest, results),
        {id: run.review for id, run in runs.items() if run.review is not None},
        TABLES if (site / TABLES).is_file() else "",
    )
    write(INDEX, render(index))
    return site / INDEX


class ExperimentPage(Page):
    """The first page of an experiment. The modules at the end are the functions that its template calls."""

    template = "experiment.html.j2"
    scripts = ("index.js", "common.js", "scrolls.js")
    styles = ("experiment.css",)

    manifest: Manifest
    comparison: Comparison
    results: Sequence[RunResult]
    pages: Mapping[str, str]
    """Address of the page of each run, by cell id."""
    aside: Sequence[str] = ()
    """Directories of runs that did not end, kept as evidence."""
    tasks: Mapping[str, str] = {}
    """Address of the page of each task."""
    analysis: Analysis | None = None
    drawings: Mapping[bool, list[tuple[Markup, str]]] | None = None
    """With their captions, by whether the group is that of scripted policies; None: they cannot be drawn."""
    judges: str = ""
    """Who judged what, in a few sentences."""
    projects: Sequence[ProjectMeans] = ()
    reviews: Mapping[str, Review] = {}
    """By cell id, of the runs that have one."""
    tables_href: str = ""
    """Address of the page of tables; empty: there is none."""
    say: ModuleType = say
    fig: ModuleType = figures
    listed: ModuleType = of_runs
    of_projects: ModuleType = of_projects


class TaskPage(Page):
    """The page of a task. ``fig``, ``say``, ``of_task``: functions that its template calls."""

    template = "task.html.j2"
    scripts = ("common.js", "scrolls.js")
    styles = ("experiment.css", "task.css")

    manifest: Manifest
    comparison: Comparison
    task: str
    runs: Mapping[str, TaskRun]
    """By cell id; a cell without one was not run."""
    tasks: Mapping[str, str]
    """Address of the page of each task, from the index."""
    index_href: str
    say: ModuleType = say
    fig: ModuleType = figures
    of_task: ModuleType = of_runs


class RunPage(Page):
    """The page of a run: its session, and what surrounds it. ``fig``, ``say``: functions that its template calls."""

    template = "run.html.j2"
    scripts: ClassVar[tuple[str, ...]] = ("session.js", "common.js", "scrolls.js")
    styles = ("session.css", "run.css")

    manifest: Manifest
    result: RunResult
    journal: Journal | None
    changes: list[TreeChange | None]
    """Of each state of the work tree that is shown, against the one before it; None for the first."""
    score: Score | None
    replay: ReplaySummary | None
    review: Review | None
    flags: list[Fired]
    """What the review accuses the agent of."""
    session: SessionView | None
    """None when the session cannot be shown."""
    index_href: str
    task_href: str
    unreadable: list[str]
    """What of the run's directory cannot be read."""
    fig: ModuleType = run_words
    say: ModuleType = say


class BareRunPage(RunPage):
    """The page of a run whose session cannot be shown: it has no log to filter."""

    scripts = ("common.js", "scrolls.js")


def render_run(
    manifest: Manifest, result: RunResult, directory: Path, href: str, task_href: str
) -> tuple[str, TaskRun, list[str]]:
    """The page of one run, its part of the page of its task, and what of its directory is unreadable.

    ``href, task_href``: its page and that of its task, from the index.
    """
    troubles: list[str] = []
    score = _score(directory, troubles)
    replay = None if score is None or score.replay is msgspec.UNSET else score.replay
    session = None if score is None else _session(directory, replay, troubles)
    if session is None and result.status == "error":
        troubles.clear()  # a run that broke may have no score
    problems: list[str] = []
    journal = run_words.read_journal(directory, problems)
    review, unreadable, shown = _review(directory), [*problems, *troubles], None
    if score is not None and session is not None:
        events = list(session.events)
        if score.trajectory.events != len(events):
            unreadable.append(_READ_OTHERWISE)
        report = SessionReport(session.evidence.trajectory, events, score, findings(session, score.pillars))
        shown = SessionView(report, anchors(report), review, paper=True, headline=True)
        shown.facts = [fact for fact in shown.facts if fact[0] in _SESSION_FACTS]
    run = TaskRun(result, href, {} if score is None else score.pillars, shown.strip if shown else None, review)
    flags = [] if review is None else [c for c in review.checks if c.severity == "flag"]
    trees = [] if journal is None else [tree.tree for _, tree in run_words.states(journal)]
    page = (BareRunPage if shown is None else RunPage)(
        manifest, result, journal, tree_changes(directory / STORE, trees), score, replay, review, flags, shown,
        f"../{INDEX}", f"../{task_href}", unreadable,
    )  # fmt: skip
    return render(page), run, troubles if result.status == "error" else [*troubles, *problems]


def _review(directory: Path) -> Review | None:
    try:
        return decode_review((directory / REVIEW_FILE).read_bytes())
    except OSError:
        return None  # recorded before runs were reviewed


def _score(directory: Path, troubles: list[str]) -> Score | None:
    try:
        data = read_file(directory / SCORE)
        if data is not None:
            return decode(data, Score, SCHEMA)
        troubles.append(f"{SCORE} is missing; score the run again with `rigor run`")
    except Unreadable as error:
        troubles.append(f"{SCORE} is {error}")
    return None


def _session(directory: Path, replay: ReplaySummary | None, troubles: list[str]) -> Session | None:
    """The session that was scored, read from its log again. None: it cannot be shown."""
    log = LogFile(directory, name=f"{RUNS}/{directory.name}")
    try:
        refuted = (replay.refuted or {}) if replay is not None else {}
        return Session(extract(read_log(log)[0], {int(number): found for number, found in refuted.items()}))
    except LogError as error:
        troubles.append(error.reason)
    except OSError as error:
        troubles.append(f"the recorded run cannot be read ({error.strerror})")
    return None


def _names(folder: str, wanted: Iterable[str]) -> dict[str, str]:
    """Name -> address of its page, seen from the index. Unique, also on file systems that ignore case."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for text in wanted:
        stem = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-")[:_STEM] or "page"
        name, number = stem, 1
        while name.lower() in used:
            number += 1
            name = f"{stem}.{number}"
        used.add(name.lower())
        names[text] = f"{folder}/{name}.html"
    return names
