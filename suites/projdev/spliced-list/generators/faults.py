# rigorbench-canary a25b6a18-b249-4263-8654-8ba6031f129a
"""Writes faulty submissions, each as the reference with one fault, and submissions.yaml, which states in which groups
each of them fails."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SUBMISSIONS = Path(__file__).resolve().parent.parent / "submissions"
SHORT = {
    "wrong_answer": "WA",
    "time_limit_exceeded": "TLE",
    "memory_limit_exceeded": "MLE",
    "run_time_error": "RE",
    "memory_leak": "ML",
    "invalid_access": "IA",
    "uninitialised_read": "UR",
}


@dataclass(frozen=True)
class Fault:
    """A faulty submission.

    Attributes:
        name: label and name, for example ``wrong_answer/any-owner``.
        why: what is wrong, a sentence.
        changes: places of the reference and what replaces them.
        groups: the verdicts of the groups in which it fails, for example ``{"4-cost": "WA", "6-volume": "TLE"}``; with AC it may also pass.
    """

    name: str
    why: str
    changes: Sequence[tuple[str, str]]
    groups: Mapping[str, str] = field(default_factory=dict)


def write(reference: str, header: str, faults: Sequence[Fault], twins: Mapping[str, str]) -> None:
    """Write them all. `twins`: the group that each group repeats, or "" for none, in order; the first is built on."""
    # The first two lines are the canary and what it is; a fault says what is wrong with it instead.
    canary, _, base = (SUBMISSIONS / "accepted" / reference / header).read_text().split("\n", 2)
    for label in {fault.name.split("/")[0] for fault in faults}:
        shutil.rmtree(SUBMISSIONS / label, ignore_errors=True)
    rules = [f"accepted/{reference}: {{model_solution: true}}"]
    verdicts: dict[str, set[str]] = {}
    for fault in faults:
        text = base
        for old, new in fault.changes:
            if old not in text:
                raise SystemExit(f"{fault.name}: the reference has no such place: {old}")
            text = text.replace(old, new)
        place = SUBMISSIONS / fault.name
        place.mkdir(parents=True)
        (place / header).write_text(f"{canary}\n// {fault.why}\n{text}")
        if fault.groups:
            verdicts.setdefault(fault.name.split("/")[0], set()).update(" ".join(fault.groups.values()).split())
            rules += [f"{fault.name}:", *_group_rules(fault, twins)]
    for label, found in verdicts.items():
        rules.append(
            f"{label}: {{permitted: [{', '.join(['AC', *sorted(found - {'AC'})])}], required: [{SHORT.get(label) or ', '.join(sorted(found - {'AC'}))}]}}"
        )
    start = [canary.replace("//", "#"), "# Written by generators/mutants.py."]
    (SUBMISSIONS / "submissions.yaml").write_text("\n".join(start + rules) + "\n")


def _group_rules(fault: Fault, twins: Mapping[str, str]) -> list[str]:
    first = next(iter(twins))
    rules = []
    for group, twin_of in twins.items():
        if (first in fault.groups and group != first) or twin_of in fault.groups:
            continue  # it is skipped
        wrong = fault.groups.get(group, "").split()
        rule = f"permitted: [{', '.join(dict.fromkeys(['AC', *wrong]))}]"
        if wrong and "AC" not in wrong:
            rule += f", required: [{', '.join(wrong)}]"
        rules.append(f"  secret/{group}/*: {{{rule}}}")
    return rules
