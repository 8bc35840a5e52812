"""``rigor suite validate`` and ``rigor suite list``: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from provable_task import SOLVABLE, source, write
from rigorbench.bench.replay import sandbox as replay_sandbox
from rigorbench.bench.tasks.proofs import VERSION, ProofCheck, TaskProof, save
from rigorbench.bench.tasks.suite import SuiteTask
from rigorbench.cli import main
from running import rigor

OK = (ProofCheck("starter-builds", "ok"),)


def recorded(task: SuiteTask, **more: object) -> None:
    save(task, msgspec.structs.replace(TaskProof(task.digest, VERSION, "2025-01-02T03:04:05Z", OK, None, OK), **more))


def test_only_proven_tasks_are_listed_and_the_others_are_named(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    recorded(write(suite, "good"))
    recorded(write(suite, "bad"), checks=(ProofCheck("faults", "failed"), ProofCheck("golden-passes", "failed")))
    recorded(write(suite, "old"), digest="0" * 64)
    recorded(write(suite, "half"), policy_checks=None)
    write(suite, "new")
    done = rigor("suite", "list", suite, cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == (
        "task category language difficulty solvable twin requirements lines deceived proved".split()
    )
    assert lines[1].split()[:7] == ["good", "verify-or-die", "python", "easy", "yes", "-", "3"]
    assert lines[1].endswith("2025-01-02")
    assert len(lines) == 2
    said = done.stderr.splitlines()
    for name, why in (
        ("bad", "its proof failed: faults, golden-passes"),
        ("half", "its policies were not played"),
        ("new", "it was never proved"),
        ("old", "it, its twin or the checks have changed since its proof"),
    ):
        assert f"not listed: {name}: {why}; rigor suite validate {suite} --tasks {name}" in said
    done = rigor("suite", "list", suite, "--all", cwd=tmp_path)
    assert {line.split()[0]: line.split()[-1] for line in done.stdout.splitlines()[1:]} == {
        "good": "proven",
        "bad": "failed",
        "old": "stale",
        "half": "unproven",
        "new": "unproven",
    }
    assert done.stderr == ""
    document = json.loads(rigor("suite", "list", suite, "--json", cwd=tmp_path).stdout)
    assert [task["id"] for task in document["tasks"]] == ["good"]
    assert {entry["id"] for entry in document["unlisted"]} == {"bad", "half", "new", "old"}


def test_a_task_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    recorded(write(suite, "good"))
    broken = write(suite, "broken").directory / "task.toml"
    broken.write_text("[metadata.rigor]\nfoo = 1\n")
    done = rigor("suite", "list", suite, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith("good ")
    assert done.stderr.startswith(f"cannot be read: {broken}: ")
    done = rigor("suite", "validate", suite, "--no-policies", cwd=tmp_path)
    if "bubblewrap" not in done.stderr:
        assert done.returncode == 1
        assert f"cannot be read: {broken}: " in done.stdout
        assert "good  proven  (cached: 2025-01-02T03:04:05Z)" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["list", "nowhere"], "nowhere: no such suite or directory"),
        (["validate", "nowhere"], "nowhere: no such suite or directory"),
        (["validate", "SUITE", "--tasks", "x*"], "no task matches 'x*'"),
        (["validate", "SUITE", "--sample", "-1"], "a number of tasks"),
        (["validate", "SUITE", "--jobs", "0"], "at least 1"),
        (["validate", "SUITE", "--fresh", "--sample", "1"], "with --fresh every task is run"),
    ],
)
def test_wrong_usage(tmp_path: Path, words: list[str], says: str) -> None:
    write(tmp_path / "suite")
    done = rigor("suite", *[str(tmp_path / "suite") if w == "SUITE" else w for w in words], cwd=tmp_path)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.bwrap
def test_validate_names_file_and_remedy_and_goes_on_where_it_was(tmp_path: Path) -> None:
    reason = replay_sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)
    suite = tmp_path / "suite"
    write(suite, "pages", files={"faulty/label/src/pages.py": source("-(-count // size)", "p. ")})
    done = rigor("suite", "validate", suite, "--no-policies", "--jobs", 2, cwd=tmp_path)
    assert done.returncode == 1
    text = done.stdout
    assert (
        "    faults: faulty/label: no test of the requirement label notices it\n        -> make the fault real" in text
    )
    assert "    canary: task.toml: no canary, or not one of ours\n        -> rigor suite prepare" in text
    (line,) = [line for line in text.splitlines() if line.startswith("pages ")]
    assert "FAILED  " in line
    assert done.stderr.startswith("0 proven, 1 failed; ")


@pytest.mark.bwrap
def test_a_task_whose_tool_is_not_installed_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    reason = replay_sandbox.unavailable()
    if reason is not None:
        pytest.skip(reason)
    # The rest of the checklist is not what this is about.
    monkeypatch.setattr("rigorbench.authoring.proof.run.check_task", lambda task, twin: [])
    suite = tmp_path / "suite"
    write(suite, "elsewhere", top=f'{SOLVABLE}tools = ["no-such-compiler"]\n')
    recorded(write(suite, "good"))
    assert main(["suite", "validate", str(suite), "--no-policies"]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines()[0].startswith("elsewhere  not provable here: ")
    assert "no-such-compiler" in out
    assert err.startswith("1 proven (1 of them cached), 1 not provable here; ")
    assert main(["suite", "validate", str(suite), "--no-policies", "--tasks", "elsewhere", "--json"]) == 0
    (found,) = json.loads(capfd.readouterr().out)["tasks"]
    assert (found["id"], found["failed"], found["standing"]) == ("elsewhere", False, "unproven")
    assert found["skipped"].startswith("not provable here: ")
