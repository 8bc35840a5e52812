"""Variants of recipes by a seed: other names, other faults, their issues, and the seeds of releases."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
import pytest

from rigorbench.authoring.checklist.sentences import sentences
from rigorbench.authoring.proof.run import Verdict
from rigorbench.cli import main
from rigorbench.recipes.likeness import LIMIT, Likeness, likeness
from rigorbench.recipes.model import NearMiss, Package, Recipe, Tests, load_recipe
from rigorbench.recipes.renamed import renamed
from rigorbench.recipes.rewrites import Rewrite
from rigorbench.recipes.states import build_states
from rigorbench.recipes.trees import changes
from rigorbench.recipes.variants import observer
from rigorbench.recipes.variants.draw import draw, recipe_text
from rigorbench.recipes.variants.examples import Example, example
from rigorbench.recipes.variants.failures import Failure
from rigorbench.recipes.variants.mutant import Drawn
from rigorbench.recipes.variants.voices import FAULT, VOICES, issue
from rigorbench.tasks.prepared import TOOLING
from rigorbench.tasks.proofs import VERSION, Check, Proof
from rigorbench.tasks.sealed import KEY, SealError
from rigorbench.tasks.seeds import open_seeds, releases_of, seal_seeds, seed_of
from rigorbench.tasks.suite import NotPrepared, Suite, SuiteError, SuiteTask, load_suite
from rigorbench.tasks.task import TaskError
from rigorbench.tasks.variants import drawn_recipe, split_seed
from tiny_distribution import FIRST, Index

CODE = '''\
"""Counts."""

_start = 1


def _next(value):
    total = value + STEP
    return total


def count(values):
    number = _start
    for value in values:
        number = _next(number)
    return number
'''


def recipe(seed: int | None = 7) -> Recipe:
    package = Package("tinycount", "1.1", "0" * 64, "MIT", ["tinycount/**"], renamed=seed)
    return Recipe("mutant", "verify-or-die", "easy", "Counts", package, Tests())


def tree(step: str, test: str = "") -> dict[str, bytes]:
    return {
        "tinycount/__init__.py": CODE.replace("STEP", step).encode(),
        "tests/test_count.py": f"from tinycount import count\n{test}".encode(),
    }


# -- names -------------------------------------------------------------------------------------------------------------


def test_without_a_seed_names_stay() -> None:
    assert renamed(recipe(None), tree("1")) == (tree("1"),)


def test_private_and_local_names_are_others_and_the_code_does_the_same() -> None:
    (found,) = renamed(recipe(), tree("1"))
    text = found["tinycount/__init__.py"].decode()
    assert not any(name in text for name in ("_start", "_next", "total", "number"))
    space: dict[str, object] = {}
    exec(text, space)
    assert space["count"]([1, 2]) == 3  # type: ignore[operator]
    assert found["tests/test_count.py"] == tree("1")["tests/test_count.py"]


def test_a_name_that_a_test_uses_stays() -> None:
    (found,) = renamed(recipe(), tree("1", "from tinycount import _next\n"))
    text = found["tinycount/__init__.py"].decode()
    assert "_next" in text
    assert "_start" not in text


def test_two_versions_differ_in_the_same_lines_as_before() -> None:
    old, new = tree("1"), tree("2")
    other_old, other_new = renamed(recipe(), old, new)
    assert changes(other_old, other_new) == changes(old, new)
    assert b"_start" not in other_old["tinycount/__init__.py"] + other_new["tinycount/__init__.py"]


def test_names_in_the_issue_stay_unless_the_issue_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "instruction.md").write_text("Who calls `_next`?\n")
    mutant = msgspec.structs.replace(recipe(), directory=tmp_path)
    (found,) = renamed(mutant, tree("1"))
    assert b"_next" not in found["tinycount/__init__.py"]
    (found,) = renamed(msgspec.structs.replace(mutant, kind="stacked"), tree("1"))
    assert b"_next" in found["tinycount/__init__.py"]
    own = NearMiss("own", "", rewrites=[Rewrite("tinycount/__init__.py", (3, 3), "_start = 2")])
    (found,) = renamed(msgspec.structs.replace(recipe(), kind="version-pair", near_misses=[own]), tree("1"))
    assert b"_start" in found["tinycount/__init__.py"]


def test_code_that_is_no_text_stays() -> None:
    odd = {**tree("1"), "tinycount/old.py": b"# \xe9\n_start = 1\n"}
    (found,) = renamed(recipe(), odd)
    assert found["tinycount/old.py"] == odd["tinycount/old.py"]
    # It mentions the name, which other files have as well.
    assert b"_start" in found["tinycount/__init__.py"]


# -- what a user sees --------------------------------------------------------------------------------------------------

TESTS = """\
import re

import pytest
from tinytext.words import longest, words as split

LIMIT = 3


def three(text):
    return split(text)[:LIMIT]


def test_equal():
    assert split("") == []
    text = "a b"
    assert longest(text) == "b"


def test_helper():
    assert three("a b c d") == ["a", "b", "c"]


def test_raises():
    with pytest.raises(ValueError):
        longest("")


def test_fixture(tmp_path, text):
    found = longest(text)
    assert found


class TestWords:
    def test_other(self):
        self.check(longest("a"))

    def test_error(self):
        assert longest("a b") == "a"
"""


def failed(name: str, line: int, error: str = "AssertionError", message: str = "", **more: object) -> Failure:
    given = {"compared": [], "params": {}, "fixtures": []} | more
    frames = [
        ("tests/test_words.py", line, name.partition("[")[0].rpartition("::")[2]),
        ("tinytext/words.py", 9, "longest"),
    ]
    return msgspec.convert(
        {"test": f"tests/test_words.py::{name}", "error": error, "message": message, "frames": frames, **given}, Failure
    )


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(TESTS.splitlines(), 1) if text in line)


def test_a_comparison_gives_call_expected_and_got() -> None:
    found = example(TESTS, failed("test_equal", line_of('longest(text) == "b"'), compared=["==", "'a'", "'b'"]))
    assert found == Example('from tinytext.words import longest\ntext = "a b"', "longest(text)", "'b'", "'a'", (), ())


def test_what_the_steps_use_of_the_file_of_tests_is_shown() -> None:
    found = example(TESTS, failed("test_helper", line_of('three("a'), compared=["==", "['a']", "['a', 'b', 'c']"]))
    assert found is not None
    assert found.setup.splitlines() == [
        "from tinytext.words import words as split",
        "LIMIT = 3",
        "def three(text):",
        "    return split(text)[:LIMIT]",
    ]


def test_an_error_is_told_with_its_trace() -> None:
    found = example(TESTS, failed("TestWords::test_error", line_of('== "a"'), "IndexError", "list index out of range"))
    assert found is not None
    assert (found.call, found.expected) == ('longest("a b")', '"a"')
    assert found.got == "IndexError: list index out of range"
    assert found.trace == ('File "tinytext/words.py", line 9, in longest',)


def test_an_error_that_does_not_come_is_told() -> None:
    found = example(TESTS, failed("test_raises", line_of("pytest.raises"), "Failed", "DID NOT RAISE ValueError"))
    assert found is not None
    assert (found.call, found.expected, found.got) == ('longest("")', "ValueError", "no error")


def test_values_of_parameters_and_names_of_fixtures_are_told() -> None:
    failure = failed("test_fixture[a]", line_of("assert found"), params={"text": "'a'"}, fixtures=["tmp_path"])
    found = example(TESTS, failure)
    assert found is not None
    assert found.setup.splitlines()[1:] == ["text = 'a'", "found = longest(text)"]
    assert (found.call, found.expected, found.got) == ("found", "True", "False")
    assert found.fixtures == ()
    # Neither a parameter nor a fixture: something else calls the test with it.
    assert example(TESTS, failed("test_fixture", line_of("assert found"), fixtures=["tmp_path"])) is None
    found = example(TESTS, failed("test_fixture", line_of("assert found"), fixtures=["tmp_path", "text"]))
    assert found is not None
    assert found.fixtures == ("text",)


@pytest.mark.parametrize(
    "failure",
    [
        failed("TestWords::test_other", line_of("self.check")),
        failed("test_equal", line_of("longest(text) =="), compared=["==", "<object at 0x7f>", "'b'"]),
        failed("test_equal", line_of("longest(text) =="), compared=["==", "'a'" * 200, "'b'"]),
        failed("test_none", 3),
        failed("test_equal", 1),
    ],
)
def test_what_cannot_be_told_in_a_few_lines_is_left(failure: Failure) -> None:
    assert example(TESTS, failure) is None


def test_the_observer_sees_what_was_compared(tmp_path: Path) -> None:
    (tmp_path / "seen.py").write_bytes(Path(observer.__file__).read_bytes())
    (tmp_path / "test_x.py").write_text(
        "import pytest\n\n\n@pytest.fixture(params=['db'])\ndef base(request):\n    return [request.param]\n\n\n"
        "@pytest.mark.parametrize('n', [2])\ndef test_a(base, n):\n    assert n + 1 == 4\n\n\ndef test_b():\n    pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "seen", "-p", "no:cacheprovider", "test_x.py"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    (found,) = json.loads((tmp_path / observer.FILE).read_text())
    assert found["test"] == "test_x.py::test_a[db-2]"
    assert found["compared"] == ["==", "3", "4"]
    assert found["frames"][-1] == ["test_x.py", 11, "test_a"]
    assert found["params"] == {"n": "2"}


# -- voices ------------------------------------------------------------------------------------------------------------

EXAMPLES = [
    Example("import re", 'longest("a. B")', "'a'", "IndexError: no. Such thing", ("File x",), ("db",)),
    Example("", "split('a')", "['a']", "[]", (), ()),
]


@pytest.mark.parametrize("voice", range(len(VOICES)))
@pytest.mark.parametrize("number", [1, 2])
def test_every_sentence_of_a_voice_is_mapped_once(voice: int, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rigorbench.recipes.variants.voices.VOICES", VOICES[voice : voice + 1])
    text, mapped = issue("tinytext", EXAMPLES[:number], Random(1))
    for sentence in sentences(text):
        assert len([one for one in mapped if sentence.startswith(one.text)]) == 1, sentence
    assert len(sentences(text)) == len(mapped)
    assert any(one.of == [FAULT] for one in mapped)
    assert len([line for line in text.splitlines() if line.strip()]) <= 40
    assert "IndexError: no. Such thing" in text


def test_seeds_draw_different_voices() -> None:
    assert len({issue("tinytext", EXAMPLES, Random(seed))[0] for seed in range(20)}) == len(VOICES)


# -- a drawn recipe is a recipe ----------------------------------------------------------------------------------------


def test_a_recipe_is_read_as_it_was_written(cached: Index, tmp_path: Path) -> None:
    for name in ("pair", "mutant"):
        before = load_recipe(cached.suite / name)
        for file in ("instruction.md", "issue_test.py"):
            (tmp_path / file).write_text((cached.suite / name / file).read_text())
        (tmp_path / "recipe.toml").write_text(recipe_text(before))
        assert load_recipe(tmp_path) == msgspec.structs.replace(before, directory=tmp_path)


def test_a_pair_has_variants(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    suite = str(cached.suite)
    with pytest.raises(NotPrepared, match="--tasks pair --variant 7"):
        load_suite(f"{suite}/pair~7")
    assert main(["suite", "prepare", suite, "--tasks", "pair"]) == 0
    assert main(["suite", "prepare", suite, "--tasks", "pair", "--variant", "7", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out.splitlines()[-1])["tasks"]
    assert row["status"] == "built"
    assert set(row["likeness"]) == {"ratio", "sentence", "place", "reason"}
    plain, drawn = load_suite(f"{suite}/pair"), load_suite(f"{suite}~7")
    assert drawn.name == f"{cached.suite.name}~7"
    assert drawn.locator == f"{suite}~7"
    (task,) = drawn.tasks
    assert (task.id, task.key) == ("pair", "verify-or-die/pair")
    assert task.digest != plain.tasks[0].digest
    assert load_suite(task.locator).tasks[0].digest == task.digest
    assert task.task.instruction == plain.tasks[0].task.instruction


def test_a_changed_recipe_has_other_variants(cached: Index) -> None:
    before = drawn_recipe(cached.suite / "pair", "7")
    assert before == drawn_recipe(cached.suite / "pair", "7")
    assert before != drawn_recipe(cached.suite / "pair", "8")
    cached.change("pair", "Blanks and small words", "Other words")
    assert before != drawn_recipe(cached.suite / "pair", "7")


def test_a_drawn_mutant_replaces_what_the_recipe_says_of_its_own(
    cached: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = load_recipe(cached.suite / "mutant")
    operation = msgspec.structs.replace(own.mutations[0], operator="boundary-comparison", index=0)
    drawn = Drawn(operation, ["test_words.py::test_longest"], 5, own.near_misses[0], "Text.\n", [], "import x\n", 9)
    calls = []

    def search(recipe: Recipe, seed: str) -> Drawn:
        calls.append((recipe.package.renamed, seed))
        return drawn

    monkeypatch.setattr("rigorbench.recipes.variants.draw.draw_mutant", search)
    place = draw(cached.suite / "mutant", "7")
    found = load_recipe(place)
    assert found.mutations == [operation]
    assert found.tests.hidden == found.requirements[0].tests == ["test_words.py::test_longest"]
    assert (place / "instruction.md").read_text() == "Text.\n"
    # Another issue of the recipe's own does not cost another search.
    cached.change("mutant", "Only words", "Words only")
    assert draw(cached.suite / "mutant", "7") != place
    assert len(calls) == 1
    assert draw(cached.suite / "mutant", "8") != place
    assert len(calls) == 2
    assert calls[0][0] != calls[1][0]


@pytest.mark.parametrize("kind", ["fold", "refactor"])
def test_a_recipe_with_code_of_its_own_has_no_variants(
    kind: Literal["fold", "refactor"],
    cached: Index,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    fold = msgspec.structs.replace(load_recipe(cached.suite / "pair"), kind=kind)
    monkeypatch.setattr("rigorbench.recipes.variants.draw.load_recipe", lambda directory: fold)
    assert main(["suite", "prepare", str(cached.suite), "--tasks", "pair", "--variant", "7", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["tasks"][0]["status"] == "none"
    assert f"a {kind} task has no variants" in printed.err


def test_the_tasks_of_recipes_keep_their_bytes() -> None:
    assert TOOLING == 1
    assert "renamed" not in recipe_text(recipe(None))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("real~7", ("real", "7")),
        ("a/b~2026.2-a", ("a/b", "2026.2-a")),
        ("real", ("real", None)),
        ("~7", ("~7", None)),
        ("real~", ("real~", None)),
        ("real~x y", ("real~x y", None)),
    ],
)
def test_the_seed_of_a_name(name: str, expected: tuple[str, str | None]) -> None:
    assert split_seed(name) == expected


def test_a_directory_with_the_mark_is_no_variant(tmp_path: Path) -> None:
    (tmp_path / "old~1").mkdir()
    assert split_seed(str(tmp_path / "old~1")) == (str(tmp_path / "old~1"), None)


def test_only_recipes_have_variants(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises((SuiteError, TaskError), match="no recipe in it"):
        load_suite("rigor~7")
    assert main(["suite", "variants", "rigor", "--count", "1"]) == 2
    assert main(["suite", "prepare", "rigor", "--variant", "7"]) == 2
    assert "no recipe in it" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["suite", "prepare", "real", "--variant", "a b"])
    assert "expected letters, digits" in capsys.readouterr().err


# -- likeness ----------------------------------------------------------------------------------------------------------


def test_an_issue_that_repeats_the_change_log_is_too_much_alike(index: Index, tmp_path: Path) -> None:
    from tiny_distribution import distribution

    log = "1.1\n\n- Several blanks between two words now separate them like a single one.\n"
    files = {**FIRST, "CHANGES.txt": log, "tinytext/notes.txt": "An empty word is where two blanks are between words."}
    other = distribution(index.files, "1.1", files)
    index.change("mutant", index.hashes["later"], other)
    index.fetched(tmp_path / "cache")
    issue_file = index.suite / "mutant" / "instruction.md"
    issue_file.write_text("Several blanks between two words should separate them like one.\n")
    found = likeness(load_recipe(index.suite / "mutant"))
    assert found.is_too_high
    assert found.place == "CHANGES.txt:3"
    issue_file.write_text(
        "    Several blanks between two words now separate them like a single one.\n\nHelp, it breaks.\n"
    )
    found = likeness(load_recipe(index.suite / "mutant"))
    assert found.ratio is None or found.ratio < LIMIT


def test_without_its_package_likeness_is_not_known(index: Index) -> None:
    found = likeness(load_recipe(index.suite / "mutant"))
    assert found.ratio is None
    assert found.reason == "tinytext 1.1 is not fetched"


def test_a_validation_fails_for_an_issue_that_is_too_much_alike(
    cached: Index, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suite", "prepare", str(cached.suite), "--tasks", "pair"]) == 0
    monkeypatch.setattr("rigorbench.cli.suite.validate.check_machine", lambda policies: None)
    monkeypatch.setattr("rigorbench.authoring.proof.run.validate", lambda *arguments: [])
    found = Likeness(0.5, "One sentence of ours.", "CHANGES.txt:3")
    monkeypatch.setattr("rigorbench.recipes.likeness.likeness", lambda recipe: found)
    command = ["suite", "validate", str(cached.suite), "--tasks", "pair"]
    assert main(command) == 0
    assert "at most 0.50 (pair, CHANGES.txt:3; limit 0.75)" in capsys.readouterr().err
    found = Likeness(0.8, "One sentence of theirs.", "CHANGES.txt:3")
    assert main(command) == 1
    assert "pair: FAILED: 'One sentence of theirs.' is like CHANGES.txt:3 (0.80)" in capsys.readouterr().err
    assert main([*command, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["likeness"]["pair"]["ratio"] == 0.8


# -- proofs of variants ------------------------------------------------------------------------------------------------


def test_what_is_proved_is_recorded_and_not_proved_again(
    cached: Index, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proved: list[str] = []

    def validate(suite: Suite, tasks: list[SuiteTask], *rest: object) -> list[Verdict]:
        proved.extend(f"{suite.name} {task.id}" for task in tasks)
        check = Check("starter-fails", "ok" if suite.seed == "1" else "failed", problems=())
        proofs = [
            Proof(task.digest, VERSION, "2026-01-01T00:00:00Z", (check,), policy_checks=(check,)) for task in tasks
        ]
        return [
            Verdict(task.id, task.key, "proven" if suite.seed == "1" else "failed", False, proof, seconds=3.0)
            for task, proof in zip(tasks, proofs, strict=True)
        ]

    monkeypatch.setattr("rigorbench.cli.suite.variants.check_machine", lambda policies: None)
    monkeypatch.setattr("rigorbench.authoring.proof.run.validate", validate)
    name = cached.suite.name
    command = ["suite", "variants", str(cached.suite), "--tasks", "pair"]
    assert main([*command, "--count", "2"]) == 1
    printed = capsys.readouterr()
    assert proved == [f"{name}~1 pair", f"{name}~2 pair"]
    assert printed.out.startswith("1  pair  proven  (")
    assert "\n2  pair  FAILED  starter-fails" in printed.out
    assert "1 of 2 variants proven" in printed.err
    assert main([*command, "--count", "1", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["variants"]
    assert (row["seed"], row["id"], row["status"], row["failed"]) == ("1", "pair", "proven", [])
    assert len(proved) == 2
    assert main([*command, "--variant", "1", "--fresh"]) == 0
    assert len(proved) == 3
    # Another state of the recipe is another variant.
    cached.change("pair", "Blanks and small words", "Other words")
    assert main([*command, "--variant", "1"]) == 0
    assert len(proved) == 4


# -- sealed seeds ------------------------------------------------------------------------------------------------------

LATER = datetime.date(2999, 1, 1)


@pytest.fixture
def key() -> str:
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()


def test_seeds_are_sealed_and_opened(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.delenv("RIGOR_SUITE_KEY_FILE", raising=False)
    release = seal_seeds(tmp_path, "2026.2", 2, LATER, key)
    assert release.names == ["2026.2-a", "2026.2-b"]
    with pytest.raises(SealError, match=r"2026\.2-a is sealed until 2999-01-01"):
        seed_of(tmp_path, "2026.2-a")
    monkeypatch.setenv(KEY, key)
    seeds = [seed_of(tmp_path, name) for name in release.names]
    assert len({*seeds}) == 2
    assert all(seed not in (tmp_path / "seeds.json").read_text() for seed in seeds)
    assert seed_of(tmp_path, "7") == "7"
    with pytest.raises(SealError, match="has its seeds"):
        seal_seeds(tmp_path, "2026.2", 2, LATER, key)
    monkeypatch.delenv(KEY)
    assert list(open_seeds(tmp_path, "2026.2", key).seeds.values()) == seeds
    assert seed_of(tmp_path, "2026.2-b") == seeds[1]
    with pytest.raises(SealError, match="open already"):
        open_seeds(tmp_path, "2026.2", key)


def test_another_key_does_not_open_them(tmp_path: Path, key: str) -> None:
    from cryptography.fernet import Fernet

    seal_seeds(tmp_path, "2026.2", 1, LATER, key)
    with pytest.raises(SealError, match="another key"):
        open_seeds(tmp_path, "2026.2", Fernet.generate_key().decode())
    with pytest.raises(SealError, match=r"no such release; there are 2026\.2"):
        open_seeds(tmp_path, "2026.1", key)
    (tmp_path / "seeds.json").write_text("{")
    with pytest.raises(SealError, match="not readable"):
        releases_of(tmp_path)


def test_a_release_beyond_its_date_is_told(tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "key").write_text(key)
    command = ["suite", "seeds", str(tmp_path), "--key-file", str(tmp_path / "key")]
    assert main([*command, "--release", "1", "--until", "2999-01-01"]) == 0
    assert main([*command, "--release", "2", "--until", "2020-01-01", "--count", "1"]) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1] == "2  sealed until 2020-01-01  2-a"
    assert "2: its date has come" in printed.err
    assert main([*command, "--open", "2"]) == 0
    assert main(["suite", "seeds", str(tmp_path), "--json"]) == 0
    releases = json.loads(capsys.readouterr().out.splitlines()[-1])["releases"]
    assert [(r["name"], r["sealed"], len(r["seeds"])) for r in releases] == [("1", True, 0), ("2", False, 1)]
    assert main([*command, "--release", "3"]) == 2
    assert "--until" in capsys.readouterr().err


# -- the search, in the sandbox ----------------------------------------------------------------------------------------


@pytest.mark.slow(reason="runs the tests of a small package some twenty times in sandboxes")
@pytest.mark.bwrap
def test_a_seed_draws_a_mutant_with_its_issue(cached: Index) -> None:
    place = draw(cached.suite / "mutant", "1")
    found, own = load_recipe(place), load_recipe(cached.suite / "mutant")
    assert found.mutations[0] != own.mutations[0]
    assert 1 <= len(found.tests.hidden) <= 5
    assert found.near_misses[0].obvious
    assert "tinytext" in (place / "instruction.md").read_text()
    states = build_states(found)
    assert states.starter[found.mutations[0].file] != states.golden[found.mutations[0].file]
    assert main(["suite", "prepare", str(cached.suite), "--tasks", "mutant", "--variant", "1"]) == 0
    assert load_suite(f"{cached.suite}~1").task("mutant").task.sentences
