"""Waiting for a processor is not idleness; and at a limit everything ends, whether the supervisor has time or not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest
from cell_places import SMALL, OpenCell, Place, Programs

from rigorbench.sandbox.cell import launch, starved
from rigorbench.sandbox.cell.spec import CellRun, CellSpec, Measured
from rigorbench.sandbox.cell.starved import Starved
from rigorbench.sandbox.kit.mount import Mount

ALWAYS = 60.0


@pytest.fixture
def hogs() -> Iterator[None]:
    """Others that want the processor of slot 0."""
    with ExitStack() as stack:
        for _ in range(5):
            hog = stack.enter_context(subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]))
            stack.callback(hog.kill)
            os.sched_setaffinity(hog.pid, {launch.processors()[0]})
        yield


@pytest.mark.usefixtures("hogs")
def test_who_waits_for_a_processor_is_not_idle(place: Place) -> None:
    place.build("burn")
    limits = msgspec.structs.replace(SMALL, cpu=5, wall=1.0)
    measured = place.attack("burn", "0.6", limits=limits)
    # Even with half of the processor, which is what the kernel gives to one session among two, it takes longer than
    # the limit.
    assert (measured.exit_code, measured.killed) == (0, None)
    assert measured.starved > 0.1
    idle = place.attack("idle", "sleep", limits=limits)
    assert idle.killed == "wall"
    assert idle.wall - idle.starved >= limits.wall * 0.98  # type: ignore[operator]
    assert idle.starved < limits.wall


def test_only_waits_for_others_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """(seconds on a processor, seconds ready without one) of the tasks at each sample, a second apart."""
    samples: list[tuple[dict[str, tuple[float, float]], float, float | None, float]] = [
        ({"1": (0.2, 0.8)}, 0.2, None, 0.8),  # others had it
        ({"1": (0.3, 0.8)}, 0.3, None, 0.8),  # then it slept
        ({"1": (0.8, 1.3), "2": (0.5, 0.5)}, 1.3, None, 0.8),  # two of its own took turns
        ({"1": (0.9, 2.1), "2": (0.6, 1.3)}, 1.5, None, 1.5),  # both waited for others nearly all the time
        ({}, 1.6, None, 1.5),
        ({"3": (0.0, 9.0)}, 1.6, None, 2.5),  # never more than there was
        ({}, 1.7, 0.9, 3.3),  # of a child that has ended only the group knows
    ]
    found = Starved()
    found.begin(0.0)
    for second, (tasks, cpu, pressure, expected) in enumerate(samples, start=1):
        monkeypatch.setattr(starved, "tasks", lambda _, now=tasks: now)
        found.sample(float(second), [], cpu, pressure)
        assert found.seconds == pytest.approx(expected)


def test_everything_ends_at_the_limit_without_the_supervisor(open_cell: OpenCell, programs: Programs) -> None:
    """A fork bomb of 16 processes, whose supervisor gets no time at all."""
    heard: list[Measured] = []
    running = threading.Event()
    with open_cell(CellSpec(mounts=(Mount(programs("fork_bomb"), "/code"),))) as cell:
        if cell.controls is None:
            pytest.skip("without control groups a program has no processes but its own")
        run = CellRun(("/code/fork_bomb",), msgspec.structs.replace(SMALL, cpu=30, wall=ALWAYS, memory=256 << 20))
        thread = threading.Thread(target=lambda: heard.append(cell.run(run, started=running.set)))
        thread.start()
        assert running.wait(ALWAYS)
        while len(launch.inhabitants(cell.process)) < 16:
            time.sleep(0.01)
        (supervisor,) = set(launch.descendants(cell.process.monitor.pid)) - set(launch.inhabitants(cell.process))
        os.kill(supervisor, signal.SIGSTOP)
        try:
            cell.cancel()
            group, until = cell.watch.group if cell.watch is not None else None, time.monotonic() + ALWAYS
            while group is not None and group.processes() and time.monotonic() < until:
                time.sleep(0.01)
            assert group.processes() == []
        finally:
            os.kill(supervisor, signal.SIGCONT)
        thread.join(ALWAYS)
    assert heard[0].killed == "cancelled"
