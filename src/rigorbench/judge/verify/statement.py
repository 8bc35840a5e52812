"""The checks of what a package says: its statement and samples, and the keys that classify a project."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, get_args

from ..codereview.sources import SourceFile
from ..codereview.spec import load_review
from ..problems import statement
from ..problems.metadata import CLASSIFICATION
from ..problems.problem import CATEGORIES, Case, Difficulty, Problem
from .proof import PackageCheck, decide

_SHORTEST: Final = 40
# A fenced block of code, and the words of a line above it that announces a sample.
_BLOCK: Final = re.compile(r"^(?P<fence>`{3,}|~{3,})[^\n`]*\n(?P<text>.*?)^(?P=fence)[ \t]*$", re.M | re.S)
_ANNOUNCES: Final = re.compile(r"\b(sample|example)s?\b", re.I)


# Lines of the reference's sources with which a project is none of several components.
_EXERCISE: Final = 600


def check_classification(problem: Problem) -> PackageCheck:
    """A project, which is what a package with a code review is, states its category, its difficulty and its start.

    It has a hint for every group, criteria, and is marked as an exercise if its reference is short.
    """
    missing = [key for key in CLASSIFICATION if key not in problem.stated]
    if problem.review is None and not problem.stated:
        return PackageCheck("classification", "skipped", "no review.toml: only projects are classified")
    if missing:
        remedies = {
            "category": f"write one of {', '.join(CATEGORIES)}",
            "difficulty": f"write one of {', '.join(get_args(Difficulty))}",
            "starter": "write true if the attachments are code to start from, else false",
        }
        return decide("classification", "", [f"problem.yaml: {key}: missing; {remedies[key]}" for key in missing])
    problems = []
    hinted = {hint.group for hint in problem.hints}
    for group in problem.groups if problem.review is not None else ():
        name = group.id.removeprefix("secret/")
        if group.full and group.twin_of is None and name not in hinted:
            problems.append(f"problem.yaml: hints: none for {name}")
    if problem.review is not None and not load_review(problem.review).criteria:
        problems.append("review.toml: no criterion")
    lines = max((_lines(one.path) for one in problem.submissions if one.reference), default=0)
    if problem.review is not None and lines < _EXERCISE and not problem.exercise:
        problems.append(f"problem.yaml: exercise: write true; the reference has {lines} lines, under {_EXERCISE}")
    start = "with a starter" if problem.starter else "from nothing"
    size = "exercise, " if problem.exercise else ""
    return decide("classification", f"{problem.category}, {problem.difficulty}, {size}{start}, {lines} lines", problems)


def _lines(submission: Path) -> int:
    """Lines of the sources of a submission; of all its files if none is in a known language."""
    files = [path for path in [submission, *submission.rglob("*")] if path.is_file()]
    sources = [path for path in files if SourceFile(path.parent, path.name, 0).language is not None]
    return sum(path.read_bytes().count(b"\n") for path in sources or files)


def check_statement(problem: Problem) -> PackageCheck:
    """The statement is long enough, and every sample written in it by hand is the content of a file in ``data/sample``.

    Samples at placeholders are put in from the files, so they cannot differ.
    """
    text, markdown = statement.source(statement.find_statements(problem.root), {})
    problems = []
    if markdown and len(text.strip()) < _SHORTEST:
        problems.append(f"statement: only {len(text.strip())} characters; describe the problem")
    samples = next((group.cases for group in problem.groups if group.visible and group.twin_of is None), ())
    blocks = list(_announced(text)) if markdown else []
    known = [content for case in samples for content in _contents(case)]
    for line, block in blocks:
        if _plain(block) not in known:
            problems.append(f"statement line {line}: this sample is in no file of data/sample")
    by_hand = f", {len(blocks)} blocks written by hand" if blocks else ""
    if not markdown:
        by_hand = ", not Markdown: samples inside it are not compared"
    return decide("statement", f"{len(text.split())} words, samples: {len(samples)}{by_hand}", problems)


def _announced(text: str) -> list[tuple[int, str]]:
    """(line, content) of each block that follows a heading or label about samples."""
    found = []
    for match in _BLOCK.finditer(text):
        before = text[: match.start()]
        # A heading, or a label: a short line that ends in a colon, or in bold type.
        lines = [line.strip() for line in before.splitlines()]
        heading = [
            line
            for line in lines
            if line.startswith("#") or (0 < len(line) < 60 and (line.endswith(":") or line.startswith(("**", "__"))))
        ]
        if heading and any(_ANNOUNCES.search(line) for line in heading[-2:]):
            found.append((before.count("\n") + 1, match["text"]))
    return found


def _contents(case: Case) -> list[str]:
    given, output, interaction = statement.shown_files(case)
    found = [given, output or "", interaction or "", case.input.read_text("utf-8", "replace")]
    if case.answer is not None:
        found.append(case.answer.read_text("utf-8", "replace"))
    return [_plain(text) for text in found]


def _plain(text: str) -> str:
    """The text without white space at the ends of lines and without empty lines around it, which nobody sees."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
