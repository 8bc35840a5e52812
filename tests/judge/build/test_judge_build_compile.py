"""Compiling in a sandbox: what comes of it, what is kept, and what a submission's build can see and do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from judge_build_tools import Compile, execute, problem, submitted

from rigorbench.judge.build import compile as compiling
from rigorbench.judge.build import unit as compiling_unit
from rigorbench.judge.build.compile import build, build_tool
from rigorbench.judge.engine.resources import machine
from rigorbench.judge.judgement import JudgeError
from rigorbench.judge.problems.problem import PointLimits
from rigorbench.sandbox.cell.cell import JudgeCell

pytestmark = [pytest.mark.bwrap, pytest.mark.usefixtures("native")]

ADD = (
    "#include <stdio.h>\n"
    'int main(void) { int a, b; if (scanf("%d%d", &a, &b) != 2) return 1; printf("%d\\n", a + b); }\n'
)
SMALL = PointLimits(compile_time=0.4, compile_memory=96 << 20)


def test_a_program_is_built_run_and_kept(compiled: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    built = compiled({"add.c": ADD})
    assert built.compilation.ok
    assert built.language == "c"
    assert execute(built.programs[""], b"3 4\n").measured.stdout == b"7\n"
    monkeypatch.setattr(JudgeCell, "start", None)  # what is in the cache needs no sandbox
    again = compiled({"add.c": ADD})
    assert again.compilation.cached
    assert again.compilation.digest == built.compilation.digest
    assert again.compilation.usage.cpu == built.compilation.usage.cpu


def test_what_does_not_compile_says_where_without_paths_of_the_machine(compiled: Compile) -> None:
    for _ in range(2):
        built = compiled({"d/bad.c": "int main(void) { return x; }\n"})
        assert not built.compilation.ok
        assert built.programs == {}
        assert "d/bad.c:1:" in built.compilation.log
        assert "/src" not in built.compilation.log
        assert "/tmp" not in built.compilation.log
    assert built.compilation.cached, "the same error every time is kept as well"


def test_a_limit_s_failure_is_not_kept(compiled: Compile) -> None:
    bomb = {"main.c": '#include "/dev/zero"\nint main(void) {}\n'}
    for _ in range(2):
        built = compiled(bomb, of=problem(SMALL))
        assert not built.compilation.ok
        assert not built.compilation.cached
        assert "96 MiB of memory" in built.compilation.log or "CPU time" in built.compilation.log


def test_a_full_disk_of_ours_is_no_fault_of_the_submission(compiled: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not monkeypatch.undo(), which would bring back the user's own cache.
    with monkeypatch.context() as patch:
        patch.setattr(compiling_unit, "_SPACE", 1 << 70)
        with pytest.raises(JudgeError, match=r"the disk of .* is full"):
            compiled({"main.c": "int main(void) { return full; }\n"})
    assert not compiled({"main.c": "int main(void) { return full; }\n"}).compilation.cached


@pytest.mark.parametrize(
    "path",
    [
        "/etc/shadow",
        "../../../../etc/hostname",
        "../w/x.h",
        "/proc/1/environ",
        "/proc/self/fd/0/x",
        str(Path(__file__)),
    ],
)
def test_a_compiler_sees_the_submission_and_the_toolchain_only(compiled: Compile, path: str) -> None:
    built = compiled({"main.c": f'#include "{path}"\nint main(void) {{ return 0; }}\n'})
    assert not built.compilation.ok
    assert "No such file" in built.compilation.log or "denied" in built.compilation.log


def test_templates_without_end(compiled: Compile) -> None:
    text = (
        "template<int N, long M> struct F { static const int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\n"
        "template<long M> struct F<0, M> { static const int v = 0; };\nint main() { return F<40, 0>::v; }\n"
    )
    built = compiled({"main.cpp": text}, of=problem(SMALL))
    assert not built.compilation.ok
    assert built.compilation.log.startswith(("compiling took more than the 0.4 s", "compiling needs more than"))


def test_messages_without_end_are_cut(compiled: Compile) -> None:
    lines = "".join(f"int v{n} = undefined_{n};\n" for n in range(400))
    built = compiled({"main.c": lines + "int main(void) {}\n"})
    assert not built.compilation.ok
    assert "characters left out" in built.compilation.log
    assert len(built.compilation.log) < 20_001


def test_a_problem_s_languages_are_kept_to(compiled: Compile) -> None:
    built = compiled({"add.c": ADD}, of=problem(languages=("python", "c++")))
    assert (
        built.compilation.log
        == "no source of a known language here; name the language, or see `rigor doctor --languages`"
    )
    built = compiled({"add.c": ADD}, language="c", of=problem(languages=("python", "c++")))
    assert built.compilation.log == "C is not accepted by this problem: one of python, cpp"
    assert compiled({"add.c": ADD}, language="gcc").compilation.ok
    assert "no language 'cobol'" in compiled({"add.c": ADD}, language="cobol").compilation.log
    with pytest.raises(JudgeError, match=r"problem p: build\.languages: no language 'pascal'"):
        compiled({"add.c": ADD}, of=problem(languages=("pascal",)))


def test_a_compiler_that_is_missing_is_no_fault_of_the_submission(
    compiled: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = compiling.toolchain
    monkeypatch.setattr(compiling, "toolchain", lambda names: real((*names, "no-such-compiler")))
    with pytest.raises(JudgeError, match="C cannot be judged here: the program no-such-compiler is not installed"):
        compiled({"add.c": ADD})


def test_several_sources_include_files_and_odd_names(compiled: Compile, tmp_path: Path) -> None:
    include = tmp_path / "include"
    include.mkdir(mode=0o700)
    (include / "given.h").write_text("#define GIVEN 5\n")
    (include / "given.h").chmod(0o600)
    files = {
        "-main.c": '#include <stdio.h>\n#include "lib/x.h"\n#include "given.h"\n'
        'int main(void) { printf("%d\\n", x() + GIVEN); }\n',
        "lib/x.h": "int x(void);\n",
        "lib/a b$(touch y).c": '#include "x.h"\nint x(void) { return 2; }\n',
        ".hidden/c.c": "not C\n",
    }
    built = compiled(files, of=problem(include=include))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs[""]).measured.stdout == b"7\n"


def test_a_package_puts_its_own_files_over_the_submission_s(compiled: Compile, tmp_path: Path) -> None:
    included = tmp_path / "include"
    for name, text in {"default/a.h": "#define A 1\n", "c/b.h": "#define B 2\n", "python/a.h": "#error\n"}.items():
        (included / name).parent.mkdir(parents=True, exist_ok=True)
        (included / name).write_text(text)
    files = {"m.c": '#include "a.h"\n#include "b.h"\nint main(void) { return A + B; }\n', "a.h": "#define A 70\n"}
    built = compiled(files, language="c", of=problem(included=included))
    assert built.compilation.ok, built.compilation.log
    assert execute(built.programs[""]).measured.exit_code == 3
    # The format's code is another name of a language here, and the submission need not name one.
    (included / "python3").mkdir()
    (included / "python3/one.py").write_text("ONE = 1\n")
    built = compiled({"mine.py": "import one\nprint(one.ONE)\n"}, language="auto", of=problem(included=included))
    assert execute(built.programs[""]).measured.stdout == b"1\n"


def test_factors_of_the_problem_go_before_the_table_s(native: None, tmp_path: Path) -> None:
    import msgspec

    own = msgspec.structs.replace(problem(), time_multipliers={"python": 3.0}, memory_multipliers={"c": 4.0})
    python = build(own, submitted(tmp_path, {"a.py": "print(input())\n"})).programs[""]
    c = build(own, submitted(tmp_path, {"a.c": ADD})).programs[""]
    assert (python.time, c.time, c.memory) == (3.0, 1.0, 4.0)
    same = msgspec.structs.replace(problem(), time_multipliers={"*": 1.0, "c": 2.0})
    python = build(same, submitted(tmp_path, {"a.py": "print(input())\n"})).programs[""]
    c = build(same, submitted(tmp_path, {"a.c": ADD})).programs[""]
    assert (python.time, c.time) == (1.0, 2.0)


def test_tools_of_a_package(native: None, tmp_path: Path) -> None:
    checker = tmp_path / "checker"
    checker.mkdir()
    (checker / "check.c").write_text('#include "limit.h"\nint main(void) { return LIMIT; }\n')
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "limit.h").write_text("#define LIMIT 42\n")
    assert execute(build_tool(checker, include=(tmp_path / "lib",))).measured.exit_code == 42
    (checker / "check.c").write_text("int main(void) { return undefined; }\n")
    with pytest.raises(JudgeError, match=r"checker does not compile: check\.c:1:.*undefined"):
        build_tool(checker)
    with pytest.raises(JudgeError, match="no such file"):
        build_tool(tmp_path / "nothing.c")


def test_tools_with_scripts_of_their_own(native: None, tmp_path: Path) -> None:
    checker = tmp_path / "checker"
    checker.mkdir()
    (checker / "check.c").write_text("int main(void) { return 42; }\n")
    (checker / "build").write_text("#!/bin/sh\ncc check.c -o inner\n")
    # The scripts lie beside what was built, and an archive may have lost their modes.
    (checker / "run").write_text('#!/bin/sh\nexec "$(dirname "$0")/inner" "$@"\n')
    assert execute(build_tool(checker)).measured.exit_code == 42
    (checker / "build").write_text("#!/bin/sh\necho no such tool >&2\nexit 1\n")
    with pytest.raises(JudgeError, match="build script failed: no such tool"):
        build_tool(checker)


HELLO = {
    "python": ({"a.py": "import b\nprint(b.x)\n", "b.py": "x = 7\n", "main.py": "import a\n"}, {"a.py": "x = (\n"}),
    "rust": (
        {"src/main.rs": 'mod b;\nfn main() { println!("{}", b::x()); }\n', "src/b.rs": "pub fn x() -> i32 { 7 }\n"},
        {"main.rs": "fn main() { x }\n"},
    ),
    "go": (
        {
            "go.mod": "module m\n\ngo 1.19\n",
            "main.go": 'package main\n\nimport "m/b"\n\nfunc main() { println(b.X) }\n',
            "b/b.go": "package b\n\nconst X = 7\n",
        },
        {"main.go": "package main\n\nfunc main() { x }\n"},
    ),
    "java": (
        {
            "p/Start.java": "package p;\npublic class Start {\n"
            "  public static void main(String[] a) { System.out.println(B.x); } }\n",
            "p/B.java": "package p;\nclass B { static int x = 7; }\n",
        },
        {"Main.java": "class Main { x }\n"},
    ),
    "javascript": (
        {"index.js": "console.log(require('./b.js'))\n", "b.js": "module.exports = 7\n"},
        {"a.js": "let = (\n"},
    ),
}
PROGRAM = {"python": "python3", "rust": "rustc", "go": "go", "java": "javac", "javascript": "node"}


@pytest.mark.parametrize("language", HELLO)
def test_every_language_as_the_machine_has_it(compiled: Compile, language: str) -> None:
    if shutil.which(PROGRAM[language]) is None:
        pytest.skip(f"{PROGRAM[language]} is not installed")
    good, bad = HELLO[language]
    built = compiled(good)
    assert built.compilation.ok, built.compilation.log
    assert built.language == language
    ran = execute(built.programs[""]).measured
    assert (ran.exit_code, (ran.stdout + ran.stderr).strip()) == (0, b"7")
    wrong = compiled(bad)
    assert not wrong.compilation.ok
    assert wrong.compilation.log
    assert PROGRAM[language] in machine(language)


def test_an_entry_point_that_cannot_be_told_is_the_submission_s_error(compiled: Compile) -> None:
    assert (
        compiled({"a.py": "1\n", "b.py": "2\n"}).compilation.log
        == "2 Python sources and none named main.py or __main__.py"
    )
