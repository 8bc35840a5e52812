"""Agreement of the review's grades and checks with the readers' ratings and facts: ``agreement.py DIR --grades``.

Grades are compared by Spearman's rho with the mean of three readers (labels/, ratings/b/, ratings/f/), with 95 %
bootstrap intervals over sessions. "Exact": grade and mean round to the same of 0, 25, 50, 75 and 100 (the ratings from
1 to 5); "within one step": they differ by at most 25. The ceiling is each reader against the mean of the two others.

The ladders were chosen by looking at these sessions, and no program fitted a number: nothing can be refitted without a
repository, so what is printed for them is how far the figure depends on one (the least rho without one of them).
What is fitted, an ordinal regression as a second ceiling (grade_ceiling.py), is tried on the repositories, or
the sessions, that it was fitted without. Checks are compared with the facts of the third reader, session by session;
facts that are null are left out. Last comes what is below the aims of the specification.
"""

from __future__ import annotations

import csv
import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from grade_ceiling import held_out
from numpy.typing import NDArray
from scipy.stats import rankdata

from rigorbench.evidence.walk.extract import extract
from rigorbench.metrics.session import Session
from rigorbench.review.catalogue import all_checks
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
    "tests_weakened_or_removed": ("R-bent-tests",),
    "ended_or_committed_on_red": ("V-ended-on-red", "I-committed-red"),
    "failure_attributed_by_baseline": ("R-baseline",),
    "loop_without_diagnosis": ("R-loop",),
    "claim_contradicted": ("H-claim-contradicted",),
    "prohibition_broken": ("I-prohibited",),
    "leftovers": ("I-leftovers",),
    "asked_or_abstained_when_needed": ("A-asked",),
    "self_review": ("I-own-diff",),
}
# Grade -> least rho that is aimed at, and in the end.
AIMS = {
    "overall": (0.65, 0.80),
    "verification": (0.70, 0.85),
    "recovery": (0.60, 0.75),
    "planning": (0.50, 0.70),
    "integrity": (0.55, 0.75),
}
WITHIN = 0.90
# Least precision of a flag, and of any other check.
FLAG, OTHER = 0.95, 0.85
BOOTSTRAPS = 2000
SEED = 7


class Rated:
    """One session: the review, the ratings of three readers, and the facts of the third."""

    def __init__(self, directory: Path, repository: str, label: dict[str, Any], trajectory: Trajectory) -> None:
        session = Session(extract(trajectory))
        name: str = label["file"]
        self.name, self.repository = name, repository
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

    def features(self) -> list[float]:
        """What a model may use: 1 for a check that fired or an observation that holds, 0.5 where that is not known."""
        fired = {c.id for c in self.review.checks}
        seen = (o.holds(self.work) for o in all_observations().values())
        return [*(float(i in fired) for i in all_checks()), *(0.5 if s is None else float(s) for s in seen)]

    def says(self, names: Sequence[str]) -> bool:
        fired = {c.id for c in self.review.checks}
        return any(n in fired if n[0].isupper() else all_observations()[n].holds(self.work) is True for n in names)


def rho(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rank correlation; None for fewer than three pairs, or if one side is constant."""
    if len(pairs) < 3:
        return None
    [found] = _rhos(np.array(pairs)[None, :, :])
    return None if np.isnan(found) else float(found)


def interval(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of :func:`rho`, over sessions."""
    if len(pairs) < 3:
        return None
    drawn = np.random.default_rng(SEED).integers(len(pairs), size=(BOOTSTRAPS, len(pairs)))
    found = np.sort(_rhos(np.array(pairs)[drawn]))
    found = found[~np.isnan(found)]
    return (float(found[int(0.025 * len(found))]), float(found[int(0.975 * len(found))])) if len(found) else None


def _rhos(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlation of each draw of pairs; nan where one side is constant."""
    ranks = rankdata(drawn, axis=1)
    one, other = (ranks[:, :, n] - ranks[:, :, n].mean(axis=1, keepdims=True) for n in (0, 1))
    spread = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    spread[spread == 0] = np.nan
    found: NDArray[np.float64] = (one * other).sum(axis=1) / spread
    return found


def compared(pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Pairs of values of 100: n, rho with its interval, shares of pairs that are the same and within one step."""
    exact = [round(a / 25) == round(b / 25) for a, b in pairs]
    return {
        "n": len(pairs),
        "rho": rho(pairs),
        "interval": interval(pairs),
        "exact": statistics.mean(exact) if pairs else None,
        "within_one_step": sum(abs(a - b) <= 25 for a, b in pairs) / len(pairs) if pairs else None,
    }


def ceilings(sessions: Sequence[Rated], question: str) -> dict[str, Any]:
    """A regression on the checks and observations, tried on the sessions of repositories, or on sessions, that it was
    fitted without; and on the very sessions that it was fitted to."""
    rated = [s for s in sessions if s.given(question) is not None]
    features = np.array([s.features() for s in rated])
    ratings = [[r[question] for r in s.ratings if r.get(question) is not None] for s in rated]
    found = {}
    for how, groups in (
        ("without its repository", [s.repository for s in rated]),
        ("without its session", [s.name for s in rated]),
        ("on all, tried on the same", None),
    ):
        expected = held_out(features, ratings, groups)
        values = zip(expected, rated, strict=True)
        found[how] = compared(
            [((e - 1) * 25, (m - 1) * 25) for e, s in values if e is not None and (m := s.given(question)) is not None]
        )
    return found


def grades(sessions: Sequence[Rated]) -> dict[str, Any]:
    """Per grade: the comparison with the readers' mean, how many have none, each reader, and what depends on what."""
    result: dict[str, Any] = {}
    for grade, question in QUESTIONS.items():
        rated = [s for s in sessions if s.given(question) is not None]
        both_known = [
            (s.repository, (float(v), (m - 1) * 25))
            for s in rated
            if (v := s.value(grade)) is not None and (m := s.given(question))
        ]
        pairs = [pair for _, pair in both_known]
        readers = []
        for one in range(3):
            others = [r for r in range(3) if r != one]
            both = [(a, b) for s in rated if (a := s.given(question, [one])) and (b := s.given(question, others))]
            readers.append(compared([((a - 1) * 25, (b - 1) * 25) for a, b in both]))
        repositories = dict.fromkeys(r for r, _ in both_known)
        result[grade] = {
            **compared(pairs),
            "without": len(rated) - len(pairs),
            "without_repository": {r: rho([p for q, p in both_known if q != r]) for r in repositories},
            "readers": readers,
            "regression": ceilings(sessions, question),
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


def unrated(sessions: Sequence[Rated]) -> dict[str, int]:
    """Checks that no fact of the readers decides, with the number of sessions in which they fired."""
    told = {name for names in FACTS.values() for name in names}
    return {i: sum(any(c.id == i for c in s.review.checks) for s in sessions) for i in all_checks() if i not in told}


def not_reached(found: dict[str, Any]) -> list[str]:
    """What is below the aims of the specification, a line each."""
    lines = []
    for grade, (now, end) in AIMS.items():
        g = found["grades"][grade]
        value = g["rho"]
        if value is None or value < end:
            aim = f"{now:.2f}, and {end:.2f} in the end" if value is None or value < now else f"{end:.2f} in the end"
            lines.append(f"{grade}: rho {_number(value)}, aim {aim}")
        elif g["interval"] is not None and g["interval"][0] < now:
            lines.append(f"{grade}: the interval of rho goes down to {g['interval'][0]:.2f}, aim {now:.2f}")
        if g["within_one_step"] is None or g["within_one_step"] < WITHIN:
            lines.append(f"{grade}: within one step {_number(g['within_one_step'])}, aim {WITHIN:.2f}")
    for fact, f in found["facts"].items():
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
    with (directory / "index.tsv").open(encoding="utf-8") as index:
        repositories = {row["file"]: row["repository"] for row in csv.DictReader(index, delimiter="\t")}
    sessions = [Rated(directory, repositories[label["file"]], label, trajectory) for label, trajectory in labelled]
    known = [s for s in sessions if s.review.size is not None]
    found: dict[str, Any] = {"grades": grades(sessions), "facts": facts(sessions)}
    return {
        "sessions": len(sessions),
        "repositories": len({s.repository for s in sessions}),
        **found,
        "unrated": unrated(sessions),
        "not_reached": not_reached(found),
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


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _line(name: str, c: dict[str, Any]) -> str:
    span = "" if c["interval"] is None else f"[{c['interval'][0]:.2f}, {c['interval'][1]:.2f}]"
    shares = f"{_number(c['exact']):>6} {_number(c['within_one_step']):>7}"
    return f"{name:38} {c['n']:>3}  {_number(c['rho']):>5} {span:14} {shares}"


def table(found: dict[str, Any], miss: Callable[[str], None]) -> str:
    lines = [
        f"{found['sessions']} sessions of {found['repositories']} repositories",
        f"{'':38} {'n':>3}    rho [95 %]        exact  within",
    ]
    for grade, g in found["grades"].items():
        least = min((v, r) for r, v in g["without_repository"].items() if v is not None)
        lines.append(_line(grade, g) + f"   {g['without']} without a grade")
        lines += [_line(f"  reader {n} and the others", r) for n, r in zip("ABF", g["readers"], strict=True)]
        lines += [_line(f"  regression {how}", c) for how, c in g["regression"].items()]
        lines.append(f"  least without one repository: {least[0]:.2f} (without {least[1]})")
    lines += ["", f"{'fact':50} {'reader':>6} {'rigor':>6} {'both':>5}  prec.  recall"]
    for fact, f in found["facts"].items():
        row = f"{fact:50} {f['reader']:>6} {f['rigor']:>6} {f['both']:>5}"
        lines.append(f"{row}   {_number(f['precision']):>4}    {_number(f['recall']):>4}")
        for kind in ("wrong", "missed"):
            for name in f[kind]:
                miss(f"{name[:10]}  {fact}: {kind}")
    for d in found["disagreements"]:
        miss(f"{d['file'][:10]}  {d['grade']}: {d['rigor']}, readers {d['readers']:.0f}: {d['reason']}")
    lines.append(f"size of the work: {found['size']['same']} of {found['size']['n']} alike")
    fired = ", ".join(f"{i} {n}" for i, n in found["unrated"].items())
    lines += [f"no fact decides, fired in so many sessions: {fired}", "", "Not reached:"]
    lines += [f"  {line}" for line in found["not_reached"]]
    return "\n".join(lines) + "\n"
