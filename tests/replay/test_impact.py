"""Which tests a change can reach: too many is slow, too few is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.bench.replay.impact import Impact, SelectedTests, merge
from rigorbench.bench.replay.run import replay
from rigorbench.bench.replay.store import ObjectStore
from rigorbench.bench.rigorscore.replayed import build_health
from rigorbench.bench.rigorscore.replayed import test_stability as stability
from rigorbench.evidence.replayed import ReplayResult, TestRun

from .conftest import Session, git, record, write

MakeRepo = Callable[[dict[str, str]], Path]

FILES = {"shop/__init__.py": "", "shop/core.py": "def total(items):\n    return sum(items)\n",
    "shop/tax.py": "from .core import total\n\n\ndef taxed(items):\n    return total(items) * 1.2\n",
    "shop/names.py": "def label(name):\n    return name\n", "shop/rates.json": "{}\n", "tests/conftest.py": "",
    "tests/helpers.py": "from shop import names\n",
    "tests/test_core.py": "from shop.core import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
    "tests/test_tax.py": "import shop.tax\n\n\ndef test_taxed():\n    assert shop.tax.taxed([10]) == 12\n",
    "tests/test_names.py": "import helpers\n\n\ndef test_label():\n    assert helpers.names.label('a') == 'a'\n",
    "tests/test_patched.py": "def test_patched(mocker):\n    mocker.patch('shop.names.label')\n",
    "tests/test_none.py": "def test_one():\n    assert 1\n", "README.md": "# Shop\n"}  # fmt: skip
ALL = sorted(p for p in FILES if p.startswith("tests/test_"))


@pytest.fixture
def select(make_repo: MakeRepo, tmp_path: Path) -> Callable[..., list[str] | None]:
    """What must run after changes (path to new text, None: deleted) to FILES (with ``also``); None: all."""

    def selected(changes: dict[str, str | None], **also: str) -> list[str] | None:
        start = {**FILES, **{name.replace("__", "/").replace("_dot_", "."): text for name, text in also.items()}}
        repo = make_repo(start)
        before = git(repo, "rev-parse", "HEAD^{tree}")
        for path, text in changes.items():
            if text is None:
                (repo / path).unlink()
            else:
                write(repo, {path: text})
        git(repo, "add", "-A")
        after = git(repo, "write-tree")
        tests = [p for p in start if p.startswith("tests/test_")]
        with ObjectStore(repo / ".git", repo, tmp_path) as store:
            impact = Impact(store)
            run = TestRun({f"{p}::test_x": "passed" for p in tests}, exit_status=0)
            impact.finished(before, store.files(before), run)
            selection = impact.select(store.files(after))
        if selection is None:
            return None
        kept = {test.split("::")[0] for test in selection.kept.outcomes}
        assert kept == {t for t in tests if t not in selection.files and changes.get(t, "") is not None}
        return selection.files

    return selected


@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("shop/core.py", ["tests/test_core.py", "tests/test_tax.py"]),  # relative import inside
        ("shop/tax.py", ["tests/test_tax.py"]),
        ("shop/names.py", ["tests/test_names.py", "tests/test_patched.py"]),  # a helper of the tests, a string
        ("tests/helpers.py", ["tests/test_names.py"]),
        ("tests/test_none.py", ["tests/test_none.py"]),
        ("shop/__init__.py", None),  # all of them but one: a run of all is as good
        ("tests/conftest.py", None),
        ("shop/rates.json", None),
        ("README.md", []),
    ],
)
def test_what_a_change_reaches(select: Callable[..., list[str] | None], path: str, files: list[str] | None) -> None:
    assert select({path: FILES[path] + "\n# more\n"}) == files


def test_files_that_come_and_go(select: Callable[..., list[str] | None]) -> None:
    assert select({"tests/test_new.py": "def test_new():\n    assert 1\n"}) == ["tests/test_new.py"]


def test_a_test_file_that_goes(select: Callable[..., list[str] | None]) -> None:
    assert select({"tests/test_core.py": None}) == []


@pytest.mark.parametrize("path", ["shop/new.py", "other/test_new.py", "tests/data.txt"])
def test_a_new_file_that_anything_may_find(select: Callable[..., list[str] | None], path: str) -> None:
    assert select({path: "x = 1\n"}) is None


@pytest.mark.parametrize(
    "text",
    [
        "import importlib\n\ndef test_x():\n    importlib.import_module('shop.' + 'core')\n",
        "import subprocess\n\ndef test_x():\n    subprocess.run(['shop'])\n",
        "from pathlib import Path\n\ndef test_x():\n    list(Path('shop').glob('*.py'))\n",
        "def test_x():\n    from shop import (\n        core,\n    )\n",
        "def test_x():\n    open('shop/core.py').read()\n",
    ],
)
def test_files_that_find_modules_by_other_means(select: Callable[..., list[str] | None], text: str) -> None:
    found = select({"shop/core.py": "total = sum\n"}, tests__test_other_dot_py=text)
    assert found == ["tests/test_core.py", "tests/test_other.py", "tests/test_tax.py"]


def test_a_document_that_code_reads(select: Callable[..., list[str] | None]) -> None:
    assert select({"README.md": "# Other\n"}, tests__test_docs_dot_py="TEXT = open('README.md')\n") is None


@pytest.mark.parametrize("option", ["-x", "--maxfail=1", "--doctest-modules"])
def test_options_with_which_tests_depend_on_each_other(select: Callable[..., list[str] | None], option: str) -> None:
    assert select({"shop/core.py": "total = sum\n"}, pytest_dot_ini=f"[pytest]\naddopts = -q {option}\n") is None


def test_outcomes_are_put_together() -> None:
    kept = TestRun({"a.py::t": "passed"})
    selection = SelectedTests(["b.py"], kept)
    merged = merge(selection, TestRun({"b.py::t": "failed"}, exit_status=1))
    assert (merged.outcomes, merged.exit_status) == ({"a.py::t": "passed", "b.py::t": "failed"}, 1)
    broken = merge(selection, TestRun(broken={"b.py": "SyntaxError"}, exit_status=1))
    assert (broken.outcomes, broken.broken, broken.exit_status) == ({"a.py::t": "passed"}, {"b.py": "SyntaxError"}, 1)
    assert merge(selection, TestRun({"b.py::t": "passed"}, {"c.py": "?"}, exit_status=1)) is None
    assert merge(selection, TestRun(problem="killed")) is None


def _verdicts(result: ReplayResult) -> list[tuple[bool | None, dict[str, str], list[str]]]:
    return [
        (c.build.ok, dict(c.tests.outcomes) if c.tests else {}, [r.test for r in c.regressions]) for c in result.checked
    ]


@pytest.mark.bwrap
@pytest.mark.slow  # replays a history twice, once with all tests of each state
def test_a_selection_comes_to_the_verdicts_of_all_tests(
    bwrap: None, make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {k: v for k, v in FILES.items() if k != "tests/test_patched.py"}
    session = Session().edit("shop/tax.py", "* 1.2", "* 1.3").run("pytest").write("NOTES.md", "tax\n").run("pytest")
    session.edit("shop/tax.py", "* 1.3", "* 1.2 +").run("pytest").edit("shop/tax.py", "* 1.2 +", "* 1.2").run("pytest")
    session.write("tests/test_more.py", "from shop import names\n\n\ndef test_more():\n    assert names.label(1)\n")
    session.run("pytest").edit("shop/names.py", "return name", "return None").run("pytest")
    repo = make_repo(files)
    record(session, repo)
    quick = replay(session.trajectory, session.events, cache_dir=tmp_path / "a", jobs=1)
    monkeypatch.setattr(Impact, "select", lambda self, files: None)
    thorough = replay(session.trajectory, session.events, cache_dir=tmp_path / "b", jobs=1)
    assert _verdicts(quick) == _verdicts(thorough)
    assert quick.flaky == thorough.flaky == []
    for metric in (build_health, stability):
        assert metric(quick) == metric(thorough)


@pytest.mark.bwrap
def test_a_test_that_needs_another_before_it_is_no_regression(bwrap: None, make_repo: MakeRepo, tmp_path: Path) -> None:
    first = "import shop.names\n\n\ndef test_first():\n    shop.names.ready = True\n"
    second = "from shop import core, names\n\n\ndef test_second():\n    assert names.ready and core.total([]) == 0\n"
    files = {**FILES, "tests/test_a.py": first, "tests/test_b.py": second}
    del files["tests/test_patched.py"]
    session = Session().edit("shop/core.py", "return sum(items)", "return sum(list(items))").run("pytest")
    record(session, make_repo(files))
    result = replay(session.trajectory, session.events, cache_dir=tmp_path / "cache", jobs=1)
    assert stability(result).value == 1.0
    assert result.flaky == ["tests/test_b.py::test_second"]
