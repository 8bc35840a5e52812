"""What the page of an entry of a leaderboard shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ...metrics.result import PILLAR_TITLES
from ...review.model import GRADES
from ..pages import Page
from ..text import words
from . import chart as charts
from . import words as say
from .entries import flag_checks
from .model import Board, Entry, Leaderboard, Source, TaskFigures

_SHADES = 9
_FIGURES = {
    "rigor_score": "RigorScore",
    **{p: f"{title} ({p})" for p, title in PILLAR_TITLES.items()},
    "overall": "reader: overall grade, of 100",
    **{name: f"reader: {name}" for name in GRADES},
    "flagged": "review: runs with a flag",
    "evidence_share": "evidence share",
    "outcome": "Outcome score",
    "pass_rate": "hidden tests passed",
    "completeness": "requirements met",
    "regressions": "tests broken per run",
    "solved": "runs that solved the task",
    "tokens": "tokens",
    "cost": "cost",
    "seconds": "time",
    "model_calls": "model calls",
}
# Shown for entries that were run on projects.
_OF_PROJECTS = {
    "final": "projects: final points, of 100",
    "execution": "projects: execution, of 100",
    "code_review": "projects: code review, of 100",
    "submissions": "projects: submissions",
    "files": "projects: files of source code",
    "lines": "projects: lines of code",
}
Address = Callable[[str], str | None]


class FigureRow(Struct):
    """A measure of the entry, with its interval and what it rests on."""

    title: str
    value: str
    interval: str
    basis: str


class HistoryRow(Struct):
    """An experiment with this agent, harness and model.

    Attributes:
        board: number of the board that its entry is on.
        comparable: whether that is the board of this page.
        href: the page of that entry; None when it is this one.
    """

    date: str
    versions: str
    score: str
    interval: str
    basis: str
    experiment: str
    board: int
    comparable: bool
    href: str | None


class TaskRow(Struct):
    """A task. ``cells``: figure and shade (0 to 9) of RigorScore, hidden tests and solved; no shade: no value."""

    task: str
    category: str
    counted: int
    digest: str
    cells: list[tuple[str, int | None]]
    evidence: str
    tokens: str


class OtherRow(Struct):
    """Another entry of the board, and the difference to it over the tasks that both have."""

    title: str
    versions: str
    href: str
    rank: str
    value: str
    interval: str
    tasks: str
    verdict: str


class SourceRow(Struct):
    """An experiment that the entry has runs from. ``href``: its report, where that lies beside the site."""

    source: Source
    date: str
    counted: str
    score: str
    interval: str
    href: str | None


class EntryPage(Page):
    """The page of an entry.

    Attributes:
        policies: what scripted policies are.
        conditions: what the entries of its board have in common.
        rank: a number or a range; empty for an entry that is not ranked.
        ranked: how many entries of the board are ranked.
        lacks: why it is not ranked; ``needed``: what it takes.
        flags: what a reader must know.
        chart: scores over time; None without a dated score.
        size: width, height, left, right and bottom margin of the chart.
        others: the entries that it is compared with; ``cut``: how many more its rank rests on.
        provenance: name and value of the digests and versions that the entry is known by.
    """

    template = "leaderboard_entry.html.j2"
    scripts = ("scrolls.js",)
    styles = ("experiment.css", "leaderboard.css")

    title: str
    board: int
    scripted: bool
    policies: str
    facts: list[tuple[str, str]]
    conditions: list[tuple[str, str]]
    rank: str
    ranked: int
    lacks: list[str]
    needed: str
    score: str
    interval: str
    flags: list[str]
    figures: list[FigureRow]
    chart: charts.Chart | None
    size: tuple[float, float, float, float, float]
    history: list[HistoryRow]
    tasks: list[TaskRow]
    others: list[OtherRow]
    cut: int
    sources: list[SourceRow]
    provenance: list[tuple[str, str]]


def entry_page(
    leaderboard: Leaderboard, board: Board, entry: Entry, series: Sequence[tuple[Board, Entry]], address: Address
) -> EntryPage:
    """The page of an entry.

    Args:
        series: the entries of the same agent, harness and model, over versions and boards, with this one.
        address: of a report in a place, seen from this page; None: it is not beside the site.
    """
    scripted = board.conditions.scripted
    score = entry.score
    history = _history(series, board, entry)
    return EntryPage(
        title=say.title(entry.key, scripted),
        board=board.number,
        scripted=scripted,
        policies=say.POLICIES,
        facts=_facts(board, entry),
        conditions=say.facts(board.conditions),
        rank=say.rank(entry),
        ranked=board.ranked,
        lacks=entry.lacks,
        needed=say.needed(leaderboard.thresholds),
        score=say.number(score.value, "rigor_score"),
        interval=say.bounds(score.low, score.high, "rigor_score"),
        flags=[f"{words.plural(n, 'run')} {name}" for name, n in entry.flags.items()],
        figures=_figures(entry, scripted=scripted),
        chart=charts.chart([point for point, _ in history], board.number),
        size=(charts.WIDTH, charts.HEIGHT, charts.LEFT, charts.RIGHT, charts.BOTTOM),
        history=[row for _, row in history],
        tasks=[_task(task) for task in entry.tasks],
        others=_others(board, entry),
        cut=max(0, board.ranked - 1 - len(entry.versus)) if entry.versus else 0,
        sources=[
            SourceRow(
                source,
                say.date(source.date),
                _counted(source.statuses),
                say.number(source.score.value, "rigor_score"),
                say.bounds(source.score.low, source.score.high, "rigor_score"),
                address(f"{source.place}/{source.report}") if source.report else None,
            )
            for source in entry.sources
        ],
        provenance=_provenance(entry),
    )


def _figures(entry: Entry, *, scripted: bool) -> list[FigureRow]:
    rows = []
    flags = {name: f"review: runs with {name}" for name in flag_checks()}
    projects = {name: title for name, title in _OF_PROJECTS.items() if entry.figures[name].runs}
    for name, title in {**projects, **_FIGURES, **flags}.items():
        figure = entry.figures[name]
        if name in ("overall", *GRADES) and not figure.runs:
            continue
        title = "turns" if scripted and name == "model_calls" else title
        interval = say.bounds(figure.low, figure.high, name)
        rows.append(FigureRow(title, say.number(figure.value, name), interval, say.basis(figure)))
    return rows


def _facts(board: Board, entry: Entry) -> list[tuple[str, str]]:
    size = words.count(board.conditions.size)
    facts = [
        ("Agent", say.name(" ".join(p for p in (entry.key.agent, entry.key.agent_version) if p))),
        ("Harness", say.name(" ".join(p for p in (entry.key.harness, entry.key.harness_version) if p))),
        (
            "Scripted policy" if board.conditions.scripted else "Model",
            say.model(entry.key.model, board.conditions.scripted),
        ),
        ("Runs", _counted(entry.statuses)),
        (
            "Tasks",
            f"{words.count(len(entry.tasks))}; {words.percent(entry.coverage)} of {size} scored",
        ),
        ("First run", say.date(entry.first)),
        ("Last run", say.date(entry.last)),
    ]
    return [f for f in facts if f[1]]


def _counted(statuses: dict[str, int]) -> str:
    counted = sum(n for status, n in statuses.items() if status in ("completed", "limit", "crashed"))
    return f"{words.count(counted)} of {words.count(sum(statuses.values()))} count"


def _history(
    series: Sequence[tuple[Board, Entry]], board: Board, entry: Entry
) -> list[tuple[charts.Point, HistoryRow]]:
    """Every experiment with this agent, harness and model, over versions and boards, by date."""
    found = []
    for other, each in series:
        if other.conditions.scripted is not board.conditions.scripted:
            continue
        for source in each.sources:
            score = source.score
            if source.date is None or score.value is None:
                continue
            date, interval = say.date(source.date), say.bounds(score.low, score.high, "rigor_score")
            point = charts.Point(
                source.date,
                score.value,
                score.low,
                score.high,
                other.number,
                each is entry,
                f"{date}: {score.value:.2f} {interval}".strip(),
            )
            row = HistoryRow(
                date=date,
                versions=say.versions(each.key),
                score=f"{score.value:.2f}",
                interval=interval,
                basis=say.basis(score),
                experiment=source.experiment,
                board=other.number,
                comparable=other is board,
                href=None if each is entry else each.page.removeprefix("entries/"),
            )
            found.append((point, row))
    return sorted(found, key=lambda pair: (pair[0].date, pair[1].experiment, pair[0].line))


def _task(task: TaskFigures) -> TaskRow:
    def shade(name: str) -> int | None:
        value = task.means.get(name)
        return None if value is None else round(min(1.0, max(0.0, value)) * _SHADES)

    return TaskRow(
        task=task.task,
        category=task.category or "",
        counted=task.counted,
        digest=task.digest or "",
        cells=[(say.number(task.means.get(name), name), shade(name)) for name in ("rigor_score", "outcome", "solved")],
        evidence=say.number(task.means.get("evidence_share"), "evidence_share"),
        tokens=say.number(task.means.get("tokens"), "tokens"),
    )


def _others(board: Board, entry: Entry) -> list[OtherRow]:
    rows = []
    for versus in entry.versus:
        other = board.entries[versus.other]
        rows.append(
            OtherRow(
                title=say.title(other.key, board.conditions.scripted),
                versions=say.versions(other.key),
                href=other.page.removeprefix("entries/"),
                rank=say.rank(other),
                value=say.signed(versus.value),
                interval=say.bounds(versus.low, versus.high, "rigor_score", signs=True),
                tasks=words.plural(versus.tasks, "task"),
                verdict=versus.verdict,
            )
        )
    return rows


def _provenance(entry: Entry) -> list[tuple[str, str]]:
    key = entry.key
    return [
        (name, value)
        for name, value in (
            ("Content of the harness", key.harness_digest),
            ("What it laid out for this agent", key.overlay_digest),
            ("Version of the model", key.model_version),
        )
        if value
    ]
