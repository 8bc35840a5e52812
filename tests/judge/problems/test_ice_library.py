"""The problem "ice library": its files come from its generators, and its model agrees with both reference solutions.

That references are accepted and mutants get their labels is proved by `rigor judge verify`.
"""

from __future__ import annotations

import filecmp
import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rigorbench.authoring.canary import MARK
from rigorbench.bench.tasks.policies.policy import load_policy

PACKAGE = Path(__file__).parents[3] / "suites" / "projdev" / "ice-library"
CHEAP = ("1-basic", "2-restart", "3-edges")


@pytest.fixture(scope="module")
def model() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ice_library_model", PACKAGE / "generators" / "model.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(place: Path, name: str, *flags: str) -> Path:
    """A program of a submission, without CMake."""
    sources = sorted((PACKAGE / "submissions" / name / "src").glob("*.c*"))
    compiler = ["g++", "-std=c++20"] if sources[0].suffix == ".cpp" else ["gcc", "-std=c11", "-D_GNU_SOURCE"]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is missing")
    target = place / name.replace("/", "-")
    subprocess.run([*compiler, *flags, *map(str, sources), "-o", str(target)], check=True)
    return target


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    place = tmp_path_factory.mktemp("references")
    return [compiled(place, f"accepted/{name}", "-O1") for name in ("blocks-cpp", "tree-c")]


def played(program: Path, place: Path, runs: list[str]) -> list[str]:
    """The answers of a series of runs in a fresh directory."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    return [
        subprocess.run([program], cwd=place, input=text, capture_output=True, text=True, check=True).stdout
        for text in runs
    ]


def expected(model: ModuleType, runs: list[str]) -> list[str]:
    library = model.Library()
    return ["".join(f"{line}\n" for line in model.answers(library, text.splitlines())) for text in runs]


# ----------------------------------------------------------------------------------------------- what is in the package
def generate(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-B", str(PACKAGE / "generators" / script), *arguments], check=True)


def same(made: Path, committed: Path) -> None:
    """Every file that was made is committed, with this content."""
    files = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
    assert files
    _, different, missing = filecmp.cmpfiles(made, committed, map(str, files), shallow=False)
    assert different + missing == []


def test_cases_come_from_the_generator(tmp_path: Path) -> None:
    generate("make.py", str(tmp_path), *CHEAP)
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
        elif path.suffix in {".py", ".toml", ".yaml", ".md", ".c", ".h", ".cpp", ".hpp"}:
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
    "add gisp2 1200 350 o18\nmelt gisp2 0 9999999\nsaw a 4294967295 20000 ten-signs.\nfind 007 50\nrename a b\ncores\n"
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
        ("1200", "01200"), ("1200", "10000000"), ("350", "0"), ("350", "1000001"), ("350", "-1"), ("gisp2", "2gisp"),
        ("gisp2", "abcdefghijklm"), ("o18", "O18"), ("o18", "12345678901234567"), (" o18", ""), ("o18", "o18 x"),
        ("add g", "add  g"), ("add", "Add"), ("0 9999999", "2 1"), ("4294967295", "4294967296"), ("20000", "20001"),
        ("20000", "0"), ("ten-signs.", "eleven-sign"), (" 50", " 51"), ("cores\n", "cores"), ("cores", "cores 1"),
        ("cores\n", "cores\n\n"), ("cores\n", "cores\n" * 20_000), ("cores\n", "saw a 1 20000 x\n" * 20),
        ("o18", "o\u00e9"),
    ],
)  # fmt: skip
def test_the_validator_refuses_everything_else(old: str, new: str) -> None:
    assert not accepts(GOOD.replace(old, new))


# ----------------------------------------------------------------------------------------- the model and the references
NAMES = st.sampled_from(["a", "ab", "abcdefghijkl", "abcdefghijk", "b"])
TAGS = st.one_of(st.sampled_from(["x", "xx", "x-", "x.", "7", "007"]), st.text("ab9-.", min_size=1, max_size=16))
DEPTHS = st.one_of(st.integers(0, 12), st.sampled_from([9_999_998, 9_999_999]), st.integers(0, 9_999_999))
RANGES = st.tuples(DEPTHS, DEPTHS).map(sorted)
GRAMS = st.one_of(st.integers(1, 4), st.integers(1, 1_000_000))


def words(name: str, *parts: st.SearchStrategy[object]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda found: " ".join([name, *map(str, found)]))


def ranged(name: str) -> st.SearchStrategy[str]:
    return st.tuples(NAMES, RANGES).map(lambda found: f"{name} {found[0]} {found[1][0]} {found[1][1]}")


COMMANDS = st.one_of(
    words("add", NAMES, DEPTHS, GRAMS, TAGS),
    words("add", NAMES, DEPTHS, GRAMS, TAGS),
    words("saw", NAMES, st.integers(0, 2**32 - 1), st.integers(1, 300), TAGS.map(lambda tag: tag[:10])),
    words("take", NAMES, DEPTHS, GRAMS),
    words("tag", NAMES, DEPTHS, TAGS),
    words("rename", NAMES, NAMES),
    words("show", NAMES, DEPTHS),
    words("find", TAGS, st.integers(0, 50)),
    ranged("melt"),
    ranged("weigh"),
    ranged("heaviest"),
    st.just("cores"),
)
SERIES = st.lists(
    st.lists(COMMANDS, max_size=40).map(lambda lines: "".join(f"{line}\n" for line in lines)), min_size=1, max_size=3
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SERIES)
def test_references_answer_as_the_model_over_restarts(
    model: ModuleType, references: list[Path], tmp_path: Path, runs: list[str]
) -> None:
    wanted = expected(model, runs)
    for program in references:
        assert played(program, tmp_path / "files", runs) == wanted


def busy(chance: random.Random, runs: int, saw: int) -> list[str]:
    """Runs that fill, empty and refill blocks: what short random series hardly reach."""
    texts = []
    for _ in range(runs):
        lines = []
        for _ in range(60):
            core, seed, count = chance.choice("abc"), chance.randrange(2**32), chance.randint(1, saw)
            low, high = sorted(chance.sample(range(8_388_608), 2))
            lines.append(
                chance.choice(
                    [
                        f"saw {core} {seed} {count} {chance.choice(['s', 'st', 'u'])}",
                        f"melt {core} {low} {high}",
                        f"rename {core} {chance.choice('abc')}",
                        f"weigh {core} {low} {high}",
                        f"heaviest {core} {low} {high}",
                        f"find {chance.choice(['s', 'st-', 's-a', 'u'])} {chance.randint(0, 50)}",
                    ]
                )
            )
        texts.append("".join(f"{line}\n" for line in [*lines, "cores"]))
    return texts


@pytest.mark.parametrize("seed", range(3))
def test_references_answer_as_the_model_when_blocks_come_and_go(
    model: ModuleType, references: list[Path], tmp_path: Path, seed: int
) -> None:
    runs = busy(random.Random(seed), 2, 1500)
    wanted = expected(model, runs)
    for program in references:
        assert played(program, tmp_path / "files", runs) == wanted


# ----------------------------------------------------------------------------------------------------------------- slow
@pytest.mark.slow  # a minute: everything is generated, and the references are run under sanitizers
def test_everything_once_more_and_more_of_it(model: ModuleType, tmp_path: Path) -> None:
    generate("make.py", str(tmp_path / "data"))
    same(tmp_path / "data", PACKAGE / "data")
    flags = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    programs = [compiled(tmp_path, f"accepted/{name}", *flags) for name in ("blocks-cpp", "tree-c")]
    for seed in range(100, 130):
        runs = busy(random.Random(seed), 3, 4000)
        wanted = expected(model, runs)
        for program in programs:
            assert played(program, tmp_path / "files", runs) == wanted


@pytest.mark.slow  # twenty seconds
def test_series_keep_the_bounds_that_no_single_run_shows(model: ModuleType) -> None:
    series: dict[str, list[Path]] = {}
    for path in sorted((PACKAGE / "data").rglob("*.in")):
        series.setdefault(str(path).rpartition("-run")[0] or str(path), []).append(path)
    most = 0
    for runs in series.values():
        library = model.Library()
        for path in runs:
            renamed = 0
            for line in path.read_text("ascii").splitlines():
                before = len(library.tags.get(line.split()[1], ())) if line.startswith("rename") else 0
                renamed += before if library.answer(line) == ["ok"] else 0
                most = max(most, library.live)
                assert library.live <= 250_000, path
                assert len(library.tags) <= 400, path
            assert renamed <= 100_000, path
    assert most > 245_000  # the last group really fills it
