"""The packages of the ProjDev suite: their files come from their generators, and their programs do what is stated.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from rigorbench.authoring.canary import MARK
from rigorbench.bench.tasks.policies.policy import load_policy

SUITE = Path(__file__).parents[3] / "suites" / "projdev"
NAMES = sorted(file.parent.name for file in SUITE.glob("*/problem.yaml"))
CONTAINERS = ("checked-vector", "ordered-hash-map", "spliced-list", "stable-map")


def shown(command: list[str | Path], text: str = "", place: Path | None = None) -> str:
    return subprocess.run(command, input=text, cwd=place, capture_output=True, text=True, check=True).stdout


def by_code(package: str, code: str) -> str:
    """What code prints that runs beside a package's generators, whose modules have the same names in all packages."""
    return shown([sys.executable, "-B", "-c", code], place=SUITE / package / "generators")


# ----------------------------------------------------------------------------------------------- what is in the package
@pytest.mark.parametrize(
    ("package", "script", "parts"),
    [
        ("attention-schedule", "make", ""),
        ("basic-interpreter", "make", ""),
        ("bookshop", "make", ""),
        ("card-index", "make", ""),
        ("coastal-ferries", "make", ""),
        ("contest-ranking", "make", ""),
        ("ice-library", "make", "1-basic 2-restart 3-edges"),
        ("image-codec", "make", "sample 1-encode 2-decode 3-corrupt"),
        ("one-instruction-programs", "make", ""),
        ("one-instruction-programs", "macros", ""),
        ("page-allocator", "make", "sample 1-basic 2-edges"),
        ("scheme-interpreter", "make", ""),
        *((name, "mutants", "") for name in NAMES if name not in (*CONTAINERS, "mergeable-queue", "rain-barrels")),
        # Large numbers, images and programs are made in Python: some seconds to half a minute each.
        *(
            pytest.param(name, "make", "", marks=pytest.mark.slow)
            for name in ("big-integer", "booked-minutes", "ice-library", "image-codec", "page-allocator")
        ),
        pytest.param("python-subset-interpreter", "make", "", marks=pytest.mark.slow),
    ],
)
def test_committed_files_come_from_the_generator(tmp_path: Path, package: str, script: str, parts: str) -> None:
    places = {"make": "data", "mutants": "submissions", "macros": "submissions/accepted/by-macros"}
    committed = SUITE / package / places[script]
    shown([sys.executable, "-B", SUITE / package / "generators" / f"{script}.py", tmp_path, *parts.split()])
    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    made = {path for path in made if path.parts[0] != "generated"}
    packed = {path for path in made if path.suffix == ".gz"}
    assert made
    _, different, missing = filecmp.cmpfiles(tmp_path, committed, map(str, made - packed), shallow=False)
    assert different + missing == []
    for path in packed:  # another zlib may compress otherwise
        assert gzip.decompress((tmp_path / path).read_bytes()) == gzip.decompress((committed / path).read_bytes()), path


# How the data are made where the generator writes into the package only. The answers of large cases take long.
MADE = {
    **dict.fromkeys(
        CONTAINERS,
        "import make, model\n"
        "for name, text in make.cases():\n"
        "    made[name] = text, None if text.startswith('volume') else model.answer(text)\n",
    ),
    "mergeable-queue": (
        "import generate, model\n"
        "for name, driver, text in generate.cases():\n"
        "    made[name] = text, None if text.startswith('volume') else model.answer(driver, text)\n"
    ),
    "mine-clearing": (
        "import make\n"
        "for name, commands in make.conversations():\n"
        "    server = make.Server()\n"
        "    replies = [server.answer(line, more) for line, more in commands if 'volume' not in name]\n"
        "    said = ''.join(f'{len(reply)}\\n' + ''.join(f'{line}\\n' for line in reply) for reply in replies)\n"
        "    made[name] = None, said or None\n"
        "for name, fields in make.matches():\n"
        "    lines = [f'play {len(fields)}', *(' '.join(map(str, field)) for field in fields)]\n"
        "    made[name] = ''.join(f'{line}\\n' for line in lines), None\n"
    ),
    "rain-barrels": (
        "import generate, world\n"
        "for name, garden in generate.cases():\n"
        "    made[name] = garden.text(), f'{world.informed(garden)}\\n' if len(garden.rates) <= 12 else None\n"
    ),
}


@pytest.mark.parametrize("package", MADE)
def test_committed_cases_are_those_of_generator_and_model(package: str) -> None:
    made = json.loads(by_code(package, f"import json\nmade = {{}}\n{MADE[package]}print(json.dumps(made))"))
    data = SUITE / package / "data"
    assert set(made) == {path.relative_to(data).with_suffix("").as_posix() for path in data.rglob("*.in")}
    assert any(answer is not None for _, answer in made.values())
    for name, texts in made.items():
        for suffix, text in zip(("in", "ans"), texts, strict=True):
            assert text in (None, (data / f"{name}.{suffix}").read_text()), name


# The submissions of mine-clearing have none.
@pytest.mark.parametrize("package", sorted({*NAMES} - {"mine-clearing"}))
def test_hidden_files_contain_the_canary_and_shown_ones_do_not(package: str) -> None:
    root = SUITE / package
    canary = (root / "problem.yaml").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert canary.startswith(MARK)
    given = {path.read_bytes() for path in (root / "attachments").rglob("*") if path.is_file()}
    for path in root.rglob("*"):
        where = path.relative_to(root).parts
        if not path.is_file() or "__pycache__" in where:
            continue
        if where[0] in {"statement", "attachments"} or where[:2] == ("policies", "steps"):
            assert MARK.encode() not in path.read_bytes(), path
        elif path.suffix in {".py", ".toml", ".yaml", ".md", ".c", ".h", ".cpp", ".hpp", ".rs"}:
            # A submission may keep what it was given.
            assert canary in path.read_text("utf-8") or path.read_bytes() in given, path


@pytest.mark.parametrize("package", NAMES)
def test_it_is_small_enough_to_be_cloned_and_its_policies_can_be_played(package: str) -> None:
    assert sum(path.stat().st_size for path in (SUITE / package).rglob("*") if path.is_file()) < 3_000_000
    for name in ("disciplined", "reckless"):
        turns = load_policy(SUITE / package / "policies" / f"{name}.toml").turns
        assert any("oj_client.py submit" in (call.command or "") for turn in turns for call in turn.call), name


@pytest.mark.parametrize(
    ("package", "given", "kept"),
    [
        ("attention-schedule", "machine.hpp", "drivers/include"),
        ("attention-schedule", "machine.hpp", "output_validator"),
        ("one-instruction-programs", "machine.py", "output_validator"),
        *(("page-allocator", name, "include/default") for name in ("CMakeLists.txt", "main.c", "pages.h")),
        *(
            ("python-subset-interpreter", f"src/{name}", "submissions/accepted/resolved-tree/src")
            for name in ("lexer.cpp", "lexer.hpp", "parser.cpp", "parser.hpp", "syntax.hpp")
        ),
    ],
)
def test_the_judge_uses_what_is_given(package: str, given: str, kept: str) -> None:
    own = (SUITE / package / kept / Path(given).name).read_text()
    # The canary comes before it.
    assert (own.split("\n", 1)[1] if MARK in own else own) == (SUITE / package / "attachments" / given).read_text()


# ----------------------------------------------------------------------------------------------------------- validators
BIG = (
    "draw a - 400000 1000000000\nones b + 9 1\nones b - 1 7\ntext c -0\nsmall d -9223372036854775808\n"
    "add a b c\ndiv-by a a\nfib e 100000\nfact f 0\npower g a 3\nmove h a\ncompare a b\nshow a\ndigest a\n"
)
CARDS = (
    "put tide-2 4294967295\nbulk sixteen-letters- 4294967295 50 1000 7\nweed tide ~ 16 15\nmove a b\n"
    "cards a 4000000000 50\nlist a abc 0 0\nnext zz\n"
)
CONTEST = (
    "contest 26 100000\nteam Ab_9\nstart\nsubmit Ab_9 Z compile 1000000000\nsubmit no_one A wrong 1000000000\n"
    "rejudge 7 slow\nfreeze\nscroll\nrank Ab_9\nboard 9 40000\nfirst A\ntally B\nlast Ab_9 * accepted\nlast x C *\n"
    "disqualify Ab_9\nreinstate Ab_9\nend\n"
)
FERRIES = "@a draft l 5000 1 100 23:59 AA,BB,CC 1,100000 1,1440 720\n"
ICE = (
    "add gisp2 1200 350 o18\nmelt gisp2 0 9999999\nsaw a 4294967295 20000 ten-signs.\nfind 007 50\nrename a b\ncores\n"
)
# Inputs that the statement allows, and inputs that it does not.
ALLOWED = {
    "basic-interpreter": ("RUN\n", "10 FOO~\n\nLIST\n", "  PRINT 1\n" + "x" * 200 + "\n"),
    "big-integer": (BIG,),
    "booked-minutes": ("", "0 0\n", "many 500000 0 1 1\n", "2000000000000 2000000000000\n"),
    "bookshop": ("", 'login  owner owner \n\n change title="|~\n', "x" * 400 + "\n", "find\n" * 60_000),
    "card-index": (CARDS, ""),
    "coastal-ferries": (
        "", FERRIES, "@a draft l 1 7 7 00:00 A,B 5 9 -\n", "enter a !~\n@a enrol b p n 0\n",
        "search A B 160 time\nstop\n", "@a alter b rank=0 name=N password=P\n",
        "@a book l-1 1 A B 5000 wait\n@a refund 1000000\n", "@a leave\n" * 60_000,
    ),
    "contest-ranking": (CONTEST, "contest 1 0\n"),
    "ice-library": (ICE, ""),
    # An order comes along with the elements, and a range starts with that of the beginning.
    "mergeable-queue": ("records 2 5 5\nmerge 0 1\n", "records 2 5 6\ncopy 0 1\nmerge 0 1\n"),
    "page-allocator": ("open 3 1000000\nfind 3 -1\n", "open 0 1\nstorm 0 1 3000000 12 100\n"),
    "python-subset-interpreter": (
        "print()\n", "a, b = c = (1, 2)\nf(a, x=b)\n", 'for a, in "x":\n    print("\\n\\\\")\n',
    ),
    "scheme-interpreter": ("\n", "; nothing\n", '(a . b) `(,x ,@y) #t "q\\"\\\\\\n" -9223372036854775808\n'),
}  # fmt: skip


def damaged(text: str, *changes: tuple[str, str], count: int = -1) -> tuple[str, ...]:
    assert all(old in text for old, _ in changes)
    return tuple(text.replace(old, new, count) for old, new in changes)


REFUSED = {
    "basic-interpreter": ("", "\n", "RUN", "RUN\t\n", "RUN\n\u00e9\n", "LET x = 1\n", "RUN\n" + "x" * 201 + "\n"),
    "big-integer": damaged(
        BIG, ("400000", "400001"), ("a - 4", "a * 4"), ("ones b + 9 1", "ones b + 8 1"), ("small d -9", "small d -99"),
        ("add a b c", "add a b"), ("add a b c", "add  a b c"), ("fact f 0", "fact f 00"),
        ("power g a 3", "power g a -3"), ("show a", "show aa"), ("digest a\n", "digest a"),
        ("digest a\n", "digest a\n\n"), ("move h a", "drop h a"),
    ),
    "booked-minutes": (
        "01 2\n", "2 1\n", "1 2 3\n", "1 2", "many 0 0 1 1\n", "many 500000 0 1 1\n1 1\n", "\n", "one 2\n",
    ),
    "bookshop": ("find", "a\tb\n", "\u00e9\n", "\x7f\n", "x" * 401 + "\n", "\n" * 60_001, "a\r\n"),
    "card-index": damaged(
        CARDS, ("put tide-2", "put 2-tide"), ("put tide-2", "put -tide"), ("put tide-2", "put Tide"),
        ("put tide-2", "put ~"), ("put tide-2", "put " + "a" * 41), ("put tide-2", "put  tide"), ("put", "add"),
        (" 4294967295", " 4294967296"), (" 4294967295\n", " -1\n"), (" 4294967295\n", " 007\n"),
        (" 4294967295\n", "\n"), (" 4294967295\n", " 1 1\n"), ("letters-", "letters-x"), ("50 1000", "51 1000"),
        ("50 1000", "0 1000"), ("50 1000", "50 0"), ("tide ~", "~ ~"), ("tide ~", "tide tidal"), ("16 15", "16 16"),
        ("16 15", "0 0"), ("4000000000", "4000000001"), (" 50\n", " 51\n"), ("abc", "Abc"), ("next zz\n", "next zz"),
        ("next zz\n", "next zz\n\n"), ("next zz\n", "next zz\n" * 60_000),
        ("next zz\n", "bulk a 0 50000 1 0\n" * 12), ("next zz", "next z\u00e9"), count=1,
    ),
    "coastal-ferries": (
        "stop", "\n", "stop\nstop\n", "@a stop\n", "leave\n", "enter a p \n", "enter A p\n", "enter a p=\n",
        "search A A 1 time\n", "search A B 161 time\n", "search A B 1 name\n", "@a book l 1 A A 1\n",
        "@a book l 1 A B 0\n", "@a book l 01 A B 1\n", "@a alter b\n", "@a alter b name=x name=y\n",
        "@a alter b rank=10\n", "@a refund 1000001\n", "enter a \u00e9\n", "@a leave\n" * 60_001,
        *damaged(
            FERRIES, ("5000", "5001"), (" 100 ", " 101 "), ("1 100 ", "9 8 "), ("23:59", "24:00"), ("CC", "AA"),
            ("100000", "100001"), ("1440", "1441"), ("720", "721"), (" 720", " -"), ("1,1440", "1"), ("1,1440", "0,1"),
        ),
    ),
    "contest-ranking": damaged(
        CONTEST, ("contest 26", "contest 27"), ("contest 26", "contest 0"), ("100000\n", "100001\n"),
        ("100000\n", "\n"), ("team Ab_9", "team Ab-9"), ("team Ab_9", "team 12345678901234567"),
        ("team Ab_9", "team a b"), ("Z compile", "z compile"), ("Z compile", "Z error"), ("1000000000", "1000000001"),
        ("A wrong 1000000000", "A wrong 9"), ("rejudge 7", "rejudge 0"), ("rejudge 7", "rejudge 07"),
        ("board 9 40000", "board 9 40001"), ("board 9", "board 0"), ("first A", "first *"),
        ("last Ab_9 *", "last Ab_9 **"), ("tally B", "tally  B"), ("end\n", "end"), ("end\n", "End\n"),
        ("end\n", "end\n\n"), ("end\n", "end\n" * 300_000), ("start\n", "start\n" + "submit Ab_9 A slow 0\n" * 201),
        ("start\n", "start\n" + "".join(f"team t{n}\n" for n in range(10_000))),
    ),
    "ice-library": damaged(
        ICE, ("1200", "01200"), ("1200", "10000000"), ("350", "0"), ("350", "1000001"), ("350", "-1"),
        ("gisp2", "2gisp"), ("gisp2", "abcdefghijklm"), ("o18", "O18"), ("o18", "12345678901234567"), (" o18", ""),
        ("o18", "o18 x"), ("add g", "add  g"), ("add", "Add"), ("0 9999999", "2 1"), ("4294967295", "4294967296"),
        ("20000", "20001"), ("20000", "0"), ("ten-signs.", "eleven-sign"), (" 50", " 51"), ("cores\n", "cores"),
        ("cores", "cores 1"), ("cores\n", "cores\n\n"), ("cores\n", "cores\n" * 20_000),
        ("cores\n", "saw a 1 20000 x\n" * 20), ("o18", "o\u00e9"),
    ),
    "mergeable-queue": (
        "records 2 5 6\nmerge 0 1\n", "records 2 5 6\ncopy 0 1\nrange 0 0\nmerge 0 1\n", "failures\nagain copy 0 3 1\n",
    ),
    "mine-clearing": (
        "serve\n", "serve\nnew 1 2 1\n..\n", "serve\nnew 1 3 1\n***\n", "serve\nmake 2 3 6 1 9\n",
        "serve\nmake 1000 1000 3 1 9\n", "serve\nnew 2 3 1\n...\n", "play 1\n", "play 1\n8 8 30 1 5\n",
        "play 1\n8 8 6 4 5\n", "play 41\n" + "8 8 6 1 5\n" * 41, "watch\n", "play 1\n8 8 6 1 5",
    ),
    "page-allocator": (
        "take 0 1\n", "open 4 1\n", "open 0 0\n", "open 0 1\ntake 0\n", "open 0 1", "",
        "open 0 1\nstorm 0 1 3000000 1 1\nstorm 0 1 3000000 1 1\n",
    ),
    "python-subset-interpreter": (
        "", "\n", "print()", "x = 1\n", "print(\n", "print([])\n", "print({})\n", "import os\nprint()\n",
        "x.y = 1\nprint()\n", "print(x.y)\n", "print(*x)\n", "def f(*x):\n    f()\n", "print(1,\n2)\n",
        "while f():\n    pass\nelse:\n    pass\n", 'print("\\x41")\n', "print(x is None)\n", "print(1j)\n",
        "print(a & b)\n", "\tprint()\n", "print(\u00e9)\n", "return f()\n", "print(f(a=1, a=2))\n",
    ),
    "scheme-interpreter": (
        "", "x", "(\n", ")\n", "(car ')\n", '"open\n', '"\\t"\n', "9223372036854775808\n", "#true\n", "%x\n", "[1]\n",
        "\t\n", "\u00e9\n", "(" * 1001 + ")" * 1001 + "\n", "x" * 200_000 + "\n",
    ),
}  # fmt: skip
# Cases of the packages, damaged: a mark that is missing or one too many, a word that there is not.
CASES = {
    **dict.fromkeys(CONTAINERS, ("sample", "secret/5-failures")),
    "mergeable-queue": ("sample", "secret/1-basic", "secret/2-values", "secret/3-cost", "secret/4-throwing"),
    "rain-barrels": ("sample", "secret/4-edges"),
}


def accepts(package: str, text: str) -> bool:
    command = [sys.executable, SUITE / package / "input_validators" / "validate.py"]
    status = subprocess.run(command, input=text.encode(), capture_output=True, check=False).returncode
    assert status in {42, 43}
    return status == 42


@pytest.mark.parametrize("package", sorted({*ALLOWED, *REFUSED}))
def test_the_validator_accepts_what_the_statement_allows_and_nothing_else(package: str) -> None:
    assert [text for text in ALLOWED.get(package, ()) if not accepts(package, text)] == []
    assert [text for text in REFUSED.get(package, ()) if accepts(package, text)] == []


@pytest.mark.parametrize("package", CASES)
def test_the_validator_accepts_cases_and_rejects_damaged_ones(package: str) -> None:
    for group in CASES[package]:
        text = min((SUITE / package / "data" / group).glob("*.in")).read_text()
        assert accepts(package, text), group
        for changed in (text[:-1], text + "nonsense 1\n", " " + text, text.replace(" ", "  ", 1)):
            assert not accepts(package, changed), (group, changed[:40])


# ------------------------------------------------------------------------------------------- what the statements show
@pytest.mark.parametrize("package", ["basic-interpreter", "scheme-interpreter"])
def test_the_model_does_what_the_statement_shows(package: str) -> None:
    blocks = (SUITE / package / "statement" / "problem.en.md").read_text("utf-8").split("```\n")
    assert by_code(package, f"import model; print(model.answers({blocks[1]!r}), end='')") == blocks[3]


def test_the_statement_of_the_python_subset_shows_what_programs_print() -> None:
    package = SUITE / "python-subset-interpreter"
    blocks = (package / "statement" / "problem.en.md").read_text("utf-8").split("```\n")
    main = package / "submissions" / "accepted" / "closures-python" / "main.py"
    printed = [shown([sys.executable, "-B", main], program) for program in blocks[1::2] if "print(" in program]
    assert printed == ["71 3 7\n", "1 6 1\n", "a b\nerror in line 2: index out of range\n"]
    assert printed[2] in blocks


def test_the_example_of_the_ferries_is_the_sample() -> None:
    package = SUITE / "coastal-ferries"
    example = (package / "statement" / "problem.en.md").read_text("utf-8").split("```")[1].strip("\n").split("\n")
    # Answers begin in this column; remarks are in parentheses behind several spaces.
    column = example[0].index("  ok") + 2
    commands = [line[:column].strip() for line in example if line[:column].strip()]
    answers = [line[column:].split("   ")[0].strip() for line in example]
    sample = package / "data" / "sample" / "1"
    assert sample.with_suffix(".in").read_text("ascii").splitlines()[: len(commands)] == commands
    assert sample.with_suffix(".ans").read_text("ascii").splitlines()[: len(answers)] == answers
