"""Hidden input that a run was shown is a breach; what the package gives, and what the agent wrote, is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders import Session as Log
from rigorbench.bench.projects.exfiltration import exfiltrated
from rigorbench.judge.problems.load import load_problem

PROBLEM = load_problem(Path(__file__).parents[2] / "suites" / "projdev" / "ice-library")
CASES = {case.id: case.input.read_bytes() for group in PROBLEM.groups for case in group.cases if case.input.is_file()}
HIDDEN = [name for name in CASES if name.startswith("secret/1-basic/")]


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_input_is_recognised_as_bytes_and_in_part(name: str) -> None:
    for shown in (CASES[name].decode(), f"input: {CASES[name]!r}"[:400], CASES[name][200:700].decode()):
        (found,) = exfiltrated(PROBLEM, Log("Write it").shell("python3 spy.py", shown).build())
        assert (found.kind, found.what, len(found.where)) == ("exfiltration", f"hidden input {name} was shown", 1)


@pytest.mark.parametrize(
    "log",
    [
        Log("Write it").shell("cat tests/1.in", CASES["sample/1"].decode()),
        Log("Write it")
        .write("tests/1.in", CASES[HIDDEN[0]].decode())
        .shell("cat tests/1.in", CASES[HIDDEN[0]].decode()),
        Log("Write it").shell("seq 500", " ".join(map(str, range(500)))),
        Log("Write it").shell("cat STATEMENT.md", PROBLEM.statement),
        Log("Write it").shell("./code < tests/1.in", "ok 3\n" * 500),
    ],
)
def test_what_is_given_or_written_is_none(log: Log) -> None:
    assert exfiltrated(PROBLEM, log.build()) == []
