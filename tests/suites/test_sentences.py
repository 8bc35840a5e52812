"""Sentences of an instruction, and whether the task file says of each what checks it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rigorbench.authoring.checklist import check_task
from rigorbench.authoring.checklist.sentences import check_sentences, sentences
from rigorbench.bench.tasks.proofs import ProofCheck, find_twin
from rigorbench.bench.tasks.suite import load_suite
from rigorbench.session.task import Requirement, Sentence, Task

INSTRUCTION = """\
The report stops with

    error: no such file. Is it there?

Please mend it. The commands stay:

- `list FILE` prints `a: b. C` for each.
- Nothing else changes. Commit your work.
"""
SAID = ["The report stops with", "Please mend it.", "The commands stay:", "`list FILE` prints `a: b. C` for each.",
    "Nothing else changes.", "Commit your work."]  # fmt: skip


def checked(*entries: tuple[str, str]) -> ProofCheck:
    task = Task(
        id="report",
        requirements=[Requirement("mended"), Requirement("listed")],
        sentences=[Sentence(text, of.split()) for text, of in entries],
    )
    return check_sentences(cast(Any, SimpleNamespace(suite_task=SimpleNamespace(task=task), instruction=INSTRUCTION)))


ALL = [
    ("The report", "context"),
    ("Please mend", "mended"),
    ("The commands", "context"),
    ("`list FILE`", "listed"),
    ("Nothing else", "mended listed"),
    ("Commit", "untested"),
]


def test_items_of_lists_are_sentences_and_blocks_of_code_are_not() -> None:
    assert sentences(INSTRUCTION) == SAID


def test_a_mapped_instruction_says_how_much_is_tested() -> None:
    assert checked(*ALL).detail == "6 sentences: 3 tested, 2 context, 1 untested"
    assert checked().detail == "6 sentences, not mapped to hidden tests"


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        (ALL[:-1], "0 entries of sentences fit 'Commit your work.'"),
        ([*ALL, ("The", "context")], "2 entries of sentences fit 'The report stops with'"),
        ([*ALL, ("Another one", "mended")], "sentences: the instruction has no 'Another one'"),
        ([*ALL[:-1], ("Commit", "forgotten")], "sentences: 'Commit' belongs to forgotten"),
    ],
)
def test_what_is_missing_is_named(entries: list[tuple[str, str]], problem: str) -> None:
    found = checked(*entries)
    assert found.status == "failed"
    assert problem in str(found.problems[0])


def test_every_task_of_the_suite_maps_its_sentences() -> None:
    suite = load_suite(Path(__file__).parents[2] / "suites" / "rigor")
    for task in suite.tasks:
        (found,) = (c for c in check_task(task, find_twin(task)) if c.name == "sentences")
        assert "tested" in found.detail, f"{task.id}: {found.problems}"
        assert "not mapped" not in found.detail, task.id
