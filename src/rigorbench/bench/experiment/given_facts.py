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

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from ...base.errors import GivenError
from ...base.strict import DocumentError, read_toml
from .records import Manifest, Subject

FILE = "facts.toml"


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


class _File(Struct, forbid_unknown_fields=True):
    models: dict[str, ModelFacts] = field(default_factory=dict)
    tasks: dict[str, TaskFacts] = field(default_factory=dict)


def with_given_facts(manifest: Manifest, out: Path) -> Manifest:
    """The manifest with what the file says in the facts of its models and tasks; without a file as it is.

    Raises:
        GivenFactsError: the file is damaged, or names a model or task that the experiment does not have.
    """
    path = out / FILE
    if not path.exists():
        return manifest
    try:
        found = msgspec.convert(read_toml(path), _File)
    except DocumentError as error:
        raise GivenFactsError(str(error)) from None
    except msgspec.ValidationError as error:
        raise GivenFactsError(f"{path}: {error}") from None
    return replace(
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
    return {n: replace(s, facts={**s.facts, **given[n]}) if n in given else s for n, s in subjects.items()}
