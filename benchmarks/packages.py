"""How many published problem packages load, and whether their labelled submissions get the verdicts of their labels.

    python benchmarks/packages.py DIRECTORY [--json FILE] [--limit SECONDS] [--each SECONDS] [--data MIB] [--load]

DIRECTORY holds packages of the Kattis formats at any depth, such as clones of repositories of contests. Each labelled
submission is judged once, with one time limit for all languages, as Kattis does. With --json one line for each package
is added to FILE as soon as it is done, and packages that FILE has are not run again. Packages with little test data
come first. --limit ends the run after so many seconds, --each the judging of one submission; --data leaves out the
judging of packages with more test data, --only the packages whose path does not contain a text. Packages whose test
data or validator is not in the repository cannot be judged by anybody and are counted apart.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import tempfile
import time
from pathlib import Path
from typing import Any

from msgspec import structs

from rigorbench.judge.build.compile import choose
from rigorbench.judge.build.sources import SourceError
from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.judge.judgement import JudgeError, Judgement, Submission, SubmissionError
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import ExpectedSubmission, PackageError, Problem
from rigorbench.judge.submission import from_path
from rigorbench.judge.verify.package import broken, find_time_limit

LABELS = ("accepted", "partially_accepted", "wrong_answer", "time_limit_exceeded", "run_time_error", "rejected")
VALIDATORS = ("output_validator", "output_validators")


class Bounded:
    """A judge that gives up on a submission after so many seconds."""

    def __init__(self, judge: Judge, seconds: float) -> None:
        self._judge = judge
        self._seconds = seconds

    def judge(self, problem: Problem, submission: Submission) -> Judgement:
        """Raises: JudgeError: it took too long."""
        end = time.monotonic() + self._seconds
        found = self._judge.judge(problem, submission, cancelled=lambda: time.monotonic() > end)
        if "cancelled" in found.notes:
            raise JudgeError(f"not done after {self._seconds:g} s")
        return found


def find_packages(root: Path) -> list[Path]:
    """The directories with a problem.yaml beside test data or submissions, those with little data first."""
    found = (path.parent for path in root.rglob("problem.yaml"))
    packages = [path for path in found if (path / "data").is_dir() or (path / "submissions").is_dir()]
    size = {path: sum(file.stat().st_size for file in path.glob("data/**/*.in")) for path in packages}
    return sorted(packages, key=lambda path: (size[path], path))


def lacks(root: Path) -> str | None:
    """What a package needs to be judged and does not contain, because a tool makes it or it is kept elsewhere."""
    inputs = list(root.glob("data/secret/**/*.in"))
    if not inputs:
        return "no secret test data"
    if not all(path.with_suffix(".ans").exists() for path in (*inputs, *root.glob("data/sample/**/*.in"))):
        return "an answer is missing"
    yaml = (root / "problem.yaml").read_text("utf-8", "replace")
    custom = re.search(r"^(validation:\s*.?custom|type:.*(interactive|multi-pass))", yaml, re.MULTILINE)
    if custom and not any((root / name).is_dir() for name in VALIDATORS):
        return "the output validator is missing"
    return None


def measure(root: Path, name: str, judge: Bounded | None, most: int) -> dict[str, Any]:
    """The row of one package."""
    row: dict[str, Any] = {"package": name, "lacks": lacks(root), "loaded": False, "submissions": []}
    try:
        problem = load_problem(root)
    except PackageError as error:
        return row | {"error": str(error).replace(str(root), "")}
    row |= {"loaded": True, "notes": list(problem.notes)}
    size = sum(case.input.stat().st_size for group in problem.groups for case in group.cases)
    if judge is None or size > most:
        return row | {"judged": False}
    one_limit = {"*": 1.0}
    problem = structs.replace(problem, time_multipliers=one_limit, memory_multipliers=one_limit)
    with tempfile.TemporaryDirectory(prefix="packages-") as place:
        if problem.time_rule is not None:
            problem, check = find_time_limit(problem, judge, Path(place) / "limit")
            if check.status != "ok":
                # Every verdict would depend on a limit that is not the package's.
                return row | {"judged": False, "notes": [*row["notes"], f"time limit: {check.detail}"]}
        for index, expected in enumerate(problem.submissions):
            if expected.label in LABELS:
                row["submissions"].append(tried(problem, expected, judge, Path(place) / str(index)))
    return row | {"judged": True, "time_limit": problem.limits.time}


def tried(problem: Problem, expected: ExpectedSubmission, judge: Bounded, place: Path) -> dict[str, Any]:
    """The row of one submission; `holds` is None where it could not be judged."""
    found: dict[str, Any] = {"path": f"{expected.label}/{expected.path.name}", "holds": None}
    try:
        submission = from_path(expected.path, place, language=expected.language, limit=problem.limits.code)
        choose(problem, submission.language, submission.root)
        judgement = judge.judge(problem, submission)
    except SourceError as error:
        return found | {"left_out": f"language: {error}"}
    except (SubmissionError, JudgeError) as error:
        return found | {"left_out": str(error)}
    problems = broken(expected, judgement)
    return found | {"verdict": judgement.verdict, "holds": not problems, "problems": problems}


def summary(rows: list[dict[str, Any]]) -> list[str]:
    """The figures, and each exception."""
    whole = [row for row in rows if not row["lacks"]]
    loaded = [row for row in whole if row["loaded"]]
    lines = [f"{len(loaded)} of {len(whole)} packages load ({_share(len(loaded), len(whole))})"]
    counts = collections.Counter(row["lacks"] for row in rows if row["lacks"])
    lines += [f"counted apart: {count} with {what}" for what, count in counts.most_common()]
    lines += [f"  not loaded: {row['package']}: {row.get('error', '')}" for row in whole if not row["loaded"]]
    tries = [(row, one) for row in rows for one in row["submissions"]]
    known = [(row, one) for row, one in tries if one["holds"] is not None]
    right = sum(one["holds"] for _, one in known)
    judged = sum(bool(row.get("judged")) for row in rows)
    lines.append(f"{right} of {len(known)} labels agree ({_share(right, len(known))}), in {judged} packages")
    for label in LABELS:
        of = [one["holds"] for _, one in known if one["path"].startswith(label + "/")]
        if of:
            lines.append(f"  {label}: {sum(of)} of {len(of)}")
    for row, one in known:
        if not one["holds"]:
            lines.append(f"  not agreed: {row['package']}: {one['path']}: {'; '.join(one['problems'])}")
    lines += [
        f"  left out: {row['package']}: {one['path']}: {one['left_out']}" for row, one in tries if "left_out" in one
    ]
    return lines


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("directory", type=Path)
    p.add_argument("--json", type=Path, help="one line for each package; packages in it are not run again")
    p.add_argument("--limit", type=float, default=float("inf"), help="seconds after which no package is begun")
    p.add_argument("--each", type=float, default=120, help="seconds for one submission (default: 120)")
    p.add_argument("--data", type=float, default=16, help="MiB of inputs of the packages that are judged (default: 16)")
    p.add_argument("--load", action="store_true", help="load only, judge nothing")
    p.add_argument("--only", default="", help="packages whose path contains this text")
    args = p.parse_args()
    rows: dict[str, dict[str, Any]] = {}
    if args.json is not None and args.json.exists():
        rows = {row["package"]: row for row in map(json.loads, args.json.read_text("utf-8").splitlines())}
    end = time.monotonic() + args.limit
    judge = None if args.load else Judge(JudgeSettings(slots=1))
    bounded = Bounded(judge, args.each) if judge is not None else None
    try:
        for root in find_packages(args.directory):
            name = str(root.relative_to(args.directory))
            if name in rows or args.only not in name or time.monotonic() > end:
                continue
            rows[name] = row = measure(root, name, bounded, int(args.data * (1 << 20)))
            if args.json is not None:
                with args.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    finally:
        if judge is not None:
            judge.close()
    print("\n".join(summary(list(rows.values()))))


if __name__ == "__main__":
    main()
