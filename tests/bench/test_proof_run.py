"""Which tasks a validation runs, what it keeps of each, and that one broken task leaves the others alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from provable_task import write
from rigorbench.authoring.proof import run
from rigorbench.authoring.proof.policies import PolicyResult
from rigorbench.authoring.proof.run import TaskVerdict, validate
from rigorbench.bench.tasks import proofs
from rigorbench.bench.tasks.proofs import ProofCheck, TaskFault, load, standing
from rigorbench.bench.tasks.suite import SuiteTask, load_suite
from sources import text_file

OK = [ProofCheck("starter-builds", "ok")]
ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow  # builds, tests and plays whole tasks in sandboxes


class Fake:
    """Instead of sandboxes and engine: notes what is run, and answers as it is told."""

    def __init__(self) -> None:
        self.proved: list[str] = []
        self.played: list[str] = []
        self.checks: dict[str, list[ProofCheck]] = {}
        self.policy_checks: dict[str, tuple[ProofCheck, ...]] = {}
        self.raises: set[str] = set()

    async def prove(self, task: SuiteTask, twin: SuiteTask | None, machine: object) -> list[ProofCheck]:
        self.proved.append(task.id)
        if task.id in self.raises:
            raise RuntimeError("a defect")
        return self.checks.get(task.id, OK)

    def play(self, tasks: Sequence[SuiteTask], jobs: int, done: Callable, step: Callable) -> None:
        for task in tasks:
            self.played.append(task.id)
            step(task.id)
            step(task.id)
            done(PolicyResult(task.id, self.policy_checks.get(task.id, tuple(OK))))

    def ran(self) -> tuple[list[str], list[str]]:
        found = sorted(self.proved), sorted(self.played)
        self.proved, self.played = [], []
        return found


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    found = Fake()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(run, "prove", found.prove)
    monkeypatch.setattr(run, "play", found.play)
    monkeypatch.setattr(run, "check_task", lambda task, twin: [])
    return found


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        write(tmp_path / "suite", name)
    return tmp_path / "suite"


def validated(suite: Path, **options: Any) -> dict[str, TaskVerdict]:
    found = load_suite(suite)
    return {v.id: v for v in validate(found, found.tasks, **{"jobs": 2, **options})}


def test_what_was_proved_is_not_run_again(suite: Path, fake: Fake) -> None:
    assert {v.standing for v in validated(suite).values()} == {"proven"}
    assert fake.ran() == (["a", "b", "c"], ["a", "b", "c"])
    again = validated(suite)
    assert fake.ran() == ([], [])
    assert all(v.cached and v.standing == "proven" for v in again.values())
    (suite / "verify-or-die" / "b" / "instruction.md").write_text("Something else.\n")
    assert validated(suite)["b"].cached is False
    assert fake.ran() == (["b"], ["b"])
    validated(suite, fresh=True)
    assert fake.ran() == (["a", "b", "c"], ["a", "b", "c"])


def test_a_forged_record_of_another_state_is_not_believed(suite: Path, fake: Fake) -> None:
    validated(suite)
    fake.ran()
    task = load_suite(suite).task("a")
    proof = load([task])["a"]
    (task.directory / "instruction.md").write_text("Something else.\n")
    changed = load_suite(suite).task("a")
    proofs.save(changed, proof)
    assert standing(changed) == "stale"
    validated(suite)
    assert fake.ran() == (["a"], ["a"])


def test_a_failed_task_is_run_again_and_keeps_nobody_else_from_being_proved(suite: Path, fake: Fake) -> None:
    problem = TaskFault("faulty/x.patch", "no test notices it", "test it")
    fake.checks["a"] = [ProofCheck("faults", "failed", problems=(problem,))]
    fake.raises.add("b")
    found = validated(suite)
    assert {name: v.standing for name, v in found.items()} == {"a": "failed", "b": "failed", "c": "proven"}
    assert found["b"].proof is not None
    assert found["b"].proof.checks[0].problems[0].what == "the proof broke (RuntimeError: a defect)"
    # Where the proof itself broke there is nothing to play.
    assert fake.ran() == (["a", "b", "c"], ["a", "c"])
    fake.checks, fake.raises = {}, set()
    assert {v.standing for v in validated(suite).values()} == {"proven"}
    assert fake.ran() == (["a", "b"], ["a", "b"])


def test_policies_are_played_once_the_rest_is_proved(suite: Path, fake: Fake) -> None:
    assert {v.standing for v in validated(suite, policies=False).values()} == {"unproven"}
    assert fake.ran() == (["a", "b", "c"], [])
    fake.policy_checks["c"] = (ProofCheck("policies-separated", "failed"),)
    assert validated(suite)["c"].failed
    assert fake.ran() == ([], ["a", "b", "c"])
    fake.policy_checks = {}
    assert validated(suite)["c"].standing == "proven"
    assert fake.ran() == ([], ["c"])
    # Proving all but the policies anew does not lose what is known of them.
    assert validated(suite, policies=False, fresh=True)["c"].standing == "proven"


def test_samples_are_chosen_by_the_seed(suite: Path, fake: Fake) -> None:
    validated(suite)
    fake.ran()
    found = validated(suite, sample=2, seed="monday")
    chosen = fake.ran()
    assert len(chosen[0]) == 2
    assert chosen[0] == chosen[1] == sorted(name for name, v in found.items() if v.sampled)
    validated(suite, sample=2, seed="monday")
    assert fake.ran() == chosen
    picks = []
    for day in range(12):
        validated(suite, sample=1, seed=str(day))
        picks += fake.ran()[0]
    assert set(picks) == {"a", "b", "c"}


def test_a_sample_that_fails_takes_the_record_with_it(suite: Path, fake: Fake) -> None:
    validated(suite)
    fake.checks = {name: [ProofCheck("faults", "failed")] for name in "abc"}
    found = validated(suite, sample=1)
    failed = next(v for v in found.values() if v.sampled)
    assert failed.failed
    assert standing(load_suite(suite).task(failed.id)) == "failed"


def test_what_cannot_be_proved_here_is_skipped_and_not_recorded(suite: Path, fake: Fake) -> None:
    fake.checks["a"] = [ProofCheck("tools", "skipped", "not provable here: cargo is not installed")]
    found = validated(suite)
    assert found["a"].skipped == "not provable here: cargo is not installed"
    assert not found["a"].failed
    assert fake.ran() == (["a", "b", "c"], ["b", "c"])
    assert load([load_suite(suite).task("a")]) == {}


def test_a_record_that_cannot_be_written_is_told(suite: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(proofs, "_write", refuse)
    assert validated(suite)["a"].unsaved == "the record cannot be written (Permission denied)"


_KILLED = text_file("proof_run.killed.txt")


def test_a_killed_validation_leaves_what_was_done(suite: Path, fake: Fake) -> None:
    with subprocess.Popen([sys.executable, "-c", _KILLED, str(suite)], env={**os.environ}) as process:
        deadline = time.monotonic() + 30
        while not (suite / "proofs.json").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
    assert list(load(load_suite(suite).tasks)) == ["a"]
    validated(suite)
    assert fake.ran() == (["b", "c"], ["a", "b", "c"])


DISCIPLINED = text_file("proof_run.disciplined.toml")
RECKLESS = """\
[[turn]]
[[turn.call]]
tool = "edit"
path = "src/pages.py"
old = "no such line"
new = "another"
[[turn]]
text = "Done, everything works."
"""


@pytest.mark.bwrap
def test_policies_are_played_from_end_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv("RIGOR_DEBUG", "1")
    files = {"policies/disciplined.toml": DISCIPLINED, "policies/reckless.toml": RECKLESS}
    task = write(tmp_path / "suite", files=files)
    from rigorbench.authoring.proof.policies import play

    results: list[PolicyResult] = []
    steps: list[str] = []
    play([task], 2, results.append, steps.append)
    assert steps == ["pages", "pages"]
    (result,) = results
    found = {check.name: check for check in result.checks}
    assert found["policies-run"].status == "ok"
    assert [str(p) for p in found["policies-apply"].problems] == [
        "policies/reckless.toml: call 1 (edit_file) failed: src/pages.py: the text to replace occurs 0 times, not "
        "once.; every edit must apply and every program must exist"
    ]
    assert found["policies-outcome"].status == "ok"
    assert (result.plays["disciplined"].solved, result.plays["reckless"].solved) == (True, False)
    # It wrote no test, and met no error: VC and RE cannot be told, and a check says why.
    assert found["policies-scored"].status == "failed"
    assert any("/tests" not in p.what and "RE/f(RAC) is " in p.what for p in found["policies-scored"].problems)
    assert found["policies-separated"].status == "failed"
    assert result.seconds > 0
