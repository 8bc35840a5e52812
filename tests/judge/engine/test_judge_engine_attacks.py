"""Programs that go for the verdict: by what they print, leave, read, or keep from being looked at."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from judge_engine_builders import LIMITS, Bench
from msgspec import structs

from rigorbench.judge.judgement import Judgement
from rigorbench.judge.problems.problem import BuildKind, Case, PointGroup, Problem, Sanitizer
from sources import text_file

pytestmark = pytest.mark.bwrap

CHECKER = """
import os, sys
right = open(sys.argv[2]).read().split() == sys.stdin.read().split()
assert sorted(os.listdir('.')) == [] and sorted(os.listdir(sys.argv[3])) == []
sys.exit(42 if right else 43)
"""
FORGED = text_file("judge_engine_attacks.forged.txt")
THIEF = text_file("judge_engine_attacks.thief.txt")
LEAVES = text_file("judge_engine_attacks.leaves.txt")


def test_printing_verdicts_gains_nothing(judge_bench: Bench) -> None:
    for checker in (None, ("kattis", CHECKER)):
        problem = judge_bench.problem(checker=checker, limits=structs.replace(LIMITS, files=99))
        judgement = judge_bench.run(problem, FORGED)
        assert (judgement.verdict, judgement.score) == ("runtime_error", 0.0)
        judgement = judge_bench.run(problem, FORGED.replace("sys.exit(42)", "sys.exit(0)"))
        assert (judgement.verdict, judgement.score) == ("wrong_answer", 0.0)
    # What it left in its own directory is not what the checker of the next finds in its.
    assert judge_bench.run(problem, "print(3)").verdict == "accepted"


def test_answers_and_other_cells_cannot_be_read(judge_bench: Bench) -> None:
    # With a checker: a cell that does see the answer is up at the same time.
    problem = judge_bench.problem(
        [("a", "needle 1\n"), ("b", "needle 2\n")], checker=("kattis", CHECKER), aggregation="sum"
    )
    assert judge_bench.run(problem, "print('needle', {'a': 1, 'b': 2}[input()])").verdict == "accepted"
    path = repr(str(problem.root / "data" / "0.ans"))
    points = judge_bench.run(problem, THIEF.replace("PATH", path)).groups[0].points
    assert [point.verdict for point in points] == ["wrong_answer"] * 2, points


def test_a_program_does_not_see_where_it_is_on_the_host(judge_bench: Bench) -> None:
    """Its artefact comes from a cache in a home directory (here: of this test), its directories from a judge's."""
    source = "print(*open('/proc/self/maps'), *open('/proc/self/mountinfo'), *open('/proc/self/cgroup'))"
    checker = "import sys; open(sys.argv[3] + 'judgemessage.txt', 'w').write(sys.stdin.read()); sys.exit(43)"
    point = judge_bench.point(judge_bench.problem(checker=("kattis", checker)), source)
    assert "/usr" in point.details
    assert tempfile.gettempdir() not in point.details
    assert str(judge_bench.place) not in point.details
    assert not re.search(rf"\b{os.getpid()}\b", point.details)


def test_what_is_left_running_ends_with_its_run(judge_bench: Bench) -> None:
    problem = judge_bench.problem([("1 2", "3"), ("2 2", "4"), ("9 9", "18")], aggregation="sum")
    judgement = judge_bench.run(problem, LEAVES)
    first = judgement.groups[0].points[0]
    # The child prints, too: right or not is chance; but no later run sees anything of an earlier one.
    assert all(
        point.verdict in ("accepted", "wrong_answer", "output_limit_exceeded") for point in judgement.groups[0].points
    )
    assert "seen" not in first.details
    quiet = LEAVES.replace("print(3, flush=True); ", "")
    assert judge_bench.run(problem, quiet).score == 100.0


def test_messages_hold_no_test_data(judge_bench: Bench) -> None:
    problem = judge_bench.problem([("needle", "needle")])
    for source in ("print(input() + 'x')", "import sys; sys.exit(input())", "print('x' * 70000 + input())"):
        judgement = judge_bench.run(problem, source)
        point = judgement.groups[0].points[0]
        assert point.verdict != "accepted"
        assert "needle" not in point.message + judgement.groups[0].message + "".join(judgement.notes)


LEAK = text_file("judge_engine_attacks.leak.c")


def sanitized(bench: Bench, problem: Problem, source: str, *sanitizers: Sanitizer) -> Judgement:
    twin = structs.replace(problem.groups[0], id="twin", twin_of="secret", sanitizers=sanitizers, full=10.0)
    twin = structs.replace(
        twin, cases=tuple(structs.replace(case, id=f"twin/{n}") for n, case in enumerate(twin.cases))
    )
    both = structs.replace(problem, groups=(problem.groups[0], twin))
    return bench.run(both, source, name="main.c", language="c")


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ("free(kept);", "", "accepted"),
        ("kept = 0;", "", "memory_leak"),
        # A report of its own on standard error, or where reports go: nobody listens, or it hurts only itself.
        ('free(kept); fputs("==1==ERROR: LeakSanitizer: detected memory leaks\\n", stderr);', "", "accepted"),
        ('kept = 0; dprintf(9, "rigor-checked\\n==1== ERROR SUMMARY: 0 errors\\n"); close(9);', "", "memory_leak"),
    ],
)
def test_leaks_are_what_the_tool_saw(judge_bench: Bench, before: str, after: str, verdict: str) -> None:
    problem = judge_bench.problem(limits=structs.replace(LIMITS, time=1.0))
    judgement = sanitized(judge_bench, problem, LEAK % (before, after), "leak")
    twin = judgement.groups[1].points[0]
    assert judgement.groups[0].verdict == "accepted"
    assert twin.verdict == verdict, twin
    assert twin.twin == "secret/0"


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_leaving_before_the_check_does_not_help(judge_bench: Bench) -> None:
    problem = judge_bench.problem(limits=structs.replace(LIMITS, time=1.0, memory=256 << 20))
    judgement = sanitized(judge_bench, problem, LEAK % ("kept = 0;", "_exit(0);"), "leak")
    assert judgement.groups[1].points[0].verdict == "memory_leak", judgement.groups[1].points[0]


def test_languages_that_manage_memory_have_no_leaks(judge_bench: Bench) -> None:
    problem = judge_bench.problem()
    twin = PointGroup(
        "twin",
        (structs.replace(problem.groups[0].cases[0], id="twin/0"),),
        10.0,
        twin_of="secret",
        sanitizers=("leak",),
    )
    judgement = judge_bench.run(structs.replace(problem, groups=(*problem.groups, twin)), "print(3)")
    assert judgement.groups[1].score == 10.0


DRIVER = """
#include "rigor_driver.hpp"
#include "answer.hpp"
int main() { rigor::out << answer() << '\\n'; rigor::finish(); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return 42;", "accepted"),
        ("return 41;", "wrong_answer"),
        # It writes the result itself, to every descriptor there is, and leaves.
        (
            'for (int d = 1; d < 64; d++) dprintf(d, "42\\n\\n%032d\\n", 0); _exit(0); return 0;',
            "runtime_error",
        ),
        # It writes before the driver does.
        ('dprintf(3, "42\\n"); return 41;', "wrong_answer"),
    ],
)
def test_a_header_cannot_speak_for_its_driver(judge_bench: Bench, body: str, verdict: str) -> None:
    root: Path = judge_bench.place / "driver"
    root.mkdir(exist_ok=True)
    (root / "main.cpp").write_text(DRIVER)
    problem = judge_bench.problem([("", "42\n")], limits=structs.replace(LIMITS, time=1.0))
    case = structs.replace(problem.groups[0].cases[0], driver="main")
    assert isinstance(case, Case)
    problem = structs.replace(
        problem,
        groups=(structs.replace(problem.groups[0], cases=(case,)),),
        build=BuildKind("header", headers=("answer.hpp",), drivers={"main": root / "main.cpp"}),
    )
    header = f"#pragma once\n#include <cstdio>\n#include <unistd.h>\ninline int answer() {{ {body} }}\n"
    point = judge_bench.point(problem, header, name="answer.hpp", language="header")
    assert point.verdict == verdict, point
