"""Builds that lie to the compiler that records them: a rule is then never kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from review_helpers import decided

from rigorbench.judge.codereview.model import RuleResult
from rigorbench.problems.model import Build

pytestmark = pytest.mark.slow(reason="each builds a repository twice")

CLEAN = "int main() { return 0; }\n"
HIDDEN = "#include <vector>\nint main(int n, char **) { std::vector<int> v(n); return v.size(); }\n"
# Notes calls as the recording compiler does, in every directory that it may use.
FORGE = r"""
note() {
  for to in /w/calls /w/units; do
    at=$to/u.$1; mkdir -p $at
    pwd > $at/cwd; echo g++ > $at/compiler; printf '%s\n' $2 > $at/args
    sha256sum < "$3" | cut -c 1-64 > $at/output; : > $at/inputs
    echo clean.cpp > $at/1.name; : > $at/1.err
    g++ -E -dD -dI clean.cpp -o $at/1.ii; g++ -S -O0 -g1 clean.cpp -o $at/1.s
  done
}
"""


def built(tmp_path: Path, script: str, makefile: str = "code:\n\tsh build.sh\n", **files: str) -> RuleResult:
    named = {name.replace("_", "."): text for name, text in files.items()}
    sources = {"Makefile": makefile, "build.sh": FORGE + script, "clean.cpp": CLEAN, "hidden.txt": HIDDEN, **named}
    build = {"build": Build(kind="make")}
    return decided(tmp_path, "constructs", 'forbid = ["std-containers"]', sources, fields=build, language="auto")


LIES = {
    "the call says that it made the program": (
        "/usr/bin/g++ -x c++ hidden.txt -o code\nrm -rf /w/calls /w/units\nnote 1 'clean.cpp -o code' code\n"
    ),
    "the call says that it made an object": (
        "/usr/bin/g++ -x c++ -c hidden.txt -o part.o\n$CXX part.o -o code\nnote 1 '-c clean.cpp -o part.o' part.o\n"
    ),
    "the source is another one afterwards": "cp hidden.txt a.cpp\n$CXX a.cpp -o code\ncp clean.cpp a.cpp\n",
    "an option of the linker names the object": (
        "/usr/bin/g++ -x c++ -Dmain=part -c hidden.txt -o part.o\n$CXX clean.cpp -Wl,part.o -o code\n"
    ),
    "a word for the linker names the object": (
        "/usr/bin/g++ -x c++ -Dmain=part -c hidden.txt -o part.o\n$CXX clean.cpp -Xlinker part.o -o code\n"
    ),
    "another program when it is reviewed": (
        "case $CXX in */rigor/*) $CXX clean.cpp -o code ;; *) $CXX -x c++ hidden.txt -o code ;; esac\n"
    ),
    "a program of the submission instead of the compiler's": (
        "printf '#!/bin/sh\\nrm -rf /w/units\\nexec \"$@\"\\n' > evil; chmod +x evil\n"
        "$CXX -wrapper $PWD/evil -x c++ hidden.txt -o code\n"
    ),
    "the scripts of the review replaced": (
        "mkdir -p /w/units\nln -sf /dev/null /w/units/program; ln -sf /dev/null /w/units/both\n"
        "/usr/bin/g++ -x c++ hidden.txt -o code\n"
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_a_rule_is_not_kept_by_a_lie(tmp_path: Path, name: str) -> None:
    result = built(tmp_path, LIES[name])
    assert result.outcome in ("failed", "error"), result


HONEST = {
    "in one call": "code:\n\t$(CXX) clean.cpp -o code\n",
    "objects and a library": (
        "code: a.o\n\t$(CXX) -g -c clean.cpp -o clean.o\n\tar rcs lib.a a.o\n"
        "\t$(CXX) clean.o lib.a -Wl,-rpath,/usr/lib -Wl,-z,relro -lm -o code\na.o:\n\t$(CXX) -O2 -g -c a.cpp\n"
    ),
    "optimised as a whole": "code:\n\t$(CXX) -O2 -flto clean.cpp a.cpp -o code\n",
    "a generated source": "code:\n\techo 'int g() { return 1; }' > g.cpp\n\t$(CXX) g.cpp clean.cpp -o code\n",
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_build_keeps_the_rule(tmp_path: Path, name: str) -> None:
    result = built(tmp_path, "", HONEST[name], a_cpp="static int n; int a() { return ++n; }\n")
    assert (result.outcome, result.reason) == ("passed", "")


def test_an_honest_project_keeps_the_rule(tmp_path: Path) -> None:
    cmake = (
        "cmake_minimum_required(VERSION 3.10)\nproject(p CXX)\nset(CMAKE_BUILD_TYPE Release)\n"
        "add_library(part STATIC a.cpp)\nadd_executable(code clean.cpp)\ntarget_link_libraries(code part)\n"
    )
    files = {"CMakeLists.txt": cmake, "clean.cpp": CLEAN, "a.cpp": "int a() { return 1; }\n"}
    build = {"build": Build(kind="cmake")}
    result = decided(tmp_path, "constructs", 'forbid = ["std-containers"]', files, fields=build, language="auto")
    assert (result.outcome, result.reason) == ("passed", "")
