"""The files of a run, read and checked: a file with a share outside [0, 1] or a negative count is damaged.

Of scores only what tables have, with as many optional members as possible: other versions may have written them.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field

from ....review.document import REVIEW_FILE, REVIEW_SCHEMA, ReviewDocument, decode_review
from ....review.result import PILLAR_TITLES, WEIGHTS
from ....review.result import SCHEMA as SCORE_SCHEMA
from ....review.review import Review
from ..records import RESULT_SCHEMA, Cell, RunResult
from ..store import RESULT, Unreadable, decode, read_file
from ..values import impossible

SCORE = "score.json"
INPUTS_SCHEMA = "rigor-report-inputs/1"
# Scores have six decimals; hand-made results may have three.
_ROUNDING = 0.002
Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=1 << 53)]


class SubMetricFile(Struct):
    value: Share | None = None
    status: str = "unscorable"
    method: str | None = None
    n: Count | None = None
    evidence: list[str] = field(default_factory=list)
    reason: str = ""
    readers: list[str] = field(default_factory=list)
    paper: float | None = None
    """By the letter of the paper, where that differs."""


class PillarFile(Struct):
    value: Share | None = None
    status: str = "unscorable"
    evidence_share: Share | None = None
    submetrics: dict[str, SubMetricFile] = field(default_factory=dict)

    def methods(self, name: str) -> dict[str, float]:
        """Method -> scored weight of the pillar ``name``."""
        weights = WEIGHTS[name][1] if name in WEIGHTS else {}
        found: dict[str, float] = {}
        for part, sub in self.submetrics.items():
            if sub.status == "scored" and sub.method is not None and part in weights:
                found[sub.method] = found.get(sub.method, 0.0) + weights[part]
        return found


class HeaderFile(Struct):
    complete: bool | None = None


class ScoreFile(Struct):
    schema: str
    trajectory: HeaderFile = field(default_factory=HeaderFile)
    rigor_score: Share | None = None
    evidence_share: Share | None = None
    pillars: dict[str, PillarFile] = field(default_factory=dict)
    extended: dict[str, SubMetricFile] = field(default_factory=dict)


class RunInput(Struct, frozen=True):
    """A run and the SHA-256 of its files; None: there is no such file."""

    run: str
    result: str | None = None
    score: str | None = None
    review: str | None = None


class ExperimentInput(Struct, frozen=True):
    """An experiment and the SHA-256 of its files. ``given``: of the file of given facts."""

    id: str
    manifest: str
    versions: dict[str, str] = field(default_factory=dict)
    runs: list[RunInput] = field(default_factory=list)
    given: str | None = None


class Inputs(Struct):
    """``inputs.json``: what a report was made from and how. ``files``: SHA-256 of each of its other files."""

    schema: str
    rigorbench: str = ""
    baseline: str | None = None
    formats: list[str] = field(default_factory=list)
    experiments: list[ExperimentInput] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    paper_exact: bool = False


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class RunFiles(Struct):
    """What the files of a run say, as far as they can be read; of a run that broke, the result alone."""

    digests: RunInput
    result: RunResult | None = None
    score: ScoreFile | None = None
    review: Review | None = None
    problem: str = ""
    """Why nothing of the run can be believed, with the file: it is damaged, or says what cannot be."""
    no_score: str = ""
    """Why there is no score, such as "score.json is missing"."""
    no_review: str = ""
    """What is wrong with the file of the review; empty where there is none."""


def read_run(directory: Path, cell: Cell) -> RunFiles:
    found = RunFiles(RunInput(cell.id))
    try:
        data = read_file(directory / RESULT)
        if data is None:
            return found
        found.digests = RunInput(cell.id, digest(data))
        found.result = result = decode(data, RunResult, RESULT_SCHEMA)
    except Unreadable as error:
        found.problem = f"{directory / RESULT}: {error}"
        return found
    scored = reviewed = None
    if result.status != "error":
        try:
            scored = read_file(directory / SCORE)
            found.score = None if scored is None else decode(scored, ScoreFile, SCORE_SCHEMA)
            found.no_score = f"{SCORE} is missing" if scored is None else ""
        except Unreadable as error:
            found.problem = f"{directory}: {SCORE} is {error}"
            found.no_score = f"{SCORE} is {'of another version' if str(error).startswith('schema') else 'damaged'}"
        try:
            reviewed = read_file(directory / REVIEW_FILE)
            found.review = None if reviewed is None else _review(reviewed)
        except Unreadable as error:
            found.no_review = f"{directory / REVIEW_FILE}: {error}"
    digests = (None if part is None else digest(part) for part in (data, scored, reviewed))
    found.digests = RunInput(cell.id, *digests)
    wrong = contradiction(cell, result, found.score)
    if wrong is not None and not found.problem:
        found.problem = f"{directory / RESULT}: {wrong}"
    return found


def _review(data: bytes) -> Review:
    review = decode_review(data)
    if review is None:
        review = decode(data, ReviewDocument, REVIEW_SCHEMA).review
    grades = [review.overall, *(grade.value for grade in review.grades.values())]
    if not all(0 <= value <= 100 for value in grades if value is not None):
        raise Unreadable("damaged (a grade that is not of 100)")
    return review


def contradiction(cell: Cell, result: RunResult, score: ScoreFile | None) -> str | None:
    """Why a result cannot be right: another run's, impossible figures, or such as do not fit; None: it can."""
    if result.cell != cell:
        return "is the result of another run"
    if (name := impossible(result)) is not None:
        return f"has a number that is impossible for {name}"
    if score is not None and result.status != "error":
        for name, mine, theirs in (
            ("rigor_score", result.rigor_score, score.rigor_score),
            *((p, result.pillars.get(p), score.pillars[p].value) for p in PILLAR_TITLES if p in score.pillars),
        ):
            if (mine is None) != (theirs is None) or (mine is not None and theirs is not None and _far(mine, theirs)):
                return f"has {name} {_shown(mine)}, but its score.json has {_shown(theirs)}"
    if result.rigor_score is not None:
        known = [
            (WEIGHTS[p][0], v)
            for p, v in result.pillars.items()
            if p in WEIGHTS and v is not None and result.pillar_status.get(p, "scored") == "scored"
        ]
        total = sum(w for w, _ in known)
        follows = sum(w * v for w, v in known) / total if total else None
        if follows is not None and _far(result.rigor_score, follows):
            return f"has rigor_score {_shown(result.rigor_score)}, but its pillars give {_shown(follows)}"
    outcome = result.outcome
    if outcome is not None and outcome.tests and outcome.pass_rate is not None:
        share = sum(t.outcome == "passed" for t in outcome.tests) / len(outcome.tests)
        if _far(outcome.pass_rate, share):
            return f"has pass_rate {_shown(outcome.pass_rate)}, but its tests give {_shown(share)}"
    if outcome is None or outcome.score is None:
        return None
    gain = [t.outcome == "passed" for t in outcome.tests if t.at_start is False]
    passed = sum(gain) / len(gain) if gain else outcome.fail_to_pass
    if passed is not None and (outcome.fail_to_pass is None or _far(outcome.fail_to_pass, passed)):
        return f"has fail_to_pass {_shown(outcome.fail_to_pass)}, but its tests give {_shown(passed)}"
    follows = outcome.worth()
    if follows is not None and _far(outcome.score, follows):
        return f"has the Outcome score {_shown(outcome.score)}, but its parts give {_shown(follows)}"
    return None


def _far(one: float, other: float) -> bool:
    return abs(one - other) > _ROUNDING


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"
