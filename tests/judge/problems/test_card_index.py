"""The problem "card index": its files come from its generators, and its model agrees with both reference solutions.

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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigorbench.authoring.canary import MARK
from rigorbench.bench.tasks.policies.policy import load_policy

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "card-index"
ACCEPTED = PACKAGE / "submissions" / "accepted"
LAST_CARD = 2**32 - 1


def model_answers(runs: list[str]) -> list[str]:
    """The model's answers to a series of runs, by a process of its own: its module's name is that of other models."""
    code = (
        "import json, sys; from model import Index, answers; index = Index(); "
        "json.dump([''.join(f'{line}\\n' for line in answers(index, text.splitlines())) "
        "for text in json.load(sys.stdin)], sys.stdout)"
    )
    run = subprocess.run(
        [sys.executable, "-B", "-c", code],
        cwd=PACKAGE / "generators",
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(run.stdout)
    return found


def compiled(place: Path, *flags: str) -> Path:
    """The reference, without CMake."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    sources = map(str, sorted((ACCEPTED / "tree-cpp" / "src").glob("*.cpp")))
    subprocess.run(["g++", "-std=c++20", *flags, *sources, "-o", str(place / "tree")], check=True)
    return place / "tree"


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    place = tmp_path_factory.mktemp("references")
    programs = [compiled(place, "-O1")]
    if shutil.which("rustc") is not None:
        main = ACCEPTED / "blocks-rust" / "main.rs"
        subprocess.run(["rustc", "--edition=2021", "-Copt-level=1", str(main), "-o", str(place / "blocks")], check=True)
        programs.append(place / "blocks")
    return programs


def played(program: Path, place: Path, runs: list[str]) -> list[str]:
    """The answers of a series of runs in a fresh directory."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return [
        subprocess.run([program], cwd=place, input=text, capture_output=True, text=True, check=True).stdout
        for text in runs
    ]


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
    same(tmp_path, PACKAGE / "data")


def test_mutants_come_from_the_reference(tmp_path: Path) -> None:
    generate("mutants.py", str(tmp_path))
    same(tmp_path, PACKAGE / "submissions")


def test_hidden_files_hold_the_canary_and_shown_ones_do_not() -> None:
    canary = (PACKAGE / "problem.yaml").read_text("utf-8").splitlines()[0].removeprefix("# ")
    assert canary.startswith(MARK)
    for path in PACKAGE.rglob("*"):
        where = path.relative_to(PACKAGE).parts
        if not path.is_file() or "__pycache__" in where:
            continue
        shown = where[0] in {"statement", "attachments"} or where[:2] == ("policies", "steps")
        if shown:
            assert MARK.encode() not in path.read_bytes(), path
        elif path.suffix in {".py", ".toml", ".yaml", ".md", ".cpp", ".hpp", ".rs"}:
            assert canary in path.read_text("utf-8"), path


def test_it_is_small_enough_to_be_cloned() -> None:
    assert sum(path.stat().st_size for path in PACKAGE.rglob("*") if path.is_file()) < 3_000_000


@pytest.mark.parametrize("name", ["disciplined", "reckless"])
def test_policies_can_be_played(name: str) -> None:
    commands = [
        call.command or "" for turn in load_policy(PACKAGE / "policies" / f"{name}.toml").turns for call in turn.call
    ]
    assert sum("oj_client.py submit" in command for command in commands) == 2


# ------------------------------------------------------------------------------------------------------------ validator
GOOD = (
    "put tide-2 4294967295\nbulk sixteen-letters- 4294967295 50 1000 7\nweed tide ~ 16 15\nmove a b\n"
    "cards a 4000000000 50\nlist a abc 0 0\nnext zz\n"
)


def accepts(text: str) -> bool:
    script = str(PACKAGE / "input_validators" / "validate.py")
    status = subprocess.run([sys.executable, script], input=text.encode(), capture_output=True, check=False).returncode
    assert status in {42, 43}
    return status == 42


def test_the_validator_accepts_what_the_statement_allows() -> None:
    assert accepts(GOOD)
    assert accepts("")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("put tide-2", "put 2-tide"),
        ("put tide-2", "put -tide"),
        ("put tide-2", "put Tide"),
        ("put tide-2", "put ~"),
        ("put tide-2", "put " + "a" * 41),
        ("put tide-2", "put  tide"),
        ("put", "add"),
        (" 4294967295", " 4294967296"),
        (" 4294967295\n", " -1\n"),
        (" 4294967295\n", " 007\n"),
        (" 4294967295\n", "\n"),
        (" 4294967295\n", " 1 1\n"),
        ("letters-", "letters-x"),
        ("50 1000", "51 1000"),
        ("50 1000", "0 1000"),
        ("50 1000", "50 0"),
        ("tide ~", "~ ~"),
        ("tide ~", "tide tidal"),
        ("16 15", "16 16"),
        ("16 15", "0 0"),
        ("4000000000", "4000000001"),
        (" 50\n", " 51\n"),
        ("abc", "Abc"),
        ("next zz\n", "next zz"),
        ("next zz\n", "next zz\n\n"),
        ("next zz\n", "next zz\n" * 60_000),
        ("next zz\n", "bulk a 0 50000 1 0\n" * 12),
        ("next zz", "next z\u00e9"),
    ],
)
def test_the_validator_refuses_everything_else(old: str, new: str) -> None:
    assert old in GOOD
    assert not accepts(GOOD.replace(old, new, 1))


# ----------------------------------------------------------------------------------------- the model and the references
WORDS = st.one_of(
    st.sampled_from(["a", "a-", "a0", "aa", "ab", "b", "z" * 40, "z" * 39]),
    st.from_regex(r"[ab][ab0-]{0,3}", fullmatch=True),
)
CARDS = st.one_of(st.integers(0, 6), st.sampled_from([LAST_CARD, LAST_CARD - 1, 2**31]), st.integers(0, LAST_CARD))
RANGES = st.tuples(WORDS, st.one_of(WORDS, st.just("~"))).map(lambda pair: " ".join(sorted(pair)))
SHOWN = st.tuples(st.integers(0, 30), st.integers(0, 50)).map(lambda pair: f"{pair[0]} {pair[1]}")
RESTS = st.integers(1, 5).flatmap(lambda divisor: st.integers(0, divisor - 1).map(lambda rest: f"{divisor} {rest}"))
SEEDS = st.integers(0, 3)


def command(name: str, *parts: st.SearchStrategy[object]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda found: " ".join([name, *map(str, found)]))


COMMANDS = st.one_of(
    command("put", WORDS, CARDS),
    command("put", WORDS, CARDS),
    command("drop", WORDS, CARDS),
    command("has", WORDS, CARDS),
    command("bulk", st.sampled_from(["a", "ab", "b0"]), SEEDS, st.integers(1, 40), st.integers(1, 40), SEEDS),
    command("weed", RANGES, RESTS),
    command("move", WORDS, WORDS),
    command("cards", WORDS, SHOWN),
    command("count", RANGES),
    command("words", RANGES, SHOWN),
    command("list", RANGES, SHOWN),
    command("next", WORDS),
    command("prev", WORDS),
)
SERIES = st.lists(
    st.lists(COMMANDS, max_size=40).map(lambda lines: "".join(f"{line}\n" for line in lines)), min_size=1, max_size=3
)


@pytest.mark.slow  # builds both references, and runs them over many restarts
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SERIES)
def test_references_answer_as_the_model_over_restarts(references: list[Path], tmp_path: Path, runs: list[str]) -> None:
    wanted = model_answers(runs)
    for program in references:
        assert played(program, tmp_path / "files", runs) == wanted


def busy(chance: random.Random, runs: int, size: int) -> list[str]:
    """Runs that fill, empty and refill pages on several levels: what short random series hardly reach."""
    texts = []
    for _ in range(runs):
        lines = []
        for _ in range(50):
            low, high = sorted(chance.choice("abcdefgh") + chance.choice(["", "-", "m", "z"]) for _ in range(2))
            each = chance.choice([1, 1, 3, 40])
            divisor, seed, cards = chance.choice([2, 3, 5]), chance.randrange(4), chance.randrange(4)
            lines += [
                f"bulk {chance.choice('aceg')} {seed} {max(1, size // each)} {each} {cards}",
                chance.choice([f"weed {low} {high} {divisor} {seed % divisor}", f"weed {low} ~ 4 1", "weed c e 1 0"]),
                f"count {low} {high}",
                f"words {low} ~ {chance.randrange(size)} 3",
                f"list {low} ~ {chance.randrange(size)} 3",
                f"next {high}",
                f"prev {high}",
            ]
        texts.append("".join(f"{line}\n" for line in [*lines, "count a ~", "list a ~ 0 50"]))
    return texts


@pytest.mark.parametrize("seed", range(2))
def test_references_answer_as_the_model_when_pages_come_and_go(
    references: list[Path], tmp_path: Path, seed: int
) -> None:
    runs = busy(random.Random(seed), 2, 600)
    wanted = model_answers(runs)
    for program in references:
        assert played(program, tmp_path / "files", runs) == wanted


# ----------------------------------------------------------------------------------------------------------------- slow
@pytest.mark.slow  # a minute: larger trees, and the C++ reference is run under sanitizers
def test_larger_trees_and_sanitizers(references: list[Path], tmp_path: Path) -> None:
    strict = compiled(tmp_path, "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    for seed in range(100, 106):
        runs = busy(random.Random(seed), 2, 5000)
        wanted = model_answers(runs)
        for program in (strict, *references[1:]):
            assert played(program, tmp_path / "files", runs) == wanted


@pytest.mark.slow  # a minute: everything that is generated
def test_series_keep_the_bounds_that_no_single_run_shows(tmp_path: Path) -> None:
    generate("make.py", "--large", str(tmp_path))
    generate("make.py", str(tmp_path))
    code = (
        "import sys; from pathlib import Path; from model import Index; most = 0\n"
        "series = {}\n"
        "for path in sorted(Path(sys.argv[1]).rglob('*.in')):\n"
        "    series.setdefault(str(path).rpartition('-run')[0] or str(path), []).append(path)\n"
        "for runs in series.values():\n"
        "    index = Index()\n"
        "    for path in runs:\n"
        "        index.new_run()\n"
        "        for line in path.read_text('ascii').splitlines():\n"
        "            index.answer(line)\n"
        "            most = max(most, index.live)\n"
        "        assert index.bulked <= 600_000 and index.weeded <= 4_000_000 and index.moved <= 500_000, path\n"
        "assert 1_590_000 < most <= 1_600_000, most\n"
    )
    subprocess.run([sys.executable, "-B", "-c", code, str(tmp_path)], cwd=PACKAGE / "generators", check=True)
