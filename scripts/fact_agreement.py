"""Agreement of the review's checks and observations with the facts of a reader: ``agreement.py DIR --facts``.

Session by session, with the facts of the third reader of ``DIR`` (ratings/f/); facts that are null are left out. Last
comes what is below the aims of the specification. The readers are language models of one family, not people.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rigorbench.evidence.walk.extract import extract
from rigorbench.review import observations
from rigorbench.review.catalogue import all_checks
from rigorbench.review.grades import review_session
from rigorbench.review.review import Review
from rigorbench.review.session import Session
from rigorbench.review.work import Work
from rigorbench.session.model import Trajectory

# Fact -> the checks that say it, or the observation (lower case) that does.
FACTS: dict[str, tuple[str, ...]] = {
    "plan_before_first_edit": ("plan_before_edit",),
    "callers_or_tests_read_before_edit": ("P-callers",),
    "reproduced_before_fix": ("P-reproduced",),
    "red_then_green": ("V-red-green",),
    "existing_tests_run_after_last_source_edit": ("existing_tests_after_last_edit",),
    "full_suite_or_package_suite_after_last_source_edit": ("broad_test_after_last_edit",),
    "new_or_updated_tests": ("tests_added",),
    "tests_weakened_or_removed": ("R-bent-tests",),
    "ended_or_committed_on_red": ("V-ended-on-red",),
    "failure_attributed_by_baseline": ("R-baseline",),
    "loop_without_diagnosis": ("R-loop",),
    "claim_contradicted": ("H-claim-contradicted",),
    "prohibition_broken": ("I-prohibited",),
    "leftovers": ("I-leftovers",),
    "self_review": ("I-own-diff",),
}
# Least precision of a flag, and of any other check.
FLAG, OTHER = 0.95, 0.85


class Rated:
    """One session: its review, and the facts and the size of the work by a reader."""

    def __init__(self, directory: Path, label: dict[str, Any], trajectory: Trajectory) -> None:
        session = Session(extract(trajectory))
        self.name: str = label["file"]
        self.review: Review = review_session(session)
        self.work = Work(session)
        reader = json.loads((directory / "ratings" / "f" / f"{self.name}.json").read_text())
        self.facts: dict[str, bool | None] = reader["facts"]
        self.size: str = reader["size_of_work"]

    def says(self, names: Sequence[str]) -> bool:
        fired = {c.id for c in self.review.checks}
        return any(n in fired if n[0].isupper() else getattr(observations, n)(self.work) for n in names)


def facts(sessions: Sequence[Rated]) -> dict[str, Any]:
    """Per fact: how often check and reader agree, and precision and recall of the check."""
    result: dict[str, Any] = {}
    for fact, names in FACTS.items():
        known = [(s, bool(s.facts[fact])) for s in sessions if s.facts.get(fact) is not None]
        said = [(s.name, s.says(names), true) for s, true in known]
        both = sum(a and b for _, a, b in said)
        ours, theirs = sum(a for _, a, _ in said), sum(b for _, _, b in said)
        result[fact] = {
            "by": list(names),
            "n": len(said),
            "reader": theirs,
            "rigor": ours,
            "both": both,
            "precision": both / ours if ours else None,
            "recall": both / theirs if theirs else None,
            "wrong": [n for n, a, b in said if a and not b],
            "missed": [n for n, a, b in said if b and not a],
        }
    return result


def unrated(sessions: Sequence[Rated]) -> dict[str, int]:
    """Checks that no fact of the readers decides, with the number of sessions in which they fired."""
    told = {name for names in FACTS.values() for name in names}
    return {i: sum(any(c.id == i for c in s.review.checks) for s in sessions) for i in all_checks() if i not in told}


def not_reached(facts: dict[str, Any]) -> list[str]:
    """What is below the aims of the specification, a line each."""
    lines = []
    for fact, f in facts.items():
        checks = [all_checks()[n] for n in f["by"] if n in all_checks()]
        if len(checks) < len([n for n in f["by"] if n[0].isupper()]):
            lines.append(f"{fact}: there is no check {', '.join(f['by'])}")
        elif checks:
            aim = FLAG if any(c.severity == "flag" for c in checks) else OTHER
            if f["precision"] is None:
                lines.append(f"{fact}: never fired, readers say {f['reader']}; its precision is unknown")
            elif f["precision"] < aim:
                lines.append(f"{fact}: precision {f['both']} of {f['rigor']}, aim {aim:.2f}")
            if aim == FLAG and (f["recall"] or 0) < 0.5:
                lines.append(f"{fact}: recall {f['both']} of {f['reader']}, aim 0.50")
    return lines


def document(directory: Path, labelled: Iterable[tuple[dict[str, Any], Trajectory]]) -> dict[str, Any]:
    sessions = [Rated(directory, label, trajectory) for label, trajectory in labelled]
    known = [s for s in sessions if s.review.size is not None]
    found = facts(sessions)
    return {
        "sessions": len(sessions),
        "facts": found,
        "unrated": unrated(sessions),
        "not_reached": not_reached(found),
        "size": {"n": len(known), "same": sum(s.review.size == s.size for s in known)},
    }


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table(found: dict[str, Any], miss: Callable[[str], None]) -> str:
    lines = [f"{found['sessions']} sessions", f"{'fact':50} {'reader':>6} {'rigor':>6} {'both':>5}  prec.  recall"]
    for fact, f in found["facts"].items():
        row = f"{fact:50} {f['reader']:>6} {f['rigor']:>6} {f['both']:>5}"
        lines.append(f"{row}   {_number(f['precision']):>4}    {_number(f['recall']):>4}")
        for kind in ("wrong", "missed"):
            for name in f[kind]:
                miss(f"{name[:10]}  {fact}: {kind}")
    lines.append(f"size of the work: {found['size']['same']} of {found['size']['n']} alike")
    fired = ", ".join(f"{i} {n}" for i, n in found["unrated"].items())
    lines += [f"no fact decides, fired in so many sessions: {fired}", "", "Not reached:"]
    lines += [f"  {line}" for line in found["not_reached"]]
    return "\n".join(lines) + "\n"
