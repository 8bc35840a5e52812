"""Submissions judged for real: every verdict, checkers, chains, scores; one program for each."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from judge_engine_builders import LIMITS, Bench
from msgspec import structs

from rigorbench.judge.engine import Judge, JudgeSettings
from rigorbench.judge.judgement import GroupResult, Submission
from rigorbench.judge.problems.problem import BuildKind, Checker, Metric, Problem
from rigorbench.judge.problems.verdicts import Verdict
from sources import text_file

pytestmark = pytest.mark.bwrap

ADD = "print(sum(map(int, input().split())))"


@pytest.fixture(scope="session")
def add(judge_bench: Bench) -> Problem:
    return judge_bench.problem()


@pytest.mark.parametrize(
    ("source", "verdict", "words"),
    [
        (ADD, "accepted", ""),
        ("print(4)", "wrong_answer", "line 1"),
        ("while True: pass", "time_limit_exceeded", "0.3 s of CPU"),
        ("import time; time.sleep(60)", "idleness_limit_exceeded", "no end"),
        (
            "data = bytearray(128 << 20)\nfor i in range(0, len(data), 4096): data[i] = 1",
            "memory_limit_exceeded",
            "MiB of memory",
        ),
        ("while True: print('x' * 4096)", "output_limit_exceeded", "64 KiB"),
        ("open('f', 'wb').write(bytes(1 << 20))", "disk_limit_exceeded", "64 KiB on disk"),
        ("for i in range(99): open(str(i), 'w').close()", "disk_limit_exceeded", "4 files"),
        ("import sys; print(3); sys.exit(7)", "runtime_error", "exit code 7"),
        ("import os; print(3); os.kill(os.getpid(), 11)", "runtime_error", "SIGSEGV"),
    ],
)
def test_verdict(judge_bench: Bench, add: Problem, source: str, verdict: Verdict, words: str) -> None:
    judgement = judge_bench.run(add, source)
    point = judgement.groups[0].points[0]
    assert (point.verdict, judgement.verdict) == (verdict, verdict), point
    assert words in point.message
    assert (point.score, judgement.score) == ((1.0, 100.0) if verdict == "accepted" else (0.0, 0.0))
    assert point.usage.cpu > 0
    assert point.usage.memory > 1 << 20
    assert judgement.sandbox.startswith("bwrap, ")
    assert {"cpu", "kernel"} <= judgement.machine.keys()


def test_compile_error(judge_bench: Bench, add: Problem) -> None:
    judgement = judge_bench.run(add, "int main(void) { return x; }", name="main.c", language="c")
    assert (judgement.verdict, judgement.score) == ("compile_error", 0.0)
    assert "main.c" in judgement.compilation.log


def test_white_space_alone_is_a_presentation_error(judge_bench: Bench) -> None:
    problem = judge_bench.problem(checker=Checker("exact", ("presentation_error",)))
    point = judge_bench.point(problem, "print(' 3')")
    assert (point.verdict, point.score) == ("presentation_error", 0.0)
    assert judge_bench.point(problem, "print(3)").verdict == "accepted"


KATTIS = text_file("judge_engine_judging.kattis.txt")


@pytest.mark.parametrize(
    ("said", "verdict", "score"),
    [
        ("3", "accepted", 1.0),
        ("half", "accepted", 0.5),
        ("4", "wrong_answer", 0.0),
        ("crash", "judge_error", None),
        ("hang", "judge_error", None),
        ("odd", "judge_error", None),
    ],
)
def test_kattis_checker(judge_bench: Bench, said: str, verdict: Verdict, score: float | None) -> None:
    problem = judge_bench.problem(checker=("kattis", KATTIS))
    judgement = judge_bench.run(problem, f"print({said!r}, end='')")
    point = judgement.groups[0].points[0]
    assert (point.verdict, point.score) == (verdict, score), point
    assert judgement.score == (None if score is None else 100 * score)
    if verdict == "judge_error":
        assert point.message == "the judge failed here, not the submission"
        assert "checker" in point.details
    else:
        assert point.message == "so many numbers: 2"
        assert "right is 3" in point.details


TESTLIB = """
import sys
given, said, right = (open(name).read() for name in sys.argv[1:4])
print('expected', right, file=sys.stderr)
sys.exit({'3': 0, '4': 1, 'x': 2, 'f': 3}[said])
"""


@pytest.mark.parametrize(
    ("said", "verdict"),
    [("3", "accepted"), ("4", "wrong_answer"), ("x", "presentation_error"), ("f", "judge_error")],
)
def test_testlib_checker(judge_bench: Bench, said: str, verdict: Verdict) -> None:
    problem = judge_bench.problem(checker=("testlib", TESTLIB))
    point = judge_bench.point(problem, f"print({said!r}, end='')")
    assert point.verdict == verdict, point
    assert "expected" not in point.message


def test_files_of_a_package_that_only_its_owner_may_read(judge_bench: Bench) -> None:
    problem = judge_bench.problem(checker=("kattis", KATTIS))
    for path in (problem.root / "data").iterdir():
        path.chmod(0o600)
    assert judge_bench.point(problem, "print('3', end='')").verdict == "accepted"


def test_metric_and_its_absence(judge_bench: Bench) -> None:
    checker = (
        "import sys\nsaid = sys.stdin.read()\nif said: open(sys.argv[3] + 'score.txt', 'w').write(said)\nsys.exit(42)"
    )
    metric = Metric(((100.0, 0.0), (50.0, 1.0)), "lower")
    problem = judge_bench.problem(checker=("kattis", checker), metric=metric)
    found = [judge_bench.point(problem, f"print({said!r}, end='')") for said in ("75", "10", "-1e9", "inf", "")]
    assert [(point.score, point.metric) for point in found] == [
        (0.5, 75.0),
        (1.0, 10.0),
        (1.0, -1e9),
        (None, None),
        (None, None),
    ]
    assert [point.verdict for point in found[3:]] == ["judge_error", "judge_error"]


def test_a_chain_shares_its_disk_and_others_do_not(judge_bench: Bench) -> None:
    count = (
        "import os\nn = len(os.listdir('.'))\nopen(f'f{n}', 'w').close()\nprint(n)\n"
        "if input() == 'crash' and n == 1: raise SystemExit(1)"
    )
    data = [("x\n", "0\n"), ("x\n", "1\n"), ("x\n", "2\n"), ("x\n", "0\n")]
    chained = judge_bench.problem(data, chains=(("secret/0", "secret/1", "secret/2"),))
    assert judge_bench.run(chained, count).score == 100.0
    # An earlier run that fails ends its chain, and nothing of it is there for what comes next.
    data = [("x\n", "0\n"), ("crash\n", "1\n"), ("x\n", "2\n"), ("x\n", "0\n")]
    broken = judge_bench.problem(data, aggregation="sum", chains=(("secret/0", "secret/1", "secret/2"),))
    points = judge_bench.run(broken, count).groups[0].points
    assert [point.verdict for point in points] == ["accepted", "runtime_error", "skipped", "accepted"]


def test_the_disk_limit_of_a_chain_holds_for_all_its_runs(judge_bench: Bench) -> None:
    data = [("x\n", "\n"), ("x\n", "\n"), ("x\n", "\n")]
    problem = judge_bench.problem(data, aggregation="sum", chains=(("secret/0", "secret/1", "secret/2"),))
    grow = "import os\nopen(f'f{len(os.listdir())}', 'wb').write(bytes(30 << 10))"
    points = judge_bench.run(problem, grow).groups[0].points
    assert [point.verdict for point in points] == ["accepted", "accepted", "disk_limit_exceeded"]


def test_files_of_a_case_lie_in_its_directory(judge_bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "note.txt").write_text("3")
    problem = judge_bench.problem()
    group = problem.groups[0]
    case = structs.replace(group.cases[0], files=tmp_path, args=("sub/note.txt",), hint="look into the file")
    problem = structs.replace(problem, groups=(structs.replace(group, cases=(case, case)),))
    source = "import sys\nprint(open(sys.argv[1]).read())\nopen(sys.argv[1], 'w').write('4')"
    # Each run has files of its own: what the first wrote is gone.
    assert [point.verdict for point in judge_bench.run(problem, source).groups[0].points] == ["accepted"] * 2
    assert judge_bench.point(problem, "print(5)").message.endswith("look into the file")


def test_output_only(judge_bench: Bench) -> None:
    problem = judge_bench.problem([("a", "3\n"), ("b", "5\n"), ("c", "7\n")], aggregation="sum")
    problem = structs.replace(problem, build=BuildKind("output-only", artefact="out_{case}.txt"))
    submission = judge_bench.submit("3\n", name="out_0.txt", language="auto")
    (submission.root / "out_1.txt").write_text("6\n")
    judgement = judge_bench.judge.judge(problem, submission)
    assert [point.verdict for point in judgement.groups[0].points] == ["accepted", "wrong_answer", "wrong_answer"]
    assert judgement.groups[0].points[2].message == "there is no file out_2.txt"
    assert judgement.compilation is None


def test_static_validator(judge_bench: Bench, tmp_path: Path) -> None:
    problem = judge_bench.problem()
    script = tmp_path / "static.py"
    script.write_text(
        "import sys\nlanguage, entry, feedback, word = sys.argv[1:]\n"
        "open(feedback + 'teammessage.txt', 'w').write(language)\nsys.exit(43 if word in open(entry).read() else 42)"
    )
    group = structs.replace(problem.groups[0], static_args=("sum",), static_full=40.0)
    problem = structs.replace(problem, groups=(group,), static_validator=script)
    rejected = judge_bench.run(problem, ADD)
    assert (rejected.verdict, rejected.score) == ("wrong_answer", 60.0)
    assert rejected.groups[0].points[-1].id == "secret/static"
    assert rejected.groups[0].points[-1].message == "python"
    assert judge_bench.run(problem, "a, b = input().split(); print(int(a) + int(b))").score == 100.0


def test_the_end_of_compiling_and_every_group_are_told(judge_bench: Bench) -> None:
    heard: list[GroupResult | None] = []
    problem = judge_bench.problem([("1 2", "3"), ("2 2", "4"), ("2 3", "5")])
    judge_bench.judge.judge(problem, judge_bench.submit(ADD), progress=heard.append)
    assert [None if group is None else (group.id, group.score) for group in heard] == [None, ("secret", 100.0)]


def test_cancelling_ends_what_runs(judge_bench: Bench) -> None:
    problem = judge_bench.problem([("x", "y")] * 4, limits=structs.replace(LIMITS, time=600.0))
    compiled: list[GroupResult | None] = []
    sleeper = judge_bench.submit("import time; time.sleep(600)")
    judgement = judge_bench.judge.judge(problem, sleeper, progress=compiled.append, cancelled=lambda: bool(compiled))
    assert judgement.notes[0] == "cancelled"
    assert {point.verdict for point in judgement.groups[0].points} == {"skipped"}


def test_cancelling_ends_compilers(judge_bench: Bench) -> None:
    problem = judge_bench.problem(build=BuildKind("make", artefact="code"))
    tree = judge_bench.place / "slow-to-build"
    tree.mkdir()
    (tree / "Makefile").write_text("code:\n\tsleep 600\n")
    submission = Submission(tree, "make", "0" * 64)
    for _ in range(2):  # nor is it remembered as a compile error
        judgement = judge_bench.judge.judge(problem, submission, cancelled=lambda: True)
        assert (judgement.notes, judgement.verdict, judgement.compilation) == (["cancelled"], "skipped", None)


def test_submissions_at_the_same_time_share_the_slots(judge_bench: Bench) -> None:
    problem = judge_bench.problem([(f"{n} 1\n", f"{n + 1}\n") for n in range(6)], aggregation="sum")
    wrong = "a, b = map(int, input().split()); print(a + b if a < 3 else 0)"
    found: dict[int, float | None] = {}

    def judge(number: int) -> None:
        found[number] = judge_bench.run(problem, wrong if number % 2 else ADD).score

    threads = [threading.Thread(target=judge, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: 100.0, 1: 50.0, 2: 100.0, 3: 50.0, 4: 100.0, 5: 50.0}


def test_nothing_is_left_over(judge_bench: Bench) -> None:
    def descriptors() -> int:
        return len(os.listdir("/proc/self/fd"))

    problem = judge_bench.problem([("1 2", "3")] * 6, checker=("kattis", KATTIS))
    with Judge(JudgeSettings(slots=2)) as judge:
        judge.judge(problem, judge_bench.submit("print('3', end='')"))
        before, places = descriptors(), len(list(judge.workspace.root.iterdir()))
        for _ in range(3):
            judge.judge(problem, judge_bench.submit("print('3', end='')"))
        assert descriptors() <= before
        assert len(list(judge.workspace.root.iterdir())) <= places
        threads = threading.active_count()
        root = judge.workspace.root
    assert not root.exists()
    assert threading.active_count() <= threads
