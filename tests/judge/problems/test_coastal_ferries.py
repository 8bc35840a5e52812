"""The problem "coastal ferries": its files come from its generators; its model agrees with both reference solutions.

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

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "coastal-ferries"


def model_answers(series: list[list[str]]) -> list[list[str]]:
    """The model's answers, by a process of its own: its module's name is that of other packages' models."""
    code = (
        "import json, sys; from model import Server, answers; found = []\n"
        "for runs in json.load(sys.stdin):\n"
        "    server = Server()\n"
        "    found.append([''.join(f'{line}\\n' for line in answers(server, text.splitlines())) for text in runs])\n"
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
    place = PACKAGE / "submissions" / "accepted" / "pages-cpp" / "src"
    sources = map(str, sorted(place.rglob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", f"-I{place}", *flags, *sources, "-o", str(target)], check=True)
    return [str(target)]


PYTHON = [sys.executable, "-B", str(PACKAGE / "submissions" / "accepted" / "columns-python" / "main.py")]


def played(program: list[str], place: Path, runs: list[str]) -> list[str]:
    """The answers of a series of runs in a fresh directory."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return [
        subprocess.run(program, cwd=place, input=text, capture_output=True, text=True, check=True).stdout
        for text in runs
    ]


PORTS = [f"P{letter}" for letter in "ABCDEFGH"]


class Busy:
    """Random commands among few accounts, ports, lines and days, so that everything meets everything."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.routes: dict[str, list[str]] = {}

    def ends(self, line: str) -> str:
        """Two ports, mostly of this line and in its order."""
        ports = self.routes.get(line, PORTS)
        first, last = sorted(self.chance.sample(range(len(ports)), 2))
        return f"{ports[first]} {ports[last]}" if self.chance.random() < 0.9 else f"{ports[last]} {ports[first]}"

    def draft(self, line: str) -> str:
        """A draft whose times often are at midnight, or just before or behind it."""
        chance, count = self.chance, self.chance.randint(2, 7)
        first, ports = chance.randint(1, 3), chance.sample(PORTS, count)
        stays = [chance.choice([0, 0, 10, 20, 700, 720]) for _ in range(count - 2)]
        lists = [
            ports,
            [chance.choice([1, 10, 10, 99_999, 100_000]) for _ in range(count - 1)],
            [chance.choice([1, 60, 120, 720, 1439, 1440]) for _ in range(count - 1)],
            stays or ["-"],
        ]
        self.routes.setdefault(line, ports)
        time = chance.choice(["00:00", "00:10", "12:00", "23:00", "23:59"])
        words = " ".join(",".join(map(str, words)) for words in lists)
        return f"draft {line} {chance.choice([2, 3, 8, 5000])} {first} {first + chance.randint(0, 7)} {time} {words}"

    def account(self) -> str:
        chance, whom = self.chance, self.chance.choice(["ann", "bob", "cy", "nobody", "master"])
        return chance.choice(
            [
                f"enrol {whom} pw Name {chance.randint(0, 9)}",
                f"profile {whom}",
                f"alter {whom} name=N{chance.randint(0, 9)}",
                f"alter {whom} rank={chance.randint(2, 9)} password={chance.choice(['pw', 'p2'])}",
                "leave",
            ]
        )

    def command(self) -> str:
        chance, line = self.chance, self.chance.choice("klmnop")
        day, ends, kind = chance.randint(1, 9), self.ends(line), chance.randint(0, 99)
        if kind < 8:
            return f"enter {chance.choice(['ann', 'bob', 'cy'])} {chance.choice(['pw', 'p2'])}"
        if kind < 30:
            order = chance.choice(["time", "price"])
            return chance.choice([f"show {line} {day}", f"search {ends} {day} {order}", f"change {ends} {day} {order}"])
        said = self.account()
        if kind < 85:
            wait = chance.choice(["", " wait", " wait"])
            said = f"book {line} {day} {ends} {chance.randint(1, 4)}{wait}"
            if chance.random() < 0.3:
                said = f"refund {chance.randint(1, 60)}"
        elif kind < 95:
            kinds = [f"manifest {line} {day}", f"bookings {chance.randint(1, 30)}", f"launch {line}", f"scrap {line}"]
            said = chance.choice([self.draft(line), f"launch {line}", *kinds, f"cancel {line} {day}"])
        # Staff stays staff, or else everything would be refused after a while.
        many = ["master"] if said != "leave" and not said.startswith("alter master rank") else ["cy"]
        return f"@{chance.choice([*many * 3, 'ann', 'bob', 'cy'])} {said}"

    def run(self, count: int) -> str:
        lines = ["enter master master", "@master enrol ann pw Ann 7", "enter ann pw"]
        lines += [f"@master {verb}" for line in "kl" for verb in (self.draft(line), f"launch {line}")]
        return "".join(f"{line}\n" for line in [*lines, *(self.command() for _ in range(count))])


def busy(seed: int, runs: int, count: int) -> list[str]:
    one = Busy(seed)
    return [one.run(count) for _ in range(runs)]


@pytest.mark.slow  # builds the reference, and runs them over many restarts
def test_references_answer_as_the_model_over_restarts(tmp_path: Path) -> None:
    series = [busy(seed, 3, 400) for seed in range(6)]
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


def test_the_example_of_the_statement_is_the_sample() -> None:
    example = (PACKAGE / "statement" / "problem.en.md").read_text("utf-8").split("```")[1].strip("\n").split("\n")
    # Answers begin in this column; remarks are in parentheses behind several spaces.
    column = example[0].index("  ok") + 2
    commands = [line[:column].strip() for line in example if line[:column].strip()]
    answers = [line[column:].split("   ")[0].strip() for line in example]
    sample = PACKAGE / "data" / "sample" / "1"
    assert sample.with_suffix(".in").read_text("ascii").splitlines()[: len(commands)] == commands
    assert sample.with_suffix(".ans").read_text("ascii").splitlines()[: len(answers)] == answers


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
DRAFT = "@a draft l 5000 1 100 23:59 AA,BB,CC 1,100000 1,1440 720\n"


def validated(text: str) -> int:
    script = str(PACKAGE / "input_validators" / "validate.py")
    return subprocess.run([sys.executable, script], input=text.encode(), capture_output=True, check=False).returncode


@pytest.mark.parametrize(
    "text",
    [
        "",
        DRAFT,
        "@a draft l 1 7 7 00:00 A,B 5 9 -\n",
        "enter a !~\n@a enrol b p n 0\n",
        "search A B 160 time\nstop\n",
        "@a alter b rank=0 name=N password=P\n",
        "@a book l-1 1 A B 5000 wait\n@a refund 1000000\n",
        "@a leave\n" * 60_000,
    ],
)
def test_the_validator_accepts_what_the_statement_allows(text: str) -> None:
    assert validated(text) == 42


@pytest.mark.parametrize(
    "text",
    [
        "stop",
        "\n",
        "stop\nstop\n",
        "@a stop\n",
        "leave\n",
        "enter a p \n",
        "enter A p\n",
        "enter a p=\n",
        "search A A 1 time\n",
        "search A B 161 time\n",
        "search A B 1 name\n",
        "@a book l 1 A A 1\n",
        "@a book l 1 A B 0\n",
        "@a book l 01 A B 1\n",
        "@a alter b\n",
        "@a alter b name=x name=y\n",
        "@a alter b rank=10\n",
        "@a refund 1000001\n",
        "enter a \u00e9\n",
        "@a leave\n" * 60_001,
        DRAFT.replace("5000", "5001"),
        DRAFT.replace(" 100 ", " 101 "),
        DRAFT.replace("1 100 ", "9 8 "),
        DRAFT.replace("23:59", "24:00"),
        DRAFT.replace("CC", "AA"),
        DRAFT.replace("100000", "100001"),
        DRAFT.replace("1440", "1441"),
        DRAFT.replace("720", "721"),
        DRAFT.replace(" 720", " -"),
        DRAFT.replace("1,1440", "1"),
        DRAFT.replace("1,1440", "0,1"),
    ],
)
def test_the_validator_refuses_everything_else(text: str) -> None:
    assert validated(text) == 43


# ----------------------------------------------------------------------------------------------------------------- slow
@pytest.mark.slow  # a minute: long series, the reference under sanitizers
def test_references_answer_as_the_model_in_long_series(tmp_path: Path) -> None:
    reference = compiled(tmp_path / "code", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    series = [busy(seed, 5, 1500) for seed in range(100, 120)]
    for runs, expected in zip(series, model_answers(series), strict=True):
        assert played(reference, tmp_path / "files", runs) == expected
        assert played(PYTHON, tmp_path / "files", runs) == expected
