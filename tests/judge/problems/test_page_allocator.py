"""The problem "page allocator": its files come from its generators, and both references agree with the model.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "page-allocator"
GIVEN = PACKAGE / "include" / "default"
QUICK = ("sample", "1-basic", "2-edges")


def generate(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), *arguments], check=True)


def same(made: Path, committed: Path) -> None:
    """Every file that was made is committed, with this content."""
    files = [str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()]
    _, different, missing = filecmp.cmpfiles(made, committed, files, shallow=False)
    assert files
    assert different + missing == []


def test_committed_cases_are_the_generators(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path), *QUICK)
    same(tmp_path, PACKAGE / "data")


@pytest.mark.slow  # twenty seconds: storms of millions of calls in Python
def test_committed_storms_are_the_generators(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path))
    same(tmp_path, PACKAGE / "data")


def test_mutants_come_from_the_reference(tmp_path: Path) -> None:
    generate("mutants.py", str(tmp_path))
    same(tmp_path, PACKAGE / "submissions")


def test_the_judge_replaces_what_the_starter_must_not_change() -> None:
    for path in GIVEN.iterdir():
        assert path.read_bytes() == (PACKAGE / "attachments" / path.name).read_bytes()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("open 3 1000000\nfind 3 -1\n", 42), ("open 0 1\nstorm 0 1 3000000 12 100\n", 42),
        ("take 0 1\n", 43), ("open 4 1\n", 43), ("open 0 0\n", 43), ("open 0 1\ntake 0\n", 43), ("open 0 1", 43),
        ("", 43), ("open 0 1\nstorm 0 1 3000000 1 1\nstorm 0 1 3000000 1 1\n", 43),
    ],
)  # fmt: skip
def test_the_validator(text: str, status: int) -> None:
    command = [sys.executable, str(PACKAGE / "input_validators" / "validate.py")]
    assert subprocess.run(command, input=text, capture_output=True, text=True, check=False).returncode == status


def test_the_validator_accepts_all_cases() -> None:
    for path in sorted((PACKAGE / "data").rglob("*.in")):
        command = [sys.executable, str(PACKAGE / "input_validators" / "validate.py")]
        assert subprocess.run(command, stdin=path.open(), capture_output=True, check=False).returncode == 42, path


def storms(seed: int) -> str:
    chance = random.Random(seed)
    frames = [chance.choice([1, 2, 3, 100, 4095, 4096, 4097, 9000]) for _ in range(2)]
    rows = [f"open {slot} {count}" for slot, count in enumerate(frames)]
    for _ in range(6):
        slot = chance.randrange(2)
        rows += [
            f"storm {slot} {chance.randrange(10**6)} 300 {chance.randint(0, 12)} {chance.randint(20, 90)}",
            f"counts {slot}",
        ]
    return "".join(f"{row}\n" for row in rows)


@pytest.mark.parametrize("reference", ["bitmaps", "mask-tree"])
def test_the_references_agree_with_the_model_and_stay_in_their_memory(tmp_path: Path, reference: str) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    program = tmp_path / "code"
    sources = [str(GIVEN / "main.c"), str(PACKAGE / "submissions" / "accepted" / reference / "pages.c")]
    flags = [
        "-std=c17",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ]
    subprocess.run(["gcc", *flags, f"-I{GIVEN}", *sources, "-o", str(program)], check=True)
    model = "import sys; sys.path.append(sys.argv[1]); import model; print(model.answer(sys.stdin.read()), end='')"
    for seed in range(8):
        text = storms(seed)
        right = subprocess.run(
            [sys.executable, "-B", "-c", model, str(PACKAGE / "generators")],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        # Zones that are still open at the end are never freed.
        run = subprocess.run(
            [program], input=text, capture_output=True, text=True, check=True, env={"ASAN_OPTIONS": "detect_leaks=0"}
        )
        assert run.stdout == right.stdout, seed
