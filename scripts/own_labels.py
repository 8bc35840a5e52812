"""The agreement of rigor with docs/validation/labels.json, the labels of a person for ten real logs.

    python scripts/own_labels.py ../shared/data/sessions [--misses] [--coefficients]

A label is right if rigor has the same event at the same step: a check of that kind with that outcome (a run that
failed and one that never ran are both "failed"), an edit of that file in that role, a plan with that many items, an
episode with the same start, end, attempts and outcome, a commit, a claim (found by some of its words) with or without
support. Further events of rigor count as spurious.

``--coefficients`` prints the agreement of the same pairs as that of two raters, label and rigor, clustered by session:
an event that only one of them has counts as rated "absent" by the other.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rigorbench.api import read
from rigorbench.evidence.events import (
    BuildEvent,
    ClaimEvent,
    CommitEvent,
    EditEvent,
    EpisodeEvent,
    LintEvent,
    PlanEvent,
    ReproductionEvent,
    TestRunEvent,
)
from rigorbench.evidence.facts import Evidence
from rigorbench.evidence.walk.extract import extract

LABELS = Path(__file__).resolve().parents[1] / "docs" / "validation" / "labels.json"
KINDS = ("test outcomes", "reproductions", "builds and lints", "edits", "plans", "episodes", "commits", "claims")

ABSENT = "absent"
# Kind of event, session, label, result of rigor.
Pair = tuple[str, str, Any, Any]


def main(arguments: list[str]) -> int:
    directory = Path(arguments[0]) if arguments else Path("../shared/data/sessions")
    total: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    pairs: list[Pair] = []
    for name, label in json.loads(LABELS.read_text()).items():
        found = read(directory / label["file"])
        trajectory = found[label["instance"]] if isinstance(found, list) else found
        for kind, miss in compare(
            label, extract(trajectory), total, lambda kind, a, b, name=name: pairs.append((kind, name, a, b))
        ):
            if "--misses" in arguments:
                sys.stderr.write(f"{name}  {kind}: {miss}\n")
    lines = [f"{'':18} {'labels':>7} {'right':>6} {'wrong':>6} {'missed':>7} {'spurious':>9}"]
    for kind in KINDS:
        n = total[kind]
        labels = n["right"] + n["wrong"] + n["missed"]
        lines.append(f"{kind:18} {labels:>7} {n['right']:>6} {n['wrong']:>6} {n['missed']:>7} {n['spurious']:>9}")
    if "--coefficients" in arguments:
        lines += ["", *coefficients(pairs)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def coefficients(pairs: list[Pair]) -> list[str]:
    """One line per kind: agreement of the labels with rigor's reading, with 95 % intervals over sessions."""
    from statsmodels.stats.inter_rater import cohens_kappa, to_table

    from rigorbench.base.stats.agreement import Estimate, agreement

    def shown(e: Estimate) -> str:
        if e.value is None:
            return "-"
        return f"{e.value:.2f}" + (f" [{e.low:.2f}, {e.high:.2f}]" if e.low is not None else "")

    lines = [f"{'':18} {'n':>4}  {'raw':18} {'Cohen kappa':18} {'alpha':18} {'AC1':18}"]
    for kind in KINDS:
        own = [(session, a, b) for k, session, a, b in pairs if k == kind]
        ratings = [(repr(a), repr(b)) for _, a, b in own]
        found = agreement(ratings, clusters=[session for session, _, _ in own])
        values = sorted({value for pair in ratings for value in pair})
        coded = [[values.index(value) for value in pair] for pair in ratings]
        kappa = cohens_kappa(to_table(coded)[0], return_results=False) if len(values) > 1 else None
        cells = [shown(found.raw), "-" if kappa is None else f"{kappa:.2f}", shown(found.alpha), shown(found.ac1)]
        cells = " ".join(f"{cell:18}" for cell in cells)
        lines.append(f"{kind:18} {len(own):>4}  {cells}".rstrip())
    return lines


def compare(
    label: dict[str, Any],
    evidence: Evidence,
    total: dict[str, Counter[str]],
    pair: Callable[[str, Any, Any], None] = lambda kind, label, seen: None,
) -> list[tuple[str, str]]:
    """Count one session; return the disagreements. ``pair`` gets the label and the result of each event."""
    events = evidence.events
    misses: list[tuple[str, str]] = []

    def match(kind: str, labelled: list[tuple[Any, Any]], seen: list[tuple[Any, Any]]) -> None:
        """Both are (where, what); among those with one ``where``, equal ones are paired first."""
        left = list(seen)
        for exact in (True, False):
            rest: list[tuple[Any, Any]] = []
            for where, what in labelled:
                hit = next((s for s in left if s[0] == where and (not exact or s[1] == what)), None)
                if hit is None:
                    rest.append((where, what))
                    continue
                left.remove(hit)
                pair(kind, what, hit[1])
                total[kind]["right" if exact else "wrong"] += 1
                if not exact:
                    misses.append((kind, f"{where}: {hit[1]}, should be {what}"))
            labelled = rest
        for _, what in labelled:
            pair(kind, what, ABSENT)
        for _, what in left:
            pair(kind, ABSENT, what)
        total[kind]["missed"] += len(labelled)
        total[kind]["spurious"] += len(left)
        misses.extend((kind, f"{where}: missed {what}") for where, what in labelled)
        misses.extend((kind, f"{where}: spurious {what}") for where, what in left)

    red = {"error": "failed"}
    tests = [(e.step, red.get(e.outcome, e.outcome)) for e in events if isinstance(e, TestRunEvent)]
    others = [
        ((e.step, "build" if isinstance(e, BuildEvent) else "lint"), red.get(e.outcome, e.outcome))
        for e in events
        if isinstance(e, BuildEvent | LintEvent)
    ]
    match("test outcomes", [(s, o) for s, k, o in label["checks"] if k == "test"], tests)
    # The labels have those programs of the agent's own that are called tests.
    tried = [(e.step, red.get(e.outcome, e.outcome)) for e in events if isinstance(e, ReproductionEvent)]
    labelled = [(s, o) for s, k, o in label["checks"] if k == "reproduction"]
    match("reproductions", labelled, [t for t in tried if t[0] in dict(labelled)])
    match("builds and lints", [((s, k), o) for s, k, o in label["checks"] if k in ("build", "lint")], others)
    edits = [
        ((e.step, e.path.rsplit("/", 1)[-1]), "scratch" if evidence.edits[e.id].scratch else e.role)
        for e in events
        if isinstance(e, EditEvent)
    ]
    match("edits", [((s, n), r) for s, n, r in label["edits"]], edits)
    plans = [e for e in events if isinstance(e, PlanEvent)]
    # A list that grows item by item is one plan: only its longest version counts.
    whole = [p for n, p in enumerate(plans) if not (n + 1 < len(plans) and set(p.items) <= set(plans[n + 1].items))]
    match("plans", [(s, n) for s, n in label["plans"]], [(p.step, len(p.items)) for p in whole])
    step = {e.id: e.step for e in events}
    episodes = [
        (e.step, (step[e.checks[-1]] if e.resolved == "green" else None, e.attempts, e.resolved))
        for e in events
        if isinstance(e, EpisodeEvent) and e.counts
    ]
    match("episodes", [(a, (b, n, r)) for a, b, n, r in label["episodes"]], episodes)
    match(
        "commits", [(s, True) for s in label["commits"]], [(e.step, True) for e in events if isinstance(e, CommitEvent)]
    )
    # The person labelled the last turn and commits, not the messages that end earlier turns.
    asked = max((n for n, step in enumerate(evidence.trajectory.steps) if step.role == "user"), default=-1)
    claims = [
        (next((c for c, _ in label["claims"] if c in e.text), e.text[:60]), bool(e.supported_by))
        for e in events
        if isinstance(e, ClaimEvent) and (e.call is not None or e.step > asked)
    ]
    match("claims", [(c, s) for c, s in label["claims"]], claims)
    return misses


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
