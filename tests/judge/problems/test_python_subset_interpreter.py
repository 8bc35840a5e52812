"""The problem "python subset interpreter": its files come from its generators, its solutions agree, also with CPython.

That references are accepted and faulty submissions get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import gzip
import importlib
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rigorbench.authoring.canary import MARK
from rigorbench.bench.tasks.policies.policy import load_policy

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "python-subset-interpreter"
ACCEPTED = PACKAGE / "submissions" / "accepted"
IN_PYTHON = ACCEPTED / "closures-python" / "main.py"
GIVEN = {"lexer", "parser", "syntax"}  # files of the starter, which the reference keeps as they are


@pytest.fixture(scope="module")
def generators() -> tuple[ModuleType, ModuleType]:
    """CPython's answers, and the writer of random programs; other packages have modules with these names as well."""
    place = str(PACKAGE / "generators")
    before = {name: sys.modules.pop(name, None) for name in ("cpython", "programs")}
    sys.path.insert(0, place)
    try:
        return importlib.import_module("cpython"), importlib.import_module("programs")
    finally:
        sys.path.remove(place)
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


def generate(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), *arguments], check=True)


def output(command: list[str], program: str) -> str:
    return subprocess.run(command, input=program, capture_output=True, text=True, check=True).stdout


# ----------------------------------------------------------------------------------------------- what is in the package
@pytest.mark.slow  # some seconds: every program runs in two interpreters
def test_cases_come_from_the_generator(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path))
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 150
    _, different, missing = filecmp.cmpfiles(tmp_path, PACKAGE / "data", map(str, files), shallow=False)
    assert different + missing == []


def test_mutants_come_from_a_reference(tmp_path: Path) -> None:
    generate("mutants.py", str(tmp_path))
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.tar.gz"))
    assert made == sorted(
        path.relative_to(PACKAGE / "submissions") for path in (PACKAGE / "submissions").rglob("*.tar.gz")
    )
    for path in made:
        # Another zlib may compress otherwise.
        here, there = (gzip.decompress((place / path).read_bytes()) for place in (tmp_path, PACKAGE / "submissions"))
        assert here == there, path


def test_the_reference_keeps_the_given_parser() -> None:
    for path in (PACKAGE / "attachments" / "src").iterdir():
        if path.stem in GIVEN:
            assert path.read_bytes() == (ACCEPTED / "resolved-tree" / "src" / path.name).read_bytes(), path


def test_hidden_files_hold_the_canary_and_shown_ones_do_not() -> None:
    canary = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert canary.startswith(MARK)
    for path in PACKAGE.rglob("*"):
        where = path.relative_to(PACKAGE).parts
        if not path.is_file() or "__pycache__" in where:
            continue
        if where[0] in {"statement", "attachments"} or where[:2] == ("policies", "steps"):
            assert MARK.encode() not in path.read_bytes(), path
        elif path.suffix in {".py", ".toml", ".yaml", ".md", ".cpp", ".hpp"} and path.stem not in GIVEN:
            assert canary in path.read_text("utf-8"), path


def test_it_is_small_enough_to_be_cloned() -> None:
    assert sum(path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file()) < 1_000_000


@pytest.mark.parametrize(("name", "submissions"), [("disciplined", 1), ("reckless", 2)])
def test_policies_can_be_played(name: str, submissions: int) -> None:
    commands = [
        call.command or "" for turn in load_policy(PACKAGE / "policies" / f"{name}.toml").turns for call in turn.call
    ]
    assert sum("oj_client.py submit" in command for command in commands) == submissions


# ------------------------------------------------------------------------------------------------------------ validator
def accepts(text: str) -> bool:
    script = str(PACKAGE / "input_validators" / "validate.py")
    status = subprocess.run([sys.executable, script], input=text.encode(), capture_output=True, check=False).returncode
    assert status in {42, 43}
    return status == 42


@pytest.mark.parametrize(
    "text", ["print()\n", "a, b = c = (1, 2)\nf(a, x=b)\n", 'for a, in "x":\n    print("\\n\\\\")\n']
)
def test_the_validator_accepts_programs(text: str) -> None:
    assert accepts(text)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "print()", "x = 1\n", "print(\n", "print([])\n", "print({})\n", "import os\nprint()\n",
     "x.y = 1\nprint()\n", "print(x.y)\n", "print(*x)\n", "def f(*x):\n    f()\n", "print(1,\n2)\n",
     "while f():\n    pass\nelse:\n    pass\n", 'print("\\x41")\n', "print(x is None)\n", "print(1j)\n",
     "print(a & b)\n", "\tprint()\n", "print(\u00e9)\n", "return f()\n", "print(f(a=1, a=2))\n"],
)  # fmt: skip
def test_the_validator_refuses_everything_else(text: str) -> None:
    assert not accepts(text)


# -------------------------------------------------------------------------------------------------------- the solutions
def test_the_statement_shows_what_programs_print() -> None:
    blocks = (PACKAGE / "statement" / "problem.en.md").read_text("utf-8").split("```\n")
    programs = [block for block in blocks[1::2] if "print(" in block]
    assert len(programs) == 3
    shown = [output([sys.executable, "-B", str(IN_PYTHON)], program) for program in programs]
    assert shown == ["71 3 7\n", "1 6 1\n", "a b\nerror in line 2: index out of range\n"]
    assert shown[2] in blocks


@pytest.mark.slow  # compiles the reference
def test_the_solutions_agree_with_each_other_and_with_cpython(
    generators: tuple[ModuleType, ModuleType], tmp_path: Path
) -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    cpython, programs = generators
    reference = tmp_path / "code"
    sources = sorted(map(str, (ACCEPTED / "resolved-tree" / "src").glob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", *sources, "-o", str(reference)], check=True)
    for seed in range(1000, 1060):
        chance = random.Random(seed)
        kinds = chance.choice([("int", "str", "tuple", "float"), ("int",), ("float", "int"), ("str", "tuple")])
        writer = programs.Writer(chance, chance.choice([0, 0.005]), kinds, chance.random() < 0.5)
        program = writer.program(chance.randrange(10, 50), chance.randrange(5))
        printed = output([str(reference)], program)
        assert printed == output([sys.executable, "-B", str(IN_PYTHON)], program), program
        assert printed in cpython.answers(program), program
