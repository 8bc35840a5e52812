"""Many logs in several processes: order, bounded memory, and processes that die under way."""

from __future__ import annotations

import faulthandler
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from rigorbench.base.processes import Died, in_processes
from rigorbench.cli.common import results
from rigorbench.session.logfile import LogError, LogFile
from running import ENVIRONMENT, RIGOR
from sources import text_file

ROOT = Path(__file__).resolve().parents[2]
CODEX = ROOT / "tests" / "data" / "codex" / "exec-0.169.jsonl"


def _logs(directory: Path, count: int) -> list[str]:
    directory.mkdir(exist_ok=True)
    paths = [directory / f"{n:02}.jsonl" for n in range(count)]
    for path in paths:
        shutil.copy(CODEX, path)
    return [str(p) for p in paths]


def _told(logs: list[str], work: Callable[[LogFile], str], jobs: int) -> list[str]:
    """Results, and messages about the logs that failed, as they come."""
    told: list[str] = []
    for result in results(logs, work, told.append, jobs=jobs, label="logs"):
        told.append(result)
    return told


def _work(log: LogFile, *, kill: dict[str, int], slow: str = "") -> str:
    name = Path(log.name).stem
    if name == slow:
        time.sleep(0.2)
    if name in kill:
        faulthandler.disable()
        os.kill(os.getpid(), kill[name])
    return name


def _dead(item: int, how: Died) -> int:
    raise AssertionError(f"{item} {how}")


@pytest.mark.parametrize("culprits", [["00"], ["11"], ["05"], ["03", "04", "05"]])
def test_a_process_that_dies_costs_its_own_log_only(tmp_path: Path, culprits: list[str]) -> None:
    logs = _logs(tmp_path, 12)
    signals = (signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT)
    kill = {name: int(signals[n]) for n, name in enumerate(culprits)}
    for path, told in zip(logs, _told(logs, partial(_work, kill=kill), 2), strict=True):
        name = Path(path).stem
        died = f"{path}: the process that read it died (killed by {signal.Signals(kill.get(name, 9)).name})"
        assert told.startswith(died) if name in kill else told == name


def _dies_once(log: LogFile, *, mark: Path) -> str:
    if Path(log.name).stem == "01" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Path(log.name).stem


def test_a_log_that_was_only_a_victim_is_done_again(tmp_path: Path) -> None:
    logs = _logs(tmp_path / "logs", 4)
    assert _told(logs, partial(_dies_once, mark=tmp_path / "mark"), 2) == ["00", "01", "02", "03"]
    assert (tmp_path / "mark").exists()


def _fails(log: LogFile, *, bad: str) -> str:
    name = Path(log.name).stem
    if name == bad:
        raise LogError(log.name, "is bad")
    if name == "06":
        raise ValueError("of ours")
    return name


def test_failures_and_missing_inputs_keep_their_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RIGOR_DEBUG", raising=False)
    logs = _logs(tmp_path, 8)
    logs.insert(2, str(tmp_path / "missing"))
    by_jobs = [_told(logs, partial(_fails, bad="04"), jobs) for jobs in (1, 2, 3)]
    assert (told := by_jobs[0]) == by_jobs[1] == by_jobs[2]
    assert [told[n] for n in (0, 1, 3, 4, 6, 8)] == ["00", "01", "02", "03", "05", "07"]
    assert "does not exist" in told[2]
    assert told[5] == f"{logs[5]}: is bad"
    assert "ValueError: of ours" in told[7]


def _slow_first(number: int) -> int:
    if number == 0:
        time.sleep(0.3)
    return number


def test_results_stream_with_few_items_under_way() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(60):
            taken.append(number)
            yield number

    given: list[int] = []
    for result in in_processes(items(), _slow_first, 2, _dead):
        given.append(result)
        # Four items for each of the two processes, the one just given back among them.
        assert len(taken) - len(given) < 8
    assert given == list(range(60))


def _note_and_wait(number: int, *, directory: Path) -> int:
    # Whole or not at all: whoever is ended in between would leave a file that names nobody.
    (begun := directory / f"{number}.new").write_text(str(os.getpid()))
    begun.rename(directory / f"{number}.pid")
    if number:
        time.sleep(60)
    # The first is done when the second has begun: else whether a second process was started is a matter of chance.
    assert _soon((directory / "1.pid").exists)
    return number


def _running(directory: Path) -> list[int]:
    alive = []
    for file in directory.glob("*.pid"):
        pid = int(file.read_text())
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z":
            alive.append(pid)
    return alive


def _soon(condition: object, seconds: float = 20.0) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_leaving_early_ends_the_processes(tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    results = in_processes(iter(range(5)), partial(_note_and_wait, directory=tmp_path), 2, _dead)
    assert next(results) == 0
    assert len(list(tmp_path.glob("*.pid"))) >= 2
    results.close()  # type: ignore[attr-defined]
    assert _running(tmp_path) == []
    assert set(multiprocessing.active_children()) <= before


_SLEEPERS = text_file("processes.sleepers.txt")


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("to_all", [True, False])
def test_ctrl_c_ends_the_processes_quietly(tmp_path: Path, to_all: bool) -> None:
    """At a terminal every process of the group gets the signal; `kill -INT` reaches the first only."""
    main = _sleepers(tmp_path)
    (os.killpg if to_all else os.kill)(main.pid, signal.SIGINT)
    out, err = main.communicate(timeout=30)
    assert main.returncode == 130
    assert out == b""
    assert err == b"interrupted\n"
    assert _running(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_processes_end_when_the_first_is_killed(tmp_path: Path) -> None:
    main = _sleepers(tmp_path)
    main.kill()
    main.communicate(timeout=30)
    assert _soon(lambda: not _running(tmp_path)), _running(tmp_path)


def _sleepers(directory: Path) -> subprocess.Popen[bytes]:
    """A command at its second and third item, which take a minute; 0 is printed already."""
    script = _SLEEPERS.format(
        path=[str(Path(__file__).parent), str(ROOT / "tests"), str(ROOT / "src")], directory=str(directory)
    )
    main = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        start_new_session=True,
    )
    assert main.stdout.readline() == b"0\n"
    assert _soon(lambda: len(list(directory.glob("*.pid"))) == 3)
    return main


def test_the_output_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    logs = [*_logs(tmp_path, 5), str(tmp_path / "missing")]
    (tmp_path / "02.jsonl").write_bytes(b"no log\n")
    runs = [
        subprocess.run([*RIGOR, *command, *logs, "--jobs", jobs], capture_output=True, env=ENVIRONMENT, check=False)
        for command in (["score", "--json"], ["events", "--json"])
        for jobs in ("1", "2")
    ]
    for one, two in (runs[:2], runs[2:]):
        assert one.returncode == two.returncode == 1
        assert one.stdout == two.stdout
        assert one.stderr == two.stderr
        assert len(one.stderr.splitlines()) == 2
    assert len(runs[0].stdout.splitlines()) == 4


def test_what_a_killed_run_printed_is_kept(tmp_path: Path) -> None:
    """The last log is a pipe that nobody writes to, so that the run stands still at it: by then the rest is out."""
    logs = _logs(tmp_path, 3)
    blocked, out = tmp_path / "blocked.jsonl", tmp_path / "out.jsonl"
    os.mkfifo(blocked)
    with out.open("wb") as stream:
        main = subprocess.Popen(
            [*RIGOR, "score", *logs, str(blocked), "--json", "--jobs", "1"], stdout=stream, env=ENVIRONMENT
        )
        try:
            assert _soon(lambda: out.read_bytes().count(b"\n") == 3)
        finally:
            main.kill()
            main.wait()
    assert [json.loads(line)["trajectory"]["source"] for line in out.read_bytes().splitlines()] == logs
