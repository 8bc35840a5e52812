"""The same verdicts again and again, while the other processors have work of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from judge_engine_builders import LIMITS, Bench
from msgspec import structs

from rigorbench.judge.engine import Judge, JudgeSettings

pytestmark = [
    pytest.mark.bwrap,
    pytest.mark.slow,
]

# What a test point asks for decides which verdict it gets; times are well off the limit, as in a proved package.
PROGRAM = """
import os, sys, time
def burn(seconds):
    while time.process_time() < seconds: pass
kind = input()
if kind == 'half': burn(0.25)
if kind == 'over': burn(0.8)
if kind == 'forever': burn(99)
if kind == 'idle': time.sleep(99)
if kind == 'naps':
    for _ in range(10): time.sleep(0.02); burn(time.process_time() + 0.01)
if kind == 'memory': x = b'x' * (256 << 20)
if kind == 'output':
    while True: print('x' * 999)
if kind == 'exit': sys.exit(3)
if kind == 'signal': os.kill(os.getpid(), 11)
if kind == 'threads':
    import threading
    threads = [threading.Thread(target=burn, args=(0.2,)) for _ in range(4)]
    [t.start() for t in threads]; [t.join() for t in threads]
if kind == 'children':
    for _ in range(3):
        if os.fork() == 0: burn(0.35); os._exit(0)
    [os.wait() for _ in range(3)]
print('wrong' if kind == 'wrong' else 'right')
"""
EXPECTED = {
    "easy": "accepted",
    "half": "accepted",
    "naps": "accepted",
    "threads": "accepted",
    "over": "time_limit_exceeded",
    "forever": "time_limit_exceeded",
    "children": "time_limit_exceeded",
    "idle": "idleness_limit_exceeded",
    "memory": "memory_limit_exceeded",
    "output": "output_limit_exceeded",
    "exit": "runtime_error",
    "signal": "runtime_error",
    "wrong": "wrong_answer",
}


@pytest.fixture
def load() -> Iterator[None]:
    """Twice as many busy processes as processors."""
    # They end with this process, also where nobody is left to stop them.
    busy = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
    hogs = [subprocess.Popen([sys.executable, "-c", busy]) for _ in range(2 * len(os.sched_getaffinity(0)))]
    yield
    for hog in hogs:
        hog.kill()
        hog.wait()


@pytest.mark.usefixtures("load")
@pytest.mark.parametrize("slots", [1, 2])
def test_verdicts_stay_the_same_under_load(judge_bench: Bench, slots: int) -> None:
    problem = judge_bench.problem(
        [(f"{kind}\n", "right\n") for kind in EXPECTED],
        aggregation="sum",
        limits=structs.replace(LIMITS, time=0.5, processes=16),
    )
    submission = judge_bench.submit(PROGRAM)
    with Judge(JudgeSettings(slots=slots)) as judge:
        for _ in range(5):
            points = judge.judge(problem, submission).groups[0].points
            found = {kind: point.verdict for kind, point in zip(EXPECTED, points, strict=True)}
            assert found == EXPECTED
