"""What the first page of a leaderboard shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from msgspec import Struct

from ...metrics.result import PILLAR_TITLES
from ..pages import Page
from ..text import words
from . import chart as charts
from . import words as say
from .model import Board, Entry, Figure, Leaderboard

# Column -> (head, what it is, figure). Grades are there only where a reader read runs.
_REVIEW = (
    ("Review", "overall grade of a reader, of 100, over the runs that were read, with its 95 % interval", "overall"),
    ("Flagged", "share of runs in which a flag of the review fired, with its 95 % interval", "flagged"),
)
COLUMNS: tuple[tuple[str, str, str], ...] = (
    *_REVIEW,
    *((p, title, p) for p, title in PILLAR_TITLES.items()),
    ("Outcome", "Outcome score: what the work gained, times what it kept", "outcome"),
    ("Solved", "runs that solved the task", "solved"),
    ("Tokens", "tokens counted against the budget, per run", "tokens"),
    ("Cost", "US dollars per run", "cost"),
    ("Evidence", "scored share of the weight that applies", "evidence_share"),
)
# Of a board of projects, as they are published.
PROJECT_COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("Final", "points of 100: .8 execution + .2 code review, with its 95 % interval", "final"),
    ("Execution", "points of the judge, of 100, for the best submission", "execution"),
    ("Code review", "points of 100", "code_review"),
    ("Submissions", "submissions that the budget counts, per run", "submissions"),
    ("Verdicts", "shares of the submissions by class of verdict; sorted by the share accepted", "verdicts"),
    ("Turns", "model calls per run", "model_calls"),
    ("Tokens", "tokens counted against the budget, per run", "tokens"),
    ("Time", "wall clock per run", "seconds"),
    ("Files", "files of source code in the best submission, without tests", "files"),
    ("Lines", "their lines of code", "lines"),
    *_REVIEW,
    ("Cost", "US dollars per run", "cost"),
)


class Cell(Struct):
    """A figure under the head ``label``.

    ``value``: what the column is sorted by; ``note``: what it rests on; ``interval``: in words, empty for most figures.
    """

    label: str
    text: str
    value: float | None
    note: str
    interval: str = ""


class Row(Struct):
    """An entry on its board.

    Attributes:
        rank: a number or a range; empty for an entry that is not ranked.
        why: why it is not ranked.
        interval: the interval of the score in words; ``low`` and ``width`` place it in the cell (percent).
        n: how many tasks and runs count.
        coverage: share of the suite's tasks with a score; empty for all.
        date: of the last run.
        spark: points of the small line of scores over time, with ``spark_note`` as its text.
        badges: what a reader must know, each with its colour class.
        data: attributes by which the table is filtered and sorted.
    """

    href: str
    title: str
    versions: str
    rank: str
    why: str
    score: Cell
    interval: str
    low: str | None
    width: str | None
    cells: list[Cell]
    n: str
    coverage: str
    date: str
    spark: str
    spark_note: str
    badges: list[tuple[str, str]]
    data: dict[str, str]


class BoardView(Struct):
    """A board.

    Attributes:
        facts: what its entries have in common.
        summary: how many entries are ranked and listed.
        apart: what sets it apart from other boards of the suite.
        coverage: what :attr:`Row.coverage` is a share of.
        differs: number of another board of the suite, and in what it differs from this one.
        columns: head, description and key of each column of figures.
        rows: the ranked entries; ``unranked``: the others.
    """

    number: int
    title: str
    scripted: bool
    facts: list[tuple[str, str]]
    summary: str
    apart: str
    coverage: str
    differs: list[tuple[int, str]]
    columns: tuple[tuple[str, str, str], ...]
    rows: list[Row]
    unranked: list[Row]


class LeaderboardPage(Page):
    """The first page of a leaderboard: all boards with their entries.

    Attributes:
        banner: whether there are entries of scripted policies.
        all_scripted: whether there are no others.
        policies: what scripted policies are.
        ranking: how ranks are made; ``needed``: what an entry needs to be ranked.
        columns: head, description and key of each column of figures on any board.
        filters: attribute, label and values of each choice.
    """

    template = "leaderboard.html.j2"
    scripts = ("leaderboard.js", "scrolls.js")
    styles = ("experiment.css", "leaderboard.css")

    title: str
    facts: list[tuple[str, str]]
    banner: bool
    all_scripted: bool
    policies: str
    how_to_read: str
    ranking: str
    needed: str
    columns: tuple[tuple[str, str, str], ...]
    boards: list[BoardView]
    filters: list[tuple[str, str, list[str]]]


def leaderboard_page(leaderboard: Leaderboard) -> LeaderboardPage:
    """The first page."""
    series = leaderboard.series()
    apart = say.apart([b.conditions for b in leaderboard.boards])
    boards = [_board(b, series, what) for b, what in zip(leaderboard.boards, apart, strict=True)]
    entries = [(b, e) for b in leaderboard.boards for e in b.entries]
    scripted = [b.conditions.scripted for b in leaderboard.boards]
    facts = [
        ("Entries", f"{words.count(len(entries))}, {words.count(sum(b.ranked for b in leaderboard.boards))} ranked"),
        ("Experiments", words.count(leaderboard.experiments)),
        ("Runs counted", f"{words.count(leaderboard.counted)} of {words.count(leaderboard.runs)} planned"),
        ("Latest run", say.date(leaderboard.latest)),
        ("New", f"first seen after {say.date(leaderboard.since)}" if leaderboard.since else ""),
    ]
    return LeaderboardPage(
        title=leaderboard.title,
        facts=[f for f in facts if f[1]],
        banner=any(scripted),
        all_scripted=bool(scripted) and all(scripted),
        policies=say.POLICIES,
        how_to_read=say.HOW_TO_READ,
        ranking=say.ranking(leaderboard.resamples, leaderboard.seed),
        needed=say.needed(leaderboard.thresholds),
        columns=tuple(dict.fromkeys(column for board in boards for column in board.columns)),
        boards=boards,
        filters=_filters(entries),
    )


def _filters(entries: Sequence[tuple[Board, Entry]]) -> list[tuple[str, str, list[str]]]:
    """(attribute, label, values) of the choices; of what is the same everywhere there is none."""
    found: list[tuple[str, str, list[str]]] = []
    for name, label, values in (
        ("suite", "Suite", [say.name(b.conditions.suite) for b, _ in entries]),
        ("agent", "Agent", [say.name(e.key.agent) for _, e in entries]),
        ("harness", "Harness", [say.name(e.key.harness) for _, e in entries]),
        ("model", "Model or policy", [say.model(e.key.model, b.conditions.scripted) for b, e in entries]),
    ):
        distinct = sorted(set(values))
        if len(distinct) > 1:
            found.append((name, label, distinct))
    return found


def _board(board: Board, series: dict[tuple[str, str, str], list[tuple[Board, Entry]]], apart: str) -> BoardView:
    scripted = board.conditions.scripted
    title = f"{say.name(board.conditions.suite)}: {'scripted policies' if scripted else 'models'}"
    listed = len(board.entries) - board.ranked
    summary = f"{words.plural(board.ranked, 'entry', 'entries')} ranked, {words.count(listed)} not ranked"
    titles = Counter(say.title(entry.key, scripted) for entry in board.entries)
    alike = {title for title, number in titles.items() if number > 1}
    has = {name for name in ("final", "overall") if any(entry.figures[name].runs for entry in board.entries)}
    columns = PROJECT_COLUMNS if "final" in has else COLUMNS
    columns = tuple(column for column in columns if column[2] != "overall" or "overall" in has)
    rows = [_row(board, entry, series, alike, columns) for entry in board.entries]
    return BoardView(
        board.number,
        title,
        scripted,
        say.facts(board.conditions),
        summary,
        apart,
        "the suite" if board.conditions.whole else "the tasks planned",
        board.differs,
        columns,
        [row for row in rows if row.rank],
        [row for row in rows if not row.rank],
    )


def _row(
    board: Board,
    entry: Entry,
    series: dict[tuple[str, str, str], list[tuple[Board, Entry]]],
    alike: Set[str],
    columns: Sequence[tuple[str, str, str]],
) -> Row:
    """``alike``: titles that several entries of the board have."""
    scripted = board.conditions.scripted
    score = entry.score
    points = sorted(
        (s.date, s.score.value)
        for b, e in series[entry.key.series]
        if b is board
        for s in e.sources
        if s.date is not None and s.score.value is not None
    )
    title = say.title(entry.key, scripted)
    has = score.low is not None and score.high is not None
    badges = [("new", "pass")] if entry.new else []
    badges += [
        (f"{words.count(n)} {name}", "fail" if name in ("damaged", "with breaches") else "muted")
        for name, n in entry.flags.items()
    ]
    counted = sum(n for status, n in entry.statuses.items() if status in ("completed", "limit", "crashed"))
    return Row(
        href=entry.page,
        title=title,
        versions=say.versions(entry.key, content=title in alike),
        rank=say.rank(entry),
        why="; ".join(entry.lacks) or ("no RigorScore" if score.value is None else ""),
        score=Cell("RigorScore", say.number(score.value, "rigor_score"), score.value, say.basis(score)),
        interval=say.bounds(score.low, score.high, "rigor_score"),
        low=f"{(score.low or 0) * 100:.1f}%" if has else None,
        width=f"{max(0.5, ((score.high or 0) - (score.low or 0)) * 100):.1f}%" if has else None,
        cells=[
            _verdicts(head, entry) if name == "verdicts" else _cell(head, name, entry.figures[name], counted)
            for head, _, name in columns
        ],
        n=f"{words.plural(len(entry.tasks), 'task')}, {words.plural(counted, 'run')}",
        coverage="" if entry.coverage == 1 else words.percent(entry.coverage),
        date=say.date(entry.last),
        spark=charts.spark(points),
        spark_note=", ".join(f"{say.date(d)} {v:.2f}" for d, v in points[-12:]),
        badges=badges,
        data={
            "suite": say.name(board.conditions.suite),
            "agent": say.name(entry.key.agent),
            "harness": say.name(entry.key.harness),
            "model": say.model(entry.key.model, scripted),
            "first": say.date(entry.first),
            "last": say.date(entry.last),
            "ranked": "1" if entry.rank is not None else "",
            "new": "1" if entry.new else "",
            "kind": "policy" if scripted else "model",
            "rank": "" if entry.rank is None or entry.last_rank is None else str((entry.rank + entry.last_rank) / 2),
            "runs": str(counted),
        },
    )


def _cell(head: str, name: str, figure: Figure, counted: int) -> Cell:
    """``counted``: runs of the entry, of which a reader read some."""
    interval = say.bounds(figure.low, figure.high, name)
    if name == "overall" and figure.runs < counted:
        interval = f"{interval} {words.count(figure.runs)} of {words.count(counted)} read".strip()
    return Cell(head, say.number(figure.value, name), figure.value, say.basis(figure), interval)


def _verdicts(head: str, entry: Entry) -> Cell:
    """The distribution, the most frequent first."""
    total = sum(entry.verdicts.values())
    if not total:
        return Cell(head, "–", None, "no submission has a verdict")
    shares = sorted(((number / total, name) for name, number in entry.verdicts.items()), reverse=True)
    text = ", ".join(f"{words.percent(share)} {name.replace('_', ' ')}" for share, name in shares)
    accepted = entry.verdicts.get("accepted", 0) / total
    return Cell(head, text, accepted, words.plural(total, "submission"))
