"""The setup of an experiment: budget, sandbox, subjects with versions, calls and machine."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ...experiment.compare import Comparison
from ...experiment.model import Manifest, Subject
from ..text import experiment as say
from ..text import words


class CallView(Struct):
    """A call of `rigor run`: when, its command line, and what it added."""

    when: str
    command: str
    added: str


class SubjectRow(Struct):
    """A task, agent, harness, model or policy; ``facts``: what else the manifest says of it."""

    name: str
    version: str | None
    digest: str
    licence: str | None
    facts: str


class SubjectKind(Struct):
    """All subjects of a kind."""

    kind: str
    subjects: list[SubjectRow]


def size(comparison: Comparison) -> str:
    """ "18 of 20 runs": those that count, of those planned."""
    return f"{words.count(comparison.counted)} of {words.plural(comparison.planned, 'run')}"


def facts(manifest: Manifest, comparison: Comparison) -> list[tuple[str, str]]:
    """(name, value) of what applies to all runs, as far as it is known."""
    budget = manifest.budget
    tokens = "no token limit" if budget.tokens is None else f"{words.tokens(budget.tokens)} tokens ({budget.metering})"
    cost = "" if budget.context is None else f", {words.tokens(budget.context)} tokens in one request"
    cost += "" if budget.cost is None else f", ${budget.cost:g}"
    found = [
        ("Experiment", manifest.id),
        ("Started", words.moment(manifest.created)),
        ("Runs counted", size(comparison)),
        ("Tasks", words.count(len(manifest.tasks) or len({c.task for c in manifest.cells}))),
        ("Budget of a run", f"{words.duration(budget.seconds)}, {tokens}" + cost),
        ("Model options", ", ".join(f"{name} {value}" for name, value in manifest.generation.items())),
        ("Sandbox", manifest.sandbox),
    ]
    return [(name, value) for name, value in found if value]


def call(entry: Mapping[str, Any]) -> CallView:
    """A later call, from the history of the manifest."""
    time, command, added = entry.get("time"), entry.get("command"), entry.get("added")
    return CallView(
        words.moment(time) if isinstance(time, int | float) else "",
        shlex.join(map(str, command)) if isinstance(command, list) else "",
        f"added {words.plural(len(added), 'run')}" if isinstance(added, list) else "",
    )


def subjects(manifest: Manifest, scripted: set[str]) -> list[SubjectKind]:
    """Everything that the experiment names, by kind."""
    kinds = {
        "Tasks": manifest.tasks,
        "Agents": manifest.agents,
        "Harnesses": manifest.harnesses,
        "Models": {n: s for n, s in manifest.models.items() if n not in scripted},
        "Scripted policies": {say.policy(n): s for n, s in manifest.models.items() if n in scripted},
    }
    return [
        SubjectKind(
            kind, [SubjectRow(n, s.version, s.digest or "", s.licence, _subject_facts(s)) for n, s in named.items()]
        )
        for kind, named in kinds.items()
        if named
    ]


def _subject_facts(subject: Subject) -> str:
    return ", ".join(
        f"{k} {say.lead(plain(v)) if k == 'title' else plain(v)}"
        for k, v in subject.facts.items()
        if isinstance(v, str | int | float) and v != ""
    )


def memory(value: Any) -> str:
    """Bytes in GiB."""
    return f"{value / (1 << 30):.1f} GiB" if isinstance(value, int) else plain(value)


def plain(value: Any) -> str:
    """A value of the manifest as text; "" where it is not known."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
