"""From recipes to tasks: what is built, the same each time, and one line for each recipe that cannot be used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rigorbench.authoring.recipes.distributions import matches
from rigorbench.authoring.seal import new_key, seal
from rigorbench.bench.tasks.prepared import directory_digest, prepared_task
from rigorbench.bench.tasks.sealed import KEY
from rigorbench.bench.tasks.suite import SuiteError, load_suite
from rigorbench.cli import main
from tiny_recipes import ECHO, ISSUE, LICENCE, SECOND, SIGNS, Index, distribution, wheel


def prepare(index: Index, *words: str) -> int:
    return main(["suite", "prepare", str(index.suite), *words])


def built(index: Index, name: str) -> Path:
    found = prepared_task(index.suite / name)
    assert found is not None
    return found


def files(directory: Path) -> set[str]:
    return {p.relative_to(directory).as_posix() for p in directory.rglob("*") if p.is_file()}


def test_two_versions_become_a_task(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(index, "--tasks", "pair") == 0
    assert capsys.readouterr().err == ""
    task = load_suite(index.suite / "pair").tasks[0]
    assert (task.id, task.key, task.task.instruction) == ("pair", "verify-or-die/pair", ISSUE)
    repository = task.directory / "environment" / "repo"
    # The agent has the earlier version, its tests and what it imports, and neither documents nor pip's own file.
    assert "split(BLANK)" in (repository / "tinytext.py").read_text()
    assert (repository / "tinysigns.py").read_text() == SIGNS["tinysigns.py"]
    assert (repository / "pytest.ini").read_text() == "[pytest]\n"
    assert not files(repository) & {"docs/notes.txt", "PKG-INFO", "tests/test_clock.py"}
    assert (task.hidden / "test_words.py").read_text() == SECOND["tests/test_words.py"]
    assert files(task.hidden) == {"helper.py", "test_words.py", "test.sh"}
    assert not files(task.directory) & {"recipe.toml", "starter.patch", "LICENSE"}


def test_a_patch_makes_a_mutant(cached: Index) -> None:
    assert prepare(cached, "--tasks", "mutant") == 0
    task = built(cached, "mutant")
    assert "split(' ')" in (task / "environment" / "repo" / "tinytext.py").read_text()
    assert "rigorbench-canary" in (task / "solution" / "solution.patch").read_text()
    assert (task / "environment" / "build_repo.py").is_file()


def test_a_tarball_of_npm_and_what_it_requires(index: Index) -> None:
    assert prepare(index, "--tasks", "npm") == 0
    task = built(index, "npm")
    modules = task / "environment" / "repo" / "node_modules" / "@tiny" / "echo"
    # What the package requires is where node looks for it, without tests and types.
    assert files(modules) == {"index.js", "package.json"}
    assert (modules / "index.js").read_text() == ECHO["index.js"]
    assert files(task / "tests") == {"test_hidden.py", "test.sh", "package/helper.js", "package/pairs.test.js"}


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


def test_a_changed_recipe_is_built_again_without_an_index(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached, "--tasks", "pair") == 0
    cached.remove()
    (cached.suite / "pair" / "instruction.md").write_text("Other words\n")
    capsys.readouterr()
    with pytest.raises(SuiteError):
        load_suite(cached.suite / "pair")
    assert prepare(cached, "--tasks", "pair") == 0
    assert "pair: built: " in capsys.readouterr().out
    assert (built(cached, "pair") / "instruction.md").read_text() == "Other words\n"


def test_a_distribution_that_is_gone_leaves_out_its_tasks_only(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    (index.files / "tinytext-1.0.tar.gz").unlink()
    assert prepare(index, "--tasks", "mutant,pair") == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("mutant: built: ")
    (line,) = printed.err.splitlines()
    assert line.startswith(f"pair: left out: {index.suite / 'pair' / 'recipe.toml'}: starter.version: tinytext 1.0: ")
    assert "cannot be fetched" in line
    assert [task.id for task in load_suite(index.suite).tasks] == ["mutant"]


def test_a_damaged_file_in_the_cache_is_fetched_again(index: Index, tmp_path: Path) -> None:
    assert prepare(index, "--tasks", "mutant") == 0
    (kept,) = (tmp_path / "cache" / "rigorbench" / "distributions").glob("*/*.tar.gz")
    content = kept.read_bytes()
    kept.write_bytes(content[:-9])
    (index.suite / "mutant" / "instruction.md").write_text("Other words\n")
    assert prepare(index, "--tasks", "mutant") == 0
    assert kept.read_bytes() == content


BROKEN = [
    ("[package]", "[package]\nnamed = 1", "package.named: unknown key"),
    ("[starter]", "[starter]\nwith = 1", "starter.with: unknown key; allowed are version, "),
    ("[package]", "colour = 1\n[package]", "colour: unknown key"),
    ('[[package.dependencies]]\nname = "tinysigns"', "[[package.dependencies]]\nnames = 1", "dependencies[0].names: "),
    ('name = "tinytext"', 'name = "../tinytext"', "package: name or version is none of a package"),
    ('name = "tinysigns"', 'name = "@tiny/signs"', "package.dependencies @tiny/signs: name or version is none of"),
    ('version = "1.1"\n', "", "hidden.version, hidden.sha256: give both or none"),
    ('sha256 = "', 'sha256 = "x', "sha256: expected 64 hexadecimal digits"),
    ('files = ["helper.py"', 'directory = "../tests"\nfiles = ["helper.py"', "'../tests' is not inside the package"),
    ('without = ["docs"]', "", "starter.digest: the files have "),
    ('files = ["helper.py", ', "files = [", "hidden.digest: the files have "),
]


@pytest.mark.parametrize(("old", "new", "said"), BROKEN, ids=[said[:40] for _, _, said in BROKEN])
def test_a_fault_of_a_recipe_is_one_line(
    cached: Index, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    file = cached.change("pair", old, new)
    assert prepare(cached, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"pair: left out: {file}: ")
    assert said in line
    assert prepared_task(cached.suite / "pair") is None


@pytest.mark.parametrize("name", ["task.toml", "instruction.md", "LICENSE"])
def test_a_missing_file_is_named(cached: Index, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (cached.suite / "pair" / name).unlink()
    assert prepare(cached, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"pair: left out: {cached.suite / 'pair' / name}: missing; ")


def test_a_patch_that_does_not_fit_is_named(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    file = cached.suite / "mutant" / "starter.patch"
    file.write_text(file.read_text().replace("text.split()", "text.words()"))
    assert prepare(cached, "--tasks", "mutant") == 1
    assert f"mutant: left out: {file}: does not fit the package (error: patch failed: " in capsys.readouterr().err


def test_a_task_file_says_that_it_is_that_of_a_recipe(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    file = cached.suite / "mutant" / "task.toml"
    file.write_text(file.read_text().replace("recipe = true\n", ""))
    assert prepare(cached, "--tasks", "mutant") == 1
    assert f"{file}: [metadata.rigor] of a recipe has a category, a canary and" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "text", "said"),
    [
        ("tinytext-1.1.tar.gz", "", "hidden.version: tinytext 1.1: its hash is "),
        ("tinysigns-2.0-py3-none-any.whl", "", "package.dependencies[0]: tinysigns 2.0: its hash is "),
        ("tinysigns-2.0-py3-none-any.whl", None, "package.dependencies[0]: tinysigns 2.0: its wheel cannot be fetched"),
    ],
)
def test_another_distribution_than_the_recipe_names(
    index: Index, capsys: pytest.CaptureFixture[str], old: str, text: str | None, said: str
) -> None:
    (index.files / old).unlink()
    if text is not None:
        _ = distribution(index.files, "1.1", {}) if "1.1" in old else wheel(index.files, {})
    assert prepare(index, "--tasks", "pair", "--skip-gone") == (0 if text is None else 1)
    assert said in capsys.readouterr().err


def test_names_that_match_no_recipe(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached, "--tasks", "pears") == 2
    assert capsys.readouterr().err.strip() == (
        f"rigor suite: {cached.suite}: no recipe matches 'pears'; there are mutant, npm, pair"
    )


def test_a_suite_that_is_not_prepared_says_what_to_do(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SuiteError) as found:
        load_suite(cached.suite)
    assert str(found.value) == f"{cached.suite}: none of its 3 recipes is prepared; rigor suite prepare {cached.suite}"
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
    assert f"cannot be read: {cached.suite / 'mutant' / 'recipe.toml'}: not prepared; " in printed.err


def test_what_is_prepared_as_a_document(index: Index, capsys: pytest.CaptureFixture[str]) -> None:
    (index.files / "tinytext-1.0.tar.gz").unlink()
    assert prepare(index, "--tasks", "mutant,pair", "--json") == 1
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["schema"] == "rigor-prepared/1"
    mutant, pair = document["tasks"]
    assert (mutant["id"], mutant["status"], mutant["problems"]) == ("mutant", "built", [])
    assert mutant["directory"] == str(built(index, "mutant"))
    alike = mutant["likeness"]
    assert (alike["sentence"], alike["place"]) == (ISSUE.strip(), "CHANGES.md:1")
    assert 0.4 < alike["ratio"] < 0.75
    assert (pair["id"], pair["status"], pair["directory"]) == ("pair", "gone", None)
    assert printed.err == f"pair: left out: {pair['problems'][0]}\n"
    assert prepare(index, "--tasks", "mutant", "--json") == 0
    assert json.loads(capsys.readouterr().out)["tasks"][0]["status"] == "present"


def test_a_machine_without_an_index_leaves_recipes_out_and_fails_nothing(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.remove()
    assert prepare(index, "--tasks", "mutant,pair", "--skip-gone") == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == ["left out", "left out"]
    assert main(["suite", "validate", str(index.suite), "--tasks", "mutant"]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        f"not provable here: mutant: it is not prepared, so only its recipe was checked; "
        f"rigor suite prepare {index.suite} --tasks mutant"
    ]
    assert printed.err == "0 proven, 1 not provable here; 0 s\n"


def test_of_a_recipe_that_is_not_prepared_the_recipe_is_checked(
    index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    index.change("pair", "[package]", "[package]\nlicence = 1")
    assert main(["suite", "validate", str(index.suite), "--tasks", "p*", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["tasks"], document["unprepared"]) == ([], [])
    assert "package.licence: unknown key" in document["unusable"][0]
    assert main(["suite", "validate", str(index.suite), "--tasks", "mutant,pears"]) == 2
    assert "pears" in capsys.readouterr().err


# -- variants and sealed suites --------------------------------------------------------------------------------------


def test_a_variant_is_a_suite_of_other_faults(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached, "--variant", "2") == 0
    suite = load_suite(f"{cached.suite}~2")
    assert (suite.name, [task.id for task in suite.tasks]) == ("suite~2", ["mutant"])
    assert load_suite(suite.locator).digest == suite.digest
    assert load_suite(f"{cached.suite / 'mutant'}~2").tasks[0].digest == suite.tasks[0].digest
    code = (suite.tasks[0].directory / "environment" / "repo" / "tinytext.py").read_text()
    assert "split(' ', 9)" in code
    with pytest.raises(SuiteError):
        load_suite(cached.suite)
    capsys.readouterr()
    assert main(["suite", "list", str(cached.suite), "--variant", "2", "--all"]) == 0
    assert "mutant" in capsys.readouterr().out


def test_a_variant_that_a_suite_does_not_have(cached: Index, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(cached, "--variant", "7") == 2
    assert f"{cached.suite}: no variant '7'; there are 2" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        prepare(cached, "--variant", "a b")
    assert "expected letters, digits, dots and hyphens" in capsys.readouterr().err


def test_of_a_sealed_recipe_nothing_can_be_read(cached: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cryptography", reason="the package cryptography is not installed")
    monkeypatch.delenv(KEY, raising=False)
    key = new_key()
    assert seal(cached.suite, tmp_path / "sealed", key) == 3
    assert files(tmp_path / "sealed") == {"sealed.bin"}
    assert main(["suite", "prepare", str(tmp_path / "sealed")]) == 2
    monkeypatch.setenv(KEY, key)
    assert main(["suite", "prepare", str(tmp_path / "sealed"), "--tasks", "mutant"]) == 0
    assert [task.id for task in load_suite(tmp_path / "sealed").tasks] == ["mutant"]
    assert main(["suite", "prepare", str(tmp_path / "sealed"), "--variant", "2"]) == 0
    assert main(["suite", "seal", "--open", str(tmp_path / "sealed"), str(tmp_path / "open")]) == 0
    assert (tmp_path / "open" / "mutant" / "LICENSE").read_text() == LICENCE


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("docs", "docs/a/b.txt", True),
        ("docs", "docs2/a", False),
        ("*.py", "a.py", True),
        ("*.py", "pack/a.py", False),
        ("**/*.py", "a.py", True),
        ("pack/**", "pack/a/b.py", True),
        ("a.py", "aXpy", False),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, [pattern]) is expected
