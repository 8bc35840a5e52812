"""An experiment as HTML pages, made from its files; they need no engine. With its tables they are its report.

A check makes the report again in memory and lists every difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import ClassVar

import msgspec
from markupsafe import Markup

from ....base.errors import GivenError
from ....base.files import read_json
from ....base.journal import STORE
from ....base.version import __version__
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
from ...experiment.results.files import INPUTS_SCHEMA, SCORE, ExperimentInput, Inputs
from ...experiment.store import ExperimentDirectory, Unreadable, decode, read_file
from ..tables.build import FOLDER, INPUTS, PAGE, PICTURES, BaselineError, ReportTables, build, files, is_ours, write
from ..tables.gather import gather
from ..tables.table import FORMATS
from ..text import experiment as say
from . import figures
from . import run as run_words
from . import runs as of_runs
from .runs import TaskRun

INDEX = "index.html"
RUNS = "runs"
TASKS = "tasks"
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
        PAGE if (site / PAGE).is_file() else "",
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
    changes: list[run_words.TreeChange | None]
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
    changes = run_words.tree_changes(directory / STORE, trees)
    page = (BareRunPage if shown is None else RunPage)(
        manifest, result, journal, changes, score, replay, review, flags, shown, f"../{INDEX}", f"../{task_href}",
        unreadable,
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


# -- the whole report on disk: how it is written, and whether it is up to date with its runs

_SHOWN = 60


def publish(
    out: Path,
    report: ReportTables,
    site: Path,
    *,
    progress: Callable[[int, int], None] = lambda done, pages: None,
    problem: Callable[[str], None] = lambda line: None,
) -> Path:
    """Write the tables and figures of a report, then the pages, which link to them; return the first page.

    ``out``: directory of the experiment. ``progress``, ``problem``: as of :func:`write_site`. Raises: OSError.
    """
    write(site, files(report, index=INDEX))
    return write_site(out, report.gathered.manifest, report.gathered.results, site, progress=progress, problem=problem)


def up_to_date(out: Path, site: Path) -> bool:
    """Whether this version wrote the report in ``site`` without options, from the results as they are now.

    Never where a run is damaged: that is to be said again.
    """
    noted = read_json(site / INPUTS, Inputs)
    if noted is None or not all((site / name).is_file() for name in (INDEX, *noted.files)):
        return False
    gathered = gather([out])
    made = (noted.rigorbench, noted.baseline, noted.formats, noted.paper_exact, noted.experiments)
    return made == (__version__, None, list(FORMATS), False, gathered.experiments) and not gathered.damaged


class CheckError(GivenError):
    """There is no report to check, or what it was made from cannot be read. One line with the remedy."""


def check(outs: Sequence[Path], directory: Path) -> list[str]:
    """One line for each file of the report in ``directory`` that differs from a new report of these runs.

    Raises: CheckError, ExperimentError, NotComparable.
    """
    record = directory / INPUTS
    try:
        data = read_file(record)
        if data is None:
            raise CheckError(f"{directory}: there is no report to check; `rigor report RUNS` writes one")
        noted = decode(data, Inputs, INPUTS_SCHEMA)
    except Unreadable as error:
        raise CheckError(f"{record}: {error}; write the report again") from None
    try:
        report = build(outs, baseline=noted.baseline, formats=noted.formats, paper_exact=noted.paper_exact)
    except BaselineError as error:
        return [f"{record}: {error}"]
    pages = len(outs) == 1 and "html" in noted.formats and (directory / INDEX).is_file()
    fresh = files(report, pictures=False, index=INDEX if pages else None)
    site = _site(outs[0], report) if pages else {}
    found = [f"{record}: {line}" for line in _inputs(noted.experiments, report.inputs.experiments)]
    for name in [*sorted(fresh.keys() | noted.files.keys()), *site]:
        if name == INPUTS or name.endswith(PICTURES):
            continue
        path = directory / name
        expected = fresh.get(name, site.get(name))
        if expected is None:
            if path.exists():
                found.append(f"{path}: the runs produce no such file")
            continue
        try:
            committed = path.read_bytes()
        except OSError as error:
            found.append(f"{path}: missing ({error.strerror})")
            continue
        where = _first_difference(name, committed, expected)
        if where is not None:
            found.append(f"{path}: {where}")
    beside = (
        p.relative_to(directory).as_posix() for folder in (directory, directory / FOLDER) for p in folder.glob("*")
    )
    extra = {name for name in beside if is_ours(name) and name not in fresh and name not in noted.files}
    extra -= {f"{name[:-4]}{suffix}" for name in fresh if name.endswith(".svg") for suffix in PICTURES}
    return found + [f"{directory / name}: the runs produce no such file" for name in sorted(extra)]


def _site(out: Path, report: ReportTables) -> Mapping[str, bytes]:
    """The pages of an experiment, made again in a directory of their own: name -> content, the first page first."""
    with TemporaryDirectory(prefix="rigor-check-") as folder:
        made = Path(folder)
        (made / PAGE).touch()
        write_site(out, report.gathered.manifest, report.gathered.results, made)
        names = sorted(p.relative_to(made).as_posix() for p in made.rglob("*.html"))
        return {name: (made / name).read_bytes() for name in [INDEX, *names] if name != PAGE}


def _inputs(noted: Sequence[ExperimentInput], found: Sequence[ExperimentInput]) -> Iterator[str]:
    before, now = ({e.id: e for e in side} for side in (noted, found))
    for name in before.keys() - now.keys():
        yield f"made from experiment {name}, which is not among these"
    for name in now.keys() - before.keys():
        yield f"not made from experiment {name}"
    for name in [n for n in before if n in now]:
        first, second = before[name], now[name]
        olds, news = ({r.run: r for r in side.runs} for side in (first, second))
        lines = [f"run {run} was removed" for run in olds if run not in news]
        for run, new in news.items():
            old = olds.get(run)
            if old is None:
                lines.append(f"run {run} was added")
            elif old != new:
                for part in ("result", "score", "review"):
                    was, now_is = getattr(old, part), getattr(new, part)
                    became = "was added" if was is None else "was removed" if now_is is None else "changed"
                    lines += [f"{part}.json of run {run} {became}"] if was != now_is else []
        if first.manifest != second.manifest:
            lines.append("manifest.json changed")
        yield from lines[:5]
        if len(lines) > 5:
            yield f"and {len(lines) - 5} further changes in its runs"


# What a page has besides its content: its looks, and the version that wrote it.
_BESIDE = re.compile(r"<(style|script|footer)\b.*?</\1>", re.DOTALL)


def _first_difference(name: str, committed: bytes, fresh: bytes) -> str | None:
    """The first line in which a committed file differs from the new one; None without a relevant difference."""
    if committed == fresh:
        return None
    try:
        old, new = committed.decode(), fresh.decode()
    except UnicodeDecodeError:
        return "is no longer text"
    if name.endswith(".html"):
        old, new = (_BESIDE.sub(lambda found: "\n" * found[0].count("\n"), text) for text in (old, new))
    for number, (a, b) in enumerate(zip_longest(old.splitlines(), new.splitlines()), 1):
        if a is None or b is None:
            return f"line {number}, {_quoted(a or b or '')} {'missing' if a is None else 'one too many'}"
        if a != b:
            start = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            cut = max(0, start - _SHOWN // 3) if max(len(a), len(b)) > _SHOWN else 0
            mark = "…" if cut else ""
            return f"line {number}, {_quoted(mark + a[cut:])} should be {_quoted(mark + b[cut:])}"
    return None if name.endswith(".html") else "different line ends"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
