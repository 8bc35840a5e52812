"""Recipes of npm packages: tarballs, trees, hidden tests that node runs, and what they do not have."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rigorbench.cli import main
from rigorbench.recipes.draft import pair_facts, run_tests
from rigorbench.recipes.hidden_node_tests import FILE, functions, hidden_tree
from rigorbench.recipes.model import load_recipe
from rigorbench.recipes.single_edits import try_wrong_fixes
from rigorbench.recipes.states import build_states
from rigorbench.recipes.trees import Tree, write_tree
from rigorbench.tasks.prepared import prepared_task
from rigorbench.tasks.suite import load_suite
from tiny_npm import ECHO, NEEDED, Registry, tarball

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
EMPTY, SIGN, ALL_ELSE = (
    "test_pairs_several_pairs_an_empty_part",
    "test_pairs_the_separator",
    "test_pairs_everything_else",
)


@pytest.fixture
def kept(registry: Registry, tmp_path: Path) -> Registry:
    """The registry, and its tarballs have been fetched."""
    registry.fetched(tmp_path / "cache")
    return registry


def prepare(registry: Registry, *words: str) -> int:
    return main(["suite", "prepare", str(registry.suite), *words])


def test_a_version_pair_becomes_a_task(registry: Registry) -> None:
    states = build_states(load_recipe(registry.suite / "pair"))
    changed = {p for p in states.golden if states.golden[p] != states.starter[p]}
    assert changed == {"index.js", "lib/pairs.js"}
    # What the package needs is where node looks for it, without tests and types.
    assert states.starter[f"node_modules/{NEEDED}/index.js"].decode() == ECHO["index.js"]
    assert {p for p in states.starter if p.startswith("node_modules/")} == {
        f"node_modules/{NEEDED}/index.js",
        f"node_modules/{NEEDED}/package.json",
    }
    assert states.starter[".gitignore"] == b"lcov.info\n"
    assert b"needs a network" not in states.starter["test/pairs.test.js"] + states.hidden["pairs.test.js"]
    assert b"an empty part" not in states.starter["test/pairs.test.js"]
    assert b"an empty part" in states.hidden["pairs.test.js"]
    # What is beside the tests comes along, other tests do not.
    assert set(states.hidden) == {"pairs.test.js", "helper.js"}


def test_a_mutant_becomes_a_task(kept: Registry) -> None:
    states = build_states(load_recipe(kept.suite / "mutant"))
    assert b"part !== 'none'" in states.golden["lib/longest.js"]
    assert b"part !== 'none'" not in states.starter["lib/longest.js"]
    seen, hidden = states.starter["test/longest.test.js"], states.hidden["longest.test.js"]
    assert (b"none is nothing" in seen, b"of two" in seen) == (False, True)
    assert (b"none is nothing" in hidden, b"of two" in hidden) == (True, False)


def test_the_task_says_how_node_runs_its_tests(kept: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(kept) == 0
    assert capsys.readouterr().err == ""
    found = load_suite(kept.suite).task("pair")
    pair = found.task
    assert 'language = "javascript"' in (found.directory / "task.toml").read_text()
    assert pair.tools == ["node"]
    assert pair.test == "node --test test/*.test.js"
    assert {r.id: sorted(r.tests) for r in pair.requirements} == {
        "empty": [f"test_hidden.py::{EMPTY}"],
        "separator": [f"test_hidden.py::{SIGN}"],
        "kept": [
            f"test_hidden.py::{name}" for name in (ALL_ELSE, "test_pairs_one_pair", "test_pairs_several_pairs_two")
        ],
    }
    policy = (found.directory / "policies" / "disciplined.toml").read_text()
    assert "node --test test/issue.test.js" in policy
    assert "pytest" not in policy


def hidden_outcomes(registry: Registry, tree: Tree, place: Path) -> set[str]:
    """The hidden tests of the pair that pass on a tree."""
    task = prepared_task(registry.suite / "pair")
    assert task is not None
    write_tree(tree, place)
    return passing(task / "tests", place)


def passing(tests: Path, place: Path) -> set[str]:
    """The hidden tests that pass in a repository, run as pytest runs them."""
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", f"--rootdir={tests}"]
    done = subprocess.run([*command, str(tests / FILE)], cwd=place, capture_output=True, text=True, check=False)
    return {line.rpartition("::")[2] for line in done.stdout.splitlines() if line.startswith("PASSED ")}


@needs_node
def test_hidden_tests_pass_on_the_golden_solution_only(kept: Registry, tmp_path: Path) -> None:
    assert prepare(kept, "--tasks", "pair") == 0
    states = build_states(load_recipe(kept.suite / "pair"))
    every = hidden_outcomes(kept, states.golden, tmp_path / "golden")
    assert every == {EMPTY, SIGN, ALL_ELSE, "test_pairs_one_pair", "test_pairs_several_pairs_two"}
    assert every - hidden_outcomes(kept, states.starter, tmp_path / "starter") == {EMPTY, SIGN}


@needs_node
@pytest.mark.parametrize(
    "line",
    ["process.exit(0)", "throw new Error('no')", "for (;;) { process.exit(1) }"],
)
def test_a_file_that_does_not_end_as_it_should_passes_nothing(kept: Registry, tmp_path: Path, line: str) -> None:
    assert prepare(kept, "--tasks", "pair") == 0
    golden = build_states(load_recipe(kept.suite / "pair")).golden
    tree = {**golden, "index.js": golden["index.js"] + f"\n{line}\n".encode()}
    assert hidden_outcomes(kept, tree, tmp_path / "work") == set()


@needs_node
@pytest.mark.parametrize(
    ("first", "passed"),
    [("", {"test_loop_everything_else"}), ("process.exit(0)", set()), ("await 0; throw 1", set())],
)
def test_tests_without_a_title_of_their_own_have_one_function(tmp_path: Path, first: str, passed: set[str]) -> None:
    content = f"import {{ test }} from 'node:test'\n{first}\nfor (const n of [1, 2]) test(`made ${{n}}`, () => {{}})\n"
    write_tree(hidden_tree("test", {"loop.test.mjs": content.encode()}, {"loop.test.mjs": []}), tmp_path / "tests")
    write_tree({"index.js": b""}, tmp_path / "work")
    assert passing(tmp_path / "tests", tmp_path / "work") == passed


def test_titles_that_differ_in_signs_have_functions_of_their_own() -> None:
    assert list(functions({"a.test.js": ["one!", "one?"], "a.js": ["one"]}).values()) == [
        "test_a_one",
        "test_a_one_2",
        "test_a_everything_else",
        "test_a_one_3",
        "test_a_everything_else_2",
    ]


# -- what the tests of the versions say ------------------------------------------------------------------------------


@pytest.mark.bwrap
@needs_node
def test_a_draft_of_a_pair_runs_its_tests(kept: Registry) -> None:
    facts = pair_facts(load_recipe(kept.suite / "pair", draft=True))
    assert facts.gained == ["pairs.test.js::several pairs > an empty part", "pairs.test.js::the separator"]
    assert (facts.outdated, facts.unusable, facts.visible) == ([], {}, 4)
    assert [f"{c.file}#{c.number}" for c in facts.changes] == ["index.js#1", "lib/pairs.js#1"]


@pytest.mark.bwrap
@needs_node
def test_a_test_that_cannot_run_says_so(kept: Registry) -> None:
    recipe = load_recipe(kept.suite / "pair")
    tree = build_states(recipe).golden
    tree["test/more.test.js"] = b"const { test } = require('node:test')\ntest('odd', () => { throw new Error() })\n"
    runs = run_tests(recipe, tree)
    assert runs.stopped is None
    assert set(runs.others) == {"more.test.js::odd"}
    assert run_tests(recipe, tree, only=["test/more.test.js"]).passed == set()


@pytest.mark.bwrap
@needs_node
def test_near_misses_are_searched_in_javascript_as_well(kept: Registry) -> None:
    tried = list(try_wrong_fixes(load_recipe(kept.suite / "mutant"), 12))
    assert tried
    assert all(one.stopped is None for one in tried)
    assert any(one.near_miss is not None for one in tried)


# -- what cannot be used ---------------------------------------------------------------------------------------------


def test_a_tarball_with_another_hash_is_refused(registry: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    registry.change("pair", registry.hashes["echo"], "0" * 64)
    assert prepare(registry, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"package.dependencies[0]: {NEEDED} 2.0.0: its hash is {registry.hashes['echo']}, not 000" in line


def test_a_version_that_the_registry_does_not_have(registry: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    (registry.files / "tinypairs-1.0.0.tgz").unlink()
    assert prepare(registry, "--tasks", "pair", "--skip-gone") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert "package.before: tinypairs 1.0.0: its tarball cannot be fetched (npm error 404 Not Found" in line


def test_without_npm_nothing_is_fetched(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(registry.suite))
    assert prepare(registry, "--tasks", "pair", "--skip-gone") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("tinypairs 1.1.0: npm is not installed, and it has to be fetched")


def test_another_licence_is_refused(registry: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    other = tarball(registry.files, "tinypairs", "1.1.0", {"index.js": ""}, licence="GPL-3.0-only")
    registry.change("mutant", registry.hashes["later"], other)
    assert prepare(registry, "--tasks", "mutant") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "tinypairs 1.1.0: its metadata say 'GPL-3.0-only'; a recipe may not use it" in line


BROKEN = [
    ('name = "@tiny/echo"', 'name = "@tiny/../echo"', "package.dependencies @tiny/../echo: name or version is none of"),
    ('name = "tinypairs"', 'name = "tiny/pairs"', "package: name or version is none of a package"),
    (
        'kind = "mutant"\ncategory = "verify-or-die"',
        'kind = "stacked"\ncategory = "doom-loop"',
        "kind: stacked is for Python packages; choose version-pair or mutant",
    ),
    (
        'kind = "mutant"\ncategory = "verify-or-die"',
        'kind = "refactor"\ncategory = "dont-break-the-build"',
        "kind: refactor is for Python packages; choose version-pair or mutant",
    ),
    ("visible = 4", 'visible = 4\nsettings = ["a = b"]', "tests.settings, tests.path: used only by Python packages"),
    ("visible = 4", 'visible = 4\nfiles = ["*.test.js; rm"]', "tests.files: expected patterns like '*.test.js'"),
    ("visible = 4", "visible = 4\nfiles = []", "tests.files: expected patterns like '*.test.js'"),
    ('licence = "MIT"', 'licence = "MIT"\nrenamed = 1', "package.renamed, near_misses.only_if: used only by Python"),
    (
        'obvious = true\non = "starter"',
        'obvious = true\nonly_if = "parts"',
        "package.renamed, near_misses.only_if: used only by Python packages",
    ),
    ("none is nothing", "none is none", "tests.hidden: no test 'longest.test.js::none is none' in test/"),
    ("needs a network", "needs a disk", "tests.leave_out: no test 'pairs.test.js::needs a disk' in test/"),
    ("index = 1", "index = 5", "mutations[0]: lib/longest.js: "),
]


@pytest.mark.parametrize(("old", "new", "said"), BROKEN, ids=[said[:40] for _, _, said in BROKEN])
def test_a_fault_of_a_recipe_is_one_line(
    kept: Registry, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    file = kept.change("mutant", old, new)
    assert prepare(kept, "--tasks", "mutant") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mutant: left out: {file}: ")
    assert said in line


def test_a_missing_test_of_the_issue_is_named(kept: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    (kept.suite / "pair" / "issue_test.js").unlink()
    assert prepare(kept, "--tasks", "pair") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"pair: left out: {kept.suite / 'pair' / 'issue_test.js'}: missing; write the tests there")


def test_npm_packages_have_no_variants(kept: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    assert prepare(kept, "--variant", "7") == 0
    assert [line.split(": ", 2)[2].partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "a task of an npm package has no variants; run it as it is"
    ] * 2
