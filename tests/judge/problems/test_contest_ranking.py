"""The problem "contest ranking": its files come from its generators; its model agrees with both reference solutions.

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

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "contest-ranking"
VERDICTS = ("accepted", "accepted", "wrong", "crash", "slow", "compile")


def model_answers(texts: list[str]) -> list[str]:
    """The model's answers, by a process of its own: its module's name is that of other packages' models."""
    code = (
        "import json, sys; from model import answers; "
        "json.dump([''.join(f'{line}\\n' for line in answers(text.splitlines())) for text in json.load(sys.stdin)], "
        "sys.stdout)"
    )

    place = PACKAGE / "generators"
    run = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=place,
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(run.stdout)
    return found


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    accepted = PACKAGE / "submissions" / "accepted"
    target = tmp_path_factory.mktemp("reference") / "code"
    sources = map(str, sorted((accepted / "treap-cpp" / "src").glob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", "-O0", *sources, "-o", str(target)], check=True)
    return [[str(target)], [sys.executable, "-B", str(accepted / "buckets-python" / "main.py")]]


def series(seed: int, count: int) -> str:
    """Random commands, among few teams and problems so that everything meets everything."""
    chance = random.Random(seed)
    names = chance.sample(["a", "A", "aa", "b_", "0", "Zz", "z9", "nobody"], 6)
    problems, time = chance.randint(1, 5), 0
    letters = "ABCDEF"[: problems + 1]
    lines = [f"contest {problems} {chance.choice([0, 7, 100_000])}"]
    lines += [f"team {name}" for name in names if name != "nobody"] + ["start"] * (chance.random() < 0.9)
    cells: dict[tuple[str, str], int] = {}
    for _ in range(count):
        name, letter, verdict = chance.choice(names), chance.choice(letters), chance.choice(VERDICTS)
        time += chance.choice([0, 0, 1, 10, 100_000])
        cells[name, letter] = cells.get((name, letter), 0) + 1
        submit = f"submit {name} {letter} {verdict} {time}" if cells[name, letter] <= 200 else "freeze"
        other = chance.choice(
            [
                f"rejudge {chance.randint(1, count)} {verdict}", "freeze", "scroll", f"rank {name}",
                f"board 1 {len(names)}",                f"board {chance.randint(1, 9)} 3", f"first {letter}",
                f"tally {letter}", f"disqualify {name}",
                f"last {name} {chance.choice([letter, '*'])} {chance.choice([verdict, '*'])}", f"reinstate {name}",
                chance.choice(["end", "start", "team late", "scroll"]) if chance.random() < 0.02 else "board 1 9",
            ]
        )  # fmt: skip
        lines.append(submit if chance.random() < 0.5 else other)
    return "".join(f"{line}\n" for line in lines)


def test_references_answer_as_the_model(references: list[list[str]]) -> None:
    texts = [series(seed, 300) for seed in range(12)]
    for text, expected in zip(texts, model_answers(texts), strict=True):
        for program in references:
            assert subprocess.run(program, input=text, capture_output=True, text=True, check=True).stdout == expected


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
GOOD = (
    "contest 26 100000\nteam Ab_9\nstart\nsubmit Ab_9 Z compile 1000000000\nsubmit no_one A wrong 1000000000\n"
    "rejudge 7 slow\nfreeze\nscroll\nrank Ab_9\nboard 9 40000\nfirst A\ntally B\nlast Ab_9 * accepted\nlast x C *\n"
    "disqualify Ab_9\nreinstate Ab_9\nend\n"
)


def accepts(text: str) -> bool:
    script = str(PACKAGE / "input_validators" / "validate.py")
    status = subprocess.run([sys.executable, script], input=text.encode(), capture_output=True, check=False).returncode
    assert status in {42, 43}
    return status == 42


def test_the_validator_accepts_what_the_statement_allows() -> None:
    assert accepts(GOOD)
    assert accepts("contest 1 0\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("contest 26", "contest 27"), ("contest 26", "contest 0"), ("100000\n", "100001\n"), ("100000\n", "\n"),
        ("team Ab_9", "team Ab-9"), ("team Ab_9", "team 12345678901234567"), ("team Ab_9", "team a b"),
        ("Z compile", "z compile"), ("Z compile", "Z error"), ("1000000000", "1000000001"),
        ("A wrong 1000000000", "A wrong 9"),
        ("rejudge 7", "rejudge 0"), ("rejudge 7", "rejudge 07"), ("board 9 40000", "board 9 40001"),
        ("board 9", "board 0"), ("first A", "first *"), ("last Ab_9 *", "last Ab_9 **"), ("tally B", "tally  B"),
        ("end\n", "end"), ("end\n", "End\n"), ("end\n", "end\n\n"), ("end\n", "end\n" * 300_000),
        ("start\n", "start\n" + "submit Ab_9 A slow 0\n" * 201),
        ("start\n", "start\n" + "".join(f"team t{n}\n" for n in range(10_000))),
    ],
)  # fmt: skip
def test_the_validator_rejects_everything_else(old: str, new: str) -> None:
    assert old in GOOD
    assert not accepts(GOOD.replace(old, new))


# ----------------------------------------------------------------------------------------------------------------- slow
@pytest.mark.slow  # a minute: long series, the reference under sanitizers
def test_references_answer_as_the_model_in_long_series(references: list[list[str]], tmp_path: Path) -> None:
    flags = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    sources = map(str, sorted((PACKAGE / "submissions" / "accepted" / "treap-cpp" / "src").glob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", *flags, *sources, "-o", str(tmp_path / "code")], check=True)
    texts = [series(seed, 3000) for seed in range(100, 160)]
    for text, expected in zip(texts, model_answers(texts), strict=True):
        for program in ([str(tmp_path / "code")], references[1]):
            assert subprocess.run(program, input=text, capture_output=True, text=True, check=True).stdout == expected
