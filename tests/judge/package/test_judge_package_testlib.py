"""Programs written as for testlib, compiled with our header: checkers, interactors, validators, and translations."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.judge.problems import RESOURCES
from sources import text_file

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

CHECKER = text_file("judge_package_testlib.checker.c")

VALIDATOR = text_file("judge_package_testlib.validator.c")

INTERACTOR = text_file("judge_package_testlib.interactor.c")


Compile = Callable[..., Path]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    """Each program once: the name of what was made of sources."""
    place = tmp_path_factory.mktemp("testlib")

    def compile_(name: str, text: str, *more: str) -> Path:
        program = place / name
        if not program.exists():
            (place / f"{name}.cpp").write_text(text)
            sources = [str(place / f"{name}.cpp"), *(str(RESOURCES / other) for other in more)]
            subprocess.run(["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-parameter", "-I", str(RESOURCES), *sources, "-o", str(program)], check=True, capture_output=True, text=True)  # noqa: E501  # fmt: skip
        return program

    return compile_


@pytest.mark.parametrize(
    ("given", "output", "answer", "code", "said"),
    [
        ("2 seq", "1\n 2 ", "1 2\n", 0, "2 numbers"),
        ("2 seq", "1 3\n", "1 2\n", 1, "2nd: expected '2', found '3'"),
        ("2 seq", "1\n", "1 2\n", 2, "Unexpected end of file"),
        ("2 seq", "1 x\n", "1 2\n", 2, 'Expected integer, but "x" found'),
        ("2 seq", "1 02\n", "1 2\n", 2, "Expected integer"),
        ("2 seq", "1 9999\n", "1 2\n", 1, "violates the range"),
        ("2 seq", "1 99999999999999999999\n", "1 2\n", 2, "Expected integer"),
        ("2 seq", "1 2 3\n", "1 2\n", 4, "Extra information"),
        ("2 seq", "1 2\n", "1\n", 3, "answer"),
        ("99 seq", "1 2\n", "1 2\n", 3, "input"),
        ("1 points", "0.25\n", "\n", 7, "points 0.25 share 0.25"),
        ("1 points", "nan\n", "\n", 2, "Expected double"),
        ("1 points", "0x1p-1\n", "\n", 2, "Expected double"),
        ("1 line", "a  b \n", "a  b \n", 0, "same"),
        ("1 line", "a b\n", "a  b\n", 1, "expected 'a  b', found 'a b'"),
        ("1 real", "1000000.5\n", "1000000\n", 0, "near"),
        ("1 real", "1.1\n", "1\n", 1, "off by 0.1"),
        ("1 forget", "", "", 3, "without a verdict"),
    ],
)
def test_a_checker(
    compiled: Compile, tmp_path: Path, given: str, output: str, answer: str, code: int, said: str
) -> None:
    for name, text in (("in", given), ("out", output), ("ans", answer)):
        (tmp_path / name).write_text(text)
    # Compiled with the translation to Kattis, which this tells to stay away: one program for all tests.
    program, plain = compiled("translated", CHECKER, "testlib_kattis.cpp"), {"RIGOR_TESTLIB_CHECKER": "1"}
    argv = [program, "in", "out", "ans"]
    found = subprocess.run(argv, cwd=tmp_path, env=plain, capture_output=True, text=True, check=False)
    assert (found.returncode, said in found.stderr) == (code, True), found.stderr


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2 5\nab 0110\n", 0),
        ("2 5\nab 0110", 3),
        ("2 5\nab  0110\n", 3),
        ("2 5\nab 0120\n", 3),
        ("2 5\nabcdef ab\n", 3),
        ("2  5\nab ab\n", 3),
        ("2 5\nab\n", 3),
        ("2 5\nab ab\n\n", 3),
        ("02 5\nab ab\n", 3),
        ("2 13\nab ab\n", 3),
        ("2 1000000000001\nab ab\n", 3),
        ("", 3),
    ],
)
def test_a_validator(compiled: Compile, text: str, code: int) -> None:
    program = compiled("validator", VALIDATOR)
    assert subprocess.run([program], input=text.encode(), capture_output=True, check=False).returncode == code


def test_an_interactor_answers_without_waiting_for_more(compiled: Compile, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("7\n")
    program = compiled("interactor", INTERACTOR)
    with subprocess.Popen(
        [program, "in", "tout"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        answers = []
        for guess in (5, 7):
            run.stdin.write(b"%d\n" % guess)
            run.stdin.flush()
            answers.append(run.stdout.readline())
        assert run.wait() == 0
    assert answers == [b"no\n", b"yes\n"]
    assert (tmp_path / "tout").read_text() == "2\n"


@pytest.mark.parametrize(
    ("output", "code", "points"), [("1 2\n", 42, None), ("1 3\n", 43, None), ("1 2 3\n", 43, None)]
)
def test_a_checker_translated_to_kattis(
    compiled: Compile, tmp_path: Path, output: str, code: int, points: str | None
) -> None:
    found = _kattis(compiled("translated", CHECKER, "testlib_kattis.cpp"), tmp_path, "2 seq", output, "1 2\n")
    assert found.returncode == code
    assert (tmp_path / "feedback/judgemessage.txt").read_text()


def test_points_and_failures_translated_to_kattis(compiled: Compile, tmp_path: Path) -> None:
    program = compiled("translated", CHECKER, "testlib_kattis.cpp")
    assert _kattis(program, tmp_path, "1 points", "0.5", "").returncode == 42
    assert (tmp_path / "feedback/score.txt").read_text() == "0.5\n"
    assert _kattis(program, tmp_path, "99 seq", "", "").returncode not in (42, 43)


def _kattis(program: Path, place: Path, given: str, output: str, answer: str) -> subprocess.CompletedProcess[bytes]:
    (place / "in").write_text(given)
    (place / "ans").write_text(answer)
    (place / "feedback").mkdir(exist_ok=True)
    argv = [program, "in", "ans", "feedback/"]
    return subprocess.run(argv, cwd=place, input=output.encode(), capture_output=True, check=False)
