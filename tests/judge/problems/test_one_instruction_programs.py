"""The problem "programs of one instruction": its machine does as stated."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "one-instruction-programs"


@pytest.fixture(scope="module")
def machine() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(PACKAGE / "attachments" / "machine.py")))


@pytest.mark.parametrize(
    ("program", "numbers", "output"),
    [
        ("out in 0", [3, 1, 4], [3, 1, 4]),  # jumps to itself while numbers come
        ("out in 0", [3, 0, 4], [3, 0]),  # 0 < 0 is false: it runs on to its end
        ("$x in\n$x one end\nout $x\none: = 5", [7], [2]),  # |7 - 5|
        ("$x in\n$x one end\nout $x\none: = 5", [4], []),  # 4 < 5: jumps to the end
        ("; nothing but a comment\n= 1 2 3", [], []),
    ],
)
def test_what_programs_do(machine: SimpleNamespace, program: str, numbers: list[int], output: list[int]) -> None:
    assert machine.run(machine.assemble(program), numbers)[0] == output


@pytest.mark.parametrize(
    "program",
    ["a b", "out", "in $x", "$x out", "a: a: $x $x", "in: $x $x", "= -1", "= 9999999999999999", "$x $x x+y", "$x $x in",
     "= 1 " * 3001],
)  # fmt: skip
def test_what_is_no_program(machine: SimpleNamespace, program: str) -> None:
    with pytest.raises(machine.ProgramError):
        machine.assemble(program)


@pytest.mark.parametrize("program", ["$x 10002", "20000 $x", "$x $y\nloop: $x one loop\n$x $x\n$x one loop\none: = 1"])
def test_what_programs_must_not_do(machine: SimpleNamespace, program: str) -> None:
    with pytest.raises(machine.ProgramError):
        machine.run(machine.assemble(program), [])


def test_every_reference_program_has_exactly_its_par(machine: SimpleNamespace) -> None:
    cases = sorted((PACKAGE / "data" / "secret").glob("*/*.in"))
    assert len(cases) == 10
    for case in cases:
        par = int(case.read_text().split()[1])
        program = (PACKAGE / "submissions" / "accepted" / "by-hand" / f"{case.stem}.one").read_text()
        assert len(machine.assemble(program)) == par, case.stem
        assert f"| `{case.stem}.one` |" in (PACKAGE / "statement" / "problem.en.md").read_text()


def test_the_example_does_what_the_statement_says(machine: SimpleNamespace) -> None:
    cells = machine.assemble((PACKAGE / "attachments" / "double.one").read_text())
    assert machine.run(cells, [21]) == ([42], 6)
    assert machine.run(cells, [0])[0] == [0]
    assert len(cells) == 20
