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
from sources import text_file

pytestmark = [
    pytest.mark.bwrap,
    pytest.mark.slow,
]

# What a test point asks for decides which verdict it gets; times are well off the limit, as in a proved package.
PROGRAM = text_file("judge_engine_stability.program.txt")
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
