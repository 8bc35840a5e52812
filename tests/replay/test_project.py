"""How a project's commands, packages and environment are found."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.replay.environment import find_environment
from rigorbench.replay.project import Project, compiled, declared_tests, describe, packages
from rigorbench.replay.store import Clone, Entry, Store
from rigorbench.tasks.task import Task

MakeRepo = Callable[[dict[str, str]], Path]


def project_of(
    make_repo: MakeRepo, tmp_path: Path, files: dict[str, str], task: Task | None = None, *, has_pytest: bool = True
) -> Project:
    with Store(Clone(make_repo(files)), tmp_path) as store:
        tree = store.tree_of(store.clone.commit("HEAD") or "")
        return describe(store, store.files(tree), task, has_pytest=has_pytest)


def test_python_is_served_without_commands(make_repo: MakeRepo, tmp_path: Path) -> None:
    project = project_of(make_repo, tmp_path, {"a.py": "", "Makefile": "test:\n\tpytest\n", "pyproject.toml": ""})
    assert (project.framework, project.build, project.test, project.args) == ("pytest", None, None, [])


def test_without_pytest_unittest_runs(make_repo: MakeRepo, tmp_path: Path) -> None:
    assert project_of(make_repo, tmp_path, {"a.py": ""}, has_pytest=False).framework == "unittest"


@pytest.mark.parametrize(
    ("command", "framework", "args"),
    [
        ("pytest -x -q tests/unit", "pytest", ["tests/unit"]),
        ("python -m pytest --maxfail 1 -n 4 --cov=pkg -k 'not slow'", "pytest", ["-k", "not slow"]),
        ("uv run pytest", "pytest", []),
        ("cd sub && pytest", "command", []),
        ("make check", "command", []),
        ("FAST=1 pytest", "command", []),
    ],
)
def test_the_tasks_test_command(
    make_repo: MakeRepo, tmp_path: Path, command: str, framework: str, args: list[str]
) -> None:
    project = project_of(make_repo, tmp_path, {"a.py": ""}, Task(test=command, build="make"))
    assert (project.framework, project.args, project.build) == (framework, args, "make")
    assert project.test == (command if framework == "command" else None)


@pytest.mark.parametrize(
    ("files", "build", "test"),
    [
        (
            {"package.json": '{"scripts": {"test": "jest", "build": "tsc"}}'},
            "npm run --silent build",
            "npm test --silent",
        ),
        ({"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'}, None, None),
        ({"package.json": "broken"}, None, None),
        ({"Cargo.toml": ""}, "cargo build --offline --all-targets", "cargo test --offline --no-fail-fast"),
        ({"go.mod": ""}, "go build ./... && go vet ./...", "go test -v ./..."),
        ({"Makefile": "all:\n\tcc\ncheck: all\n\t./t\n"}, "make", "make check"),
        ({"notes.txt": ""}, None, None),
    ],
)
def test_other_languages_by_their_files(
    make_repo: MakeRepo, tmp_path: Path, files: dict[str, str], build: str | None, test: str | None
) -> None:
    project = project_of(make_repo, tmp_path, files)
    assert (project.build, project.test) == (build, test)


def test_packages_and_files_that_must_compile() -> None:
    entry = Entry("100644", "0" * 40)
    names = [
        "src/shop/__init__.py",
        "src/shop/a.py",
        "src/shop/sub/__init__.py",
        "tests/__init__.py",
        "lib2/__init__.py",
    ]
    names += ["tests/data/bad.py", "setup.py", "docs/conf.py", "{{cookiecutter}}/a.py", "README.md"]
    files = dict.fromkeys(names, entry)
    assert packages(files) == (["shop", "lib2"], ["src", ""])
    assert "tests/data/bad.py" not in compiled(files)
    assert "{{cookiecutter}}/a.py" not in compiled(files)
    assert {"setup.py", "src/shop/a.py", "tests/__init__.py"} <= set(compiled(files))


def test_tests_are_declared_by_their_files(make_repo: MakeRepo, tmp_path: Path) -> None:
    text = "it('adds', () => { expect(f()).toBe(1) });\nit.skip('later', () => { expect(f()).toBe(1) });\n"
    with Store(Clone(make_repo({"a.test.js": text})), tmp_path) as store:
        files = store.files(store.tree_of(store.clone.commit("HEAD") or ""))
        assert declared_tests(store, files, ["a.test.js"]) == {"a.test.js::adds": False, "a.test.js::later": True}


def test_the_clones_own_environment_comes_first_and_its_ignored_parts_are_mounted(
    make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    repo = make_repo({"a.py": "", ".gitignore": ".venv/\nnode_modules/\n*.egg-info/\n__pycache__/\nsecret.env\n"})
    assert find_environment(Clone(repo)).python.parent.parent == Path(sys.prefix)
    first = find_environment(Clone(repo)).fingerprint
    assert find_environment(Clone(repo)).fingerprint == first
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(repo / ".venv")], check=True)
    for name in ("node_modules/x", "shop.egg-info", "__pycache__"):
        (repo / name).mkdir(parents=True)
        (repo / name / "f").touch()
    (repo / "secret.env").touch()
    found = find_environment(Clone(repo))
    assert found.python.parent == repo / ".venv" / "bin"
    assert found.fingerprint != first
    mounted = {str(target.relative_to(repo)) for _, target in found.over if target.is_relative_to(repo)}
    assert mounted == {".venv", "node_modules", "shop.egg-info"}
    assert Path(sys.base_prefix).resolve() in [p.resolve() for p in found.readonly]


def test_the_active_virtual_environment_is_used(
    make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(other)], check=True)
    monkeypatch.setenv("VIRTUAL_ENV", str(other))
    assert find_environment(Clone(make_repo({"a.py": ""}))).python.parent == other / "bin"
