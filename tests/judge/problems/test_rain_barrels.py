"""The problem "rain barrels": interactor, model, practice garden and statement tell the same story."""

from __future__ import annotations

import random
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "rain-barrels"
# Status, what was sent to the program, message, raw score.
Ended = tuple[int, str, str, str | None]
Interact = Callable[[str, str], Ended]


@pytest.fixture(scope="module")
def world() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(PACKAGE / "generators" / "world.py")))


@pytest.fixture(scope="module")
def interact(tmp_path_factory: pytest.TempPathFactory) -> Interact:
    """The interactor with all that a program will ever say; its answers do not depend on when that arrives."""
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    program = tmp_path_factory.mktemp("rain") / "interact"
    source = PACKAGE / "output_validator" / "interact.cpp"
    subprocess.run(["g++", "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)

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


def test_the_sample_is_played_as_the_statement_shows(interact: Interact) -> None:
    lines = (PACKAGE / "data/sample/1.interaction").read_text().splitlines()
    said = "".join(f"{line[1:]}\n" for line in lines if line[0] == ">")
    heard = "".join(f"{line[1:]}\n" for line in lines if line[0] == "<")
    garden = (PACKAGE / "data/sample/1.in").read_text()
    assert interact(garden, said) == (42, heard, "collected 2700 cl", "2.700000")


def test_interactor_and_world_agree_in_every_answer(world: SimpleNamespace, interact: Interact) -> None:
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


BAD, LATE = "hour 1: neither look I, nor empty I, nor stop", "a command after the end of the season"


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
        ("x" * 101, 43, "hour 1: a line of more than 100 characters"),
        *((f"empty 1\nempty 1\n{more}", 43, LATE) for more in ("empty 1\n", "stop\n", "x" * 101)),
        ("stop\nstop\n", 43, LATE),
        *(
            (f"{line}\n", 43, BAD)
            for line in (
                *("empty 0", "empty 3", "empty -1", "empty 1 2", "empty1", "empty", "Empty 1", "empty 1\0"),
                *("empty 99999999999999999999", "stop it", "x" * 100),
            )
        ),
    ],
)
def test_every_ending_is_the_statements(interact: Interact, said: str, status: int, message: str) -> None:
    ended = interact(SMALL, said)
    assert (ended[0], ended[2], ended[3] is None) == (status, message, status == 43)


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
    garden, program = PACKAGE / "attachments" / "garden.py", PACKAGE / "submissions" / submission
    size = ["--barrels", "5", "--hours", "20", "--looks", "4"]
    done = subprocess.run([sys.executable, garden, *size, sys.executable, program], capture_output=True, text=True)
    assert (done.returncode, text in done.stdout) == (status, True), done.stdout
