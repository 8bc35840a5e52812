"""From recipes to tasks: what is built, the same each time, and one line for each recipe that cannot be used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.recipes.model import load_recipe
from rigorbench.recipes.states import build_states
from rigorbench.tasks.digests import directory_digest
from rigorbench.tasks.prepared import prepared_task
from rigorbench.tasks.suite import SuiteError, load_suite
from rigorbench.tasks.workspace import apply_change, build_repository
from tiny_distribution import Index, distribution


def prepare(index: Index, *words: str) -> int:
    return main(["suite", "prepare", str(index.suite), *words])


def built(index: Index, name: str) -> Path:
    found = prepared_task(index.suite / name)
    assert found is not None
    return found


def test_a_version_pair_becomes_a_task(cached: Index) -> None:
    states = build_states(load_recipe(cached.suite / "pair"))
    assert b'split(" ")' in states.starter["tinytext/words.py"]
    assert b"split()" in states.golden["tinytext/words.py"]
    assert {p for p in states.golden if states.golden[p] != states.starter[p]} == {
        "tinytext/titles.py",
        "tinytext/words.py",
    }
    # The agent sees the tests of the earlier version; neither has the test that is left out, nor pip's own file.
    assert b"test_many_blanks" not in states.starter["tests/test_words.py"]
    assert b"test_unusable" not in states.starter["tests/test_words.py"] + states.hidden["test_words.py"]
    assert b"test_many_blanks" in states.hidden["test_words.py"]
    assert "PKG-INFO" not in states.starter


def test_a_mutant_becomes_a_task(cached: Index) -> None:
    states = build_states(load_recipe(cached.suite / "mutant"))
    assert b"isalpha" in states.golden["tinytext/words.py"]
    assert b"isalpha" not in states.starter["tinytext/words.py"]
    # What notices the mutant leaves the visible tests; its file keeps its imports and its other tests.
    seen, hidden = states.starter["tests/test_words.py"], states.hidden["test_words.py"]
    assert b"test_numbers_are_no_words" not in seen
    assert b"test_longest" in seen
    assert b"test_numbers_are_no_words" in hidden
    assert b"test_longest" not in hidden
    assert "test_titles.py" not in states.hidden


def test_both_recipes_are_tasks_of_one_suite(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached) == 0
    printed = capsys.readouterr()
    assert [line.split(": ")[:2] for line in printed.out.splitlines()] == [["mutant", "built"], ["pair", "built"]]
    assert printed.err == ""
    suite = load_suite(cached.suite)
    assert [(t.id, t.key) for t in suite.tasks] == [
        ("mutant", "verify-or-die/mutant"),
        ("pair", "verify-or-die/pair"),
    ]
    pair = suite.task("pair").task
    assert {r.id: sorted(r.tests) for r in pair.requirements} == {
        "blanks": ["test_words.py::test_many_blanks"],
        "small": ["test_titles.py::test_small_words"],
        "kept": [
            "test_titles.py::test_title",
            "test_words.py::TestWords::test_two",
            "test_words.py::test_longest",
            "test_words.py::test_numbers_are_no_words",
        ],
    }
    assert pair.instruction == (cached.suite / "pair" / "instruction.md").read_text()


@pytest.mark.parametrize("name", ["mutant", "pair"])
def test_patches_lead_from_tree_to_tree(cached: Index, name: str, tmp_path: Path) -> None:
    assert prepare(cached) == 0
    task = load_suite(cached.suite / name).tasks[0]
    states = build_states(load_recipe(cached.suite / name))
    repository = tmp_path / "work"
    build_repository(task.directory, repository)
    assert {p: (repository / p).read_bytes() for p in states.starter} == states.starter
    assert apply_change(task.directory / "solution" / "solution.patch", repository) is None
    assert {p: (repository / p).read_bytes() for p in states.golden} == states.golden


def test_the_same_recipe_gives_the_same_bytes_wherever_it_is(
    cached: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prepare(cached) == 0
    first = {name: directory_digest(built(cached, name)) for name in ("mutant", "pair")}
    elsewhere = tmp_path / "elsewhere" / "deeper"
    shutil.copytree(cached.suite, elsewhere)
    cached.fetched(tmp_path / "other-cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other-cache"))
    cached.suite = elsewhere
    assert prepare(cached) == 0
    assert {name: directory_digest(built(cached, name)) for name in ("mutant", "pair")} == first


def test_what_is_prepared_is_not_built_again(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached, "--tasks", "pair") == 0
    before = built(cached, "pair").stat().st_mtime_ns
    cached.remove()
    capsys.readouterr()
    assert prepare(cached, "--tasks", "pair") == 0
    assert "pair: present: " in capsys.readouterr().out
    assert built(cached, "pair").stat().st_mtime_ns == before


def test_a_changed_recipe_is_built_again_without_an_index(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(index, "--tasks", "pair") == 0
    index.remove()
    index.change("pair", "Blanks and small words", "Other words")
    capsys.readouterr()
    with pytest.raises(SuiteError):
        load_suite(index.suite / "pair")
    assert prepare(index, "--tasks", "pair") == 0
    assert "pair: built: " in capsys.readouterr().out
    assert "Other words" in (built(index, "pair") / "task.toml").read_text()


def test_a_distribution_that_is_gone_leaves_out_its_tasks_only(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    (index.files / "tinytext-1.0.tar.gz").unlink()
    assert prepare(index) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("mutant: built: ")
    (line,) = printed.err.splitlines()
    assert line.startswith(f"pair: left out: {index.suite / 'pair' / 'recipe.toml'}: package.before: tinytext 1.0: ")
    assert "cannot be fetched" in line
    assert [task.id for task in load_suite(index.suite).tasks] == ["mutant"]


def test_an_archive_with_another_hash_is_refused(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    index.change("pair", index.hashes["later"], "0" * 64)
    assert prepare(index, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "package.version: tinytext 1.1: " in line
    assert "0" * 64 in line
    assert index.hashes["later"] in line


def test_a_damaged_file_in_the_cache_is_fetched_again(index: Index, tmp_path: Path) -> None:
    assert prepare(index, "--tasks", "mutant") == 0
    (kept,) = (tmp_path / "cache" / "rigorbench" / "distributions").glob("*/*.tar.gz")
    content = kept.read_bytes()
    kept.write_bytes(content[:-9])
    index.change("mutant", "Only words", "Just words")
    assert prepare(index, "--tasks", "mutant") == 0
    assert kept.read_bytes() == content


@pytest.mark.parametrize(
    ("licence", "said"),
    [
        ("GPL-3.0-only", "its metadata say 'GPL-3.0-only'; a recipe may not use it"),
        ("Apache-2.0", "its metadata say 'Apache-2.0', not MIT"),
    ],
)
def test_another_licence_is_refused(index: Index, capsys: pytest.CaptureFixture[str], licence: str, said: str) -> None:
    other = distribution(index.files, "1.1", {"tinytext/__init__.py": ""}, licence=licence)
    index.change("mutant", index.hashes["later"], other)
    assert prepare(index, "--tasks", "mutant") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{index.suite / 'mutant' / 'recipe.toml'}: " in line
    assert f"tinytext 1.1: {said}" in line


BROKEN = [
    ('licence = "MIT"', 'licence = "GPL-3.0"', "package.licence: 'GPL-3.0'; only MIT, "),
    ("[package]", "[package]\nnamed = 1", "package.named: unknown key"),
    ("visible = 6", "visible = 6\nhiden = []", "tests.hiden: unknown key; allowed are visible, hidden"),
    ("[tests]", "colour = 1\n[tests]", "package.colour: unknown key"),
    ('kind = "mutant"', 'kind = "mutant"\nkinds = 1', "kinds: unknown key"),
    ("index = 1\n", "index = 1\nseed = 2\n", "mutations[0].seed: unknown key"),
    ('kind = "mutant"', 'kind = "pair"', "kind"),
    ("visible = 6", 'visible = "six"', "tests.visible"),
    ('name = "tinytext"', 'name = "../tinytext"', "package: name or version is none of a package"),
    ('file = "tinytext/words.py"', 'file = "../words.py"', "'../words.py' is not inside the repository"),
    ('version = "1.1"', 'version = "1.1"\nbefore = "1.0"', "package.before, package.before_sha256: used only by"),
    ("obvious = true", "", "near_misses: exactly one is obvious = true"),
    ("test_numbers_are_no_words", "test_letters", "tests.hidden: no test 'test_words.py::test_letters' in tests/"),
    ("test_unusable", "test_clock", "tests.leave_out: no test 'test_words.py::test_clock' in tests/"),
    ("index = 1\n", "index = 7\n", "mutations[0]: tinytext/words.py: "),
    ("line = 11\n", "line = 12\n", "mutations[0]: tinytext/words.py: "),
    ("index = 1\n", f'index = 1\nsha256 = "{"0" * 64}"\n', "mutations[0].sha256: the changed file has "),
    ('file = "tinytext/words.py"', 'file = "tinytext/word.py"', "mutations[0].file: no source file"),
    ('source = ["tinytext/**"]', 'source = ["src/**"]', "package.source matches no file of tinytext 1.1"),
    (
        'tests = ["test_words.py::test_numbers_are_no_words"]',
        'tests = ["test_words.py::test_two"]',
        "requirements words: names no hidden test",
    ),
    (
        'operator = "boundary-comparison"',
        'operator = "bound"',
        "near_misses last.mutate[0]: tinytext/words.py: ",
    ),
]


@pytest.mark.parametrize(("old", "new", "said"), BROKEN, ids=[said[:40] for _, _, said in BROKEN])
def test_a_fault_of_a_recipe_is_one_line(
    cached: Index, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    file = cached.change("mutant", old, new)
    assert prepare(cached, "--tasks", "mutant") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mutant: left out: {file}: ")
    assert said in line
    assert not (cached.suite.parent / "cache" / "rigorbench" / "recipes").exists() or not prepared_task(
        cached.suite / "mutant"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('undo = ["tinytext/words.py"]', 'undo = ["tinytext/wörds.py"]', "requirements blanks.undo: no change "),
        ("titles.py#1", "titles.py#4", "there are tinytext/titles.py#1, tinytext/words.py#1"),
        ('undo = ["tinytext/titles.py"]', "", "only-blanks: changes nothing; give undo, mutate, rewrites or only_if"),
        (
            'obvious = true\nundo = ["tinytext/titles.py"]',
            'obvious = true\non = "starter"\nundo = ["a"]',
            "has no change",
        ),
    ],
)
def test_a_change_that_is_not_there_is_named(
    cached: Index, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    file = cached.change("pair", old, new)
    assert prepare(cached, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"pair: left out: {file}: ")
    assert said in line


@pytest.mark.parametrize("name", ["instruction.md", "issue_test.py"])
def test_a_missing_file_is_named(cached: Index, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (cached.suite / "pair" / name).unlink()
    assert prepare(cached, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"pair: left out: {cached.suite / 'pair' / name}: missing; write the ")


def test_a_recipe_that_is_no_toml_is_named(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    file = cached.change("pair", "kind =", "kind")
    assert prepare(cached) == 1
    printed = capsys.readouterr()
    assert printed.err.startswith(f"pair: left out: {file}: ")
    assert len(printed.err.splitlines()) == 1
    assert printed.out.startswith("mutant: built: ")


def test_names_that_match_no_recipe(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached, "--tasks", "pears") == 2
    assert capsys.readouterr().err.strip() == (
        f"rigor suite: {cached.suite}: no recipe matches 'pears'; there are mutant, pair"
    )


def test_a_suite_that_is_not_prepared_says_what_to_do(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SuiteError) as found:
        load_suite(cached.suite)
    assert str(found.value) == f"{cached.suite}: none of its 2 recipes is prepared; rigor suite prepare {cached.suite}"
    with pytest.raises(SuiteError) as found:
        load_suite(cached.suite / "pair")
    assert str(found.value) == (
        f"{cached.suite / 'pair' / 'recipe.toml'}: not prepared; rigor suite prepare {cached.suite} --tasks pair"
    )
    assert main(["suite", "list", str(cached.suite)]) == 2
    assert f"rigor suite prepare {cached.suite}" in capsys.readouterr().err


def test_recipes_that_are_not_prepared_are_named_beside_those_that_are(
    cached: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prepare(cached, "--tasks", "pair") == 0
    capsys.readouterr()
    assert main(["suite", "list", str(cached.suite), "--all"]) == 0
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()] == ["task", "pair"]
    assert printed.err.splitlines() == [
        f"cannot be read: {cached.suite / 'mutant' / 'recipe.toml'}: not prepared; "
        f"rigor suite prepare {cached.suite} --tasks mutant"
    ]


def test_what_is_prepared_as_a_document(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    (index.files / "tinytext-1.0.tar.gz").unlink()
    assert prepare(index, "--json") == 1
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["schema"] == "rigor-prepared/1"
    mutant, pair = document["tasks"]
    directory = str(built(index, "mutant"))
    alike = {"ratio": None, "sentence": "", "place": "", "reason": "no sentence of five words to compare"}
    expected = {"id": "mutant", "status": "built", "directory": directory, "files": [], "problems": []}
    assert mutant == {**expected, "likeness": alike}
    assert (pair["id"], pair["status"], pair["directory"]) == ("pair", "gone", None)
    (problem,) = pair["problems"]
    assert "package.before: tinytext 1.0: " in problem
    assert printed.err == f"pair: left out: {problem}\n"
    assert prepare(index, "--tasks", "mutant", "--json") == 0
    assert json.loads(capsys.readouterr().out)["tasks"][0]["status"] == "present"


def test_a_machine_without_an_index_leaves_recipes_out_and_fails_nothing(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.remove()
    assert prepare(index, "--skip-gone") == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == ["left out", "left out"]
    assert main(["suite", "validate", str(index.suite)]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        f"not provable here: {name}: it is not prepared, so only its recipe was checked; "
        f"rigor suite prepare {index.suite} --tasks {name}"
        for name in ("mutant", "pair")
    ]
    assert printed.err == "0 proven, 2 not provable here; 0 s\n"


def test_of_a_recipe_that_is_not_prepared_the_recipe_is_checked(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.remove()
    index.change("pair", 'licence = "MIT"', 'licence = "GPL"')
    assert main(["suite", "validate", str(index.suite), "--tasks", "p*", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["tasks"], document["unprepared"]) == ([], [])
    assert "package.licence: 'GPL'" in document["unusable"][0]
    assert main(["suite", "validate", str(index.suite), "--tasks", "mutant,pears"]) == 2
    assert "pears" in capsys.readouterr().err


def test_an_archive_with_another_hash_fails_in_any_case(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    index.change("pair", index.hashes["later"], "0" * 64)
    assert prepare(index, "--skip-gone", "--json") == 1
    assert [task["status"] for task in json.loads(capsys.readouterr().out)["tasks"]] == ["built", "unfit"]
