"""The problem "mergeable queue": its cases come from its model, and the model agrees with the reference solutions.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import importlib.util
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "mergeable-queue"
# What the judge gives drivers, for programs that are run by hand.
STANDS_IN = """#pragma once
#include <iostream>
namespace rigor {
inline std::ostream& out = std::cout;
inline void finish() { std::cout.flush(); }
}
"""
DRIVERS = {"1-basic": "script", "2-values": "values", "3-cost": "checks", "4-throwing": "checks", "5-volume": "checks"}
Run = Callable[[str], str]
Compile = Callable[[str, str], Run]


@pytest.fixture(scope="module")
def generators() -> Iterator[tuple[ModuleType, ModuleType]]:
    """Its model and its generator; the second imports the first by its bare name."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, PACKAGE / "generators" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    before = {name: sys.modules.get(name) for name in ("model", "generate")}
    yield load("model"), load("generate")
    for name, module in before.items():
        if module is None:
            sys.modules.pop(name)
        else:
            sys.modules[name] = module


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """A driver with a submission: a program from a case's input to what it shows."""
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    place = tmp_path_factory.mktemp("queue")
    (place / "rigor_driver.hpp").write_text(STANDS_IN)

    def make(submission: str, driver: str) -> Run:
        program = place / f"{submission.replace('/', '-')}-{driver}"
        if not program.exists():
            command = ["g++", "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-I", str(place), "-o", str(program)]
            command += ["-I", str(PACKAGE / "drivers"), "-I", str(PACKAGE / "submissions" / submission)]
            subprocess.run([*command, str(PACKAGE / "drivers" / f"{driver}.cpp")], check=True)
        return lambda text: subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout

    return make


def _validated(text: str) -> int:
    command = [sys.executable, str(PACKAGE / "input_validators" / "validate.py")]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode


def test_committed_cases_are_the_generators(generators: tuple[ModuleType, ModuleType]) -> None:
    model, generate = generators
    names = set()
    for name, driver, text in generate.cases():
        names.add(name)
        assert (PACKAGE / "data" / f"{name}.in").read_text() == text, name
        if not text.startswith("volume"):  # its answers take seconds
            assert (PACKAGE / "data" / f"{name}.ans").read_text() == model.answer(driver, text), name
    data = PACKAGE / "data"
    assert names == {path.relative_to(data).with_suffix("").as_posix() for path in data.rglob("*.in")}


def test_the_validator_accepts_every_kind_of_case_and_no_damaged_one() -> None:
    for path in ["sample/01", *(f"secret/{group}/01*" for group in DRIVERS)]:
        (file,) = (PACKAGE / "data").glob(f"{path}.in")
        text = file.read_text()
        assert _validated(text) == 42, file
        for damaged in (text[:-1], text + "\n", text + "nonsense 1\n", " " + text, text.replace("1", "x", 1)):
            assert _validated(damaged) == 43, (file, damaged[:40])


def test_the_validator_rejects_what_the_statement_leaves_undefined() -> None:
    assert _validated("records 2 5 5\nmerge 0 1\n") == 42
    assert _validated("records 2 5 6\nmerge 0 1\n") == 43
    # An order comes along with the elements, and a range starts with that of the beginning.
    assert _validated("records 2 5 6\ncopy 0 1\nmerge 0 1\n") == 42
    assert _validated("records 2 5 6\ncopy 0 1\nrange 0 0\nmerge 0 1\n") == 43
    assert _validated("failures\nagain copy 0 3 1\n") == 43


def test_the_reference_agrees_with_sorted_lists(generators: tuple[ModuleType, ModuleType], compiled: Compile) -> None:
    model, generate = generators
    run = compiled("accepted/leftist", "values")
    for seed in range(60):
        # Half of them with many equal elements, and half with several orders.
        orders = [10, 10, 3, 3] if seed % 4 < 2 else [10] * 4
        text = generate.records(seed, 60, 6 if seed % 2 else 1000, orders)
        assert run(text) == model.answer("script", text), seed


def test_failures_at_random_places_change_nothing(generators: tuple[ModuleType, ModuleType], compiled: Compile) -> None:
    text = _attempts(generators[1], 9, 25, 12)
    assert compiled("accepted/leftist", "checks")(text) == generators[0].answer("checks", text)


def _attempts(generate: ModuleType, seed: int, lines: int, largest: int) -> str:
    draw = random.Random(seed)
    names = [*generate.PUSHES, *generate.POPS, "merge", *generate.COPIES, "range", *generate.SAFE]
    kinds = ["question", "copy", "memory"]
    rows = ["failures\n"]
    for _ in range(lines):
        sizes = draw.randint(1, largest), draw.randint(0, largest)
        rows.append(f"{draw.choice(names)} {draw.choice(kinds)} {sizes[0]} {sizes[1]} {draw.randrange(10**6)}\n")
    return "".join(rows)


def test_every_operation_fails_at_every_kind_of_call(generators: tuple[ModuleType, ModuleType]) -> None:
    generate = generators[1]
    tried = {
        tuple(line.split()[:2])
        for name, _driver, text in generate.cases()
        if "4-throwing" in name
        for line in text.splitlines()[1:]
    }
    names = {*generate.PUSHES, *generate.POPS, "merge", *generate.COPIES, "range", *generate.SAFE}
    for name in names:
        for kind in ("question", "copy", "memory"):
            assert (name, kind) in tried, (name, kind)


@pytest.mark.parametrize(
    ("submission", "driver", "group"),
    [
        ("wrong_answer/expects-elements", "checks", "4-throwing"),  # only a second try shows it
        ("wrong_answer/list-of-the-removed", "checks", "4-throwing"),  # only memory that runs out
        ("wrong_answer/never-balanced", "checks", "3-cost"),
        ("wrong_answer/order-stays", "values", "2-values"),
    ],
)
@pytest.mark.slow  # four compiles
def test_unsafe_queues_are_found(compiled: Compile, submission: str, driver: str, group: str) -> None:
    run = compiled(submission, driver)
    cases = sorted((PACKAGE / "data" / "secret" / group).glob("*.in"))
    assert any(run(case.read_text()) != case.with_suffix(".ans").read_text() for case in cases)


@pytest.mark.slow  # a compile with optimisation
def test_elements_that_are_used_when_they_are_dead_are_found(tmp_path: Path) -> None:
    """An optimising compiler may leave out what a destructor writes, unless the members are volatile."""
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    (tmp_path / "main.cpp").write_text(
        """#include "elements.hpp"
#include <cstdio>
int main() {
  alignas(drive::counted) unsigned char room[sizeof(drive::counted)];
  auto* element = new (room) drive::counted(7);
  element->~counted();
  const bool dead = element->read() == 7 && drive::counted::ghosts == 1;
  element = new (room) drive::counted(8);
  drive::counted moved(std::move(*element));
  std::puts(dead && element->read() == drive::counted::gone ? "seen" : "not seen");
}
"""
    )
    program = tmp_path / "program"
    subprocess.run(
        ["g++", "-std=c++20", "-O2", "-I", str(PACKAGE / "drivers"), "-o", str(program), str(tmp_path / "main.cpp")],
        check=True,
    )
    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout == "seen\n"


@pytest.mark.slow  # six compiles, thousands of runs
@pytest.mark.parametrize("submission", ["accepted/leftist", "accepted/pairing"])
def test_references_agree_with_the_model_at_length(
    generators: tuple[ModuleType, ModuleType], compiled: Compile, submission: str
) -> None:
    model, generate = generators
    for head in ("smallest 4", "greatest 2", "singles 3", "texts 2", "wides 3"):
        run = compiled(submission, "script" if "est" in head else "values")
        without = generate.NO_COPIES if "singles" in head else generate.NO_LIVES if "est" in head else ()
        for seed in range(500):
            text = f"{head}\n{generate.script(seed, 80, int(head.split()[1]), 9, without)}"
            assert run(text) == model.answer("script", text), (head, seed)
    run = compiled(submission, "values")
    for seed in range(500):
        text = generate.records(seed, 80, 9, [5, 5, 2, 2])
        assert run(text) == model.answer("script", text), seed
    run = compiled(submission, "checks")
    for seed in range(50):
        text = _attempts(generate, seed, 20, 40)
        assert run(text) == model.answer("checks", text), seed
    for group, driver in DRIVERS.items():
        run = compiled(submission, driver)
        for case in sorted((PACKAGE / "data" / "secret" / group).glob("*.in")):
            assert run(case.read_text()) == case.with_suffix(".ans").read_text(), case
