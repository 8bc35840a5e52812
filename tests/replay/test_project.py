"""How a project's commands, packages and environment are found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rigorbench.bench.replay.project import Project, compiled, declared_tests, describe, packages
from rigorbench.bench.replay.store import Entry, Store
from rigorbench.session.task import Task

from .conftest import git

MakeRepo = Callable[[dict[str, str]], Path]


def project_of(make_repo: MakeRepo, tmp_path: Path, files: dict[str, str], task: Task | None = None) -> Project:
    with Store((repo := make_repo(files)) / ".git", repo, tmp_path) as store:
        tree = git(repo, "rev-parse", "HEAD^{tree}")
        return describe(store, store.files(tree), task)


def test_python_is_served_without_commands(make_repo: MakeRepo, tmp_path: Path) -> None:
    project = project_of(make_repo, tmp_path, {"a.py": "", "Makefile": "test:\n\tpytest\n", "pyproject.toml": ""})
    assert (project.build, project.test, project.args) == (None, None, [])


@pytest.mark.parametrize(
    ("command", "kept", "args"),
    [
        ("pytest -x -q tests/unit", False, ["tests/unit"]),
        ("python -m pytest --maxfail 1 -n 4 --cov=pkg -k 'not slow'", False, ["-k", "not slow"]),
        ("uv run pytest", False, []),
        ("cd sub && pytest", True, []),
        ("make check", True, []),
        ("FAST=1 pytest", True, []),
    ],
)
def test_the_tasks_test_command(make_repo: MakeRepo, tmp_path: Path, command: str, kept: bool, args: list[str]) -> None:
    project = project_of(make_repo, tmp_path, {"a.py": ""}, Task(test=command, build="make"))
    assert (project.args, project.build) == (args, "make")
    assert project.test == (command if kept else None)


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
    with Store((repo := make_repo({"a.test.js": text})) / ".git", repo, tmp_path) as store:
        files = store.files(git(repo, "rev-parse", "HEAD^{tree}"))
        assert declared_tests(store, files, ["a.test.js"]) == {"a.test.js::adds": False, "a.test.js::later": True}
