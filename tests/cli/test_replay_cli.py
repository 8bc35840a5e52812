"""`rigor score LOG --repo CLONE`: a clone re-run end to end, and what is said when it cannot be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rigorbench.replay import sandbox

ROOT = Path(__file__).resolve().parents[2]
START = "2026-01-05T10:00:00Z"
CODE = "def total(items):\n    return sum(items)\n\n\ndef largest(items):\n    return max(items)\n"
TESTS = "from shop import core\n\n\ndef test_total():\n    assert core.total([1, 2]) == 3\n"
MEAN = "\n\ndef mean(items):\n    if not items:\n        return 0\n    return total(items) / len(items)\n"
TESTED = "\n\ndef test_mean():\n    assert core.mean([1, 3]) == 2\n    assert core.mean([]) == 0\n"
REPLAYED = ("BH", "TS", "TCR", "dC")

bwrap = pytest.mark.skipif(sandbox.unavailable() is not None, reason=str(sandbox.unavailable()))


def git(repo: Path, *words: str) -> str:
    env = {**os.environ, "GIT_AUTHOR_DATE": START, "GIT_COMMITTER_DATE": START, "GIT_CONFIG_GLOBAL": os.devnull}
    command = ["git", "-C", str(repo), "-c", "user.name=T", "-c", "user.email=t@example.com", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    repo = tmp_path / "clone"
    for name, text in {"shop/__init__.py": "", "shop/core.py": CODE, "tests/test_core.py": TESTS}.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text(text)
    git(repo, "init", "-q", "-b", "main")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "start")
    return repo


class Log:
    """A Claude Code session, call by call."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self._add("user", "Add a mean to shop/core.py, with tests.")

    def _add(self, role: str, content: object, **rest: Any) -> None:
        inner = {"role": role, "content": content, **({"model": "claude"} if role == "assistant" else {})}
        self.records.append({"type": role, "message": inner, **rest})

    def call(self, name: str, outcome: object = None, text: str = "done", **arguments: Any) -> Log:
        key = f"t{len(self.records)}"
        self._add("assistant", [{"type": "tool_use", "id": key, "name": name, "input": arguments}])
        block = {"type": "tool_result", "tool_use_id": key, "content": text, "is_error": False}
        self._add("user", [block], toolUseResult=outcome)
        return self

    def edit(self, path: str, old: str, new: str) -> Log:
        where = f"/home/dev/shop/{path}"
        return self.call("Edit", {"filePath": where}, file_path=where, old_string=old, new_string=new)

    def bash(self, command: str, output: str) -> Log:
        return self.call("Bash", {"stdout": output, "stderr": "", "interrupted": False}, output, command=command)

    def save(self, path: Path) -> Path:
        self._add("assistant", [{"type": "text", "text": "The mean is there and tested."}])
        common = {
            "sessionId": "s",
            "cwd": "/home/dev/shop",
            "version": "2.1.0",
            "gitBranch": "main",
            "isSidechain": False,
        }
        lines = []
        for n, record in enumerate(self.records):
            about = {
                "uuid": f"u{n}",
                "parentUuid": f"u{n - 1}" if n else None,
                "timestamp": f"2026-01-05T11:00:{n:02d}Z",
            }
            lines.append(json.dumps({**common, **about, **record}))
        path.write_text("\n".join(lines) + "\n")
        return path


def mean_log() -> Log:
    log = Log().edit("shop/core.py", "    return max(items)\n", "    return max(items)\n" + MEAN)
    log.bash("python -m pytest -q", "1 passed in 0.01s")
    log.edit("tests/test_core.py", "== 3\n", "== 3\n" + TESTED).bash("python -m pytest -q", "2 passed in 0.01s")
    return log


def score(log: Path, repo: Path, cache: Path, **env: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The whole document, and its replayed sub-metrics."""
    start = "import sys; from rigorbench.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "score", str(log), "--repo", str(repo), "--json"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "XDG_CACHE_HOME": str(cache), **env}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    found = {
        name: sub for pillar in document["benchmark"]["pillars"].values() for name, sub in pillar["submetrics"].items()
    }
    return document, {name: found[name] for name in REPLAYED}


@bwrap
def test_builds_tests_coverage_and_mutants_are_run_again(clone: Path, tmp_path: Path) -> None:
    log = mean_log().save(tmp_path / "session.jsonl")
    before = git(clone, "status", "--porcelain", "--ignored")
    document, found = score(log, clone, tmp_path / "cache")
    values = {name: (s["value"], s["status"], s["method"]) for name, s in found.items()}
    assert values == dict.fromkeys(REPLAYED, (1.0, "scored", "replayed"))
    assert found["BH"]["n"] == 2
    assert document["benchmark"]["rigor_score"] is not None
    assert git(clone, "status", "--porcelain", "--ignored") == before, "the clone was written to"
    assert score(log, clone, tmp_path / "cache")[0] == document, "the cache changes nothing"


@bwrap
def test_a_real_session_on_its_repository(shared_data: Path, tmp_path: Path) -> None:
    script = shared_data.parent / "tools" / "fakemodel" / "make_task.sh"
    source = shared_data / "cli" / "codex" / "disciplined"
    if not script.is_file():
        pytest.skip("the script that makes the session's repository is not here")
    history = (source / "git-log.txt").read_text()
    date = re.findall(r"^date (.*)$", history, re.MULTILINE)[-1]
    repo = tmp_path / "repo"
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["bash", str(script), str(repo)], check=True, env=env, capture_output=True)
    assert git(repo, "rev-parse", "HEAD") == re.findall(r"^commit (.*)$", history, re.MULTILINE)[-1]
    (log,) = (source / "session").rglob("*.jsonl")
    _, found = score(log, repo, tmp_path / "cache")
    assert {n: (found[n]["value"], found[n]["method"], found[n]["n"]) for n in ("BH", "TS", "TCR")} == {
        "BH": (1.0, "replayed", 4),
        "TS": (1.0, "replayed", 4),
        # A function, and the expression that it uses: no test of the session fails when that alone is reverted.
        "TCR": (0.5, "replayed", 2),
    }
    # Its tests failed at the start, but they ran every line that was changed.
    assert found["dC"]["status"] == "not_applicable"
    assert "already cover" in found["dC"]["reason"]


def not_replayed(document: dict[str, Any], found: dict[str, dict[str, Any]], reason: str) -> None:
    """Nothing counts as replayed, each sub-metric says why in one line, and the log is scored as without a clone."""
    for name, sub in found.items():
        assert sub["method"] != "replayed"
        assert reason in sub["reason"], name
        assert "\n" not in sub["reason"]
    assert any(p["status"] == "scored" for p in document["benchmark"]["pillars"].values())


def test_a_clone_without_the_start_commit(tmp_path: Path, clone: Path) -> None:
    (rollout,) = (ROOT / "tests" / "data" / "codex").glob("rollout-2026-11-21T21-12-55-*.jsonl")
    text = rollout.read_text()
    commit = re.search(r'"commit_hash":"(\w+)"', text)
    assert commit is not None
    not_replayed(
        *score(rollout, clone, tmp_path / "cache"), f"does not have the session's start commit {commit[1][:12]}"
    )


def test_a_session_from_before_the_first_commit(tmp_path: Path, clone: Path) -> None:
    log = mean_log().save(tmp_path / "session.jsonl")
    log.write_text(log.read_text().replace("2026-01-05T11", "2026-01-05T09"))
    not_replayed(*score(log, clone, tmp_path / "cache"), "the clone has no commit from before the session")


def test_a_directory_that_is_no_repository(tmp_path: Path) -> None:
    log = mean_log().save(tmp_path / "session.jsonl")
    plain = tmp_path / "plain"
    plain.mkdir()
    found = score(log, plain, tmp_path / "cache", GIT_CEILING_DIRECTORIES=str(tmp_path))
    not_replayed(*found, f"{plain}: not a git work tree")


def test_without_bubblewrap_the_remedy_is_named(tmp_path: Path, clone: Path) -> None:
    log = mean_log().save(tmp_path / "session.jsonl")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "git").symlink_to(shutil.which("git") or "git")
    not_replayed(*score(log, clone, tmp_path / "cache", PATH=str(programs)), "apt install bubblewrap")


def test_edits_that_cannot_be_rebuilt_are_named_by_their_step(tmp_path: Path, clone: Path) -> None:
    log = Log().edit("shop/core.py", "return max(items)", "return max(list(items))")
    log.bash("python -m pytest -q", "1 passed in 0.01s").bash("git pull --rebase", "Updating 1..2")
    log.edit("shop/core.py", "return sum(items)", "return sum(list(items))")
    found = score(log.save(tmp_path / "session.jsonl"), clone, tmp_path / "cache")
    not_replayed(*found, "cannot be rebuilt exactly: step 3 (git pull --rebase)")
