"""An experiment's directory: which runs are done, what is kept of killed ones, one writer at a time."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from rigorbench.base.files import write_json
from rigorbench.bench.experiment.records import MANIFEST_SCHEMA, RESULT_SCHEMA, Budget, Cell, Manifest, RunResult
from rigorbench.bench.experiment.store import (
    FACTS_SCHEMA,
    ExperimentDirectory,
    ExperimentError,
    RunFacts,
    ended,
    load_manifest,
    load_results,
    set_aside_name,
)
from rigorbench.sandbox.kit import trees

CELL = Cell("task", "react", "baseline", "scripted/disciplined")
OTHER = Cell("task", "react", "baseline", "scripted/reckless")


def _result(cell: Cell = CELL) -> RunResult:
    return RunResult(RESULT_SCHEMA, cell, "completed", started=1.0, seconds=2.0)


def _manifest(*cells: Cell) -> Manifest:
    return Manifest(MANIFEST_SCHEMA, "id", 1.0, "suite", [], list(cells), Budget(), "bwrap", {}, {}, {}, {}, [], {}, {})


def _facts(cell: Cell = CELL) -> RunFacts:
    return RunFacts(FACTS_SCHEMA, cell, "completed", 1.0, 2.0)


def _run(store: ExperimentDirectory, cell: Cell, *lines: str) -> Path:
    directory = store.run(cell)
    directory.mkdir(parents=True)
    (directory / "journal.jsonl").write_text("".join(lines))
    return directory


RUN = '{"type":"run","time":1,"schema":"rigor-capture/1","id":"x","root":"/work"}\n'
END = '{"type":"end","time":2,"state":"completed"}\n'


@pytest.fixture
def store(tmp_path: Path) -> ExperimentDirectory:
    return ExperimentDirectory(tmp_path / "out")


def test_the_published_experiment_is_what_its_page_says() -> None:
    played = Path(__file__).parents[2] / "examples/experiments/played"
    for name in ("baseline", "superpowers"):
        values = [r.rigor_score or 0 for r in load_results(played / "rigor") if r.cell.harness == name]
        assert f"| .{100 * sum(values) / len(values):.0f} [" in (played / "README.md").read_text("utf-8")


def test_a_run_is_done_only_with_a_whole_result(store):
    assert store.state(CELL) == "absent"
    directory = _run(store, CELL, RUN)
    assert store.state(CELL) == "leftover"
    write_json(directory / "run.json", _facts())
    assert store.state(CELL) == "leftover", "the journal has no end yet"
    (directory / "journal.jsonl").write_text(RUN + END)
    assert store.state(CELL) == "unscored"
    data = msgspec.json.encode(_result())
    (directory / "result.json").write_bytes(data[: len(data) // 2])
    assert store.state(CELL) == "unscored", "half a result is none"
    write_json(directory / "result.json", msgspec.structs.replace(_result(), schema="rigor-run/0"))
    assert store.state(CELL) == "unscored", "and one of another schema"
    write_json(directory / "result.json", _result())
    assert store.state(CELL) == "done"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RUN + END, True),
        (RUN + END.rstrip("\n"), False),
        (RUN, False),
        ("", False),
        (RUN + END + '{"type":"note"', True),
        (RUN + '{"type":"end","time":2,"state":"interrupted"}\n', False),
        (RUN + '{"type":"end","time":2,"state":"limit"}\n', True),
        (RUN + "no json\n", False),
        (None, False),
    ],
)
def test_a_journal_has_ended_when_its_last_whole_line_says_so(tmp_path, text, expected):
    if text is not None:
        (tmp_path / "journal.jsonl").write_text(text)
    assert ended(tmp_path / "journal.jsonl") is expected


def test_leftovers_are_kept_under_a_name_of_their_own(store):
    for number in (1, 2):
        (_run(store, CELL, RUN) / "evidence").write_text(str(number))
        target = store.set_aside(CELL)
        assert (target / "evidence").read_text() == str(number)
        assert store.state(CELL) == "absent"
    assert store.aside() == [f"{CELL.id}.killed-1", f"{CELL.id}.killed-2"]
    assert set_aside_name(f"{CELL.id}.killed-2") == (CELL.id, "killed")
    assert set_aside_name(CELL.id) is None
    assert set_aside_name("task.killed-x") is None


def test_a_recorder_that_still_writes_is_waited_for(store):
    directory = _run(store, CELL, RUN)
    holder = (directory / "journal.jsonl").open()
    fcntl.flock(holder, fcntl.LOCK_EX)
    with pytest.raises(ExperimentError, match="its recorder still runs"):
        store.set_aside(CELL, patience=0.1)
    assert directory.exists()
    release = threading.Timer(0.3, holder.close)
    release.start()
    assert store.set_aside(CELL, patience=20).is_dir()
    release.join()


def test_results_come_in_the_order_of_the_manifest_and_damaged_ones_are_left_out(store):
    for cell in (OTHER, CELL):
        write_json(_run(store, cell, RUN) / "result.json", _result(cell))
    store.write_manifest(_manifest(CELL, OTHER, Cell("never", "a", "h", "m")))
    assert [r.cell for r in load_results(store.path)] == [CELL, OTHER]
    assert [r.cell for r in load_results(store.path, [OTHER])] == [OTHER]
    (store.run(CELL) / "result.json").write_text("{")
    assert [r.cell for r in load_results(store.path)] == [OTHER]


def test_a_directory_without_a_manifest_or_with_a_damaged_one_is_one_clear_line(store):
    with pytest.raises(ExperimentError, match=r"no manifest\.json"):
        load_manifest(store.path)
    store.write_manifest(_manifest(CELL))
    (store.path / "manifest.json").write_text('{"schema": "rigor-exp')
    with pytest.raises(ExperimentError, match="damaged") as caught:
        load_manifest(store.path)
    assert "\n" not in str(caught.value)
    write_json(store.path / "manifest.json", msgspec.structs.replace(_manifest(CELL), schema="rigor-experiment/9"))
    with pytest.raises(ExperimentError, match="rigor-experiment/9"):
        load_manifest(store.path)


def test_only_one_process_works_in_a_directory_and_the_lock_dies_with_it(store):
    script = (
        "import sys, time\nfrom rigorbench.bench.experiment.store import ExperimentDirectory\n"
        "with ExperimentDirectory(sys.argv[1]).locked():\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script, str(store.path)], stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "held\n"
    with pytest.raises(ExperimentError, match="another `rigor run`"), store.locked(patience=0.1):
        pass
    other.kill()
    other.wait()
    other.stdout.close()
    with store.locked(patience=10):
        assert (store.path / ".lock").exists()


def test_the_lock_is_not_inherited_by_programs_that_are_started(store):
    with store.locked(patience=0.1):
        child = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        with store.locked(patience=5):
            pass
    finally:
        child.kill()
        child.wait()


def test_a_document_is_replaced_as_a_whole(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    write_json(path, {"n": 1})
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="no space"):
        write_json(path, {"n": 2})
    assert path.read_bytes() == before
    assert json.loads(before) == {"n": 1}


def test_directories_that_nobody_may_write_are_removed_too(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "f").write_text("x")
    inner.chmod(0o500)
    trees.remove(tmp_path / "a")
    assert not (tmp_path / "a").exists()
