"""The library: ``read`` and ``read_all`` logs, ``extract`` the evidence, ``score`` and ``reward`` trajectories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .evidence.facts import Evidence
    from .metrics.reward.model import Reward
    from .reader.ask import Readers, ReaderSpec
    from .review.score import ReviewedSession
    from .tasks.task import Task
    from .trajectory.logfile import LogError
    from .trajectory.model import Trajectory


def read(path: str | PathLike[str]) -> list[Trajectory]:
    """The sessions of one log (a file, or a directory that is one log), whatever agent wrote it.

    Raises:
        rigorbench.trajectory.logfile.LogError: the log is empty, has no known format, or contains no session.
    """
    from .trajectory.registry import read_path

    return read_path(path)


def read_all(
    paths: Iterable[str | PathLike[str]], *, on_error: Callable[[LogError], object] | None = None
) -> Iterator[Trajectory]:
    """The sessions of all logs below files, directories and globs, in a stable order; the logs are read as one asks.

    Args:
        paths: as `rigor score` takes them.
        on_error: called for each log that cannot be read; None: it is left out, as a file of no known format is.
    """
    from .trajectory.logfile import LogError
    from .trajectory.registry import discover, read_log

    for log in discover(fspath(path) for path in paths):
        try:
            if isinstance(log, LogError):
                raise log
            yield from read_log(log)
        except LogError as error:
            if on_error is not None:
                on_error(error)


def extract(trajectory: Trajectory) -> Evidence:
    """The evidence events of a trajectory, and the facts behind them."""
    from .evidence.walk.extract import extract as walk

    return walk(trajectory)


def score(
    trajectory: Trajectory,
    *,
    task: Task | str | PathLike[str] | None = None,
    reader: ReaderSpec | str | None = None,
) -> ReviewedSession:
    """Review one trajectory, and score it by the paper's measure.

    Args:
        trajectory: one of :func:`read`'s.
        task: a task (or the path of its file): requirements, commands, and whether it can be done.
        reader: who is asked to read it, as for `rigor score --reader`; None: nobody, and there are no grades. Why an
            answer is missing is in ``unread`` of what is returned.
    """
    from .review.score import score_and_review

    return score_and_review(trajectory, task=_task(task), reader=_readers(reader))


def reward(
    trajectory: Trajectory,
    *,
    task: Task | str | PathLike[str] | None = None,
    of: str = "score",
    reader: ReaderSpec | str | None = None,
) -> Reward:
    """The RigorScore of one trajectory, or a pillar of it, divided among its steps; the credits sum to it exactly.

    Args:
        trajectory: one of :func:`read`'s.
        task: as for :func:`score`.
        of: what is divided: "score" for the RigorScore, or the name of a pillar ("VC").
        reader: as for :func:`score`, asked only about sessions with a task or a replay, of which points are to be
            judged. Where an answer is missing there is no reward.

    Raises:
        ValueError: ``of`` is none of them.
    """
    from .metrics.reward.share import share_score
    from .metrics.score import open_session, points_of, score_evidence, with_reading
    from .review.reading import prove

    session = open_session(trajectory, task=_task(task))
    readers, points, failed = _readers(reader), points_of(session), list[str]()
    if readers is not None and points is not None and session.why_no_answer is None:
        asked = readers.read(session.evidence, points)
        session, failed = with_reading(session, prove(asked, session)), asked.failed
    return share_score(session, score_evidence(session).score, of, unread="; ".join(failed))


def _task(task: Task | str | PathLike[str] | None) -> Task | None:
    from .tasks.task import Task, load_task

    return task if task is None or isinstance(task, Task) else load_task(Path(fspath(task)))


def _path(name: str | PathLike[str] | None) -> Path | None:
    return Path(fspath(name)) if name is not None else None


def _readers(reader: ReaderSpec | str | None) -> Readers | None:
    from .reader.ask import ReaderSpec

    if reader is None:
        return None
    return (ReaderSpec(tuple(reader.split(","))) if isinstance(reader, str) else reader).open()
