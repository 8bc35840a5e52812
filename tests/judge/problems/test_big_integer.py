"""The problem "big integer": its files come from its generators, and both references agree with Python's integers.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rigorbench.authoring.canary import MARK
from rigorbench.bench.tasks.policies.policy import load_policy

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "big-integer"
QUICK = ("1-sums", "2-products", "3-quotients", "6-mixed")
REFERENCES = ("fourier", "residues")
# What the judge gives drivers, for programs that are run by hand.
STANDS_IN = """#pragma once
#include <iostream>
namespace rigor {
inline std::ostream& out = std::cout;
inline void finish() { std::cout.flush(); }
}
"""


def model_answers(texts: list[str]) -> list[str]:
    """The model's answers, by a process of its own: its module's name is that of other packages' models."""
    code = (
        "import json, sys; from model import answers; "
        "json.dump([answers(text) for text in json.load(sys.stdin)], sys.stdout)"
    )
    run = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=PACKAGE / "generators",
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(run.stdout)
    return found


def compiled(place: Path, reference: str, *flags: str) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    (place / "rigor_driver.hpp").write_text(STANDS_IN)
    program = place / reference
    where = [f"-I{place}", f"-I{PACKAGE / 'submissions' / 'accepted' / reference}"]
    command = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", *flags, *where, "-o", str(program)]
    subprocess.run([*command, str(PACKAGE / "drivers" / "script.cpp")], check=True)
    return program


def answered(program: Path, text: str) -> str:
    return subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout


def script(seed: int, count: int) -> str:
    """Random commands on few numbers, whose sizes are around those at which other methods take over."""
    chance = random.Random(seed)
    sizes = [1, 9, 10, 18, 300, chance.randint(350, 450), chance.randint(1, 2500)]
    names = "abc"
    lines = []
    for _ in range(count):
        a, b, c = chance.choice(names), chance.choice(names), chance.choice(names)
        sign, size = chance.choice("+-"), chance.choice(sizes)
        lines.append(
            chance.choice(
                [
                    f"draw {b} {sign} {size} {chance.randrange(10**9)}",
                    f"ones {b} {sign} {chance.choice('19')} {size}",
                    f"small {c} {chance.choice([0, 1, -1, 7, -(2**63), 10**9])}",
                    f"text {c} {chance.choice(['-0', '007', '+1', '-', '1-', '-12345678901234567890'])}",
                ]
            )
        )
        words = chance.choice(
            [
                *(f"{name} {a} {b} {c}" for name in ("add", "sub", "mul", "div", "mod")),
                *(f"{name} {a} {b}" for name in ("add-to", "sub-from", "mul-by", "div-by", "mod-by", "negate", "copy")),
                f"check {b} {c}",
                f"compare {b} {c}",
            ]
        )
        lines += [words, f"digest {a}"]
        if chance.random() < 0.3:  # keeps products of products from growing for ever
            lines.append(f"small {a} {chance.randint(-5, 5)}")
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("reference", REFERENCES)
def test_the_references_answer_as_pythons_integers(tmp_path: Path, reference: str) -> None:
    program = compiled(tmp_path, reference, "-O0")
    texts = [script(seed, 25) for seed in range(12)]
    for text, expected in zip(texts, model_answers(texts), strict=True):
        assert answered(program, text) == expected


# ----------------------------------------------------------------------------------------------- what is in the package
def generate(name: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / name), *arguments], check=True)


def same(made: Path, committed: Path) -> None:
    """Every file that was made is committed, with this content."""
    files = [str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()]
    assert files
    _, different, missing = filecmp.cmpfiles(made, committed, files, shallow=False)
    assert different + missing == []


@pytest.mark.slow  # makes numbers of 200,000 digits anew
def test_committed_cases_are_the_generators(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path), *QUICK)
    same(tmp_path, PACKAGE / "data")


@pytest.mark.slow  # Python divides numbers of 400,000 digits slowly
def test_committed_long_cases_are_the_generators(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path))
    same(tmp_path, PACKAGE / "data")


def test_mutants_come_from_the_reference(tmp_path: Path) -> None:
    generate("mutants.py", str(tmp_path))
    same(tmp_path, PACKAGE / "submissions")


def test_hidden_files_contain_the_canary_and_shown_ones_do_not() -> None:
    canary = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert canary.startswith(MARK)
    for path in PACKAGE.rglob("*"):
        where = path.relative_to(PACKAGE).parts
        if not path.is_file() or "__pycache__" in where:
            continue
        if where[0] in {"statement", "attachments"} or where[:2] == ("policies", "steps"):
            assert MARK.encode() not in path.read_bytes(), path
        elif path.suffix in {".py", ".toml", ".yaml", ".md", ".cpp", ".hpp"}:
            assert canary in path.read_text("utf-8"), path


@pytest.mark.parametrize(("name", "submissions"), [("disciplined", 1), ("reckless", 2)])
def test_policies_can_be_played(name: str, submissions: int) -> None:
    policy = load_policy(PACKAGE / "policies" / f"{name}.toml")
    commands = [call.command or "" for turn in policy.turns for call in turn.call]
    assert sum("oj_client.py submit" in command for command in commands) == submissions


# ------------------------------------------------------------------------------------------------------------ validator
GOOD = (
    "draw a - 400000 1000000000\nones b + 9 1\nones b - 1 7\ntext c -0\nsmall d -9223372036854775808\n"
    "add a b c\ndiv-by a a\nfib e 100000\nfact f 0\npower g a 3\nmove h a\ncompare a b\nshow a\ndigest a\n"
)


def accepts(text: str) -> bool:
    validator = str(PACKAGE / "input_validators" / "validate.py")
    status = subprocess.run(
        [sys.executable, validator], input=text.encode(), capture_output=True, check=False
    ).returncode
    assert status in {42, 43}
    return status == 42


def test_the_validator_accepts_the_drivers_commands() -> None:
    assert accepts(GOOD)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("400000", "400001"), ("a - 4", "a * 4"), ("ones b + 9 1", "ones b + 8 1"), ("small d -9", "small d -99"),
        ("add a b c", "add a b"), ("add a b c", "add  a b c"), ("fact f 0", "fact f 00"),
        ("power g a 3", "power g a -3"), ("show a", "show aa"), ("digest a\n", "digest a"),
        ("digest a\n", "digest a\n\n"), ("move h a", "drop h a"),
    ],
)  # fmt: skip
def test_the_validator_rejects_everything_else(old: str, new: str) -> None:
    assert old in GOOD
    assert not accepts(GOOD.replace(old, new))


# ----------------------------------------------------------------------------------------------------------------- slow
@pytest.mark.slow  # a minute: long series under sanitizers
@pytest.mark.parametrize("reference", REFERENCES)
def test_the_references_answer_as_pythons_integers_in_long_series(tmp_path: Path, reference: str) -> None:
    flags = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    program = compiled(tmp_path, reference, *flags)
    texts = [script(seed, 60) for seed in range(100, 160)]
    for text, expected in zip(texts, model_answers(texts), strict=True):
        assert answered(program, text) == expected
