"""The input of a report: the runs of one or several experiments, their evidence shares, and digests of all files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field, structs

from ....base.errors import GivenError
from ....base.strict import DocumentError, read_toml
from ....review.review import Review
from ...experiment.manifest import differences, shortened
from ...experiment.records import Cell, Manifest, RunResult, Subject
from ...experiment.results.files import (
    ExperimentInput,
    PillarFile,
    RunInput,
    SubMetricFile,
    digest,
    read_run,
)
from ...experiment.store import MANIFEST, ExperimentDirectory, load_manifest, read_file
from ...rigorscore.paper_exact import letter_scores

GIVEN_FACTS = "facts.toml"


class NotComparable(GivenError):
    """Experiments that may not be in one table. One line that says how they differ."""


class Gathered(Struct):
    """What was read, by cell id but for ``results`` and ``experiments``.

    ``no_evidence``: why a run has neither scores nor sub-metrics. ``paper_exact``:
    whether scores and pillars of the results are by the letter of the paper; ``submetrics`` always has both values.
    """

    manifest: Manifest
    results: list[RunResult] = []
    scores: dict[str, dict[str, PillarFile]] = {}
    submetrics: dict[str, dict[str, SubMetricFile]] = {}
    no_evidence: dict[str, str] = {}
    reviews: dict[str, Review] = {}
    experiments: list[ExperimentInput] = []
    damaged: list[str] = []
    """One line for each run whose files are damaged, impossible or contradict each other; the tables rest on what can
    be read of them, ``rigor query`` and the leaderboard leave them out."""
    paper_exact: bool = False


def gather(outs: Sequence[Path], *, paper_exact: bool = False) -> Gathered:
    """Read experiments, and merge them where there are several.

    ``paper_exact``: compute scores and pillars again, by the letter of the paper.

    Raises: ExperimentError, GivenFactsError, NotComparable.
    """
    manifests = [with_given_facts(load_manifest(out), out) for out in outs]
    for n, second in enumerate(manifests[1:], 1):
        for m, first in enumerate(manifests[:n]):
            if first.id == second.id:
                raise NotComparable(
                    f"{outs[m]} and {outs[n]} are the same experiment ({first.id}): its runs would be counted twice; "
                    "give only one of them"
                )
        differing = list(_differences(manifests[0], second))
        if differing:
            raise NotComparable(
                f"{outs[0]} and {outs[n]} cannot be merged: {'; '.join(differing)}; `rigor leaderboard` shows them "
                "side by side"
            )
    found = Gathered(manifests[0])
    cells: dict[Cell, None] = {}
    for out, manifest in zip(outs, manifests, strict=True):
        _add(found, out, manifest, cells)
    if len(manifests) > 1:
        first = manifests[0]
        found.manifest = structs.replace(
            first,
            id=" + ".join(m.id for m in manifests),
            created=min(m.created for m in manifests),
            cells=list(cells),
            **{
                part: {name: s for m in reversed(manifests) for name, s in getattr(m, part).items()}
                for part in ("tasks", "agents", "harnesses", "models")
            },
            scripted=sorted({name for m in manifests for name in m.scripted}),
            suite_facts=next((m.suite_facts for m in manifests if m.suite_facts), {}),
            history=[entry for m in manifests for entry in m.history]
            + [{"time": m.created, "command": m.command, "added": [c.id for c in m.cells]} for m in manifests[1:]],
        )
    if paper_exact:
        found.paper_exact = True
        found.results = [_by_the_letter(result, found.submetrics.get(result.cell.id)) for result in found.results]
    return found


def _by_the_letter(result: RunResult, submetrics: dict[str, SubMetricFile] | None) -> RunResult:
    if submetrics is None:
        return result
    score, pillars = letter_scores(submetrics)
    status = {n: "scored" if v is not None else result.pillar_status.get(n, "unscorable") for n, v in pillars.items()}
    return structs.replace(result, rigor_score=score, pillars=pillars, pillar_status=status)


def _add(found: Gathered, out: Path, manifest: Manifest, cells: dict[Cell, None]) -> None:
    """Add one experiment. A repeat that another experiment already has gets the next number."""
    inputs: list[RunInput] = []
    directory = ExperimentDirectory(out)
    for cell in manifest.cells:
        place = cell
        while place in cells:
            place = structs.replace(place, repeat=place.repeat + 1)
        cells[place] = None
        files = read_run(directory.run(cell), cell)
        inputs.append(files.digests)
        found.damaged += [files.problem] if files.problem else []
        result = files.result
        if result is None:
            continue
        # A result of another cell keeps that: the comparison lists it as not planned.
        if result.cell == cell and place != cell:
            result = structs.replace(result, cell=place)
        found.results.append(result)
        run = result.cell.id
        if files.score is None:
            found.no_evidence[run] = files.no_score
        else:
            pillars = found.scores[run] = files.score.pillars
            found.submetrics[run] = {
                name: sub for pillar in pillars.values() for name, sub in pillar.submetrics.items()
            }
        if files.review is not None:
            found.reviews[run] = files.review
    given = read_file(out / GIVEN_FACTS)
    found.experiments.append(
        ExperimentInput(
            manifest.id,
            digest((out / MANIFEST).read_bytes()),
            manifest.versions,
            inputs,
            None if given is None else digest(given),
        )
    )


def _differences(first: Manifest, second: Manifest) -> Iterator[str]:
    """What differs but must be the same for runs in one table: one phrase each."""
    digests = [m.suite_facts.get("digest") for m in (first, second)]
    versions = [m.versions.get("rigorbench") for m in (first, second)]
    for kind, what, before, now in (
        ("condition", "content of the suite", *(digests if None not in digests else (None, None))),
        ("condition", "rigorbench", *versions),
        *differences(first, second),
    ):
        if kind == "part":
            yield f"{what} for {shortened(now)}"
        elif kind == "version":
            yield f"{what} of version {before or 'unknown'} and {now or 'unknown'}"
        elif before != now:
            yield f"{what}{' of content' * (kind == 'content')} {shortened(before)} and {shortened(now)}"


# -- facts that were given


class GivenFactsError(GivenError):
    """The file cannot be used. One line that names it and the key."""


class ModelFacts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Of a model: whether its weights can be had, and since when it is there (a date)."""

    weights: Literal["open", "closed", ""] = ""
    released: Annotated[str, Meta(pattern=r"^(\d{4}(-\d\d){0,2})?$")] = ""


class Human(Struct, frozen=True, forbid_unknown_fields=True):
    """What people made of a task: mean minutes, share that solved it, how many tried, and where this is from."""

    minutes: Annotated[float, Meta(ge=0)] | None = None
    solved: Annotated[float, Meta(ge=0, le=1)] | None = None
    people: Annotated[int, Meta(ge=1)] | None = None
    source: str = ""


class TaskFacts(Struct, frozen=True, forbid_unknown_fields=True):
    human: Human


class _GivenFacts(Struct, forbid_unknown_fields=True):
    """Facts that no run can record, which the owner of an experiment states in ``OUT/facts.toml``.

    [models."acme/large"]
    weights = "open"            # or "closed"
    released = "2026-03-01"

    [tasks.house-tab.human]
    minutes = 25                # of people who solved it, on average
    solved = 0.9                # share of the people who tried
    people = 10
    source = "our own study"
    """

    models: dict[str, ModelFacts] = field(default_factory=dict)
    tasks: dict[str, TaskFacts] = field(default_factory=dict)


def with_given_facts(manifest: Manifest, out: Path) -> Manifest:
    """The manifest with what the file says in the facts of its models and tasks; without a file as it is.

    Raises:
        GivenFactsError: the file is damaged, or names a model or task that the experiment does not have.
    """
    path = out / GIVEN_FACTS
    if not path.exists():
        return manifest
    try:
        found = msgspec.convert(read_toml(path), _GivenFacts)
    except DocumentError as error:
        raise GivenFactsError(str(error)) from None
    except msgspec.ValidationError as error:
        raise GivenFactsError(f"{path}: {error}") from None
    return structs.replace(
        manifest,
        models=_merged(path, "model", manifest.models, {n: msgspec.to_builtins(f) for n, f in found.models.items()}),
        tasks=_merged(path, "task", manifest.tasks, {n: msgspec.to_builtins(f) for n, f in found.tasks.items()}),
    )


def _merged(
    path: Path, kind: str, subjects: dict[str, Subject], given: dict[str, dict[str, object]]
) -> dict[str, Subject]:
    unknown = next((name for name in given if name not in subjects), None)
    if unknown is not None:
        raise GivenFactsError(
            f"{path}: the experiment has no {kind} {unknown}; it has: {', '.join(subjects) or 'none'}"
        )
    return {n: structs.replace(s, facts={**s.facts, **given[n]}) if n in given else s for n, s in subjects.items()}
