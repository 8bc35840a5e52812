"""A leaderboard as data: entries over many experiments, on boards within which they may be compared."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct, field

from ....review.catalogue import all_checks
from ...experiment.results.rows import COUNTED

SCHEMA = "rigor-leaderboard/1"


def counted(statuses: Mapping[str, int]) -> int:
    return sum(number for status, number in statuses.items() if status in COUNTED)


def flag_checks() -> list[str]:
    """Ids of the checks that accuse: each is a figure, the share of runs in which it fired."""
    return [check.id for check in all_checks().values() if check.severity == "flag"]


class Thresholds(Struct, frozen=True):
    tasks: int = 10
    """Tasks with a RigorScore."""
    repeats: int = 1
    """Scored runs of each of these tasks."""
    coverage: float = 0.9
    """Share of the suite's tasks."""
    complete: float = 0.9
    """Share of the planned runs that are counted."""


class EntryKey(Struct, frozen=True):
    """What an entry is: an agent under a harness with a model, each as it was (version, content)."""

    agent: str
    harness: str
    model: str
    agent_version: str | None = None
    harness_version: str | None = None
    harness_digest: str | None = None
    overlay_digest: str | None = None
    model_version: str | None = None

    @property
    def series(self) -> tuple[str, str, str]:
        """What stays the same over versions."""
        return self.agent, self.harness, self.model


class Conditions(Struct, frozen=True):
    """What must be the same for two entries in one ranking."""

    suite: str
    version: str
    """Digest of the whole suite, or of the planned tasks if the manifest does not have it (``whole`` is false)."""
    whole: bool
    size: int
    """Tasks of the suite, or those planned."""
    seconds: float | None
    """Time limit."""
    tokens: int | None
    """Token limit."""
    metering: str | None
    """What counts as a token."""
    sandbox: str | None
    scoring: str | None
    """Version of RigorBench, without the last part."""
    judging: str
    """ "judged", "partly judged", "estimated", "not needed" or "unknown"."""
    readers: str | None
    scripted: bool
    hints: int = 0
    """How many a run on a project may ask for."""
    context: int | None = None
    """Limit on the largest request."""


class BoardMean(Struct):
    """Mean over ``tasks`` tasks of the means over their runs, from ``runs`` runs with a value."""

    value: float | None
    tasks: int
    runs: int
    low: float | None = None
    high: float | None = None


class TaskFigures(Struct):
    """One task of an entry: means over its counted runs."""

    task: str
    category: str | None
    digest: str | None
    counted: int
    means: dict[str, float]


class EntrySource(Struct):
    """An experiment that an entry has runs from. ``statuses``: its planned runs by status."""

    experiment: str
    place: str
    date: datetime | None
    statuses: dict[str, int]
    score: BoardMean
    rigorbench: str | None
    machine: str
    manifest_digest: str | None
    report: str | None
    report_stale: bool | None


class Versus(Struct):
    """This entry minus another one of the board, over the tasks that both have. No interval: too few tasks."""

    other: int
    value: float
    low: float | None
    high: float | None
    tasks: int

    @property
    def verdict(self) -> str:
        """ "better", "worse", or "" where the interval covers 0 or there is none."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return ""
        return "better" if self.low > 0 else "worse"


class BoardEntry(Struct):
    key: EntryKey
    page: str
    number: int
    """Its place on the board, from 0."""
    statuses: dict[str, int]
    """Its planned runs by status."""
    figures: dict[str, BoardMean]
    coverage: float
    """Share of the suite's tasks with a score."""
    tasks: list[TaskFigures]
    sources: list[EntrySource]
    first: datetime | None
    last: datetime | None
    flags: dict[str, int]
    """What a reader must know, with the number of runs."""
    lacks: list[str] = field(default_factory=list)
    """What is missing for a rank."""
    rank: int | None = None
    """The best rank that its score allows, ``last_rank`` the worst; None: it is only listed."""
    last_rank: int | None = None
    adjusted: float | None = None
    """Its mean as if it had all tasks."""
    new: bool = False
    versus: list[Versus] = field(default_factory=list)
    """The nearest entries of the board."""
    verdicts: dict[str, int] = field(default_factory=dict)
    """Of projects: submissions that the budget counts, by published class of verdict."""

    @property
    def score(self) -> BoardMean:
        return self.figures["rigor_score"]

    @property
    def counted(self) -> int:
        return counted(self.statuses)

    def course(self) -> list[tuple[datetime, float]]:
        """Its RigorScore in each dated experiment, by date."""
        return sorted((s.date, s.score.value) for s in self.sources if s.date is not None and s.score.value is not None)


class Board(Struct):
    """Entries that may be compared, best first, the listed ones after the ranked ones.

    ``differs``: for other boards of the same suite, in what they differ (board number, words).
    """

    number: int
    conditions: Conditions
    entries: list[BoardEntry]
    differs: list[tuple[int, str]] = field(default_factory=list)

    @property
    def ranked(self) -> int:
        return sum(e.rank is not None for e in self.entries)


class Leaderboard(Struct):
    """All boards. ``since``: entries that began later are new; ``latest``: when the latest run began."""

    schema: str
    title: str
    version: str
    thresholds: Thresholds
    since: datetime | None
    latest: datetime | None
    experiments: int
    runs: int
    counted: int
    boards: list[Board]
    resamples: int
    seed: int
    level: float

    def series(self) -> dict[tuple[str, str, str], list[tuple[Board, BoardEntry]]]:
        """The entries of each agent, harness and model, over versions and boards."""
        found: dict[tuple[str, str, str], list[tuple[Board, BoardEntry]]] = {}
        for board in self.boards:
            for entry in board.entries:
                found.setdefault(entry.key.series, []).append((board, entry))
        return found
