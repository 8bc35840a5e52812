"""The key ``generated``: test data that a program of the package makes when it is first judged."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rigorbench.judge.build.generate import make_files
from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.judge.judgement import JudgeError
from rigorbench.judge.problems.export import export_package
from rigorbench.judge.problems.load import load_problem
from rigorbench.judge.problems.problem import PackageError
from rigorbench.judge.submission import take
from rigorbench.sandbox.cell.cell import JudgeCell
from rigorbench.sandbox.cell.spec import CellError, CellSpec

PACKAGES = Path(__file__).parent.parent / "packages"
INPUT, ANSWER = "2\n20 22\n", "42\n"
# The helper beside the program shows that the whole directory is there.
PROGRAM = """import pathlib, sys
from numbers_of import TEXT
place = pathlib.Path(sys.argv[2], "secret/2-large")
place.mkdir(parents=True)
(place / (sys.argv[1] + ".in")).write_text(TEXT)
(place / (sys.argv[1] + ".ans")).write_text("42\\n")
"""


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


OTHER = sha("43\n")


def key(answer: str = ANSWER, name: str = "secret/2-large/9") -> str:
    return (
        "generated:\n  program: generators/make.py\n  args: ['9']\n"
        f"  files:\n    {name}.in: {sha(INPUT)}\n    {name}.ans: {sha(answer)}\n"
    )


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a package, with a program that makes one more test point."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = Path(shutil.copytree(PACKAGES / "sum", tmp_path / "sum"))
    (place / "generators").mkdir(exist_ok=True)
    (place / "generators" / "make.py").write_text(PROGRAM)
    (place / "generators" / "numbers_of.py").write_text(f"TEXT = {INPUT!r}\n")
    return place


def with_key(package: Path, text: str) -> Path:
    file = package / "problem.yaml"
    file.write_text((PACKAGES / "sum" / "problem.yaml").read_text() + text)
    return package


@pytest.fixture
def sandbox() -> Iterator[None]:
    try:
        JudgeCell.start(CellSpec()).close()
    except CellError as error:
        pytest.skip(str(error))
    return


def test_a_generated_test_point_is_one_of_its_group_and_its_hash_is_in_the_digest(package: Path) -> None:
    problem = load_problem(with_key(package, key()))
    case = next(case for case in problem.groups[2].cases if case.id == "secret/2-large/9")
    assert case.input == problem.generated.place / "secret/2-large/9.in"
    assert not case.input.exists()  # nothing is made before it is needed
    assert load_problem(with_key(package, key("43\n"))).digest != problem.digest


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("make.py", "none.py", "generated.program: generators/none.py: no such file"),
        ("generators/make.py", "generators", "generated.program: is a directory"),
        ("secret/2-large/9.in", "secret/2-large/1.in", "is in the package as well"),
        ("secret/2-large/9.in", "secret/9-none/9.in", "there is no directory"),
        ("secret/2-large/9.in", "sample/9.in", "below data"),
        ("secret/2-large/9.in", "secret/../9.in", "below data"),
        (sha(INPUT), "'12'", "SHA-256"),
        ("    secret/2-large/9.in: " + sha(INPUT) + "\n", "", "no 9.in beside it"),
        ("  args", "  arguments", "unknown key"),
    ],
)
def test_what_is_wrong_with_the_key_is_said(package: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(PackageError) as error:
        load_problem(with_key(package, key().replace(old, new)))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.bwrap
def test_files_are_made_once_and_again_when_they_are_damaged(package: Path, sandbox: None) -> None:
    problem = load_problem(with_key(package, key()))
    with Judge(JudgeSettings(slots=1)) as judge:
        submission = take(str(package / "submissions/accepted/reference.cpp"), package.parent / "submission")
        assert judge.judge(problem, submission).score == 100
    made = problem.generated.place / "secret/2-large/9.in"
    first = made.stat().st_ino
    make_files(problem)
    assert made.stat().st_ino == first
    made.write_text("2\n1 1\n")
    make_files(problem)
    assert made.read_text() == INPUT
    export_package(package, package.parent / "plain")
    assert (package.parent / "plain/data/secret/2-large/9.ans").read_text() == ANSWER


@pytest.mark.bwrap
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("42", "43"),
            f"secret/2-large/9.ans: the program made a file with SHA-256 {OTHER}, not",
        ),
        (('".ans"', '".out"'), "secret/2-large/9.ans: the program did not make it"),
        (("place.mkdir", "sys.exit('no numbers')\nplace.mkdir"), "make.py failed (exit 1: no numbers)"),
    ],
)
def test_another_content_is_an_error_that_names_the_file(
    package: Path, sandbox: None, change: tuple[str, str], message: str
) -> None:
    program = package / "generators" / "make.py"
    program.write_text(PROGRAM.replace(*change))
    problem = load_problem(with_key(package, key()))
    with pytest.raises(JudgeError) as error:
        make_files(problem)
    assert message in str(error.value)
    assert not problem.generated.place.exists()
