"""What a run on a project submitted, as it is kept in the run's directory."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SUBMISSIONS = "submissions"
INDEX, FILES, HISTORY, JUDGEMENT = "index.json", "files", "history.git", "judgement.json"


class Submitted(Struct):
    """An entry of ``submissions/index.json``. Its files are beside the index in ``<number>/``: ``files``,
    ``history.git`` and ``judgement.json``.
    """

    number: int
    created: float
    language: str
    kind: Literal["file", "tree", "revision"]
    counted: bool
    """It used up one submission of the budget."""
    digest: str
    verdict: str | None = None
    score: float | None = None
    full: float | None = None
    revision: str | None = None
    history: bool = False
    judgement: str | None = None
    """Its file, relative to ``submissions``; None: there is none, for the ``reason``."""
    reason: str | None = None


class HintGiven(Struct):
    """A hint that a run asked for; ``asked`` and ``answered``: epoch seconds (see `HintFact`)."""

    asked: float
    answered: float | None
    group: str | None
    question: str | None
    source: Literal["package", "person"]
    text: str | None


class SubmissionIndex(Struct):
    """``submissions/index.json`` of a run."""

    problem: str
    package: str
    budget: int | None
    waited: bool
    """Every submission has its verdict."""
    submitted: list[Submitted]
    hints: list[HintGiven] = []  # msgspec copies it
    """In the order in which the run asked for them."""
