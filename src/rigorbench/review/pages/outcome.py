"""What the formats for other tools say: the sessions of one call, and which of them fail."""

from __future__ import annotations

from pathlib import Path, PurePath
from urllib.parse import quote

from msgspec import Struct

from ..config import Gate
from ..review import Fired, Review
from ..reviewed import ReviewedSession
from . import words
from .proof import Brief, brief
from .title import titled


class Reported(Struct):
    """One reviewed session. ``source``: the log, as the user named it; ``title``: None: it has no request."""

    source: str
    title: str | None
    agent: str
    model: str | None
    review: Review
    findings: list[tuple[Fired, Brief]]
    """The checks that fired, without strengths."""
    failed: list[str]
    """Why the session fails; [] if it passes."""


class ScoredSessions(Struct):
    """All sessions of one call. ``problems``: one line for each input that could not be read."""

    sessions: list[Reported]
    problems: list[str]
    gate: Gate


def reported(session: ReviewedSession, gate: Gate) -> Reported:
    """What is told of one session."""
    header, review = session.score.trajectory, session.review
    events = {e.id: e for e in session.events}
    return Reported(
        source=header.source,
        title=titled(session.trajectory)[0],
        agent=words.agent(header),
        model=None if header.model is None else words.model(header.model),
        review=review,
        findings=[(f, brief(f, events)) for f in review.checks if f.severity != "strength"],
        failed=gate.reasons(review),
    )


def relative(path: str) -> str:
    """A path relative to the working directory with "/" if it is below it, else as it is."""
    given = Path(path)
    try:
        return PurePath(given.resolve().relative_to(Path.cwd().resolve())).as_posix()
    except (OSError, ValueError):
        return path


def uri(path: str) -> str:
    """The path as a URI reference: relative below the working directory, else absolute."""
    local = relative(path)
    if local == path and Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(local, safe="/-._~")
