"""What an experiment was: budget, sandbox, subjects with versions, calls and machine, as its first page tells it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from ...experiment.compare import Comparison
from ...experiment.model import Manifest, Subject
from ..text import experiment as say
from ..text import words


def size(comparison: Comparison) -> str:
    """ "18 of 20 runs": those that count, of those planned."""
    return f"{words.count(comparison.counted)} of {words.plural(comparison.planned, 'run')}"


def facts(manifest: Manifest, comparison: Comparison) -> list[tuple[str, str]]:
    """(name, value) of what holds for all runs; what is not known is left out."""
    budget = manifest.budget
    tokens = "no token limit" if budget.tokens is None else f"{words.tokens(budget.tokens)} tokens ({budget.metering})"
    found = [
        ("Experiment", manifest.id),
        ("Started", words.moment(manifest.created)),
        ("Runs counted", size(comparison)),
        ("Tasks", words.count(len(manifest.tasks) or len({c.task for c in manifest.cells}))),
        ("Budget of a run", f"{words.duration(budget.seconds)}, {tokens}"),
        ("Sandbox", manifest.sandbox),
    ]
    return [(name, value) for name, value in found if value]


def call(entry: Mapping[str, Any]) -> tuple[str, str, str]:
    """(moment, command line, what it added) of a later call."""
    time, command, added = entry.get("time"), entry.get("command"), entry.get("added")
    return (
        words.moment(time) if isinstance(time, int | float) else "",
        shlex.join(map(str, command)) if isinstance(command, list) else "",
        f"added {words.plural(len(added), 'run')}" if isinstance(added, list) else "",
    )


def subjects(manifest: Manifest, scripted: set[str]) -> list[tuple[str, list[tuple[str, Subject, str]]]]:
    """(kind, [(name, subject, facts)]) of everything the experiment names."""
    found: list[tuple[str, list[tuple[str, Subject, str]]]] = []
    models = {n: s for n, s in manifest.models.items() if n not in scripted}
    policies = {say.policy(n): s for n, s in manifest.models.items() if n in scripted}
    for kind, subjects in (
        ("Tasks", manifest.tasks),
        ("Agents", manifest.agents),
        ("Harnesses", manifest.harnesses),
        ("Models", models),
        ("Scripted policies", policies),
    ):
        if subjects:
            found.append((kind, [(name, s, _subject_facts(s)) for name, s in subjects.items()]))
    return found


def _subject_facts(subject: Subject) -> str:
    return ", ".join(
        f"{k} {plain(v)}" for k, v in subject.facts.items() if isinstance(v, str | int | float) and v != ""
    )


def memory(value: Any) -> str:
    """Bytes in GiB."""
    return f"{value / (1 << 30):.1f} GiB" if isinstance(value, int) else plain(value)


def plain(value: Any) -> str:
    """A value of the manifest as text; "" where it is not known."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
