"""A leaderboard as data: entries over many experiments, on boards within which they may be compared."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from ....review.catalogue import all_checks

SCHEMA = "rigor-leaderboard/1"
_COUNTED = ("completed", "limit", "crashed")


def counted(statuses: Mapping[str, int]) -> int:
    """How many runs count, of those with these statuses."""
    return sum(number for status, number in statuses.items() if status in _COUNTED)


def flag_checks() -> list[str]:
    """Ids of the checks that accuse: each is a figure, the share of runs in which it fired."""
    return [check.id for check in all_checks().values() if check.severity == "flag"]


class Thresholds(Struct, frozen=True):
    """What an entry needs to be ranked; with less it is only listed.

    Attributes:
        tasks: tasks with a RigorScore.
        repeats: scored runs of each of these tasks.
        coverage: share of the suite's tasks.
        complete: share of the planned runs that are counted.
    """

    tasks: int = 10
    repeats: int = 1
    coverage: float = 0.9
    complete: float = 0.9


class Key(Struct, frozen=True):
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
    """What must be the same for two entries in one ranking.

    Attributes:
        version: digest of the whole suite, or of the planned tasks if the manifest does not have it.
        whole: whether ``version`` is that of the suite.
        size: number of tasks of the suite, or of the planned tasks.
        seconds: time limit; ``tokens``: token limit; ``metering``: what counts as a token.
        hints: number that a run on a project may ask for; ``context``: limit on the largest request.
        scoring: version of RigorBench, without the last part.
        judging: "judged", "partly judged", "estimated", "not needed" or "unknown".
        readers: who judged, if somebody did.
    """

    suite: str
    version: str
    whole: bool
    size: int
    seconds: float | None
    tokens: int | None
    metering: str | None
    sandbox: str | None
    scoring: str | None
    judging: str
    readers: str | None
    scripted: bool
    hints: int = 0
    context: int | None = None


class Figure(Struct):
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


class Source(Struct):
    """An experiment that an entry has runs from. ``statuses``: its planned runs by status."""

    experiment: str
    place: str
    date: datetime | None
    statuses: dict[str, int]
    score: Figure
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


class Entry(Struct):
    """An entry of a board.

    Attributes:
        page: file name of its page.
        number: its place on the board, from 0.
        statuses: its planned runs by status.
        coverage: share of the suite's tasks with a score.
        first: when its first run began; ``last``: its last.
        flags: what a reader must know, with the number of runs.
        lacks: what is missing for a rank.
        rank: the best rank that its score allows, ``last_rank`` the worst; None: it is only listed.
        adjusted: its mean as if it had all tasks.
        versus: the nearest entries of the board.
        verdicts: of projects: submissions that the budget counts, by published class of verdict.
    """

    key: Key
    page: str
    number: int
    statuses: dict[str, int]
    figures: dict[str, Figure]
    coverage: float
    tasks: list[TaskFigures]
    sources: list[Source]
    first: datetime | None
    last: datetime | None
    flags: dict[str, int]
    lacks: list[str] = field(default_factory=list)
    rank: int | None = None
    last_rank: int | None = None
    adjusted: float | None = None
    new: bool = False
    versus: list[Versus] = field(default_factory=list)
    verdicts: dict[str, int] = field(default_factory=dict)

    @property
    def score(self) -> Figure:
        return self.figures["rigor_score"]

    @property
    def counted(self) -> int:
        """How many of its runs count."""
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
    entries: list[Entry]
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

    def series(self) -> dict[tuple[str, str, str], list[tuple[Board, Entry]]]:
        """The entries of each agent, harness and model, over versions and boards."""
        found: dict[tuple[str, str, str], list[tuple[Board, Entry]]] = {}
        for board in self.boards:
            for entry in board.entries:
                found.setdefault(entry.key.series, []).append((board, entry))
        return found


Run = dict[str, Any]
