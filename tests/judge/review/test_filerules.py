"""The rules about files, the build, names, sizes: each catches its violation and leaves clean submissions alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from review_helpers import decided, lines, reviewed, rule

from rigorbench.judge.codereview.sources import matches
from rigorbench.judge.problems.problem import BuildKind
from sources import text_file

MAIN = {"main.cpp": "int main() {}\n"}


TARGETS = {"plain": "passed", "library": "passed", "below": "passed", "looped": "passed", "Case": "passed"}
NO_TARGETS = {"case": "failed", "other_name": "failed", "custom": "failed", "never": "failed"}
CMAKE = text_file("filerules.cmake.txt")
AS_CMAKE: dict[str, Any] = {"fields": {"build": BuildKind(kind="cmake", artefact="true")}, "language": "auto"}


def test_the_targets_of_the_build(tmp_path: Path) -> None:
    files = {**MAIN, "CMakeLists.txt": CMAKE, "src/CMakeLists.txt": "add_executable(below ../main.cpp)\n"}
    wanted = TARGETS | NO_TARGETS
    rules = "".join(rule("cmake-target", f'target = "{name}"', f"r{n}") for n, name in enumerate(wanted))
    results = dict(zip(wanted, reviewed(tmp_path, rules, files, **AS_CMAKE).rules, strict=True))
    assert {name: result.outcome for name, result in results.items()} == wanted
    assert all(bool(result.findings) == (result.outcome == "failed") for result in results.values())


def test_a_build_that_fails_decides_nothing(tmp_path: Path) -> None:
    files = {**MAIN, "CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nadd_executable("}
    assert decided(tmp_path, "cmake-target", 'target = "code"', files, **AS_CMAKE).outcome == "error"


def test_without_a_build_there_is_no_target(tmp_path: Path) -> None:
    result = decided(tmp_path, "cmake-target", 'target = "code"', {"src/CMakeLists.txt": "add_executable(code a.cpp)"})
    assert lines(result) == [("CMakeLists.txt", None)]


def test_required_and_forbidden_files(tmp_path: Path) -> None:
    files = {**MAIN, "deep/er/x.zip": "", "deep/CMakeLists.txt": ""}
    keys = 'require = ["*.cpp", "CMakeLists.txt"]\nforbid = ["*.zip"]'
    result = decided(tmp_path, "files", keys, files)
    assert [f.message for f in result.findings] == ["CMakeLists.txt: no such file", "a forbidden file"]
    assert decided(tmp_path / "2", "files", 'require = ["**/CMakeLists.txt"]', files).outcome == "passed"


def test_a_link_is_no_file_and_is_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("#include <vector>\n")
    work = tmp_path / "work"
    work.mkdir()
    os.symlink(secret, work / "a.cpp")
    os.symlink("/", work / "all")
    os.mkfifo(work / "pipe.cpp")
    result = decided(tmp_path, "files", 'require = ["a.cpp"]\nforbid = ["all"]', MAIN)
    assert [f.message for f in result.findings] == ["a.cpp: no such file", "a forbidden link"]
    assert decided(tmp_path, "includes", 'forbid = ["vector"]', MAIN).outcome == "passed"


def test_untouched_files(tmp_path: Path) -> None:
    given_files = tmp_path / "given"
    (given_files / "include").mkdir(parents=True)
    (given_files / "include" / "api.h").write_text("int f();\nint g();\n")
    (given_files / "notes.md").write_text("x")
    fields = {"attachments": given_files}
    keys = 'files = ["include/*.h"]'
    same = {"include/api.h": "int f();\nint g();\n"}
    assert decided(tmp_path / "1", "untouched", keys, same, fields=fields).outcome == "passed"
    changed = decided(tmp_path / "2", "untouched", keys, {"include/api.h": "int f();\nint g(); \n"}, fields=fields)
    assert lines(changed) == [("include/api.h", 2)]
    ends = decided(tmp_path / "3", "untouched", keys, {"include/api.h": "int f();\r\nint g();\r\n"}, fields=fields)
    assert ends.outcome == "failed"
    missing = decided(tmp_path / "4", "untouched", keys, MAIN, fields=fields)
    assert [f.message for f in missing.findings] == ["the file is missing"]
    assert decided(tmp_path / "5", "untouched", 'files = ["nothing.h"]', same, fields=fields).outcome == "error"
    assert decided(tmp_path / "6", "untouched", keys, same).outcome == "error", "a package without attachments"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("main.o", b""),
        ("lib/libx.so.1", b""),
        ("build/CMakeCache.txt", b""),
        ("build/x/y.txt", b""),
        ("sub/CMakeFiles/code.dir/flags.make", b""),
        ("__pycache__/a.cpython-311.pyc", b""),
        ("A.class", b""),
        ("core.4711", b""),
        (".main.cpp.swp", b""),
        ("code", b"\x7fELF\x02\x01\x01"),
        ("program", b"MZ\x90\x00\x03"),
        ("data.bin", b"!<arch>\nfoo"),
    ],
)
def test_built_files(tmp_path: Path, name: str, content: bytes) -> None:
    result = decided(tmp_path, "artefacts", "", {**MAIN, name: content})
    assert len(result.findings) == 1
    assert decided(tmp_path / "2", "artefacts", f'allow = ["{name}"]', {**MAIN, name: content}).outcome == "passed"


def test_files_that_are_no_built_ones(tmp_path: Path) -> None:
    files = {
        **MAIN,
        "src/build.cpp": "",
        "builder/x.cpp": "",
        "data/a.in": "1 2",
        "core.cpp": "",
        ".gitignore": "build/\n",
    }
    assert decided(tmp_path, "artefacts", "", files).outcome == "passed"


def test_readme(tmp_path: Path) -> None:
    keys = "min_words = 5"
    text = "A storage engine with pages, locks, tests and notes.\n"
    assert decided(tmp_path / "1", "readme", keys, {"README.md": text}).outcome == "passed"
    assert decided(tmp_path / "2", "readme", keys, {"readme": text}).outcome == "passed"
    assert decided(tmp_path / "3", "readme", keys, {"README.md": "word " * 50}).outcome == "failed"
    assert decided(tmp_path / "4", "readme", keys, {"docs/README.md": text}).outcome == "failed"


NESTED = text_file("filerules.nested.txt")


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("max_lines = 11", []),
        ("max_lines = 10", [1]),
        ("max_nesting = 3", []),
        ("max_nesting = 2", [1]),
        ("max_parameters = 3", []),
        ("max_parameters = 2", [1]),
        ("max_parameters = 0", [1]),
    ],
)
def test_sizes_of_functions(tmp_path: Path, keys: str, found: list[int]) -> None:
    result = decided(tmp_path, "functions", keys, {"a.cpp": NESTED})
    assert [line for _, line in lines(result)] == found


def test_nesting_that_macros_hide_counts(tmp_path: Path) -> None:
    code = "#define DEEP(x) if (x) { if (x) { if (x) { g(); } } }\nvoid f(int n) { DEEP(n) }\n"
    assert lines(decided(tmp_path, "functions", "max_nesting = 2", {"a.cpp": code})) == [("a.cpp", 2)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a.py", "def f(self, a, b):\n    for x in a:\n        while b:\n            if x:\n                pass\n"),
        (
            "a.rs",
            "fn f(a: i32, b: i32) {\n    for x in a {\n        while b {\n            if x {}\n        }\n    }\n}\n",
        ),
        (
            "a.go",
            "package p\nfunc f(a int, b int) {\n\tfor {\n\t\tswitch a {\n\t\tdefault:\n\t\t\tif b {\n\t\t\t}\n\t\t}\n"
            "\t}\n}\n",
        ),
        ("A.java", "class A { void f(int a, int b) { for (;;) { while (true) { if (a) { } } } } }\n"),
        ("a.js", "function f(a, b) { for (;;) { while (1) { if (a) { } } } }\n"),
    ],
)
def test_sizes_in_other_languages(tmp_path: Path, name: str, code: str) -> None:
    assert decided(tmp_path / "1", "functions", "max_nesting = 3\nmax_parameters = 2", {name: code}).outcome == "passed"
    assert len(decided(tmp_path / "2", "functions", "max_nesting = 2", {name: code}).findings) == 1
    assert len(decided(tmp_path / "3", "functions", "max_parameters = 1", {name: code}).findings) == 1


def test_identifiers(tmp_path: Path) -> None:
    code = 'int tmp1 = 0; // tmp2\nconst char *s = "tmp3";\n#define tmp4 5\nint х = 1;\nint s\u0443stem = 2;\n'
    keys = "forbid = ['^tmp', '^system$']"
    assert {line for _, line in lines(decided(tmp_path / "1", "identifiers", keys, {"a.cpp": code}))} == {1, 3, 5}
    assert {line for _, line in lines(decided(tmp_path / "2", "identifiers", "ascii = true", {"a.cpp": code}))} == {
        4,
        5,
    }
    python = "tmp = 1\nx = 'tmp'\ndef f(tmpx): return tmpx\n"
    assert {line for _, line in lines(decided(tmp_path / "3", "identifiers", keys, {"a.py": python}))} == {1, 3}


def test_characters_that_cannot_be_seen(tmp_path: Path) -> None:
    code = 'int a; // \u202e }; \u2066 if (admin)\nint b;\nint c\u200b;\nconst char *s = "é";\n'
    found = decided(tmp_path, "identifiers", "ascii = true", {"a.cpp": code})
    assert {line for _, line in lines(found)} == {1, 3}
    assert not any("\u202e" in f.excerpt or "\u200b" in f.excerpt for f in found.findings)


def test_patterns_see_code_only(tmp_path: Path) -> None:
    code = 'int a = 7; // magic 4711\nconst char *s = "4711";\nint b = 4711;\n#define C 4711\n'
    result = decided(tmp_path, "patterns", "forbid = ['\\b4711\\b']", {"a.cpp": code})
    assert {line for _, line in lines(result)} == {3, 4}
    python = "a = 1  # 4711\ns = '''\n4711\n'''\nb = 4711\n"
    assert lines(decided(tmp_path / "2", "patterns", "forbid = ['\\b4711\\b']", {"a.py": python})) == [("a.py", 5)]


@pytest.mark.parametrize(
    ("path", "glob", "fits"),
    [
        ("a/b.cpp", "*.cpp", True),
        ("a/b.cpp", "a/*.cpp", True),
        ("a/b/c.cpp", "a/*.cpp", False),
        ("a/b/c.cpp", "a/**/*.cpp", True),
        ("a/c.cpp", "a/**/*.cpp", True),
        ("a/b/c.cpp", "a/", True),
        ("ab/c.cpp", "a/", False),
        ("a/b.cpp", "/b.cpp", False),
        ("b.cpp", "/b.cpp", True),
        ("a\nb.cpp", "*.cpp", True),
        ("a.cppx", "*.cpp", False),
        ("a+b.c", "a+b.c", True),
    ],
)
def test_globs(path: str, glob: str, fits: bool) -> None:
    assert matches(path, (glob,)) is fits
