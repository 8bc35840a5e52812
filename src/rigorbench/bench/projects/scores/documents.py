"""What scores are computed from: judgements and reviews on disk, and the runs of an experiment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from ....base.files import read_json
from ....judge.codereview.result import REVIEW_SCHEMA
from ....judge.judgement import JUDGEMENT_SCHEMA
from ....judge.problems.verdicts import Verdict
from ...experiment.conditions import counts, results_by_cell
from ...experiment.records import MANIFEST_SCHEMA
from ...experiment.store import MANIFEST, ExperimentError, load_manifest, load_results

_LARGEST_LINE = 64 << 20


class ScoresError(ValueError):
    """An input cannot be used. One line with the file, the line and the remedy."""


class JudgedSubmission(Struct, kw_only=True):
    """The verdict on one submission, from a ``rigor-judgement/1`` or an experiment's result."""

    problem: str
    verdict: Verdict
    score: float | None
    """Points out of `full`; None: the judge failed."""
    full: float
    started: float = 0.0
    """What submissions are ordered by, seconds."""
    run: str | None = None
    """One session of an agent on a problem."""
    setting: str | None = None
    counted: bool = True


class Reviewed(Struct, kw_only=True):
    """The score of a code review, and what it belongs to (see `JudgedSubmission`)."""

    problem: str
    score: float | None
    run: str | None = None
    setting: str | None = None


class Attempt(Struct, frozen=True):
    """A run that was made, whether or not it submitted anything."""

    setting: str
    run: str
    problem: str


class Documents(Struct):
    """All that was read."""

    judged: list[JudgedSubmission] = field(default_factory=list)
    reviewed: list[Reviewed] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    """Runs of experiments; one without a judgement submitted nothing, and counts 0."""
    planned: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was left out by design, one line each."""
    problems: list[str] = field(default_factory=list)
    """What cannot be read, one line each."""

    def __bool__(self) -> bool:
        return bool(self.judged or self.reviewed or self.attempts)


def read_paths(paths: Sequence[str]) -> Documents:
    """Judgements and reviews in files of JSON or JSON lines, in directories of them, and in experiments.

    The directory of a `rigor run` is read by its manifest and the results of its runs: a setting is a condition, and
    the files of submissions are no documents. Elsewhere a document without ``run`` gets the name of its file (several
    documents in it) or of its directory.
    """
    found = Documents()
    for path in _places(paths, found.problems):
        if path.is_dir():
            _read_experiment(path, found)
            continue
        try:
            documents = list(_documents(path.read_bytes(), path))
        except OSError as error:
            found.problems.append(f"{path}: {error.strerror}")
            continue
        except ScoresError as error:
            found.problems.append(str(error))
            continue
        default = path.stem if len(documents) > 1 or path.suffix == ".jsonl" else (path.parent.name or path.stem)
        for document in documents:
            if document.run is None:
                document.run = default
            if isinstance(document, JudgedSubmission):
                found.judged.append(document)
            else:
                found.reviewed.append(document)
    return found


def _places(paths: Sequence[str], problems: list[str]) -> Iterator[Path]:
    """Files of documents and directories of experiments; what is below an experiment is part of it."""
    for name in paths:
        path = Path(name)
        if not path.is_dir():
            if path.exists():
                yield path
            else:
                problems.append(f"{name}: no such file or directory")
            continue
        for root, folders, files in os.walk(path):
            folders.sort()
            manifest = read_json(Path(root) / MANIFEST, dict) if MANIFEST in files else None
            if manifest is not None and manifest.get("schema") == MANIFEST_SCHEMA:
                folders.clear()
                yield Path(root)
            else:
                yield from (Path(root) / file for file in sorted(files) if file.endswith((".json", ".jsonl")))


def _read_experiment(out: Path, found: Documents) -> None:
    try:
        manifest, results = load_manifest(out), load_results(out)
    except ExperimentError as error:
        found.problems.append(str(error))
        return
    done, _ = results_by_cell(manifest, results)
    projects = {r.cell.task for r in results if r.project is not None}
    projects |= {name for name, task in manifest.tasks.items() if task.facts.get("project") is not None}
    found.planned += [name for name in dict.fromkeys(c.task for c in manifest.cells) if name in projects]
    cells = [c for c in manifest.cells if c.task in projects]
    missing = sum(c.id not in done for c in cells)
    broken = sum(c.id in done and not counts(done[c.id]) for c in cells)
    if missing:
        found.notes.append(f"{out}: {missing} of {len(cells)} runs have no result yet")
    if broken:
        found.notes.append(f"{out}: {broken} of {len(cells)} runs broke, not by the agent's doing")
    if missing or broken:
        found.notes.append(f"{out}: those runs are left out; a problem without another run of a setting counts 0 there")
    if not cells:
        found.problems.append(f"{out}: an experiment without projects")
    for cell in cells:
        run = done.get(cell.id)
        if run is None or not counts(run):
            continue
        project = run.project
        setting, name = ", ".join((cell.agent, cell.harness, cell.model)), f"{manifest.id}/{cell.repeat}"
        found.attempts.append(Attempt(setting, name, cell.task))
        if project is None:
            continue
        for one in project.submissions:
            verdict: Verdict = msgspec.convert(one.verdict, Verdict) if one.verdict is not None else "judge_error"
            score = one.score if one.verdict is not None else None
            found.judged.append(
                JudgedSubmission(
                    problem=cell.task, verdict=verdict, score=score, full=one.full or 100.0, started=float(one.number),
                    run=name, setting=setting, counted=one.counted,
                )
            )  # fmt: skip
        found.reviewed.append(Reviewed(problem=cell.task, score=project.review, run=name, setting=setting))


def _documents(data: bytes, path: Path) -> Iterator[JudgedSubmission | Reviewed]:
    raw: list[tuple[int, Any]]
    try:
        whole = msgspec.json.decode(data)
        raw = [(1, one) for one in (whole if isinstance(whole, list) else [whole])]
    except (msgspec.DecodeError, RecursionError):
        raw = []
        for number, line in enumerate(data.splitlines(), 1):
            if not line.strip():
                continue
            try:
                raw.append((number, msgspec.json.decode(line[:_LARGEST_LINE])))
            except (msgspec.DecodeError, RecursionError) as error:
                raise ScoresError(f"{path}, line {number}: not JSON ({error}); expected {JUDGEMENT_SCHEMA}") from None
    types: dict[str, type[JudgedSubmission] | type[Reviewed]] = {
        JUDGEMENT_SCHEMA: JudgedSubmission,
        REVIEW_SCHEMA: Reviewed,
    }
    for number, one in raw:
        schema = one.get("schema") if isinstance(one, dict) else None
        if not isinstance(schema, str) or schema not in types:
            raise ScoresError(
                f"{path}, line {number}: schema {str(schema)[:40]!r}; expected {JUDGEMENT_SCHEMA} or {REVIEW_SCHEMA}"
            )
        try:
            yield msgspec.convert(one, types[schema])
        except msgspec.ValidationError as error:
            raise ScoresError(f"{path}, line {number}: {error}") from None
