"""Tasks in Harbor's layout: what is refused, and that tests and solution run the way Harbor runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from rigorbench.authoring.harbor import check_task, write_generic
from rigorbench.base.data import data_path
from rigorbench.bench.tasks.workspace import build_repository
from rigorbench.cli import main
from rigorbench.session.task import load_task
from sources import text_file

TASKS = sorted(path.parent for path in data_path("suites").glob("rigor/*/*/task.toml"))
# One task of each category that can be done, with Python alone.
FIRST = list(
    {
        directory.parent: directory
        for directory in reversed(TASKS)
        if (task := load_task(directory / "task.toml")).solvable == "yes" and not task.tools
    }.values()
)
TRIAL = Path(__file__).resolve().parents[1] / "data" / "atif" / "job" / "fix-parser__Ab12Cd"

GOOD = text_file("harbor.good.toml")

SOLUTION = """\
--- a/src/tally.py
+++ b/src/tally.py
@@ -1,2 +1,2 @@
 def total(values):
-    return 0
+    return sum(values)
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    directory = tmp_path / "tally"
    files = {
        "task.toml": GOOD,
        "instruction.md": "Make the total right.\n",
        "environment/repo/src/tally.py": "def total(values):\n    return 0\n",
        # A repository that would sabotage a careless test run.
        "environment/repo/conftest.py": "raise SystemExit('the grader ran the code of the repository')\n",
        "environment/repo/pytest.py": "raise SystemExit('no pytest at all')\n",
        "environment/repo/pytest.ini": "[pytest]\naddopts = --nonsense\n",
        "tests/test_hidden.py": (
            "from tally import total\n\ndef test_empty():\n    assert total([]) == 0\n\n"
            "def test_some():\n    assert total([1, 2]) == 3\n"
        ),
        "solution/solution.patch": SOLUTION,
    }
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    wanted = ["environment/build_repo.py", "environment/Dockerfile", "tests/test.sh", "solution/solve.sh"]
    assert write_generic(directory) == wanted
    return directory


def test_a_completed_task_is_valid_and_completing_it_again_writes_nothing(task: Path) -> None:
    assert check_task(task) == []
    assert write_generic(task) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"1.4"', '"1.0"', "schema_version: Invalid enum value '1.0'"),
        ('schema_version = "1.4"', 'version = "1.4"', "version: unknown key; allowed are schema_version"),
        ('"rigorbench/tally"', '"tally"', "task.name: Expected `str` matching regex"),
        ('"rigorbench/tally"', '"rigorbench/a..b"', "task.name: expected ORG/NAME"),
        ("timeout_sec = 3600.0", 'timeout_sec = "3600"', "agent.timeout_sec: Expected `float | null`, got `str`"),
        ("timeout_sec = 3600.0", "timeout_sec = 0", "agent.timeout_sec: Expected `float` > 0"),
        ("timeout_sec = 3600.0", "timeout_sec = nan", "agent.timeout_sec: Expected `float` > 0"),
        ("timeout_sec = 600", "timeout = 600", "verifier.timeout: unknown key"),
        ("memory_mb = 2048", "memory_mb = 2048.5", "environment.memory_mb: Expected `int | null`, got `float`"),
        ("memory_mb = 2048", "allow_internet = false", "environment.allow_internet: unknown key; allowed are network"),
        ("cpus = 1", "cpus = true", "environment.cpus: Expected `float | null`, got `bool`"),
        ("cpus = 1", 'network_mode = "none"', "environment.network_mode: Invalid enum value 'none'"),
        ("cpus = 1", 'allowed_hosts = ["a.b"]', "environment.allowed_hosts: only with network_mode"),
        ("cpus = 1", "env = { A = 1 }", "environment.env[...]: Expected `str`, got `int`"),
        ("cpus = 1", "healthcheck = { retries = 1 }", "environment.healthcheck: Object missing required field"),
        ('schema_version = "1.4"', 'schema_version = "1.4"\nartifacts = [1]', "artifacts[0]: Expected"),
        ("[agent]", "[agents]", "agents: unknown key"),
        ("[agent]", "[[agent]]", "agent: Expected"),
        ("[verifier]", "[verifier.environment]\ncpu = 1\n[verifier]", "verifier.environment.cpu: unknown key"),
        ('schema_version = "1.4"', "schema_version = ", "task.toml: Invalid value"),
        ('schema_version = "1.4"', 'schema_version = "1.4"\nsteps = [{ name = "a" }]', "steps: a task of several"),
    ],
)
def test_a_fault_in_the_task_file_is_one_line(task: Path, old: str, new: str, complaint: str) -> None:
    assert old in GOOD
    (task / "task.toml").write_text(GOOD.replace(old, new, 1))
    problems = check_task(task)
    assert any(complaint in problem and "\n" not in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("task.toml", None, "task.toml: No such file"),
        ("instruction.md", " \n", "instruction.md: missing or empty"),
        ("environment/Dockerfile", None, "Dockerfile: missing, and task.toml names no docker_image"),
        ("environment/Dockerfile", "RUN build_repo.py\n", "Dockerfile: has no FROM"),
        ("environment/Dockerfile", "FROM x\n", "does not run build_repo.py"),
        ("environment/build_repo.py", None, "build_repo.py: missing; write it with"),
        ("environment/build_repo.py", "x = 1\n", "build_repo.py: differs from rigorbench's own"),
        ("tests/test.sh", None, "test.sh: missing"),
        ("tests/test.sh", "#!/bin/sh\npytest\n", "test.sh: writes neither /logs/verifier/reward.txt nor"),
        ("tests/test.sh", "echo 1 > /logs/verifier/reward.txt\n", "test.sh: its first line names no interpreter"),
        ("solution/solve.sh", None, "solve.sh: missing"),
        ("solution/solve.sh", "#!/bin/sh\r\ntrue\r\n", "solve.sh: has carriage returns"),
        ("tests/.harborignore", "test.sh\n", ".harborignore: hides test.sh"),
    ],
)
def test_a_fault_in_the_layout_names_the_file(task: Path, file: str, text: str | None, complaint: str) -> None:
    path = task / file
    if text is None:
        path.unlink()
    else:
        path.write_bytes(text.encode())
    (problem,) = check_task(task)
    assert complaint in problem


def test_a_link_out_of_the_task_is_refused(task: Path) -> None:
    (task / "tests" / "data").symlink_to("/etc")
    assert check_task(task) == [f"{task / 'tests' / 'data'}: a link that leads out of the task"]
    (task / "tests" / "data").unlink()
    (task / "tests" / "data").symlink_to("../instruction.md")
    assert check_task(task) == []


def test_the_command_completes_and_checks(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (task / "solution" / "solve.sh").unlink()
    assert check_task(task) == [f"{task / 'solution' / 'solve.sh'}: missing"]
    assert main(["suite", "prepare", str(task)]) == 0
    assert str(task / "solution" / "solve.sh") in capsys.readouterr().out
    assert check_task(task) == []
    (task / "environment" / "Dockerfile").write_text("RUN true\n")
    assert main(["suite", "prepare", str(task)]) == 1
    assert "Dockerfile: has no FROM" in capsys.readouterr().err


@pytest.fixture(scope="module")
def bwrap() -> str:
    """Path of a bubblewrap that works here."""
    program = shutil.which("bwrap")
    if program is None:
        pytest.skip("bubblewrap is not installed")
    if subprocess.run([sys.executable, "-I", "-c", "import pytest"], capture_output=True, check=False).returncode:
        pytest.skip("pytest is not installed for this interpreter itself, only on PYTHONPATH")
    probe = subprocess.run(
        [program, "--unshare-all", "--ro-bind", "/", "/", "true"], capture_output=True, text=True, check=False
    )
    if probe.returncode:
        pytest.skip(f"bubblewrap does not run here: {probe.stderr.strip()}")
    return program


def in_harbor(bwrap: str, task: Path, repository: Path, script: str, logs: Path) -> subprocess.CompletedProcess[str]:
    """Run a script of the task as Harbor does: tests at /tests, solution at /solution, in the repository."""
    binds = ["--tmpfs", "/tmp"]  # first: this checkout may lie below it
    for name in ("usr", "bin", "sbin", "lib", "lib64", "etc"):
        binds += ["--ro-bind-try", f"/{name}", f"/{name}"]
    # This interpreter and its pytest stand in for the image's.
    for place in {sys.prefix, sys.base_prefix, sysconfig.get_path("purelib")}:
        if not place.startswith("/usr"):
            binds += ["--ro-bind", place, place]
    copy = logs.parent / "uploaded"
    shutil.rmtree(copy, ignore_errors=True)
    for name in ("tests", "solution"):
        shutil.copytree(task / name, copy / name)
        binds += ["--bind", str(copy / name), f"/{name}"]
    # Harbor makes the script executable before it runs it.
    (copy / script.lstrip("/")).chmod(0o755)
    command = [bwrap, "--unshare-all", "--die-with-parent", *binds, "--dev", "/dev", "--proc", "/proc"]
    command += ["--bind", str(repository), "/repository", "--bind", str(logs), "/logs/verifier"]
    command += ["--chdir", "/repository", "--setenv", "HOME", "/tmp"]
    command += ["--setenv", "PATH", f"{Path(sys.executable).parent}:/usr/bin:/bin", script]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def rewards(bwrap: str, task: Path, repository: Path, logs: Path) -> dict[str, float]:
    logs.mkdir(exist_ok=True)
    (logs / "reward.json").unlink(missing_ok=True)
    done = in_harbor(bwrap, task, repository, "/tests/test.sh", logs)
    assert done.returncode == 0, done.stderr
    found: dict[str, float] = json.loads((logs / "reward.json").read_text())
    return found


@pytest.mark.bwrap
@pytest.mark.slow  # runs the tests of a task twice in a sandbox
def test_harbors_oracle_earns_the_reward_and_the_starter_does_not(bwrap: str, task: Path, tmp_path: Path) -> None:
    build_repository(task, tmp_path / "work")
    assert rewards(bwrap, task, tmp_path / "work", tmp_path / "logs") == {"reward": 0, "pass_rate": 0.5}
    solved = in_harbor(bwrap, task, tmp_path / "work", "/solution/solve.sh", tmp_path / "logs")
    assert solved.returncode == 0, solved.stderr
    assert rewards(bwrap, task, tmp_path / "work", tmp_path / "logs") == {"reward": 1, "pass_rate": 1.0}


@pytest.mark.bwrap
def test_tests_that_cannot_even_be_collected_earn_nothing(bwrap: str, task: Path, tmp_path: Path) -> None:
    build_repository(task, tmp_path / "work")
    (tmp_path / "work/src/tally.py").write_text("def total(:\n")
    assert rewards(bwrap, task, tmp_path / "work", tmp_path / "logs") == {"reward": 0, "pass_rate": 0.0}


@pytest.mark.bwrap
@pytest.mark.slow  # two test runs a task, so only one task of each category
@pytest.mark.parametrize("directory", FIRST, ids=lambda path: path.name)
def test_harbors_oracle_earns_the_reward_on_our_tasks(bwrap: str, directory: Path, tmp_path: Path) -> None:
    build_repository(directory, tmp_path / "work")
    before = rewards(bwrap, directory, tmp_path / "work", tmp_path / "logs")
    solved = in_harbor(bwrap, directory, tmp_path / "work", "/solution/solve.sh", tmp_path / "logs")
    assert solved.returncode == 0, solved.stderr
    assert before["reward"] == 0
    assert rewards(bwrap, directory, tmp_path / "work", tmp_path / "logs") == {"reward": 1, "pass_rate": 1.0}


def test_a_finished_job_is_scored_one_session_a_trial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = tmp_path / "job"
    for name in ("tally__a", "tally__b"):
        shutil.copytree(TRIAL, job / name)
        result = json.loads((job / name / "result.json").read_text())
        (job / name / "result.json").write_text(json.dumps({**result, "trial_name": name}))
    # What Harbor writes about the whole job is no session.
    (job / "result.json").write_text(json.dumps({"id": "x", "n_total_trials": 2, "stats": {}}))
    (job / "config.json").write_text(json.dumps({"job_name": "job", "agents": [{"name": "claude-code"}]}))
    assert main(["score", str(job), "--json"]) == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(reports) == 2
    assert all(report["schema"] == "rigor-score/2" for report in reports)
    scored = {Path(report["trajectory"]["source"]).relative_to(job).parts[0] for report in reports}
    assert scored == {"tally__a", "tally__b"}
