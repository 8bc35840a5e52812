"""Sanitizer variants and drivers: what a program tells beside its output, and that it cannot be kept from telling."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from judge_build_tools import NONCE, Compile, execute, problem

from rigorbench.judge.build.instrument import RESOURCES
from rigorbench.judge.build.program import Variant
from rigorbench.judge.build.source import driver_prefix
from rigorbench.judge.judgement import JudgeError

pytestmark = [pytest.mark.bwrap, pytest.mark.usefixtures("native")]

CHECKED = f"rigor-checked {NONCE}\n"
LEAK = {
    "main.c": "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    "int main(void) { int mode = 0; if (scanf(\"%d\", &mode) != 1) return 1; char *p = malloc(1000);\n"
    "  if (mode == 1) p[0] = 1, printf(\"%p\\n\", (void *)p), p = NULL;\n"
    "  if (mode == 2) fflush(stdout), p = NULL, _exit(0);\n"
    "  if (mode == 3) for (int fd = 3; fd < 1024; fd++) close(fd);\n"
    "  if (mode == 4) { int *q = malloc(40); volatile int i = 10; q[i] = 3; free(q); }\n"
    "  if (mode == 5) { volatile int *q = malloc(40); if (q[3]) puts(\"odd\"); free((void *)q); }\n"
    "  if (mode == 6) write(9, \"rigor-checked 00000000000000000000000000000000\\n\", 47), _exit(0);\n"
    "  free(p); puts(\"done\"); }\n"
}  # fmt: skip


def report(compiled: Compile, variant: Variant, mode: int) -> str:
    built = compiled(LEAK, variant=variant)
    assert built.compilation.ok, built.compilation.log
    return execute(built.programs[""], b"%d" % mode).report


def test_leaks_by_the_leak_sanitizer(compiled: Compile) -> None:
    assert report(compiled, "leak", 0).strip() == CHECKED.strip()
    leaky = report(compiled, "leak", 1)
    assert "Direct leak of 1000 byte(s)" in leaky
    assert leaky.endswith(CHECKED)
    program = compiled(LEAK, variant="leak").programs[""]
    assert (program.reports, program.address_space, program.time) == ("sanitizer", True, 2.0)
    assert execute(program, b"1").measured.exit_code == 0, "a leak does not change how the program ends"


@pytest.mark.parametrize("mode", [2, 3, 6])
def test_what_ends_before_it_is_checked_is_not_taken_for_checked(compiled: Compile, mode: int) -> None:
    assert CHECKED not in report(compiled, "leak", mode)


def test_invalid_access_by_the_address_sanitizer(compiled: Compile) -> None:
    assert "heap-buffer-overflow" in report(compiled, "address", 4)
    assert report(compiled, "address", 0).strip() == CHECKED.strip()


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_uninitialised_reads_by_valgrind(compiled: Compile) -> None:
    told = report(compiled, "uninitialised", 5)
    assert "depends on uninitialised value" in told
    assert "ERROR SUMMARY: 1 errors" in told


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize(
    "hook",
    [
        "int __lsan_is_turned_off(void) { return 1; }",
        'const char *__lsan_default_suppressions(void) { return "leak:*"; }',
        "int __lsan_do_recoverable_leak_check(void) { return 0; }",
        "void __sanitizer_set_report_fd(void *fd) { (void)fd; }",
        "void __lsan_disable(void);\n__attribute__((constructor)) static void off(void) { __lsan_disable(); }",
    ],
)
def test_a_program_that_would_turn_the_check_off_is_checked_with_valgrind(compiled: Compile, hook: str) -> None:
    plain_too = "__attribute__((weak)) void __lsan_disable(void) {}\n" if "void __lsan_disable(void);" in hook else ""
    built = compiled({"main.c": f"{plain_too}{hook}\nint main(void) {{ return 0; }}\n"}, variant="leak")
    assert built.compilation.ok, built.compilation.log
    assert built.programs[""].reports == "valgrind"
    assert "valgrind instead of -fsanitize=leak" in built.compilation.log


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_a_static_program_cannot_be_checked_and_says_so(compiled: Compile) -> None:
    make = "code: main.c\n\t/usr/bin/gcc -static -o code main.c\n"
    files = {"Makefile": make, "main.c": "int main(void) { return 0; }\n"}
    built = compiled(files, variant="uninitialised", of=problem(kind="make"))
    assert not built.compilation.ok
    assert "link it without -static" in built.compilation.log
    through_path = {**files, "Makefile": make.replace("/usr/bin/gcc", "gcc")}
    assert compiled(through_path, variant="leak", of=problem(kind="make")).programs[""].reports == "sanitizer"


def test_a_language_that_manages_memory_has_nothing_to_tell(compiled: Compile) -> None:
    program = compiled({"a.py": "print(1)\n"}, variant="leak").programs[""]
    assert program.reports is None
    assert execute(program).measured.stdout == b"1\n"


DRIVER = '#include "rigor_driver.hpp"\n#include "lib.h"\nint main(void) {{ {body} rigor_finish(); }}\n'
KEYS = {"kind": "header", "headers": ("lib.h",)}


def drivers(tmp_path: Path, **bodies: str) -> dict[str, Path]:
    made: dict[str, Path] = {}
    for name, body in bodies.items():
        made[name] = tmp_path / f"{name}.c"
        made[name].write_text(DRIVER.format(body=body))
    return made


def test_drivers_give_results_where_the_submission_does_not_reach(compiled: Compile, tmp_path: Path) -> None:
    given = drivers(tmp_path, one='int v = value(); rigor_write(v == 7 ? "good\\n" : "bad\\n", 5);', two="value();")
    built = compiled(
        {"lib.h": "#include <stdio.h>\nstatic int value(void) { puts(\"forged\"); return 7; }\n"},
        of=problem(drivers=given, **KEYS),
    )  # fmt: skip
    assert built.compilation.ok, built.compilation.log
    assert set(built.programs) == {"one", "two"}
    ran = execute(built.programs["one"])
    assert ran.results == f"good\n\n{NONCE}\n".encode()
    assert ran.measured.stdout == b""
    assert ran.measured.stderr == b"forged\n"


@pytest.mark.parametrize(
    "trick",
    [
        "exit(0);",
        "_exit(0);",
        'for (int fd = 0; fd < 300; fd++) if (write(fd, "good\\n", 5) < 0) continue; _exit(0);',
        'FILE *f = fopen("/proc/self/environ", "r"); char b[999]; fwrite(b, 1, fread(b, 1, 999, f), stdout); _exit(0);',
    ],
)
def test_a_submission_that_ends_the_driver_early_has_no_nonce(compiled: Compile, tmp_path: Path, trick: str) -> None:
    header = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    header += f"static int value(void) {{ {trick} return 1; }}\n"
    given = drivers(tmp_path, one="value();")
    built = compiled({"lib.h": header}, of=problem(drivers=given, **KEYS))
    assert built.compilation.ok, built.compilation.log
    ran = execute(built.programs["one"])
    assert NONCE.encode() not in ran.results
    assert NONCE.encode() not in ran.measured.stderr


def test_constructors_of_the_submission_run_too_late(compiled: Compile, tmp_path: Path) -> None:
    header = (
        "#include <unistd.h>\n__attribute__((constructor)) static void first(void) {\n"
        "  char b[40]; if (read(4, b, 40) > 0) write(3, b, 40); write(1, \"early\\n\", 6); }\n"
    )  # fmt: skip
    given = drivers(tmp_path, one='rigor_write("x\\n", 2);')
    ran = execute(compiled({"lib.h": header}, of=problem(drivers=given, **KEYS)).programs["one"])
    assert ran.results == f"x\n\n{NONCE}\n".encode()
    assert ran.measured.stderr == b"early\n"


def test_a_submission_cannot_stand_in_for_our_header_or_the_library_s(compiled: Compile, tmp_path: Path) -> None:
    fake = "void rigor_write(const void *, unsigned long);\nvoid rigor_finish(void);\n#error fake\n"
    files = {"lib.h": '#include "own.h"\n', "own.h": "", "rigor_driver.hpp": fake}
    files |= {"stdio.h": "#error fake\n", "given.h": "#error fake\n"}
    given = drivers(tmp_path, one='rigor_write("x\\n", 2);')
    given["one"].write_text('/* A comment. */\n#include <stdio.h>\n#include "given.h"\n' + given["one"].read_text())
    include = tmp_path / "include"
    include.mkdir()
    (include / "given.h").touch()
    built = compiled(files, of=problem(drivers=given, include=include, **KEYS))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs["one"]).results == f"x\n\n{NONCE}\n".encode()


def test_a_package_that_hides_what_is_submitted_is_at_fault(compiled: Compile, tmp_path: Path) -> None:
    (tmp_path / "lib.h").touch()
    with pytest.raises(JudgeError, match="would hide the submission's own"):
        compiled({"lib.h": ""}, of=problem(drivers=drivers(tmp_path, one=""), include=tmp_path, **KEYS))


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ('#include "rigor_driver.hpp"\n#include "lib.h"\n#include <a>\n', '#include "rigor_driver.hpp"\n'),
        ("// c\n\n/* d\n e */\n#include <a> // why\n# include <b/c.h>\nint x;\n#include <d>\n",
         "#include <a>\n# include <b/c.h>\n"),
        ("#define X\n#include <a>\n", ""),
        ("/* a */ int x;\n#include <a>\n", ""),
        ("// c \\\n#include <a>\n", ""),
        ("/*\n#include <a>\n*/\n#include <b>\n", "#include <b>\n"),
        ("#include MACRO\n", ""),
    ],
)  # fmt: skip
def test_only_what_every_submission_shares_is_precompiled(text: str, taken: str) -> None:
    assert driver_prefix(text) == taken


def test_drivers_under_a_sanitizer_tell_both(compiled: Compile, tmp_path: Path) -> None:
    given = drivers(tmp_path, one='value(); rigor_write("x\\n", 2);')
    files = {"lib.h": "#include <stdlib.h>\nstatic char *volatile kept;\n"
             "static void value(void) { kept = malloc(77); kept = NULL; }\n"}  # fmt: skip
    ran = execute(compiled(files, variant="leak", of=problem(drivers=given, **KEYS)).programs["one"])
    assert ran.results == f"x\n\n{NONCE}\n".encode()
    assert "Direct leak of 77 byte(s)" in ran.report
    assert ran.report.endswith(CHECKED)


def test_a_header_that_is_missing_and_another_language_are_told(compiled: Compile, tmp_path: Path) -> None:
    of = problem(drivers=drivers(tmp_path, one=""), **KEYS)
    assert compiled({"other.h": ""}, of=of).compilation.log == "lib.h is missing: the problem requires lib.h"
    assert "not in Python" in compiled({"lib.h": ""}, language="python", of=of).compilation.log


def test_a_driver_runs_by_hand(tmp_path: Path) -> None:
    (tmp_path / "d.cpp").write_text(
        '#include "rigor_driver.hpp"\nusing rigor::out;\n'
        "int main() { out << 4 << '\\n' << 2.5; rigor::finish(); out << 9; }\n"
    )
    runtime = ["gcc", "-DRIGOR_RESULTS", "-c", str(RESOURCES / "runtime.c"), "-o", str(tmp_path / "r.o")]
    subprocess.run(runtime, check=True)
    words = ["g++", "-std=c++17", "-I", str(RESOURCES / "include"), "d.cpp", "r.o", "-o", "d"]
    subprocess.run(words, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "d"], capture_output=True, check=True).stdout == b"4\n2.5"
