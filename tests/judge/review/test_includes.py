"""The rule about includes: every spelling of a forbidden one is caught, and what only looks like one is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from review_helpers import decided, decided_each, lines

from rigorbench.judge.codereview.result import RuleResult
from rigorbench.judge.problems.problem import BuildKind

FORBID = 'forbid = ["vector", "map", "unordered_*"]'
MAIN = "int main() { return 0; }\n"

SPELLINGS = {
    "plain": "#include <vector>",
    "no space": "#include<vector>",
    "spaces within": "  #   include \t <vector>",
    "quotes": '#include "vector"',
    "digraph": "%:include <vector>",
    "comments within": "/* a */ # /* b */ include /* c */ <vector> // d",
    "comment over lines before": "/* a\n b */ #include <vector>",
    "continued": "#incl\\\nude <vec\\\ntor>",
    "continued with blanks behind": "#include \\ \t\n <vector>",
    "carriage returns": "#include <vector>\r\n",
    "form feed": "\f#include <vector>",
    "byte order mark": "\ufeff#include <vector>",
    "include_next": "#include_next <vector>",
    "import directive": "#import <vector>",
    "through a macro": "#define H <vector>\n#include H",
    "through a pasting macro": "#define CAT(a, b) <a##b>\n#include CAT(vec, tor)",
    "through a stringizing macro": "#define S(x) #x\n#define T(x) S(x)\n#define N vector\n#include T(N)",
    "after __has_include": "#if __has_include(<vector>)\n#include <vector>\n#endif",
    "in a branch": "#ifdef ONLINE_JUDGE\n#include <vector>\n#endif",
    "of another system, which the code claims to be": "#define _WIN32\n#ifdef _WIN32\n#include <vector>\n#endif",
    "of this system, by a negation": "#if !defined(_WIN32)\n#include <vector>\n#endif",
    "after a raw string with a continuation": 'auto s = R"x()\\\nx")x";\n#include <vector>',
    "after a raw string that looks open": 'auto s = R"(/*)";\n#include <vector>',
    "after a character that looks like a string": "char c = '\"';\n#include <vector>",
    "after a digit separator": "int n = 1'000'000;\n#include <vector>",
    "inner header": "#include <bits/stl_vector.h>",
    "debug header": "#include <debug/vector>",
    "everything": "#include <bits/stdc++.h>",
    "with a dot": "#include <./vector>",
    "glob": "#include <unordered_map>",
}


# What uses this is slow: each worker of pytest compiles all of it for itself.
@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, RuleResult]:
    cases = {name: ("includes", FORBID, f"{source}\n{MAIN}") for name, source in {**SPELLINGS, **HARMLESS}.items()}
    return decided_each(tmp_path_factory.mktemp("includes"), cases)


@pytest.mark.slow
@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_is_caught(name: str, results: dict[str, RuleResult]) -> None:
    result = results[name]
    assert result.outcome == "failed", result.reason
    [found] = result.findings
    assert found.line is not None
    assert found.excerpt


HARMLESS = {
    "other header": "#include <iostream>\n#include <cstdio>",
    "commented out": "// #include <vector>\n/*\n#include <map>\n*/",
    "comment that goes on": "// see \\\n#include <vector>",
    "in a string": 'const char *s = "\\\n#include <vector>";',
    "in a raw string": 'const char *s = R"(\n#include <vector>\n)";',
    "in a raw string with a delimiter": 'const char *s = R"x(\n)"\n#include <vector>\n)x";',
    "dead": "#if 0\n#include <vector>\n#endif",
    "dead behind a live branch": "#if 1\n#else\n#include <vector>\n#endif",
    "nested in dead code": "#if 0\n#ifdef A\n#include <vector>\n#endif\n#else\n#endif",
    "asked for only": "#if __has_include(<vector>)\nint has = 1;\n#endif",
    "for another system": "#ifdef _WIN32\n#include <vector>\n#elif defined(__linux__)\n#else\n#include <map>\n#endif",
    "error text": "#if 0\n#error don't include <vector>\n#endif",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_like_one_is_not(name: str, results: dict[str, RuleResult]) -> None:
    result = results[name]
    assert (result.outcome, result.findings, result.reason) == ("passed", [], "")


def test_an_absolute_path_is_the_same_header(tmp_path: Path) -> None:
    for n, path in enumerate(("</usr/include/stdio.h>", '"../../usr/include/stdio.h"')):
        result = decided(tmp_path / str(n), "includes", 'forbid = ["stdio.h"]', {"a.c": f"#include {path}\n"})
        assert lines(result) == [("a.c", 1)]


def test_own_headers_are_followed_wherever_they_lie_and_whatever_they_are_called(tmp_path: Path) -> None:
    files = {
        "src/main.cpp": '#include "../include/a.hpp"\n' + MAIN,
        "include/a.hpp": '#include "inner/b.data"\n',
        "include/inner/b.data": "#include <map>\n",
    }
    result = decided(tmp_path, "includes", FORBID + '\nfiles = ["src/*.cpp"]', files)
    assert lines(result) == [("include/inner/b.data", 1)]


def test_what_the_build_takes_in(tmp_path: Path) -> None:
    cmake = (
        "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_executable(code main.cpp)\n"
        "target_compile_options(code PRIVATE -include map)\n"
    )
    files = {"main.cpp": MAIN, "CMakeLists.txt": cmake}
    more: dict[str, Any] = {"fields": {"build": BuildKind(kind="cmake")}, "language": "auto"}
    assert lines(decided(tmp_path / "1", "includes", FORBID, files, **more)) == [("main.cpp", 1)]
    assert decided(tmp_path / "2", "includes", 'forbid = ["list"]', files, **more).outcome == "passed"


def test_what_cannot_be_compiled_does_not_pass(tmp_path: Path) -> None:
    result = decided(tmp_path, "includes", FORBID, {"main.cpp": f"#include UNKNOWN_HEADER\n{MAIN}"})
    assert result.outcome == "error"
    assert "does not compile" in result.reason


def test_only_what_is_allowed(tmp_path: Path) -> None:
    files = {
        "main.cpp": '#include <iostream>\n#include <cstdio>\n#include <string>\n#include "own.h"\n#include "given.h"\n',
        "own.h": "",
    }
    given = tmp_path / "given"
    given.mkdir()
    (given / "given.h").write_text("")
    keys = 'allow = ["iostream", "cstd*"]'
    found = decided(tmp_path / "2", "includes", keys, files, fields={"build": BuildKind(include=given)})
    assert lines(found) == [("main.cpp", 3)]


def test_a_file_named_like_a_header_is_what_the_compiler_takes(tmp_path: Path) -> None:
    files = {"src/main.cpp": "#include <vector>\n#include <list>\n", "vector": "#include <map>\n"}
    result = decided(tmp_path, "includes", 'allow = ["iostream"]', files)
    assert sorted(lines(result), key=str) == [("src/main.cpp", 2), ("vector", 1)]


@pytest.mark.parametrize(
    ("name", "source", "line"),
    [
        ("a.py", "import os\n", 1),
        ("a.py", "import sys, os.path as p\n", 1),
        ("a.py", "from os import system as s\n", 1),
        ("a.py", "def f():\n    import os\n", 2),
        ("a.py", "__import__('os').system('x')\n", 1),
        ("a.py", "__import__('o' + 's')\n", 1),
        ("a.py", "import importlib\nimportlib.import_module('os')\n", 2),
        ("a.py", "name = input()\n__import__(name)\n", 2),
        ("a.rs", "use std::process::Command;\nfn main() {}\n", 1),
        ("a.rs", "use std::{io, process::{self, Command as C}};\nfn main() {}\n", 1),
        ("a.go", 'package main\nimport (\n\t"fmt"\n\tx "os/exec"\n)\n', 4),
        ("A.java", "import java.util.ArrayList;\nclass A {}\n", 1),
        ("a.js", "const c = require('child_process');\n", 1),
        ("a.mjs", "import { exec } from 'node:child_process';\n", 1),
        ("a.mjs", "const m = await import(`child_process`);\n", 1),
    ],
)
def test_imports_of_other_languages(tmp_path: Path, name: str, source: str, line: int) -> None:
    forbid = 'forbid = ["os", "std::process", "os/exec", "java.util", "child_process", "node:child_process"]'
    result = decided(tmp_path, "includes", forbid, {name: source})
    assert {found.line for found in result.findings} == {line}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", "import ossify, my.os\n# import os\ns = 'import os'\n"),
        ("a.rs", "use std::io;\n// use std::process;\nfn main() {}\n"),
        ("a.go", 'package main\nimport "os"\n'),
        ("A.java", "import java.utility.X;\nclass A {}\n"),
        ("a.js", "const f = require('./child_process');\n"),
    ],
)
def test_other_imports_pass(tmp_path: Path, name: str, source: str) -> None:
    forbid = 'forbid = ["os", "std::process", "os/exec", "java.util", "child_process"]'
    if name == "a.go":
        forbid = 'forbid = ["os/exec"]'
    assert decided(tmp_path, "includes", forbid, {name: source}).outcome == "passed"


def test_code_may_ask_for_headers(tmp_path: Path) -> None:
    source = f"#if defined(__has_include) && __has_include(<optional>)\nint has = 1;\n#endif\n{MAIN}"
    assert decided(tmp_path, "includes", FORBID, {"main.cpp": source}).outcome == "passed"
