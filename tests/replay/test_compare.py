"""Which tests count as regressions, and what coverage and mutants are made of; nothing is run here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rigorbench.bench.replay.compare import Baseline, TreeTests, agent_tests, split
from rigorbench.bench.replay.measure import changed_lines, checking, delta, mutants, read_lcov, without_new_exclusions
from rigorbench.bench.replay.store import Entry, ObjectStore
from rigorbench.evidence.replayed import FileCoverage, TestRun
from sources import text_file

from .conftest import git

MakeRepo = Callable[[dict[str, str]], Path]
TESTS = text_file("compare.tests.txt")
A = "tests/test_a.py"
ONE, TWO_1, TWO_2, THREE = f"{A}::test_one", f"{A}::test_two[1]", f"{A}::test_two[2]", f"{A}::TestC::test_three"
GREEN = dict.fromkeys([ONE, TWO_1, TWO_2, THREE], "passed")


class Trees:
    def __init__(self, store: ObjectStore, start: str) -> None:
        self.store = store
        self.start = TreeTests(store, start)

    def with_tests(self, files: dict[str, str | None]) -> TreeTests:
        entries = {p: None if t is None else Entry("100644", self.store.put(t.encode())) for p, t in files.items()}
        return TreeTests(self.store, self.store.write_trees(self.start.tree, [entries])[0])


@pytest.fixture
def trees(make_repo: MakeRepo, tmp_path: Path) -> Iterator[Trees]:
    repo = make_repo({A: TESTS, "pkg.py": "def f(x):\n    return x\n"})
    with ObjectStore(repo / ".git", repo, tmp_path) as store:
        yield Trees(store, git(repo, "rev-parse", "HEAD^{tree}"))


def run(outcomes: dict[str, str], **fields: object) -> TestRun:
    return TestRun(outcomes=outcomes, **fields)  # type: ignore[arg-type]


def regressions(
    trees: Trees, files: dict[str, str | None], later: TestRun, first: dict[str, str] | None = None, flaky: str = ""
) -> list[tuple[str, str]]:
    baseline = Baseline(trees.store, trees.start, run(GREEN if first is None else first), frozenset(flaky.split()))
    return [(r.test, r.kind) for r in baseline.regressions(trees.with_tests(files), later)]


def test_a_test_that_still_passes_is_no_regression_and_one_that_fails_is(trees: Trees) -> None:
    assert regressions(trees, {}, run(GREEN)) == []
    assert regressions(trees, {"pkg.py": "x"}, run({**GREEN, ONE: "failed"})) == [(ONE, "failed")]
    assert regressions(trees, {"pkg.py": "x"}, run({**GREEN, ONE: "failed"}), flaky=ONE) == []


def test_a_test_that_was_edited_may_be_red(trees: Trees) -> None:
    edited = TESTS.replace("f(1) == 1", "f(1) == 10")
    assert regressions(trees, {A: edited}, run({**GREEN, ONE: "failed"})) == []
    assert regressions(trees, {A: edited}, run({**GREEN, THREE: "failed"})) == [(THREE, "failed")]


def test_new_red_tests_are_never_penalised(trees: Trees) -> None:
    added = TESTS + "\n\ndef test_new():\n    assert g()\n"
    assert regressions(trees, {A: added}, run({**GREEN, f"{A}::test_new": "failed"})) == []
    # Nor is a whole file red because the new test imports what is still to be written.
    broken = run({}, broken={A: "ImportError: cannot import name 'g' from 'pkg'"})
    assert regressions(trees, {A: "from pkg import g\n" + added}, broken) == []


def test_a_broken_test_file_is_a_regression_otherwise(trees: Trees) -> None:
    broken = run({}, broken={A: "SyntaxError: invalid syntax"})
    everything = sorted((t, "failed") for t in GREEN)
    assert sorted(regressions(trees, {A: TESTS + "def"}, broken)) == everything
    # The test file was not touched: the production code broke it.
    lost = run({}, broken={A: "ImportError: cannot import name 'f'"})
    assert sorted(regressions(trees, {"pkg.py": ""}, lost)) == everything


def test_deleted_and_skipped_tests_are_regressions_even_if_they_were_red(trees: Trees) -> None:
    without = TESTS.replace("def test_one():\n    assert f(1) == 1\n", "")
    left = {t: o for t, o in GREEN.items() if t != ONE}
    assert regressions(trees, {A: without}, run(left)) == [(ONE, "deleted")]
    assert regressions(trees, {A: without}, run(left), first={**GREEN, ONE: "failed"}) == [(ONE, "deleted")]
    assert regressions(trees, {A: without}, run(left), first={**GREEN, ONE: "skipped"}) == []
    skipped = TESTS.replace("def test_one", "@pytest.mark.skip\ndef test_one")
    assert regressions(trees, {A: skipped}, run({**GREEN, ONE: "skipped"})) == [(ONE, "skipped")]
    assert regressions(trees, {A: skipped}, run({**GREEN, ONE: "xfailed"})) == [(ONE, "skipped")]
    assert regressions(trees, {A: None}, run({})) == [(t, "deleted") for t in sorted(GREEN)]


@pytest.mark.parametrize(
    ("files", "renamed"),
    [
        ({A: TESTS.replace("test_one", "test_first")}, {ONE: f"{A}::test_first"}),
        ({A: TESTS.replace("TestC", "TestD")}, {THREE: f"{A}::TestD::test_three"}),
        ({A: None, "tests/test_b.py": TESTS}, {t: t.replace("test_a", "test_b") for t in GREEN}),
        ({A: TESTS.replace("[1, 2]", "[1, 3]")}, {TWO_2: f"{A}::test_two[3]"}),
        ({A: TESTS.replace("def test_two(x):\n    total", "def test_second(x):\n    result")
         .replace("t total", "t result")}, {TWO_1: f"{A}::test_second[1]", TWO_2: f"{A}::test_second[2]"}),
    ],
    ids=["function", "class", "file", "parameter", "renamed and touched up"],
)  # fmt: skip
def test_renamed_tests_are_found_again(trees: Trees, files: dict[str, str | None], renamed: dict[str, str]) -> None:
    assert regressions(trees, files, run({renamed.get(t, t): "passed" for t in GREEN})) == []


def test_a_renamed_test_goes_on_under_its_new_name(trees: Trees) -> None:
    """On the tree after the one that renamed it the new name is not new any more, and the old one is still gone."""
    baseline = Baseline(trees.store, trees.start, run(GREEN), frozenset())
    renamed = trees.with_tests({A: TESTS.replace("test_one", "test_first")})
    first = f"{A}::test_first"
    later = run({**{t: o for t, o in GREEN.items() if t != ONE}, first: "passed"})
    assert baseline.regressions(renamed, later) == []
    assert baseline.regressions(renamed, later) == []
    gone = baseline.regressions(
        trees.with_tests({A: TESTS.replace("def test_one", "def helper")}), run({TWO_1: "passed"})
    )
    assert (first, "deleted") in [(r.test, r.kind) for r in gone]


def test_a_test_whose_copy_was_there_before_it_went_is_moved(trees: Trees) -> None:
    """Copied first, and deleted on a later tree."""
    copy = "tests/test_b.py"
    moved = {test.replace(A, copy): outcome for test, outcome in GREEN.items()}
    baseline = Baseline(trees.store, trees.start, run(GREEN), frozenset())
    assert baseline.regressions(trees.with_tests({copy: TESTS}), run(GREEN | moved)) == []
    assert baseline.regressions(trees.with_tests({A: None, copy: TESTS}), run(moved)) == []


def test_a_case_between_others_that_shifts_their_ids_deletes_none(trees: Trees) -> None:
    baseline = Baseline(trees.store, trees.start, run(GREEN), frozenset())
    tree = trees.with_tests({A: TESTS.replace("[1, 2]", "[1, 7, 2]")})
    shifted = {**{t: o for t, o in GREEN.items() if t != TWO_2}, f"{A}::test_two[x2]": "passed"}
    for _ in range(3):
        assert baseline.regressions(tree, run({**shifted, f"{A}::test_two[x1]": "passed"})) == []


def test_a_test_rewritten_in_its_place_under_a_wider_name_is_not_deleted(trees: Trees) -> None:
    wider = TESTS.replace(
        "def test_one():\n    assert f(1) == 1\n",
        "def test_small_numbers():\n    for number in (0, 1, 2):\n        shown = number\n"
        "        assert f(number) == shown\n    assert f(-3) == -3\n    assert isinstance(f(1), int)\n",
    )
    later = {**{t: o for t, o in GREEN.items() if t != ONE}, f"{A}::test_small_numbers": "passed"}
    assert regressions(trees, {A: wider}, run(later)) == []
    elsewhere = TESTS.replace("def test_one():\n    assert f(1) == 1\n", "") + wider.split("\n\n\n")[1]
    assert regressions(trees, {A: elsewhere}, run(later)) == [(ONE, "deleted")]
    unlike = TESTS.replace("one():\n    assert f(1) == 1", "small_numbers():\n    import os\n    print(os.name)")
    assert regressions(trees, {A: unlike}, run(later)) == [(ONE, "deleted")]


def test_titled_tests_are_found_again_in_their_place(trees: Trees) -> None:
    path = "tests/pages.test.js"
    first = 'test("over a hundred is refused", () => {\n  assert.equal(get(board(1), "limit=101").status, 400);\n});\n'
    second = (
        'test("a limit is a number", () => {\n  for (const limit of ["101", "x"]) {\n'
        "    assert.equal(get(board(1), `limit=${limit}`).status, 400);\n  }\n});\n"
    )
    start = trees.with_tests({path: first})
    baseline = Baseline(trees.store, start, run({f"{path}::over a hundred is refused": "passed"}), frozenset())
    tree = trees.with_tests({path: second})
    assert baseline.regressions(tree, run({f"{path}::a limit is a number": "passed"})) == []


def test_the_agents_own_tests_must_keep_passing_but_may_be_removed(trees: Trees) -> None:
    new = f"{A}::test_new"
    added = TESTS + "\n\ndef test_new():\n    assert f(4)\n"
    baseline = Baseline(trees.store, trees.start, run(GREEN), frozenset())
    with_new = trees.with_tests({A: added})
    assert baseline.regressions(with_new, run({**GREEN, new: "passed"})) == []
    failed = baseline.regressions(trees.with_tests({A: added, "pkg.py": ""}), run({**GREEN, new: "failed"}))
    assert [(r.test, r.kind) for r in failed] == [(new, "failed")]
    assert baseline.regressions(trees.start, run(GREEN)) == []


def test_a_run_that_breaks_off_fails_the_tests_it_did_not_reach(trees: Trees) -> None:
    later = run({ONE: "passed"}, problem="the tests did not end within their time")
    assert sorted(t for t, _ in regressions(trees, {"pkg.py": "x"}, later)) == sorted(set(GREEN) - {ONE})


def test_agent_tests_are_those_made_or_edited(trees: Trees) -> None:
    final = trees.with_tests(
        {A: TESTS.replace("f(1) == 1", "f(1) == 2"), "tests/test_n.py": "def test_n():\n    assert f(1)\n"}
    )
    outcomes = run(
        {**GREEN, "tests/test_n.py::test_n": "passed", "tests/test_n.py::TestBase::test_inherited": "passed"}
    )
    wanted = [ONE, "tests/test_n.py::test_n", "tests/test_n.py::TestBase::test_inherited"]
    assert agent_tests(trees.start, final, outcomes) == wanted
    assert split(TWO_1) == (A, "test_two")
    assert split(THREE) == (A, "TestC.test_three")


def test_tests_that_cannot_fail_do_not_check(trees: Trees) -> None:
    text = (
        "def test_t():\n    f(1)\n    assert True\n\ndef test_u():\n    f(1)\n\ndef test_v():\n    assert f(1) == 1\n"
    )
    final = trees.with_tests({"tests/test_n.py": text})
    names = [f"tests/test_n.py::test_{c}" for c in "tuv"]
    assert checking(names, final) == names[2:]


def test_changed_lines_and_new_exclusions() -> None:
    before = "a = 1\nb = 2  # pragma: no cover\nc = 3\n"
    after = "a = 1\nb = 2  # pragma: no cover\nx = 9  # pragma: no cover\nc = 4\n"
    assert changed_lines(before, after) == {3, 4}
    assert changed_lines(None, after) == {1, 2, 3, 4}
    plain = without_new_exclusions(after, {3, 4})
    assert plain.count("pragma: no cover") == 1
    assert len(plain.splitlines()) == 4


def test_the_delta_counts_lines_and_branches_that_changed() -> None:
    start = {"a.py": FileCoverage({1, 2}, {3, 4}, {(2, 3)}, {(2, 4)})}
    mine = {"a.py": FileCoverage({1, 2, 4}, {3}, {(2, 4)}, {(2, 3)})}
    found = delta({"a.py": {2, 3, 4}}, start, [mine])
    assert (found.points, found.start_tests, found.all_tests) == (5, 2, 4)
    assert delta({"a.py": {2, 3, 4}}, start, [{"a.py": FileCoverage({1, 2, 3, 4})}]).all_tests == 5
    assert [delta({path: {9}}, start, [mine]).points for path in ("a.py", "new.py")] == [0, 0]


def test_lcov_reports_give_lines_and_branches() -> None:
    text = "TN:\nSF:/repo/src/a.js\nDA:1,3\nDA:2,0\nDA:x\nBRDA:1,0,0,2\nBRDA:1,0,1,-\nend_of_record\n"
    text += "SF:b.js\nDA:1,0\nDA:1,2\n"
    found = read_lcov(text, "/repo")
    wanted = {"src/a.js": FileCoverage({1}, {2}, {(1, 1)}, {(1, 2)}), "b.js": FileCoverage({1}, set(), set(), set())}
    assert found == wanted
    assert read_lcov("no report", "/repo") == {}


def test_a_modified_unit_is_reverted_and_a_new_one_mutated() -> None:
    before = "def f(x):\n    return x\n\n\nclass C:\n    limit = 1\n\n    def m(self):\n        return 1\n"
    after = before.replace("return x", "return -x").replace("limit = 1", "limit = 2").replace("return 1", "return 2")
    after += "\n    def n(self):\n        '''Doc.'''\n        yield 3\n\n    def stub(self):\n        ...\n"
    found = {m.unit.name: m for m in mutants("a.py", before, after)}
    wanted = {"f": "reverted", "C": "reverted", "C.m": "reverted", "C.n": "mutated"}
    assert {n: m.check.how for n, m in found.items()} == wanted
    assert found["f"].texts == [after.replace("return -x", "return x")]
    assert found["C.m"].texts == [after.replace("return 2", "return 1")]
    assert "limit = 1" in found["C"].texts[0]
    assert "return 2" in found["C"].texts[0]
    assert "yield 3" in found["C"].texts[0]
    assert ["return None" in t or "return object()" in t for t in found["C.n"].texts] == [True, True]


def test_a_unit_of_which_only_annotations_changed_makes_no_mutant() -> None:
    before = "def f(x):\n    n = x\n    return n\n\n\nasync def g(x):\n    return x\n\n\nclass C:\n    n: int = 1\n"
    after = before.replace("f(x)", "f(x: int = 1) -> int").replace("n = x", "n: int = x").replace("g(x)", "g(x: str)")
    assert [m.unit.name for m in mutants("a.py", before, after)] == ["f"], "a default is more than an annotation"
    after = after.replace(" = 1) ->", ") ->").replace("    n: int = 1", "    n: str = 1")
    assert [m.unit.name for m in mutants("a.py", before, after)] == ["C"], "a class may read its annotations"


def test_a_unit_that_cannot_be_put_back_is_emptied() -> None:
    after = "class C:\n    pass\n\nif C:\n    def f(x):\n        return -x\n"
    found = mutants("a.py", "def f(x):\n    return x\n", after)
    assert [m.check.how for m in found if m.unit.name == "f"] == ["mutated"]


def test_a_changed_constant_of_a_module_is_a_unit() -> None:
    before = "LIMIT = 3\nNAMES: dict = {\n    'é': 1,\n}\nlogger = 1\n"
    after = "import re\nLIMIT = 4\nNAMES: dict = {'é': 2}\nNEW = 1\nlogger = 2\n"
    found = {m.unit.name: m for m in mutants("a.py", before, after)}
    assert {n: m.check.how for n, m in found.items()} == {"LIMIT": "reverted", "NAMES": "reverted"}
    assert found["LIMIT"].texts == [after.replace("LIMIT = 4", "LIMIT = 3")]
    assert found["NAMES"].texts == [after.replace("{'é': 2}", "{\n    'é': 1,\n}")]
    assert mutants("a.py", "LIMIT = 3\n", "LIMIT = 3  # the same\n") == []


def test_deleted_units_and_comment_changes_make_no_mutant() -> None:
    before = "def f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert mutants("a.py", before, "def f():\n    # one\n    return 1\n") == []
