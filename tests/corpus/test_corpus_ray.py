"""Ray gives what processes give, on a cluster of our own and on one that is there; and it leaves nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path

import pytest
from corpora_of_samples import NOT_A_LOG, corpus, parts, score

from rigorbench.bench.corpus import executors
from rigorbench.bench.corpus.executors import ExecutorError
from rigorbench.bench.corpus.scoring import CorpusOptions, Order, ScoringWork

# Not importorskip: what a cluster of our own needs must be known before Ray is imported.
pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install '.[ray]'"),
    pytest.mark.slow,  # starts a cluster
]

RIGOR = [sys.executable, "-c", "import sys; from rigorbench.cli import main; sys.exit(main())"]


@pytest.fixture(scope="module")
def cluster():
    """One small cluster for all tests here; when it is gone, so is everything of it."""
    kept = dict(os.environ)
    with executors._cluster(1, None) as ray:
        session = Path(ray._private.worker._global_node.get_session_dir_path()).parent
        pids = descendants()
        yield ray
    assert pids
    assert [pid for pid in pids if "ray" in command_line(pid)] == []
    assert not session.exists()
    os.environ.clear()
    os.environ.update(kept)


def descendants(pid: int | None = None) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid or os.getpid()}/task").glob("*/children"):
        for child in task.read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def listening(pid: int) -> set[str]:
    """The addresses (in the kernel's digits) on which a process listens."""
    inodes = set()
    try:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            inodes.add(os.readlink(link).removeprefix("socket:[").removesuffix("]"))
    except OSError:
        return set()
    found = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                found.add(fields[1].rsplit(":", 1)[0])
    return found


def test_it_gives_the_files_that_processes_give(tmp_path: Path, cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = corpus(tmp_path / "logs", 19)
    (logs / "005b.jsonl").write_text(NOT_A_LOG)
    paths = [str(p) for p in sorted(logs.iterdir())]
    score(paths, tmp_path / "processes", jobs=1, part=7)
    monkeypatch.setattr(executors, "_cluster", lambda jobs, address: nullcontext(cluster))
    summary = score(paths, tmp_path / "ray", executor="ray", part=7)
    assert (summary.scored, summary.failed) == (19, 1)
    assert parts(tmp_path / "ray") == parts(tmp_path / "processes")


def test_a_log_that_kills_its_worker_costs_only_itself(tmp_path: Path, cluster) -> None:
    logs = sorted(corpus(tmp_path / "logs", 3).iterdir())
    crew = executors._Workers(cluster, ScoringWork(CorpusOptions(), ""))

    def deadly(work: ScoringWork, batch: list[Order]):
        if any("/001-" in order.path for order in batch):
            os._exit(3)
        return executors._score(work, batch)

    crew.task = cluster.remote(**executors._OPTIONS)(deadly)
    batch = [Order(str(p)) for p in logs]
    found = crew.finish(crew.start(batch), batch)
    assert [o.kind for o in found] == ["scores", "failures", "scores"]
    assert "the process that read it died (WorkerCrashedError)" in found[1].rows[0][-2]


def test_a_worker_of_another_version_stops_it(cluster) -> None:
    crew = executors._Workers(cluster, ScoringWork(CorpusOptions(), ""))
    crew.task = cluster.remote(**executors._OPTIONS)(lambda work, batch: ("0.0.1", []))
    with pytest.raises(ExecutorError, match=r"a worker has rigorbench 0\.0\.1, this is .*; install the same on all"):
        crew.finish(crew.start([]), [])


def test_a_worker_without_rigorbench_stops_it(cluster) -> None:
    def lacking(work, batch):
        raise ModuleNotFoundError("No module named 'rigorbench'")

    crew = executors._Workers(cluster, ScoringWork(CorpusOptions(), ""))
    crew.task = cluster.remote(**executors._OPTIONS)(lacking)
    with pytest.raises(ExecutorError, match=r"No module named 'rigorbench'.*install rigorbench there"):
        crew.finish(crew.start([]), [])


def test_a_running_cluster_serves_another_process(tmp_path: Path, cluster) -> None:
    logs = corpus(tmp_path / "logs", 3)
    address = cluster.get_runtime_context().gcs_address
    command = [*RIGOR, "corpus", str(logs), "--out", str(tmp_path / "out"), "--executor", "ray", "--json"]
    command += ["--ray-address", address]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scored"] == 3
    assert cluster.is_initialized()
    score(logs, tmp_path / "processes", jobs=1)
    assert parts(tmp_path / "out") == parts(tmp_path / "processes")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_it_listens_on_loopback_only_and_reports_to_nobody(cluster) -> None:
    from ray._common.usage.usage_lib import usage_stats_enabled

    loopback = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}
    found = {address for pid in (os.getpid(), *descendants()) for address in listening(pid)}
    assert found
    assert found <= loopback
    assert not usage_stats_enabled()


def test_no_cluster_there_is_one_line(tmp_path: Path) -> None:
    logs = corpus(tmp_path / "logs", 1)
    command = [*RIGOR, "corpus", str(logs), "--out", str(tmp_path / "out"), "--executor", "ray"]
    command += ["--ray-address", "127.0.0.1:1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "rigor corpus: no Ray cluster on 127.0.0.1:1 (" in done.stderr
    assert "Traceback" not in done.stderr
