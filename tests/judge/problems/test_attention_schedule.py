"""The problem "attention schedule": its files come from its generators, its machine keeps time, schedules are right.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "attention-schedule"
# Operations with times that can be counted by hand.
BY_HAND = """
#include <cstdio>
#include "machine.hpp"
using att::Matrix;
static int failed(void (*what)(att::Machine&)) {
  att::Machine machine({4, 2, 20, 10, 2, false}, 1);
  try {
    what(machine);
  } catch (const att::Failure&) {
    return -1;
  }
  return int(machine.finished());
}
static void product(att::Machine& m) { m.product_transposed(m.load(Matrix::q, 0, 2), m.load(Matrix::k, 0, 2)); }
int main() {
  // a load of 4 cells: 10 + 4
  std::printf("%d\\n", failed([](att::Machine& m) { m.load(Matrix::q, 0, 2); }));
  // a second one runs after it, and the product (4 + 4 * 2 / 2) after both
  std::printf("%d\\n", failed(product));
  // a load beside the computation: 28 + 14 is later than 28 + 8
  std::printf("%d\\n", failed([](att::Machine& m) {
    product(m);
    m.load(Matrix::v, 0, 2);
  }));
  // a load that has to wait for the cells of q, which are free at 45
  std::printf("%d\\n", failed([](att::Machine& m) {
    const int q = m.load(Matrix::q, 0, 4), k = m.load(Matrix::k, 0, 2);
    m.product_transposed(k, k);
    m.row_sum(q);
    m.release(q);
    m.load(Matrix::v, 0, 4);
  }));
  // 24 cells of 20; a row outside of the matrix; K is not writable; a tile that was released
  std::printf("%d\\n", failed([](att::Machine& m) { m.filled(6, 4, 0); }));
  std::printf("%d\\n", failed([](att::Machine& m) { m.load(Matrix::q, 3, 2); }));
  std::printf("%d\\n", failed([](att::Machine& m) { m.store(m.filled(1, 2, 0), Matrix::k, 0); }));
  std::printf("%d\\n", failed([](att::Machine& m) { int t = m.filled(1, 2, 0); m.release(t); m.add(t, t); }));
}
"""


@pytest.mark.parametrize(("script", "committed"), [("make.py", "data"), ("mutants.py", "submissions")])
def test_committed_files_are_the_generators(tmp_path: Path, script: str, committed: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), str(tmp_path)], check=True)
    made = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    _, different, missing = filecmp.cmpfiles(tmp_path, PACKAGE / committed, made, shallow=False)
    assert made
    assert different + missing == []


def test_the_judge_has_the_machine_that_is_given() -> None:
    canary, own = (PACKAGE / "drivers" / "include" / "machine.hpp").read_text().split("\n", 1)
    assert canary.startswith("// rigorbench-canary")
    assert own == (PACKAGE / "attachments" / "machine.hpp").read_text()


def test_the_machine_keeps_time(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    source, program = tmp_path / "by_hand.cpp", tmp_path / "by_hand"
    source.write_text(BY_HAND)
    subprocess.run(
        ["g++", "-std=c++20", "-Wall", "-I", str(PACKAGE / "attachments"), str(source), "-o", str(program)], check=True
    )
    shown = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    assert shown == ["14", "36", "42", "63", "-1", "-1", "-1", "-1"]


@pytest.mark.slow  # four compiles, a hundred runs
def test_schedules_are_right_and_the_times_of_the_data_are_theirs(tmp_path: Path) -> None:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    times = {}
    for where in (
        "attachments",
        "generators/one_by_one",
        "submissions/accepted/overlapped",
        "submissions/accepted/square-tiles",
    ):
        program = tmp_path / Path(where).name
        source = tmp_path / "practice.cpp"
        source.write_text((PACKAGE / "attachments" / "practice.cpp").read_text())
        include = ["-iquote", str(PACKAGE / where), "-I", str(PACKAGE / "attachments")]
        subprocess.run(["g++", "-std=c++20", "-O2", *include, str(source), "-o", str(program)], check=True)
        for case in sorted((PACKAGE / "data").rglob("*.in")):
            run = subprocess.run([program, *case.read_text().split()], capture_output=True, text=True, check=False)
            assert run.returncode == 0, (where, case, run.stdout)
            times[program.name, case] = int(run.stdout.split()[1].rstrip(","))
    for case in sorted((PACKAGE / "data").rglob("*.in")):
        slow, good = map(int, case.with_suffix(".ans").read_text().split())
        assert (times["one_by_one", case], times["overlapped", case]) == (slow, good)
        assert times["attachments", case] >= slow
        assert good <= times["square-tiles", case] < slow
