"""The record of proofs: what it says of a task in which state, where it lies, and that nobody's entry is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from provable_task import SOLVABLE, write
from rigorbench.bench.tasks import proofs
from rigorbench.bench.tasks.proofs import ProofCheck, TaskFault, TaskProof, find_twin, load, save, standing
from rigorbench.bench.tasks.suite import SuiteError, SuiteTask, load_leniently, load_suite
from rigorbench.session.task import TaskError


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


OK = (ProofCheck("starter-builds", "ok"),)


def proof_of(task: SuiteTask, **more: object) -> TaskProof:
    twin = find_twin(task)
    proof = TaskProof(task.digest, proofs.VERSION, "2025-01-02T03:04:05Z", OK, twin.digest if twin else None, OK)
    return msgspec.structs.replace(proof, **more)


def again(task: SuiteTask) -> SuiteTask:
    return load_suite(task.directory).tasks[0]


def test_a_task_is_proven_in_the_state_that_was_proved(tmp_path: Path) -> None:
    task = write(tmp_path / "suite")
    assert standing(task) == "unproven"
    place = save(task, proof_of(task))
    assert place == tmp_path / "suite" / "proofs.json"
    assert standing(task) == "proven"
    (task.directory / "instruction.md").write_text("Something else.\n")
    assert standing(again(task)) == "stale"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"checks": (ProofCheck("faults", "failed", problems=(TaskFault("faulty/a.patch", "no"),)),)}, "failed"),
        ({"policy_checks": (ProofCheck("policies-run", "failed"),)}, "failed"),
        ({"policy_checks": None}, "unproven"),
        ({"checks": (ProofCheck("tools", "skipped", "not provable here"),)}, "unproven"),
        ({"checks": (), "policy_checks": ()}, "unproven"),
        ({"version": proofs.VERSION - 1}, "stale"),
        ({"digest": "0" * 64}, "stale"),
        ({"twin": "0" * 64}, "stale"),
    ],
)
def test_what_is_no_proof(tmp_path: Path, change: dict[str, object], expected: str) -> None:
    task = write(tmp_path / "suite")
    save(task, proof_of(task, **change))
    assert standing(task) == expected


def test_a_proof_holds_only_with_the_twin_that_it_was_made_with(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    one = write(suite, "one", top=f'{SOLVABLE}twin = "other"\n')
    other = write(suite, "other", top=f'{SOLVABLE}twin = "one"\n')
    assert find_twin(one) == other
    save(one, proof_of(one))
    assert standing(one) == "proven"
    (other.directory / "instruction.md").write_text("Something else.\n")
    assert standing(one) == "stale"


@pytest.mark.parametrize(
    "content", ["", "{", '{"schema": "other/1", "tasks": {}}', '{"schema": "rigor-proofs/1", "tasks": []}']
)
def test_a_damaged_record_counts_as_none_and_is_written_anew(tmp_path: Path, content: str) -> None:
    task = write(tmp_path / "suite")
    (tmp_path / "suite" / "proofs.json").write_text(content)
    assert standing(task) == "unproven"
    save(task, proof_of(task))
    assert standing(task) == "proven"


def test_the_record_can_be_read_and_compared_by_people(tmp_path: Path) -> None:
    for name in ("b", "a"):
        task = write(tmp_path / "suite", name)
        save(task, proof_of(task))
    text = (tmp_path / "suite" / "proofs.json").read_text()
    assert list(json.loads(text)["tasks"]) == ["a", "b"]
    assert len(text.splitlines()) > 20
    # Neither the record nor its lock may change what a task's digest is taken of.
    assert sorted(p.name for p in (tmp_path / "suite").iterdir()) == ["proofs.json", "verify-or-die"]
    proofs.prune(tmp_path / "suite", ["a"])
    assert list(json.loads((tmp_path / "suite" / "proofs.json").read_text())["tasks"]) == ["a"]


_SAVE = """
import sys
from pathlib import Path
from rigorbench.bench.tasks.proofs import VERSION, ProofCheck, TaskProof, save
from rigorbench.bench.tasks.suite import load_suite
for directory in sys.argv[1:]:
    task = load_suite(directory).tasks[0]
    ok = (ProofCheck("x", "ok"),)
    save(task, TaskProof(task.digest, VERSION, "now", ok, None, ok))
"""


def test_no_entry_is_lost_when_several_processes_write(tmp_path: Path) -> None:
    tasks = [write(tmp_path / "suite", f"t{n}") for n in range(8)]

    def run(part: list[SuiteTask]) -> int:
        return subprocess.run([sys.executable, "-c", _SAVE, *(str(t.directory) for t in part)], check=True).returncode

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(run, [tasks[n::4] for n in range(4)])) == [0] * 4
    assert {standing(task) for task in tasks} == {"proven"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_an_unwritable_suite_is_recorded_in_the_cache(tmp_path: Path, cache: Path) -> None:
    task = write(tmp_path / "suite")
    (tmp_path / "suite").chmod(0o555)
    try:
        assert cache in save(task, proof_of(task)).parents
        assert standing(task) == "proven"
    finally:
        (tmp_path / "suite").chmod(0o755)


def test_of_both_places_the_one_that_fits_counts(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = write(tmp_path / "suite")
    save(task, proof_of(task, digest="0" * 64))
    write_ = proofs._write

    def refuse(path: Path, entries: object) -> None:
        if cache not in path.parents:
            raise PermissionError(30, "Read-only file system")
        write_(path, entries)  # type: ignore[arg-type]

    monkeypatch.setattr(proofs, "_write", refuse)
    assert cache in save(task, proof_of(task)).parents
    assert load([task])[task.id].digest == task.digest
    assert standing(task) == "proven"


def test_a_task_that_stands_alone_keeps_its_digest(tmp_path: Path, cache: Path) -> None:
    task = write(tmp_path / "alone", category="drafts")
    assert cache in save(task, proof_of(task)).parents
    assert standing(again(task)) == "proven"


def test_a_task_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    good, bad = write(suite, "good"), write(suite, "bad")
    (bad.directory / "task.toml").write_text("= no toml")
    found, problems = load_leniently(str(suite))
    assert [task.id for task in found.tasks] == [good.id]
    assert len(problems) == 1
    assert str(problems[0]).startswith(f"{bad.directory / 'task.toml'}: ")
    with pytest.raises(TaskError):
        load_leniently(str(bad.directory))
    with pytest.raises(SuiteError):
        load_leniently(str(tmp_path / "nowhere"))
    copy = suite / "verify-or-die" / "copy"
    copy.mkdir()
    for name in ("task.toml", "instruction.md"):
        (copy / name).write_bytes((good.directory / name).read_bytes())
    (copy / "task.toml").write_text('id = "good"\n')
    assert any("its id 'good' is also that of" in str(error) for error in load_leniently(str(suite))[1])
