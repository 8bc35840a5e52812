"""A run that is killed, or interrupted, goes on where it stopped: nothing finished is touched, nothing half counts."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.bench.experiment.records import Cell
from rigorbench.bench.experiment.store import ExperimentDirectory, ended, load_manifest, load_results

pytestmark = [
    pytest.mark.bwrap,
    pytest.mark.slow,  # several calls of `rigor run`, each of which starts the engine anew
]
SEED = 20_261
KILLS = 4
# Under load everything takes longer; nothing here asserts how long.
PATIENCE = 240.0


def _start(suite: Path, out: Path, *words: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "rigorbench",
        "run",
        str(suite),
        "--out",
        str(out),
        "--no-replay",
        "--json",
        *words,
    ]
    # Whoever runs these tests in the background may have the signal ignored.
    before = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{before}; from rigorbench.cli import main; sys.exit(main({command[3:]!r}))"
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.005)


def _stat(pid: int) -> tuple[int, str] | None:
    """(parent, start time) of a process that is alive."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else (int(fields[1]), fields[19])


def _descendants(pid: int) -> dict[int, str]:
    """All processes below one, by number, with the time of their start, which tells them from later namesakes."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for entry in os.listdir("/proc"):
        found = _stat(int(entry)) if entry.isdigit() else None
        if found is not None:
            parents.setdefault(found[0], []).append((int(entry), found[1]))
    known: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        for child, started in parents.get(waiting.pop(), []):
            known[child] = started
            waiting.append(child)
    return known


def _alive(processes: dict[int, str]) -> list[int]:
    return [pid for pid, started in processes.items() if (now := _stat(pid)) is not None and now[1] == started]


def _progress(out: Path, leftover: frozenset[int] = frozenset()) -> int:
    """How far an experiment is: lines of all journals, and files that scoring writes; ``leftover`` runs left out."""
    total = 0
    for run in (out / "runs").glob("*"):
        if ".killed-" not in run.name and _inode(run) not in leftover:
            try:
                total += (run / "journal.jsonl").read_bytes().count(b"\n")
            except OSError:
                continue
            total += 5 * sum((run / n).exists() for n in ("run.json", "score.json", "outcome.json", "result.json"))
    return total


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:  # set aside in this moment
        return None


def _files(directory: Path) -> dict[str, bytes]:
    return {p.relative_to(directory).as_posix(): p.read_bytes() for p in sorted(directory.rglob("*")) if p.is_file()}


def _finished(store: ExperimentDirectory, cells: list[Cell]) -> dict[str, dict[str, bytes]]:
    return {cell.id: _files(store.run(cell)) for cell in cells if store.state(cell) == "done"}


def test_killed_at_random_moments_it_runs_only_what_is_missing(tmp_path):
    suite = tiny_suite.write_suite(tmp_path / "suite", "one", "two", "three")
    words = ("--model", "scripted/fix", "--jobs", "2")

    whole = tmp_path / "whole"
    process = _start(suite, whole, *words)
    text, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    expected = {r["cell"]["task"]: r["outcome"]["solved"] for r in json.loads(text)["results"]}
    assert expected == {"one": True, "two": True, "three": True}
    length = _progress(whole)

    out = tmp_path / "out"
    store = ExperimentDirectory(out)
    dice = random.Random(SEED)
    kept: dict[str, dict[str, bytes]] = {}
    killed = 0
    for _ in range(KILLS):
        # What the last kill left half recorded is run anew, so it is no progress; what was recorded is only scored.
        half = (p for p in (out / "runs").glob("*") if not ended(p / "journal.jsonl"))
        left = frozenset(i for p in half if (i := _inode(p)) is not None)
        so_far = _progress(out, left)
        # Well before the end: how many lines a journal gets depends a little on the machine.
        at = so_far + dice.randrange(1, max(2, (length - so_far) * 2 // 3))
        process = _start(suite, out, *words)
        _wait_until(lambda a=at, p=process, b=left: _progress(out, b) >= a or p.poll() is not None, f"progress {at}")
        if process.poll() is not None and killed:
            # The kill before came between the last result and the end: nothing was missing.
            break
        assert process.poll() is None, process.communicate()
        killed += 1
        below = _descendants(process.pid)
        process.kill()
        process.communicate()
        _wait_until(lambda b=below: not _alive(b), f"the end of {below}")
        cells = load_manifest(out).cells if (out / "manifest.json").exists() else []
        now = _finished(store, cells)
        assert {cell: now.get(cell) for cell in kept} == kept, "what was finished has changed"
        kept = now

    assert killed >= 2, "too few kills came before the end"
    process = _start(suite, out, *words)
    text, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    document = json.loads(text)
    assert {r["cell"]["task"]: r["outcome"]["solved"] for r in document["results"]} == expected
    assert {cell: _files(out / "runs" / cell) for cell in kept} == kept, "what was finished has changed"
    assert {p.name for p in (out / "runs").iterdir()} == {c.id for c in load_manifest(out).cells} | set(
        document["aside"]
    )
    for name in document["aside"]:
        assert not ended(out / "runs" / name / "journal.jsonl"), "a run that had ended was thrown away"
    assert len(load_results(out)) == 3, "leftovers are no results"


def test_ctrl_c_once_closes_the_recording_and_the_same_command_goes_on(tmp_path):
    suite = tiny_suite.write_suite(tmp_path / "suite")
    out = tmp_path / "out"
    words = ("--model", "scripted/do-nothing,scripted/sleep", "--time-limit", "600")
    process = _start(suite, out, *words)
    marks = [out / "runs" / f"pages--react--baseline--scripted-{name}--r1" for name in ("do-nothing", "sleep")]

    def under_way() -> bool:
        journal = marks[1] / "journal.jsonl"
        return process.poll() is not None or (
            (marks[0] / "result.json").exists() and journal.exists() and b"sleep 600" in journal.read_bytes()
        )

    _wait_until(under_way, "the second run")
    assert process.poll() is None, process.communicate()
    below = _descendants(process.pid)
    before = _files(marks[0])
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, errors
    assert "the same command continues" in errors
    assert "Traceback" not in errors
    assert json.loads(text)["interrupted"] is True
    _wait_until(lambda: not _alive(below), "the end of everything that it had started")
    last = json.loads((marks[1] / "journal.jsonl").read_bytes().splitlines()[-1])
    assert (last["type"], last["state"]) == ("end", "interrupted")
    assert not (marks[1] / "result.json").exists()
    assert _files(marks[0]) == before

    # The policy waits for longer than anybody would: another of the same name, in its place, ends at once.
    store = ExperimentDirectory(out)
    sleeper = load_manifest(out).cells[1]
    assert store.state(sleeper) == "leftover"
    assert store.set_aside(sleeper).name.endswith(".killed-1")
    assert store.state(sleeper) == "absent"
