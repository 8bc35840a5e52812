"""The library: ``read`` and ``read_all`` logs, ``extract`` the evidence, ``score`` and ``reward`` trajectories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bench.rigorscore.reward.reward import Reward
    from .evidence.facts import Evidence
    from .review.reader.ask import Readers, ReaderSpec
    from .review.reader.reading import Reading
    from .review.reviewed import ReviewedSession
    from .session.logfile import LogError
    from .session.model import Trajectory
    from .session.task import Task


def read(path: str | PathLike[str]) -> list[Trajectory]:
    """The sessions of one log (a file, or a directory that is one log), whatever agent wrote it.

    Raises:
        rigorbench.session.logfile.LogError: the log is empty, has no known format, or contains no session.
    """
    from .session.registry import read_path

    return read_path(path)


def read_all(
    paths: Iterable[str | PathLike[str]], *, on_error: Callable[[LogError], object] | None = None
) -> Iterator[Trajectory]:
    """The sessions of all logs below files, directories and globs, in a stable order; the logs are read as one asks.

    Args:
        paths: as `rigor score` takes them.
        on_error: called for each log that cannot be read; None: it is left out, as a file of no known format is.
    """
    from .session import index
    from .session.logfile import LogError
    from .session.registry import discover, read_log

    if isinstance(paths, str):
        raise TypeError(f"paths is a list of paths, not one: read_all([{paths!r}])")
    index.forget()
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
    from .bench.rigorscore.reviewing import score_and_review

    return score_and_review(trajectory, task=_task(task), reader=_readers(reader))


def reward(
    trajectory: Trajectory,
    *,
    task: Task | str | PathLike[str] | None = None,
    of: str | None = None,
    reader: ReaderSpec | str | None = None,
    reading: Reading | None = None,
) -> Reward:
    """The overall grade of one trajectory, or its RigorScore, divided among its steps; the credits sum to it exactly.

    Args:
        trajectory: one of :func:`read`'s.
        task: as for :func:`score`.
        of: what is divided: "review" for the overall grade, "score" for the RigorScore, or the name of a grade
            ("verification") or of a pillar ("VC"). Default: the RigorScore with a task or of a recorded run,
            else the overall grade.
        reader: as for :func:`score`; without it, or a ``reading``, there are no grades to divide.
        reading: what a reader said of the session, in the place of asking one.

    Raises:
        ValueError: ``of`` is none of them.
    """
    from .bench.rigorscore.reward.rewarding import reward_session
    from .bench.rigorscore.score import open_session, points_of, with_reading
    from .review.reading import prove

    session = open_session(trajectory, task=_task(task))
    readers, failed = _readers(reader), list[str]()
    if reading is None and readers is not None and session.why_no_answer is None:
        asked = readers.read(session.evidence, points_of(session))
        reading, failed = prove(asked, session), asked.failed
    session = with_reading(session, reading)
    found = reward_session(session, of=of, reading=reading)
    if found.total is None and failed:
        found.reason = "; ".join(failed)
    return found


def _task(task: Task | str | PathLike[str] | None) -> Task | None:
    from .session.task import Task, load_task

    return task if task is None or isinstance(task, Task) else load_task(Path(fspath(task)))


def _readers(reader: ReaderSpec | str | None) -> Readers | None:
    from .review.reader.ask import ReaderSpec

    if reader is None:
        return None
    return (ReaderSpec(tuple(reader.split(","))) if isinstance(reader, str) else reader).open()
