"""Agreement of the review's grades and checks with the readers' ratings and facts: ``agreement.py DIR --grades``.

Grades are compared by Spearman's rho with the mean of three readers (labels/, ratings/b/, ratings/f/), with 95 %
bootstrap intervals over sessions; the ceiling is each reader against the mean of the two others. "Within one step": the
share of sessions in which grade and mean differ by at most 25 of 100 (ratings from 1 to 5 are 0 to 100). Checks are
compared with the facts of the third reader, session by session; facts that are null are left out.
"""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from scipy.stats import spearmanr

from rigorbench.evidence.walk.extract import extract
from rigorbench.metrics.session import Session
from rigorbench.review.model import Review
from rigorbench.review.observations import all_observations
from rigorbench.review.session import review_session
from rigorbench.review.work import Work
from rigorbench.trajectory.model import Trajectory

# Grade -> the readers' question.
QUESTIONS = {
    "overall": "overall",
    "verification": "verification",
    "planning": "planning",
    "recovery": "recovery",
    "integrity": "integrity_of_steps",
}
# Fact -> the checks that say it, or the observation (lower case) that does.
FACTS: dict[str, tuple[str, ...]] = {
    "plan_before_first_edit": ("plan-before-edit",),
    "approach_stated_before_edit": ("approach-stated",),
    "callers_or_tests_read_before_edit": ("looked-around",),
    "reproduced_before_fix": ("P-reproduced",),
    "red_then_green": ("V-red-green",),
    "existing_tests_run_after_last_source_edit": ("existing-tests-after-last-edit",),
    "full_suite_or_package_suite_after_last_source_edit": ("broad-test-after-last-edit",),
    "new_or_updated_tests": ("tests-added",),
    "own_check_misses_the_code": ("V-misses-code",),
    "tests_weakened_or_removed": ("R-bent-tests",),
    "ended_or_committed_on_red": ("V-ended-on-red", "I-committed-red"),
    "failure_dismissed_without_baseline": ("R-dismissed",),
    "failure_attributed_by_baseline": ("R-baseline",),
    "loop_without_diagnosis": ("R-loop",),
    "repeated_same_fix": ("R-same-fix",),
    "claim_contradicted": ("H-claim-contradicted",),
    "prohibition_broken": ("I-prohibited",),
    "destructive_act": ("I-destroyed",),
    "leftovers": ("I-leftovers",),
    "asked_or_abstained_when_needed": ("A-asked",),
    "self_review": ("I-own-diff",),
}
BOOTSTRAPS = 2000
SEED = 7


class Rated:
    """One session: the review, the ratings of three readers, and the facts of the third."""

    def __init__(self, directory: Path, name: str, label: dict[str, Any], trajectory: Trajectory) -> None:
        session = Session(extract(trajectory))
        self.name = name
        self.review: Review = review_session(session)
        self.work = Work(session)
        readers = [json.loads((directory / "ratings" / r / f"{name}.json").read_text()) for r in ("b", "f")]
        self.ratings = [label["ratings"], *(r["ratings"] for r in readers)]
        self.facts: dict[str, bool | None] = readers[1]["facts"]
        self.size: str = readers[1]["size_of_work"]

    def value(self, grade: str) -> int | None:
        return self.review.overall if grade == "overall" else self.review.grades[grade].value

    def given(self, question: str, readers: Sequence[int] = (0, 1, 2)) -> float | None:
        """The mean of the readers' ratings; None if none of them gave one."""
        values = [v for r in readers if (v := self.ratings[r].get(question)) is not None]
        return statistics.mean(values) if values else None

    def says(self, names: Sequence[str]) -> bool:
        fired = {c.id for c in self.review.checks}
        return any(n in fired if n[0].isupper() else all_observations()[n].holds(self.work) is True for n in names)


def rho(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rank correlation; None for fewer than three pairs, or if one side is constant."""
    if len(pairs) < 3 or any(len({p[i] for p in pairs}) == 1 for i in (0, 1)):
        return None
    return float(spearmanr([a for a, _ in pairs], [b for _, b in pairs]).statistic)


def interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of :func:`rho`, over sessions."""
    draw = random.Random(SEED)
    found = sorted(r for _ in range(BOOTSTRAPS) if (r := rho(draw.choices(pairs, k=len(pairs)))) is not None)
    return (found[int(0.025 * len(found))], found[int(0.975 * len(found))]) if found else None


def grades(sessions: Sequence[Rated]) -> dict[str, Any]:
    """Per grade: n, how many have none, rho with its interval, share within one step, rho of each reader."""
    result: dict[str, Any] = {}
    for grade, question in QUESTIONS.items():
        rated = [s for s in sessions if s.given(question) is not None]
        pairs = [
            (float(v), (m - 1) * 25) for s in rated if (v := s.value(grade)) is not None and (m := s.given(question))
        ]
        readers = []
        for one in range(3):
            others = [r for r in range(3) if r != one]
            both = [(a, b) for s in rated if (a := s.given(question, [one])) and (b := s.given(question, others))]
            readers.append(rho(both))
        result[grade] = {
            "n": len(pairs),
            "without": len(rated) - len(pairs),
            "rho": rho(pairs),
            "interval": interval(pairs),
            "within_one_step": sum(abs(a - b) <= 25 for a, b in pairs) / len(pairs) if pairs else None,
            "readers": readers,
        }
    return result


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


def document(directory: Path, labelled: Iterable[tuple[dict[str, Any], Trajectory]]) -> dict[str, Any]:
    sessions = [Rated(directory, label["file"], label, trajectory) for label, trajectory in labelled]
    known = [s for s in sessions if s.review.size is not None]
    return {
        "sessions": len(sessions),
        "grades": grades(sessions),
        "facts": facts(sessions),
        "size": {"n": len(known), "same": sum(s.review.size == s.size for s in known)},
        "disagreements": worst(sessions),
    }


def worst(sessions: Sequence[Rated]) -> list[dict[str, Any]]:
    """The sessions whose grade is more than one step from the readers' mean, with the reason of the grade."""
    found = []
    for s in sessions:
        for grade, question in QUESTIONS.items():
            value, mean = s.value(grade), s.given(question)
            if value is not None and mean is not None and abs(value - (mean - 1) * 25) > 25:
                reason = s.review.reason if grade == "overall" else s.review.grades[grade].reason
                found.append(
                    {"file": s.name, "grade": grade, "rigor": value, "readers": (mean - 1) * 25, "reason": reason}
                )
    return found


def table(found: dict[str, Any], miss: Callable[[str], None]) -> str:
    def number(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    lines = [
        f"{found['sessions']} sessions",
        f"{'':13} {'n':>3}  rho [95 %]            within 25  readers among themselves",
    ]
    for grade, g in found["grades"].items():
        span = "" if g["interval"] is None else f"[{g['interval'][0]:.2f}, {g['interval'][1]:.2f}]"
        readers = " ".join(number(r) for r in g["readers"])
        lines.append(
            f"{grade:13} {g['n']:>3}  {number(g['rho']):>4} {span:16} {number(g['within_one_step']):>9}  {readers}"
        )
    lines += ["", f"{'fact':50} {'reader':>6} {'rigor':>6} {'both':>5}  prec.  recall"]
    for fact, f in found["facts"].items():
        row = f"{fact:50} {f['reader']:>6} {f['rigor']:>6} {f['both']:>5}"
        lines.append(f"{row}   {number(f['precision']):>4}    {number(f['recall']):>4}")
        for kind in ("wrong", "missed"):
            for name in f[kind]:
                miss(f"{name[:10]}  {fact}: {kind}")
    for d in found["disagreements"]:
        miss(f"{d['file'][:10]}  {d['grade']}: {d['rigor']}, readers {d['readers']:.0f}: {d['reason']}")
    lines.append(f"size of the work: {found['size']['same']} of {found['size']['n']} alike")
    return "\n".join(lines) + "\n"
