"""docs/projdev/NAME.md: each page from "## Facts" on is made from the package, its review and its proof.

``python tests/judge/problems/test_project_pages.py`` writes them, and the table of docs/projdev.md. What stands before
"## Facts" on a page is written by hand: what the problem is about and how it came to be as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

from rigorbench.judge.build.table import languages
from rigorbench.judge.codereview.spec import load_review
from rigorbench.judge.verify.proof import Proof, is_current, read_record
from rigorbench.problems.load import load_problem
from rigorbench.problems.model import CATEGORIES, Group, Problem
from rigorbench.problems.verdicts import SHORT, Verdict

ROOT = Path(__file__).resolve().parents[3]
SUITE = ROOT / "suites" / "projdev"
DOCS = ROOT / "docs" / "projdev"
OVERVIEW = ROOT / "docs" / "projdev.md"
START = "## Facts\n"
TABLE = ("| problem | category |", "\n\n")
NAMES = sorted(d.name for d in SUITE.iterdir() if (d / "problem.yaml").is_file())
KINDS = {
    "source": "a program",
    "cmake": "a repository that CMake builds",
    "make": "a repository that make builds",
    "header": "a header, compiled with the judge's drivers",
    "output-only": "output files",
}
MIB = 1 << 20


def read(name: str) -> tuple[Problem, Proof]:
    problem = load_problem(SUITE / name)
    proof = read_record(SUITE / "proofs.json").get(problem.id)
    assert is_current(proof, problem.digest), f"rigor judge verify {SUITE / name} --record {SUITE / 'proofs.json'}"
    assert proof is not None
    return problem, proof


# -- a page ------------------------------------------------------------------------------------------------------


def page(problem: Problem, proof: Proof) -> str:
    """Everything from START on."""
    parts = [
        START,
        *_facts(problem, proof),
        "\n## Groups\n",
        *_groups(problem),
        "\n## What submissions of the package get\n",
        *_submissions(proof),
        "\n## Code review\n",
        *_review(problem),
        "\n## Use\n",
        *_use(problem),
    ]
    return "\n".join(parts) + "\n"


def _facts(problem: Problem, proof: Proof) -> list[str]:
    limits, build = problem.limits, problem.build
    bounds = [f"{limits.time:g} s of CPU", f"{limits.memory / MIB:g} MiB"]
    if problem.chains:
        bounds.append(f"{limits.disk / MIB:g} MiB of disk in at most {limits.files} files")
    accepted = ", ".join(languages()[id].name for id in build.languages) or "all that the judge knows"
    if build.kind == "header":
        accepted = build.standard.replace("c++", "C++")
    floor = next((c.detail for c in proof.checks if c.name == "starter"), "")
    rows = [
        ("category, difficulty", f"{problem.category}, {problem.difficulty}"),
        ("starts from", "attached code" if problem.starter else "nothing"),
        ("submission", KINDS[build.kind]),
        ("languages", accepted),
        ("limits of a test point in C++", ", ".join(bounds)),
        ("submissions", str(limits.submissions)),
        ("points", f"{problem.full:g}; Final = 0.8 x points + 0.2 x code review"),
        ("the attachments as they are", floor or "not judged"),
    ]
    return ["| | |\n|---|---|", *(f"| {name} | {value} |" for name, value in rows)]


def _groups(problem: Problem) -> list[str]:
    rows = ["| group | points | test points | needs | |\n|---|---|---|---|---|"]
    for group in problem.groups:
        if not group.visible:
            rows.append(
                f"| {_short(group.id)} | {group.full:g} | {len(group.cases)} | "
                f"{', '.join(map(_short, group.requires)) or '-'} | {_notes(problem, group)} |"
            )
    return rows


def _notes(problem: Problem, group: Group) -> str:
    notes = []
    if group.twin_of:
        notes.append(f"{_short(group.twin_of)} again, checked for: {', '.join(group.sanitizers)}")
    ids = {case.id for case in group.cases}
    chains = sum(1 for chain in problem.chains if ids & set(chain))
    if chains:
        notes.append(f"{chains} chain{'s' if chains > 1 else ''} of runs that share a disk")
    if group.aggregation == "sum":
        notes.append("mean of its test points")
    return "; ".join(notes)


def _submissions(proof: Proof) -> list[str]:
    rows = ["| submission | verdict | points | CPU | memory |\n|---|---|---|---|---|"]
    for tried in proof.submissions:
        name = tried.path.removeprefix("submissions/")
        cpu = "" if tried.cpu is None else f"{tried.cpu:.2f} s"
        memory = "" if tried.memory is None else f"{tried.memory / MIB:.0f} MiB"
        points = "" if tried.score is None else f"{tried.score:.0f}"
        verdict = "-" if tried.verdict is None else SHORT[cast(Verdict, tried.verdict)]
        rows.append(f"| `{name}` | {verdict} | {points} | {cpu} | {memory} |")
    cores = proof.machine.get("cores", "?")
    return [*rows, "", f"Each was judged three times, with equal results ({proof.date[:10]}, {cores} cores)."]


def _review(problem: Problem) -> list[str]:
    if problem.review is None:
        return ["It has none."]
    review = load_review(problem.review.path)
    rows = [f"| {rule.id} | {rule.text} |" for rule in review.rules]
    rows += [f"| {criterion.id} (0 to 10) | {criterion.text} |" for criterion in review.criteria]
    return ["| rule or criterion | |\n|---|---|", *rows]


def _use(problem: Problem) -> list[str]:
    licences = {"cc0": "CC0", "educational": "free for research and teaching"}
    return [
        f"Licence: {licences.get(problem.licence or '', problem.licence)}. Statement, data, drivers and solutions were "
        "written for RigorBench. Please do not train on them:",
        "every hidden file that can carry one has a canary ([tasks](../tasks.md#contamination)). "
        "`rigor suite seal suites/projdev OUT --key-file KEY`",
        "makes the sealed form, from which the statement and the attachments can be read and the rest cannot.",
        "",
        "```",
        f"rigor judge suites/projdev/{problem.id} path/to/project",
        f"rigor run projdev --tasks {problem.id} --model scripted/disciplined,scripted/reckless",
        "```",
    ]


def _short(id: str) -> str:
    return id.removeprefix("secret/")


# -- the table of all ----------------------------------------------------------------------------------------------


def table() -> str:
    rows = ["| problem | category | difficulty | from | limits | submissions |", "|---|---|---|---|---|---|"]
    found = [read(name)[0] for name in NAMES]
    for problem in sorted(found, key=lambda p: (CATEGORIES.index(p.category or ""), p.id)):
        limits = f"{problem.limits.time:g} s, {problem.limits.memory / MIB:g} MiB"
        limits += f", {problem.limits.disk / MIB:g} MiB of disk" if problem.chains else ""
        rows.append(
            f"| [{problem.id}](projdev/{problem.id}.md) | {problem.category} | {problem.difficulty} | "
            f"{'a starter' if problem.starter else 'nothing'} | {limits} | {problem.limits.submissions} |"
        )
    return "\n".join(rows)


def _parts(text: str) -> tuple[str, str]:
    before, start, rest = text.partition(START)
    return before, start + rest


# -- the tests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_the_package_and_its_proof_say(name: str) -> None:
    before, rest = _parts((DOCS / f"{name}.md").read_text("utf-8"))
    assert len(before.split()) > 40, "say what it is about"
    assert rest == page(*read(name))


def test_the_overview_lists_every_problem() -> None:
    text = OVERVIEW.read_text("utf-8")
    assert text[text.index(TABLE[0]) :].partition(TABLE[1])[0] == table()


def test_the_site_has_every_page() -> None:
    assert sorted(f.stem for f in DOCS.glob("*.md")) == NAMES
    assert re.search(r"^ +- \S.*: projdev/\*$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)


def write() -> None:
    DOCS.mkdir(exist_ok=True)
    for name in NAMES:
        problem, proof = read(name)
        file = DOCS / f"{name}.md"
        before = _parts(file.read_text("utf-8"))[0] if file.is_file() else f"# {problem.name}\n\n"
        file.write_text(before + page(problem, proof), "utf-8")
    text = OVERVIEW.read_text("utf-8")
    start = text.index(TABLE[0])
    OVERVIEW.write_text(text[:start] + table() + text[text.index(TABLE[1], start) :], "utf-8")


if __name__ == "__main__":
    write()
