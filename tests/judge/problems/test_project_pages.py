"""docs/projdev.md: its table is made from the packages, but for what the task is.

``python tests/judge/problems/test_project_pages.py`` writes the table.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import CATEGORIES
from rigorbench.judge.verify.proof import is_current, read_record
from rigorbench.judge.verify.statement import check_classification

ROOT = Path(__file__).resolve().parents[3]
SUITE = ROOT / "suites" / "projdev"
PAGE = ROOT / "docs" / "projdev.md"
TABLE = ("| problem | what it is | limits |", "\n\n")
NAMES = sorted(d.name for d in SUITE.iterdir() if (d / "problem.yaml").is_file())
MIB = 1 << 20


def table(text: str) -> str:
    """The table, with the words that the page's own has about each problem."""
    rows = ["| problem | what it is | limits | the task, and what distinguishes solutions |", "|---|---|---|---|"]
    tasks = dict(re.findall(r"^\| `([\w-]+)` \|.*\| (.{40,}) \|$", text, re.MULTILINE))
    found = [load_problem(SUITE / name) for name in NAMES]
    for problem in sorted(found, key=lambda p: (CATEGORIES.index(p.category or ""), p.id)):
        limits = f"{problem.limits.time:g} s, {problem.limits.memory / MIB:g} MiB"
        kind = f"{problem.category}, {problem.difficulty}{', exercise' * problem.exercise}"
        rows.append(f"| `{problem.id}` | {kind} | {limits} | {tasks[problem.id]} |")
    return "\n".join(rows)


@pytest.mark.parametrize("name", NAMES)
def test_a_project_is_classified_and_its_proof_is_current(name: str) -> None:
    problem = load_problem(SUITE / name)
    assert check_classification(problem).problems == ()
    proof = read_record(SUITE / "proofs.json").get(problem.id)
    assert is_current(proof, problem.digest), f"rigor judge verify {SUITE / name} --record {SUITE / 'proofs.json'}"


def test_the_table_lists_every_problem_and_says_what_the_task_is() -> None:
    text = PAGE.read_text("utf-8")
    assert text[text.index(TABLE[0]) :].partition(TABLE[1])[0] == table(text)


if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    start = text.index(TABLE[0])
    PAGE.write_text(text[:start] + table(text) + text[text.index(TABLE[1], start) :], "utf-8")
