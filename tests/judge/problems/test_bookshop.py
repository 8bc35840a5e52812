"""The problem "bookshop": its files come from its generators; its model agrees with both reference solutions.

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

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "bookshop"


def model_answers(series: list[list[str]]) -> list[list[str]]:
    """The model's answers, by a process of its own: its module's name is that of other packages' models."""
    code = (
        "import json, sys; from model import Shop, answers; found = []\n"
        "for runs in json.load(sys.stdin):\n"
        "    shop = Shop()\n"
        "    found.append([''.join(f'{line}\\n' for line in answers(shop, text.splitlines())) for text in runs])\n"
        "json.dump(found, sys.stdout)"
    )
    place = PACKAGE / "generators"
    command, text = [sys.executable, "-B", "-c", code], json.dumps(series)
    run = subprocess.run(command, cwd=place, input=text, capture_output=True, text=True, check=True)
    found: list[list[str]] = json.loads(run.stdout)
    return found


def compiled(target: Path, *flags: str) -> list[str]:
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    sources = map(str, sorted((PACKAGE / "submissions" / "accepted" / "tables-cpp" / "src").glob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", *flags, *sources, "-o", str(target)], check=True)
    return [str(target)]


PYTHON = [sys.executable, "-B", str(PACKAGE / "submissions" / "accepted" / "journal-python" / "main.py")]


def played(program: list[str], place: Path, runs: list[str]) -> list[str]:
    """The answers of a series of runs in a fresh directory."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return [
        subprocess.run(program, cwd=place, input=text, capture_output=True, text=True, check=True).stdout
        for text in runs
    ]


def busy(seed: int, runs: int, count: int) -> list[str]:
    """Random runs among few accounts and books, so that everything meets everything; some words are not valid."""
    chance = random.Random(seed)

    def word(*valid: str) -> str:
        return (
            chance.choice(valid)
            if chance.random() < 0.95
            else chance.choice(["", "a|", "1.", "0", "x" * 31, '"', "A|a"])
        )

    def field() -> str:
        text = word("T", "U", "a|b", "b", "a=b")
        return chance.choice(
            [
                f"title={text}",
                f"author={text}",
                f"keys={text}",
                f"code={word('a', 'b', 'c')}",
                f"price={word('2', '0.5', '10.25')}",
            ]
        )

    texts = []
    for _ in range(runs):
        lines = ["login owner owner"] * (chance.random() < 0.9)
        for _ in range(count):
            name, password = word("owner", "ann", "bob", "Ann"), word("owner", "pw", "p2")
            lines.append(
                chance.choice(
                    [
                        f"login {name} {password}",
                        f"login {name}",
                        "logout",
                        f"register {name} pw {name}",
                        "find",
                        "ledger",
                        "login owner owner",
                        "login owner pw",
                        "login owner p2",
                        f"hire {name} pw {word('1', '2', '3')} X",
                        f"password {name} {password} pw",
                        f"dismiss {name}",
                        f"password {name} {password}",
                        f"choose {word('a', 'b', 'c')}",
                        f"choose {word('a', 'b', 'c')}",
                        f"change {field()}",
                        f"change {field()} {field()}",
                        f"change {field()} {field()} {field()}",
                        "accounts",
                        f"import {word('5', '17')} {word('3', '4.5')}",
                        f"import {word('5', '17')} {word('3', '4.5')}",
                        f"buy {word('a', 'b', 'c')} {word('1', '3')}",
                        f"buy {word('a', 'b', 'c')} {word('1', '3')}",
                        f"find {field()}",
                        f"find key={word('a', 'b', 'T')}",
                        f"ledger {word('1', '4', '9')}",
                        chance.choice(["quit now", "", "  find  ", "login owner owner", "login owner owner"]),
                    ]
                )
            )
        texts.append("".join(f"{line}\n" for line in [*lines, "login owner owner", "accounts", "find", "ledger"]))
    return texts


@pytest.mark.slow  # builds both references, and runs them over many restarts
def test_references_answer_as_the_model_over_restarts(tmp_path: Path) -> None:
    series = [busy(seed, 3, 150) for seed in range(6)]
    reference = compiled(tmp_path / "code", "-O0")
    for runs, expected in zip(series, model_answers(series), strict=True):
        assert played(reference, tmp_path / "files", runs) == expected
        assert played(PYTHON, tmp_path / "files", runs) == expected


# ----------------------------------------------------------------------------------------------- what is in the package
def generate(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), *arguments], check=True)


def same(made: Path, committed: Path) -> None:
    """Every file that was made is committed, with this content."""
    files = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
    assert files
    _, different, missing = filecmp.cmpfiles(made, committed, map(str, files), shallow=False)
    assert different + missing == []


def test_stored_cases_come_from_the_generator(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path))
    for part in ("sample", "secret"):
        same(tmp_path / part, PACKAGE / "data" / part)


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


@pytest.mark.parametrize("name", ["disciplined", "reckless"])
def test_policies_can_be_played(name: str) -> None:
    commands = [
        call.command or "" for turn in load_policy(PACKAGE / "policies" / f"{name}.toml").turns for call in turn.call
    ]
    assert sum("oj_client.py submit" in command for command in commands) == 2


# ------------------------------------------------------------------------------------------------------------ validator
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 42),
        ('login  owner owner \n\n change title="|~\n', 42),
        ("x" * 400 + "\n", 42),
        ("find\n" * 60_000, 42),
        ("find", 43),
        ("a\tb\n", 43),
        ("\u00e9\n", 43),
        ("\x7f\n", 43),
        ("x" * 401 + "\n", 43),
        ("\n" * 60_001, 43),
        ("a\r\n", 43),
    ],
)
def test_the_validator_accepts_what_the_statement_allows_and_nothing_else(text: str, status: int) -> None:
    script = str(PACKAGE / "input_validators" / "validate.py")
    run = subprocess.run([sys.executable, script], input=text.encode(), capture_output=True, check=False)
    assert run.returncode == status


# ----------------------------------------------------------------------------------------------------------------- slow
@pytest.mark.slow  # a minute: long series, the reference under sanitizers
def test_references_answer_as_the_model_in_long_series(tmp_path: Path) -> None:
    reference = compiled(tmp_path / "code", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    series = [busy(seed, 5, 1500) for seed in range(100, 120)]
    for runs, expected in zip(series, model_answers(series), strict=True):
        assert played(reference, tmp_path / "files", runs) == expected
        assert played(PYTHON, tmp_path / "files", runs) == expected
