"""What a build leaves in the work tree is no edit: by its name, by its directory, or because it is a program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rigorbench.session.readers.capture.store import TreeReader, changes

SOURCES = {"main.cpp": b"int main() {}\n", "CMakeLists.txt": b"add_executable(code main.cpp)\n"}


def tree_of(repository: Path, files: dict[str, bytes]) -> str:
    """A tree of these files; those whose content begins like a program can be executed."""

    def git(*arguments: str, data: bytes = b"") -> str:
        done = subprocess.run(["git", "-C", str(repository), *arguments], input=data, capture_output=True, check=True)
        return done.stdout.decode().strip()

    git("read-tree", "--empty")
    for path, content in files.items():
        mode = "100755" if content.startswith((b"\x7fELF", b"#!")) else "100644"
        git(
            "update-index", "--add", "--cacheinfo", f"{mode},{git('hash-object', '-w', '--stdin', data=content)},{path}"
        )
    return git("write-tree")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.parametrize(
    "built",
    [
        {"gardener": b"\x7fELF\2\1\1"},
        {"a.out": b"anything", "main.o": b"x"},
        {"build/CMakeCache.txt": b"#\n", "build/Makefile": b"all:\n", "build/report.txt": b"1\n"},
        {"out/deep/CMakeCache.txt": b"#\n", "out/deep/Testing/log.txt": b"1\n"},
        {"CMakeCache.txt": b"#\n", "cmake_install.cmake": b"#\n", "CMakeFiles/x.txt": b"1\n"},
    ],
)
def test_products_are_no_changes(repository: Path, built: dict[str, bytes]) -> None:
    old, new = tree_of(repository, SOURCES), tree_of(repository, SOURCES | built)
    with TreeReader(repository / ".git") as store:
        assert changes(store, old, new, set(SOURCES)) == []
        assert changes(store, new, old, set(SOURCES)) == [], "to clean up is no edit either"


def test_sources_are_changes_wherever_they_are(repository: Path) -> None:
    # A script that can be executed, a file that the project had, and one beside a build in the root.
    came = {"run.sh": b"#!/bin/sh\n", "CMakeCache.txt": b"#\n", "store.cpp": b"int x;\n", "build/notes.md": b"x\n"}
    old, new = tree_of(repository, SOURCES), tree_of(repository, SOURCES | came)
    with TreeReader(repository / ".git") as store:
        found = {change.path for change in changes(store, old, new, set(SOURCES))}
    assert found == {"run.sh", "store.cpp", "build/notes.md"}


def test_a_program_that_the_project_had_is_a_file_of_it(repository: Path) -> None:
    old = tree_of(repository, {"tool": b"\x7fELF1"})
    new = tree_of(repository, {"tool": b"\x7fELF2"})
    with TreeReader(repository / ".git") as store:
        assert [change.path for change in changes(store, old, new, {"tool"})] == ["tool"]
