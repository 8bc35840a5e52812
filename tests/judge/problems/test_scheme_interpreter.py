"""The problem "scheme interpreter": its files come from its generators, and both references agree with its model.

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

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "scheme-interpreter"
REFERENCES = ("bytecode-machine", "tree-walker")


@pytest.fixture(scope="module")
def generators() -> tuple[ModuleType, ModuleType]:
    """The model and the writer of random programs; their names are those of other packages' modules as well."""
    place = str(PACKAGE / "generators")
    before = {name: sys.modules.pop(name, None) for name in ("model", "programs")}
    sys.path.insert(0, place)
    try:
        return importlib.import_module("model"), importlib.import_module("programs")
    finally:
        sys.path.remove(place)
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    place = tmp_path_factory.mktemp("references")
    for name in REFERENCES:
        sources = sorted((PACKAGE / "submissions" / "accepted" / name / "src").glob("*.cpp"))
        subprocess.run(["g++", "-std=c++20", "-O1", *map(str, sources), "-o", str(place / name)], check=True)
    return [place / name for name in REFERENCES]


def generate(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), *arguments], check=True)


# ----------------------------------------------------------------------------------------------- what is in the package
def test_cases_come_from_the_generator(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path))
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 80
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


def test_hidden_files_hold_the_canary_and_shown_ones_do_not() -> None:
    canary = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert canary.startswith(MARK)
    for path in PACKAGE.rglob("*"):
        where = path.relative_to(PACKAGE).parts
        if not path.is_file() or "__pycache__" in where:
            continue
        if where[0] in {"statement", "attachments"} or where[:2] == ("policies", "steps"):
            assert MARK.encode() not in path.read_bytes(), path
        elif path.suffix in {".py", ".toml", ".yaml", ".md", ".cpp", ".hpp"} and path.stem != "lexer":
            assert canary in path.read_text("utf-8"), path


def test_it_is_small_enough_to_be_cloned() -> None:
    assert sum(path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file()) < 600_000


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


@pytest.mark.parametrize("text", ["\n", "; nothing\n", '(a . b) `(,x ,@y) #t "q\\"\\\\\\n" -9223372036854775808\n'])
def test_the_validator_accepts_programs(text: str) -> None:
    assert accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "(\n",
        ")\n",
        "(car ')\n",
        '"open\n',
        '"\\t"\n',
        "9223372036854775808\n",
        "#true\n",
        "%x\n",
        "[1]\n",
        "\t\n",
        "\u00e9\n",
        "(" * 1001 + ")" * 1001 + "\n",
        "x" * 200_000 + "\n",
    ],
)
def test_the_validator_refuses_everything_else(text: str) -> None:
    assert not accepts(text)


# ----------------------------------------------------------------------------------------- the model and the references
def agree(generators: tuple[ModuleType, ModuleType], references: list[Path], seeds: range) -> None:
    model, programs = generators
    for seed in seeds:
        chance = random.Random(seed)
        writer = programs.Writer(chance, chance.choice([0, 0.03, 0.1]), chance.random() < 0.7)
        program = writer.program(40, chance.choice([2, 3]))
        wanted = model.answers(program)
        for reference in references:
            run = subprocess.run([reference], input=program, capture_output=True, text=True, check=True)
            assert run.stdout == wanted, program


@pytest.mark.slow  # compiles both references
def test_references_answer_as_the_model(generators: tuple[ModuleType, ModuleType], references: list[Path]) -> None:
    agree(generators, references, range(1000, 1060))


def test_the_model_does_what_the_statement_shows(generators: tuple[ModuleType, ModuleType]) -> None:
    blocks = (PACKAGE / "statement" / "problem.en.md").read_text("utf-8").split("```\n")
    assert generators[0].answers(blocks[1]) == blocks[3]
