"""The problem "rain barrels": interactor, model, practice garden and statement tell the same story."""

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

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "rain-barrels"
# Status, what was sent to the program, message, raw score.
Ended = tuple[int, str, str, str | None]
Interact = Callable[[str, str], Ended]


@pytest.fixture(scope="module")
def generators() -> Iterator[tuple[ModuleType, ModuleType]]:
    """Its world and its generator; the second imports the first by its bare name."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, PACKAGE / "generators" / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    before = {name: sys.modules.get(name) for name in ("world", "generate")}
    yield load("world"), load("generate")
    for name, module in before.items():
        if module is None:
            sys.modules.pop(name)
        else:
            sys.modules[name] = module


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    place = tmp_path_factory.mktemp("rain")

    def make(source: str) -> Path:
        program = place / Path(source).stem
        if not program.exists():
            flags = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror"]
            subprocess.run(["g++", *flags, "-o", str(program), str(PACKAGE / source)], check=True)
        return program

    return make


@pytest.fixture(scope="module")
def interact(built: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Interact:
    """The interactor with all that a program will ever say; its answers do not depend on when that arrives."""
    program = built("output_validator/interact.cpp")

    def run(garden: str, said: str) -> Ended:
        place = tmp_path_factory.mktemp("case")
        (place / "in").write_text(garden)
        (place / "ans").write_text("1000\n")
        done = subprocess.run(
            [program, place / "in", place / "ans", f"{place}/"], input=said.encode(), capture_output=True, check=False
        )
        score = place / "score.txt"
        message = (place / "judgemessage.txt").read_text().rstrip("\n")
        return done.returncode, done.stdout.decode(), message, score.read_text().strip() if score.exists() else None

    return run


def test_committed_gardens_are_the_generators(generators: tuple[ModuleType, ModuleType]) -> None:
    world, generate = generators
    names = set()
    for name, garden in generate.cases():
        names.add(name)
        assert (PACKAGE / "data" / f"{name}.in").read_text() == garden.text(), name
        if len(garden.rates) <= 12:  # the others take a second
            assert int((PACKAGE / "data" / f"{name}.ans").read_text()) == world.informed(garden), name
    data = PACKAGE / "data"
    assert names == {path.relative_to(data).with_suffix("").as_posix() for path in data.rglob("*.in")}


def test_the_validator_accepts_every_garden_and_no_damaged_one() -> None:
    def validated(text: str) -> int:
        command = [sys.executable, str(PACKAGE / "input_validators" / "validate.py")]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode

    for file in [PACKAGE / "data/sample/1.in", PACKAGE / "data/secret/4-edges/b.in"]:
        text = file.read_text()
        assert validated(text) == 42, file
        first, second, rest = text.split("\n", 2)
        for damaged in (
            text[:-1],
            text + "\n",
            f"{first}\n{second} 1\n{rest}",
            f"61 5 2\n{second}\n{rest}",
            text + "5 5 5\n",
        ):
            assert validated(damaged) == 43, (file, damaged[:60])


def test_the_sample_is_played_as_the_statement_shows(interact: Interact) -> None:
    lines = (PACKAGE / "data/sample/1.interaction").read_text().splitlines()
    said = "".join(f"{line[1:]}\n" for line in lines if line[0] == ">")
    heard = "".join(f"{line[1:]}\n" for line in lines if line[0] == "<")
    garden = (PACKAGE / "data/sample/1.in").read_text()
    assert interact(garden, said) == (42, heard, "collected 2700 cl", "2.700000")


def test_interactor_and_world_agree_in_every_answer(
    generators: tuple[ModuleType, ModuleType], interact: Interact
) -> None:
    world, _ = generators
    for seed in range(40):
        draw = random.Random(seed)
        garden = world.drawn(
            seed,
            barrels=draw.randint(1, 8),
            hours=draw.randint(1, 40),
            looks=draw.randint(0, 20),
            gusts=draw.choice([0, 40, 60]),
            weather=draw.random() < 0.5,
            turns=draw.random() < 0.5,
        )
        season = world.Season(garden)
        said, heard, looks = [], [f"{len(garden.rates)} {garden.hours} {garden.looks}"], garden.looks
        last = draw.randint(0, garden.hours)
        while season.hour < last:
            barrel = draw.randrange(len(garden.rates))
            if looks > 0 and draw.random() < 0.4:
                looks -= 1
                said.append(f"look {barrel + 1}")
                heard.append(str(season.contents[barrel]))
            else:
                said.append(f"empty {barrel + 1}")
                heard.append(str(season.empty(barrel)))
        if last < garden.hours:
            said.append("stop")
        status, replies, _, score = interact(garden.text(), "".join(f"{line}\n" for line in said))
        assert (status, replies.split("\n")[:-1]) == (42, heard), seed
        assert score == f"{season.collected / 1000:.6f}", seed


SMALL = "2 2 1\n1 0 2\noo\n1000 300 300\n2000 200 200\n"


@pytest.mark.parametrize(
    ("said", "status", "message"),
    [
        ("empty 1\nempty 2\n", 42, "collected 700 cl"),
        ("empty 1\nempty 2", 42, "collected 700 cl"),
        ("\n\n  empty   1 \r\n\nempty 2\n\n \n", 42, "collected 700 cl"),
        ("stop\n", 42, "collected 0 cl"),
        ("empty 1\nstop\n", 42, "collected 300 cl"),
        ("look 2\nempty 2\nempty 2\n", 42, "collected 400 cl"),
        ("", 43, "hour 1: no more commands, though the season goes on"),
        ("empty 1\n", 43, "hour 2: no more commands, though the season goes on"),
        ("look 1\nlook 1\n", 43, "hour 1: one look too many"),
        ("empty 1\nempty 1\nempty 1\n", 43, "a command after the end of the season"),
        ("empty 1\nempty 1\nstop\n", 43, "a command after the end of the season"),
        ("stop\nstop\n", 43, "a command after the end of the season"),
        ("empty 1\nempty 1\n" + "x" * 101, 43, "a command after the end of the season"),
        ("empty 0\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty 3\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty -1\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty 1 2\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty1\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("Empty 1\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty 99999999999999999999\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("empty 1\0\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("stop it\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("x" * 100 + "\n", 43, "hour 1: neither look I, nor empty I, nor stop"),
        ("x" * 101, 43, "hour 1: a line of more than 100 characters"),
    ],
)
def test_every_ending_is_the_statements(interact: Interact, said: str, status: int, message: str) -> None:
    ended = interact(SMALL, said)
    assert (ended[0], ended[2], ended[3] is None) == (status, message, status == 43)


def _practised(program: list[str], *options: str) -> tuple[int, str]:
    command = [sys.executable, str(PACKAGE / "attachments" / "garden.py"), *options, *program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("submission", "status", "text"),
    [
        ("accepted/round_robin.py", 0, "of the informed gardener's"),
        ("wrong_answer/looks_too_often.py", 1, "one look too many"),
        ("wrong_answer/half_a_season.py", 1, "no more commands"),
        ("wrong_answer/one_hour_more.py", 1, "after the season: empty"),
        ("run_time_error/reads_two_numbers.py", 1, "no more commands"),
    ],
)
def test_the_garden_for_practice_has_the_same_rules(submission: str, status: int, text: str) -> None:
    ended, shown = _practised(
        [sys.executable, str(PACKAGE / "submissions" / submission)], "--barrels", "5", "--hours", "20", "--looks", "4"
    )
    assert (ended, text in shown) == (status, True), shown


@pytest.mark.slow  # plays dozens of long seasons
def test_the_references_do_the_same_in_both_languages(built: Callable[[str], Path]) -> None:
    native = [str(built("submissions/accepted/estimates.cpp"))]
    python = [sys.executable, str(PACKAGE / "submissions/accepted/estimates.py")]
    for seed in range(20):
        options = ["--seed", str(seed), "--barrels", str(2 + seed), "--gusts", "40", "--weather", "--turns"]
        shares = _practised(native, *options), _practised(python, *options)
        assert shares[0] == shares[1], seed
        assert shares[0][0] == 0, seed
