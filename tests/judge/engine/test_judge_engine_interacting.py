"""Interactive problems: every way in which a talk can end, with two real cells."""

from __future__ import annotations

import pytest
from judge_engine_builders import LIMITS, Bench
from msgspec import structs

from rigorbench.judge.problems.problem import Problem
from rigorbench.judge.problems.verdicts import Verdict
from sources import text_file

pytestmark = pytest.mark.bwrap

# Asks for twice a number. What the program says instead of a number makes the interactor misbehave.
INTERACTOR = text_file("judge_engine_interacting.interactor.txt")


@pytest.fixture(scope="session")
def double(judge_bench: Bench) -> Problem:
    return judge_bench.problem([("21", None)], interactor=("kattis", INTERACTOR))


ENDINGS: list[tuple[str, str, Verdict]] = [
    ("right", "print(2 * int(input()), flush=True)", "accepted"),
    ("wrong", "print(5, flush=True)", "wrong_answer"),
    ("ends at once, well", "", "wrong_answer"),
    ("ends at once, badly", "raise SystemExit(3)", "runtime_error"),
    ("dies at once", "import os; os.kill(os.getpid(), 6)", "runtime_error"),
    ("closes its output, then crashes", "import os, time; os.close(1); time.sleep(0.5); os._exit(3)", "runtime_error"),
    ("closes its output, then waits", "import os, time; os.close(1); time.sleep(1000)", "idleness_limit_exceeded"),
    ("does not flush, waits", "print(42, end=''); input(); input()", "idleness_limit_exceeded"),
    ("right, then crashes", "print(2 * int(input()), flush=True); raise SystemExit(3)", "runtime_error"),
    ("wrong, then waits for more", "print(5, flush=True); input(); input(); input()", "wrong_answer"),
    ("wrong, then talks on", "print(5, flush=True)\nwhile True: print('x' * 100, flush=True)", "wrong_answer"),
    ("floods who listens", "print('flood')\nwhile True: print('x' * 4096)", "output_limit_exceeded"),
    ("works too long", "while True: pass", "time_limit_exceeded"),
    (
        "works too long after the verdict",
        "print(2 * int(input()), flush=True)\nwhile True: pass",
        "time_limit_exceeded",
    ),
    ("needs too much memory", "print('silent', flush=True)\nx = b'x' * (256 << 20)", "memory_limit_exceeded"),
    (
        "talks on after acceptance",
        "print(2 * int(input()))\nfor _ in range(300): print('x' * 99, flush=True)",
        "accepted",
    ),
    ("says what is not asked for", "print('stay', flush=True); print('x' * 5000, flush=True)", "accepted"),
    ("interactor crashes", "print('crash', flush=True); input(); input()", "judge_error"),
    ("interactor is killed", "print('kill', flush=True); input(); input()", "judge_error"),
    ("interactor works too long", "print('spin', flush=True); input(); input()", "judge_error"),
    ("interactor floods", "import os; os.write(1, b'pour\\n')\nwhile os.read(0, 1 << 20): pass", "judge_error"),
    ("interactor falls silent", "print('silent', flush=True); input(); input()", "idleness_limit_exceeded"),
]


@pytest.mark.parametrize(("source", "verdict"), [ending[1:] for ending in ENDINGS], ids=[e[0] for e in ENDINGS])
def test_ending(judge_bench: Bench, double: Problem, source: str, verdict: Verdict) -> None:
    point = judge_bench.point(double, source)
    assert point.verdict == verdict, point
    if verdict == "judge_error":
        assert "interactor" in point.details
        assert point.score is None


def test_a_crash_in_mid_conversation_does_not_hang_on_who_is_reaped_first(judge_bench: Bench) -> None:
    """The interactor answers the end of file at once, so that both are ended at nearly the same time."""
    problem = judge_bench.problem([("21", None)] * 30, interactor=("kattis", INTERACTOR), aggregation="sum")
    judgement = judge_bench.run(problem, "raise SystemExit(1)")
    assert {point.verdict for point in judgement.groups[0].points} == {"runtime_error"}


def test_what_was_said_is_kept_for_the_owner(judge_bench: Bench, double: Problem) -> None:
    point = judge_bench.point(double, "print(int(input()) + 1, flush=True)")
    assert "< 21\n> 22" in point.details
    assert "21" not in point.message


def test_signals_do_not_reach_the_interactor(judge_bench: Bench, double: Problem) -> None:
    source = """
import os, signal
number = int(input())
for pid in [-1, *range(2, 60)]:
    if pid != os.getpid():
        for sign in (signal.SIGSTOP, signal.SIGKILL):
            try: os.kill(pid, sign if pid > 0 else signal.SIGUSR1)
            except OSError: pass
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
print(2 * number, flush=True)
"""
    # It may hit itself; the interactor, whose number it does not know and cannot reach, still decides or is not asked.
    assert judge_bench.point(double, source).verdict in ("accepted", "runtime_error")
    assert judge_bench.point(double, "print(2 * int(input()), flush=True)").verdict == "accepted"


def test_the_interactor_may_close_its_output_first(judge_bench: Bench) -> None:
    interactor = (
        "import os, sys\nprint(1, flush=True)\nnull = os.open(os.devnull, os.O_WRONLY)\nos.dup2(null, 1)\n"
        "sys.exit(42 if sys.stdin.read().split() == ['done', '1'] else 43)"
    )
    problem = judge_bench.problem([("x", None)], interactor=("kattis", interactor))
    assert (
        judge_bench.point(problem, "import sys; n = len(sys.stdin.readlines()); print('done', n)").verdict == "accepted"
    )


TESTLIB = """
import sys
number = int(open(sys.argv[1]).read())
print(number, flush=True)
said = sys.stdin.readline().strip()
open(sys.argv[2], 'w').write(said)
print('was', number, file=sys.stderr)
sys.exit(0 if said else 2)
"""


def test_testlib_interactor_and_the_checker_of_its_output(judge_bench: Bench) -> None:
    checker = (
        "testlib",
        "import sys\ngiven, said, answer = (open(name).read() for name in sys.argv[1:4])\n"
        "sys.exit(0 if int(said) == 2 * int(given) == int(answer) else 1)",
    )
    problem = judge_bench.problem([("21", "42")], interactor=("testlib", TESTLIB), checker=checker)
    assert judge_bench.point(problem, "print(2 * int(input()))").verdict == "accepted"
    assert judge_bench.point(problem, "print(9)").verdict == "wrong_answer"
    assert judge_bench.point(problem, "print()").verdict == "presentation_error"


def test_many_words_are_no_idleness(judge_bench: Bench) -> None:
    interactor = (
        "import sys\nfor n in range(2000):\n    print(n, flush=True)\n"
        "    if int(input()) != n: sys.exit(43)\nsys.exit(42)"
    )
    limits = structs.replace(LIMITS, time=1.0, validation_time=5.0)
    problem = judge_bench.problem([("x", None)], interactor=("kattis", interactor), limits=limits)
    point = judge_bench.point(problem, "for n in range(2000): print(input(), flush=True)")
    assert point.verdict == "accepted", point
    assert "\n...\n" in point.details
