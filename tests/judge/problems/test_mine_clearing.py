"""The problem "mine clearing": its answers are the model's, and both accepted servers agree with the model.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "mine-clearing"
DATA = PACKAGE / "data"


@pytest.fixture(scope="module")
def generator() -> Iterator[ModuleType]:
    """generators/make.py, which imports the model by its bare name."""
    place = PACKAGE / "generators"
    sys.path.insert(0, str(place))
    try:
        spec = importlib.util.spec_from_file_location("make_mine_clearing", place / "make.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(place))
        sys.modules.pop("model", None)


def _by_model(generator: ModuleType, commands: list[tuple[str, list[str]]]) -> str:
    server = generator.Server()
    replies = [server.answer(line, more) for line, more in commands]
    return "".join(f"{len(reply)}\n" + "".join(f"{line}\n" for line in reply) for reply in replies)


def test_the_answers_are_those_of_the_model(generator: ModuleType) -> None:
    checked = 0
    for case, commands in generator.conversations():
        if "volume" not in case:
            assert (DATA / f"{case}.ans").read_text() == _by_model(generator, commands), case
            checked += 1
    assert checked == 17


def test_fields_come_from_their_seeds(generator: ModuleType) -> None:
    for case, fields in generator.matches():
        lines = [f"play {len(fields)}", *(" ".join(map(str, field)) for field in fields)]
        assert (DATA / f"{case}.in").read_text().splitlines() == lines, case


@pytest.mark.parametrize(
    "damaged",
    [
        "serve\n",
        "serve\nnew 1 2 1\n..\n",
        "serve\nnew 1 3 1\n***\n",
        "serve\nmake 2 3 6 1 9\n",
        "serve\nmake 1000 1000 3 1 9\n",
        "serve\nnew 2 3 1\n...\n",
        "play 1\n",
        "play 1\n8 8 30 1 5\n",
        "play 1\n8 8 6 4 5\n",
        "play 41\n" + "8 8 6 1 5\n" * 41,
        "watch\n",
        "play 1\n8 8 6 1 5",
    ],
)
def test_what_breaks_a_promise_is_no_input(damaged: str) -> None:
    validator = [sys.executable, str(PACKAGE / "input_validators" / "validate.py")]
    assert subprocess.run(validator, input=damaged, text=True, capture_output=True, check=False).returncode == 43


@pytest.mark.slow
@pytest.mark.parametrize("name", ["components-cpp", "closure-c"])
def test_accepted_servers_agree_with_the_model(name: str, generator: ModuleType, tmp_path: Path) -> None:
    source, program = PACKAGE / "submissions" / "accepted" / name / "src", tmp_path / "program"
    compiler = ["g++", "-std=c++20"] if name.endswith("cpp") else ["gcc", "-std=c11"]
    files = sorted(str(f) for f in source.iterdir() if f.suffix in (".cpp", ".c"))
    subprocess.run([*compiler, "-O2", "-o", str(program), *files], check=True)
    for seed in range(40):
        sizes = [(1 + seed % 7, 3 + seed % 11), (9, 3), (3, 12)]
        commands = generator.conversation(9000 + seed, sizes, 300, 0.05 * (seed % 6), 0.05 + 0.01 * (seed % 20), 5)
        assert generator.answers(program, commands) == _by_model(generator, commands), seed
