"""Two judges on one machine use the processors in turn."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rigorbench.judge.engine.resources import SharedProcessors, Slots
from rigorbench.judge.judgement import JudgeError
from rigorbench.sandbox.cell import launch

ALWAYS = 60.0


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "processors", lambda: (0, 1))


def test_a_judge_takes_the_processor_that_the_other_does_not_use(tmp_path: Path) -> None:
    one, other = (Slots(SharedProcessors(2, tmp_path / "locks")) for _ in range(2))
    with one.one() as first, other.one(first) as second:
        assert (first, second) == (0, 1)
    with other.one() as again:
        assert again == 0


def test_two_judges_take_turns(tmp_path: Path) -> None:
    """Each wants the only processor again and again; nobody has it twice while the other waits."""
    judges = [Slots(SharedProcessors(1, tmp_path)) for _ in range(2)]
    gate = os.open(tmp_path / "0.0.gate", os.O_RDONLY)
    turns: list[int] = []
    left = [10, 10]

    def someone_waits() -> bool:
        try:
            fcntl.flock(gate, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        fcntl.flock(gate, fcntl.LOCK_UN)
        return False

    def work(number: int) -> None:
        for _ in range(10):
            with judges[number].one():
                turns.append(number)
                until = time.monotonic() + ALWAYS
                while left[1 - number] and not someone_waits() and time.monotonic() < until:
                    time.sleep(0.001)
                left[number] -= 1

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ALWAYS)
    os.close(gate)
    assert turns in ([0, 1] * 10, [1, 0] * 10)


def test_alone_means_alone_on_the_machine(tmp_path: Path) -> None:
    one, other = (Slots(SharedProcessors(2, tmp_path)) for _ in range(2))
    done = threading.Event()

    def use() -> None:
        with other.one():
            done.set()

    with one.alone():
        thread = threading.Thread(target=use)
        thread.start()
        assert not done.wait(0.1)
    assert done.wait(ALWAYS)
    thread.join(ALWAYS)


def test_a_judge_that_keeps_a_processor_is_named(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom rigorbench.sandbox.cell import launch\n"
        "launch.processors = lambda: (0, 1)\n"
        "from rigorbench.judge.engine.resources import SharedProcessors\n"
        f"print(SharedProcessors(1, Path({str(tmp_path)!r})).take(0), flush=True)\nsys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout.readline() == b"True\n"
        slots = Slots(SharedProcessors(1, tmp_path, patience=0.05))
        with pytest.raises(JudgeError, match="another judge on this machine keeps"), slots.one():
            pass
        process.kill()
        process.wait()
        # The kernel has released what it held; and what failed has given its slot back.
        with slots.one() as slot:
            assert slot == 0


def test_locks_that_cannot_be_made_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JudgeError, match="would disturb each other"):
        SharedProcessors(1, tmp_path / "file")
