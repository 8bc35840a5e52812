"""Verdicts from measurements alone: their order, and when a run is tried again."""

from __future__ import annotations

import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from rigorbench.judge.build.program import BuiltProgram
from rigorbench.judge.engine.verdicts import bounds, ending, run_limits, wall_limit, was_starved, worth_retrying
from rigorbench.judge.problems.problem import PointLimits, Problem
from rigorbench.judge.problems.verdicts import VERDICTS, Verdict
from rigorbench.sandbox.cell.spec import Measured

BOUND = PointLimits(time=1.0, memory=64 << 20, output=1000, disk=5000, files=3, processes=8)
# Each alone gives its verdict.
SIGNS: dict[Verdict, dict[str, object]] = {
    "output_limit_exceeded": {"output": 1001},
    "disk_limit_exceeded": {"disk": 5001},
    "memory_limit_exceeded": {"memory": (64 << 20) + 1},
    "time_limit_exceeded": {"cpu": 1.0001},
    "runtime_error": {"exit_code": 3},
}


def measured(**more: object) -> Measured:
    run = Measured(exit_code=0, cpu=0.5, wall=0.6, memory=1 << 20, memory_by="cgroup")
    for name, value in more.items():
        setattr(run, name, value)
    return run


@pytest.mark.parametrize(
    ("run", "verdict", "words"),
    [
        (measured(), None, ""),
        (measured(killed="output"), "output_limit_exceeded", "1000 bytes"),
        (measured(killed="disk"), "disk_limit_exceeded", "4.88 KiB on disk"),
        (measured(killed="files"), "disk_limit_exceeded", "3 files"),
        (measured(files=4), "disk_limit_exceeded", "3 files"),
        (measured(exit_code=None, signal=signal.SIGXFSZ), "disk_limit_exceeded", "disk"),
        (measured(exit_code=None, signal=9, oom=True), "memory_limit_exceeded", "64 MiB"),
        (measured(exit_code=None, signal=9, killed="cpu", cpu=1.2), "time_limit_exceeded", "1 s of CPU"),
        (measured(exit_code=None, signal=9, killed="wall", cpu=0.01, wall=3.1), "idleness_limit_exceeded", "3.1 s"),
        (measured(exit_code=None, signal=signal.SIGSEGV), "runtime_error", "SIGSEGV"),
        (measured(exit_code=None, signal=40), "runtime_error", "signal 40"),
        (measured(exit_code=7), "runtime_error", "exit code 7"),
        (measured(exit_code=None, failed="/code: no such file"), "runtime_error", "could not be started"),
        # A program may send itself the signal of the CPU limit: only what it used counts.
        (measured(exit_code=None, signal=signal.SIGXCPU), "runtime_error", "SIGXCPU"),
        # What is at the limit is within it; unknown memory is not zero, and no verdict.
        (measured(memory=64 << 20, cpu=1.0, output=1000, disk=5000, files=3), None, ""),
        (measured(memory=None), None, ""),
    ],
)
def test_ending(run: Measured, verdict: Verdict | None, words: str) -> None:
    end = ending(run, BOUND)
    assert end.verdict == verdict
    assert words in end.message


@given(st.sets(st.sampled_from(sorted(SIGNS)), min_size=1))
def test_first_in_order_wins(found: set[Verdict]) -> None:
    run = measured()
    for verdict in found:
        for name, value in SIGNS[verdict].items():
            setattr(run, name, value)
    assert ending(run, BOUND).verdict == min(found, key=VERDICTS.index)


def test_limits_of_a_language() -> None:
    problem = Problem("p", "P", None, "", "", (), limits=PointLimits(time=2.0, memory=100, processes=4))  # type: ignore[arg-type]
    bound = bounds(problem, BuiltProgram(("x",), time=3.0, memory=2.0, startup_memory=50, processes=20))
    assert (bound.time, bound.memory, bound.processes) == (6.0, 250, 24)
    assert wall_limit(bound) == 18.0
    assert wall_limit(structs.replace(bound, time=0.5)) == 2.5
    limits = run_limits(bound)
    assert limits.cpu == pytest.approx(6.6)
    assert limits.wall == 18.0


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (measured(cpu=1.05, wall=1.2), True),
        (measured(cpu=1.05, wall=9.0, starved=7.5), True),
        (measured(cpu=1.05, wall=1.2, exit_code=3), True),
        # It slept meanwhile, and would take as long once more.
        (measured(cpu=1.05, wall=2.9), False),
        (measured(cpu=1.11, killed="cpu"), False),
        (measured(cpu=1.2), False),
        (measured(cpu=0.99), False),
        # Ended by the wall clock.
        (measured(killed="wall", cpu=0.4, wall=3.0), False),
        # It would be over the output limit however long it ran.
        (measured(cpu=1.05, killed="output"), False),
    ],
)
def test_again(run: Measured, expected: bool) -> None:
    assert worth_retrying(run, BOUND) is expected


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (measured(killed="wall", wall=3.0, starved=0.1), False),
        # It waited for a processor for as long as it may: nobody can say that it was idle.
        (measured(killed="wall", wall=15.0, starved=12.0), False),
        (measured(killed="wall", wall=15.0, starved=13.0), True),
        (measured(wall=15.0, starved=13.0), False),
    ],
)
def test_who_waits_for_a_processor_is_not_called_idle(run: Measured, expected: bool) -> None:
    assert was_starved(run, run_limits(BOUND)) is expected
