"""Repositories that build themselves, and those that try something else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from judge_build_tools import Compile, execute, problem

from rigorbench.judge.problems.problem import PointLimits

pytestmark = [pytest.mark.bwrap, pytest.mark.usefixtures("native")]

MAIN = '#include <stdio.h>\nint main(void) { puts("made"); }\n'
CMAKE = "cmake_minimum_required(VERSION 3.10)\nproject(x {languages})\n"
OWN = CMAKE.format(languages="NONE") + "add_custom_target(code ALL {command})\n"
SMALL = PointLimits(compile_time=0.5, compile_memory=256 << 20)
needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")


@needs_cmake
def test_a_cmake_repository_is_built_out_of_tree_from_a_clean_copy(compiled: Compile) -> None:
    files = {
        "CMakeLists.txt": CMAKE.format(languages="C")
        + "add_executable(code src/main.c)\nfile(WRITE ${CMAKE_SOURCE_DIR}/generated.txt x)\n",
        "src/main.c": MAIN,
        "CMakeCache.txt": "CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else\n",
        "build/CMakeCache.txt": "CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else\n",
        "code": "#!/bin/sh\necho committed\n",
    }
    built = compiled(files, of=problem(kind="cmake"))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs[""]).measured.stdout == b"made\n"
    assert built.language == "cpp"


@needs_cmake
def test_a_committed_program_is_no_artefact(compiled: Compile) -> None:
    files = {"CMakeLists.txt": OWN.format(command="COMMAND true"), "code": "#!/bin/sh\necho committed\n"}
    log = compiled(files, of=problem(kind="cmake")).compilation.log
    assert log.startswith("the build left no code")


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_builds_everything_anew(compiled: Compile) -> None:
    files = {
        "Makefile": "code: main.o\n\t$(CC) -o $@ main.o\nmain.o: main.c\n\t$(CC) $(CFLAGS) -c main.c\n",
        "main.c": MAIN,
        "main.o": "an object of another machine",
    }
    built = compiled(files, of=problem(kind="make"))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs[""]).measured.stdout == b"made\n"
    wrong = compiled({"Makefile": "code:\n\tfalse\n"}, of=problem(kind="make"))
    assert not wrong.compilation.ok
    bare = compiled({"main.c": MAIN}, of=problem(kind="make"))
    assert bare.compilation.log == "no Makefile at the root of the submission"


@needs_cmake
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("COMMAND ln -s /etc/passwd code", "a symbolic link"),
        ("COMMAND mkfifo code", "a FIFO"),
        ("COMMAND mkdir code", "a directory"),
        ("COMMAND touch code", "not executable"),
        ("COMMAND cp /bin/ls code COMMAND truncate -s 900M code", "more than"),
        (
            "COMMAND mkdir sub COMMAND cp /bin/ls sub/code",
            "left no code at its top (there is a sub/code in",
        ),
        ("COMMAND cmake -E touch /usr/x", "failed to update"),
        ("COMMAND cmake -E touch /src/x", "failed to update"),
    ],
)
def test_artefacts_that_are_none(compiled: Compile, command: str, message: str) -> None:
    built = compiled({"CMakeLists.txt": OWN.format(command=command)}, of=problem(kind="cmake"))
    assert not built.compilation.ok
    assert message in built.compilation.log


@needs_cmake
def test_what_a_build_runs_is_inside_as_well(compiled: Compile, tmp_path: Path) -> None:
    secret = tmp_path / "answer"
    secret.write_text("42")
    text = CMAKE.format(languages="NONE") + (
        f"execute_process(COMMAND cat {secret} {Path(__file__)} /etc/shadow)\n"
        f"execute_process(COMMAND sh -c \"echo x > {tmp_path}/written; env; id -u; kill -9 1\")\n"
        "file(DOWNLOAD http://127.0.0.1:1/x ${CMAKE_BINARY_DIR}/code STATUS status)\n"
        "message(FATAL_ERROR \"download: ${status}\")\n"
    )  # fmt: skip
    log = compiled({"CMakeLists.txt": text}, of=problem(kind="cmake")).compilation.log
    assert "42" not in log.split("download")[0].split()
    assert "What a build runs" not in log
    assert "download: 7;" in log
    assert not (tmp_path / "written").exists()
    names = {line.split("=")[0] for line in log.splitlines() if "=" in line}
    assert names <= {
        "PATH",
        "HOME",
        "LANG",
        "TMPDIR",
        "PWD",
        "OLDPWD",
        "SHLVL",
        "_",
        "CC",
        "CXX",
        "CFLAGS",
        "CXXFLAGS",
        "SOURCE_DATE_EPOCH",
    }
    if os.geteuid() == 0:
        assert "\n0\n" not in log, "a build does not run as root"


@needs_cmake
def test_a_build_finds_neither_libraries_of_others_nor_interpreters(compiled: Compile) -> None:
    names = "libgmp.a libsqlite3.a libcrypto.a libz.a python3 perl node bc ruby go rustc java gawk-5 /usr/bin/python3"
    text = CMAKE.format(languages="C CXX") + (
        "add_executable(code main.cpp)\n"
        f"foreach(NAME {names})\n  find_library(FOUND NAMES ${{NAME}})\n  find_program(FOUND NAMES ${{NAME}})\n"
        "  if(FOUND)\n    message(FATAL_ERROR ${FOUND})\n  endif()\nendforeach()\n"
        "find_program(SHELL sh REQUIRED)\nfind_package(Threads REQUIRED)\n"
        "target_link_libraries(code m Threads::Threads {library})\n"
    )
    files = {"main.cpp": '#include <bits/stdc++.h>\nint main() { std::puts("made"); }\n'}
    built = compiled({**files, "CMakeLists.txt": text.replace("{library}", "")}, of=problem(kind="cmake"))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs[""]).measured.stdout == b"made\n"
    for library in ("-l:libgmp.a", "gmp"):
        built = compiled({**files, "CMakeLists.txt": text.replace("{library}", library)}, of=problem(kind="cmake"))
        assert "cannot find -l" in built.compilation.log


@needs_cmake
@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("while(TRUE)\nendwhile()\n", ("CPU time",)),
        (
            'execute_process(COMMAND sh -c "f() { f | f & }; f")\nmessage(FATAL_ERROR "tried")\n',
            ("tried", "CPU time", "memory"),
        ),
    ],
    ids=["loop", "fork"],
)
def test_builds_without_end(compiled: Compile, text: str, messages: tuple[str, ...]) -> None:
    files = {"CMakeLists.txt": CMAKE.format(languages="NONE") + text}
    built = compiled(files, of=problem(SMALL, kind="cmake"))
    assert not built.compilation.ok
    assert any(message in built.compilation.log for message in messages), built.compilation.log
