"""docs/projdev.md: its table is made from the packages, and it says of every problem what the task is.

``python tests/judge/problems/test_project_pages.py`` writes the table.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rigorbench.judge.verify.proof import is_current, read_record
from rigorbench.problems.load import load_problem
from rigorbench.problems.model import CATEGORIES

ROOT = Path(__file__).resolve().parents[3]
SUITE = ROOT / "suites" / "projdev"
PAGE = ROOT / "docs" / "projdev.md"
TABLE = ("| problem | category |", "\n\n")
NAMES = sorted(d.name for d in SUITE.iterdir() if (d / "problem.yaml").is_file())
MIB = 1 << 20


def table() -> str:
    rows = ["| problem | category | difficulty | from | limits | submissions |", "|---|---|---|---|---|---|"]
    found = [load_problem(SUITE / name) for name in NAMES]
    for problem in sorted(found, key=lambda p: (CATEGORIES.index(p.category or ""), p.id)):
        limits = f"{problem.limits.time:g} s, {problem.limits.memory / MIB:g} MiB"
        limits += f", {problem.limits.disk / MIB:g} MiB of disk" if problem.chains else ""
        rows.append(
            f"| `{problem.id}` | {problem.category} | {problem.difficulty} | "
            f"{'a starter' if problem.starter else 'nothing'} | {limits} | {problem.limits.submissions} |"
        )
    return "\n".join(rows)


@pytest.mark.parametrize("name", NAMES)
def test_the_record_of_proofs_is_current(name: str) -> None:
    problem = load_problem(SUITE / name)
    proof = read_record(SUITE / "proofs.json").get(problem.id)
    assert is_current(proof, problem.digest), f"rigor judge verify {SUITE / name} --record {SUITE / 'proofs.json'}"


def test_the_table_lists_every_problem() -> None:
    text = PAGE.read_text("utf-8")
    assert text[text.index(TABLE[0]) :].partition(TABLE[1])[0] == table()


def test_the_page_says_of_every_problem_what_the_task_is() -> None:
    text = PAGE.read_text("utf-8")
    described = text[text.index("| problem | the task") :].partition("\n\n")[0]
    assert sorted(re.findall(r"^\| `([\w-]+)` \| .{40,} \|$", described, re.MULTILINE)) == NAMES


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    start = text.index(TABLE[0])
    PAGE.write_text(text[:start] + table() + text[text.index(TABLE[1], start) :], "utf-8")
