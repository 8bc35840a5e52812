"""The server is killed at random moments, with submissions under way: each that was accepted gets one verdict."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

import pytest
from judge_server_fakes import Http, until

from rigorbench.judge.server.owner import records
from rigorbench.judge.server.store import SubmissionStore
from sources import text_file

HERE = Path(__file__).parent
# One process that has everything imported, and begets a server for each line that it reads: restarts are cheap.
NURSERY = text_file("judge_server_killed.nursery.txt")


class Killed:
    """A server that is killed and started again."""

    def __init__(self, data: Path, path: Path) -> None:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])}
        command = [sys.executable, "-c", NURSERY, str(data), str(path)]
        self.nursery = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.url = f"unix:{path}"
        self.pid = 0

    def start(self) -> None:
        self.nursery.stdin.write("\n")
        self.nursery.stdin.flush()
        self.pid = int(self.nursery.stdout.readline())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        until(self._gone)

    def _gone(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        return False


@contextmanager
def killed(data: Path, path: Path) -> Iterator[Killed]:
    server = Killed(data, path)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        server.nursery.stdin.close()
        server.nursery.wait()


@pytest.mark.parametrize(("kills", "submissions"), [(6, 60), pytest.param(40, 300, marks=pytest.mark.slow)])
def test_every_accepted_submission_gets_exactly_one_verdict(tmp_path: Path, kills: int, submissions: int) -> None:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    data = tmp_path / "data"
    with killed(data, tmp_path / "s.sock") as server:
        until(lambda: _answers(server.url))
        store = SubmissionStore(data)
        from rigorbench.judge.server import Token

        tokens = [store.issue(Token(f"run-{n}", "sum", None, "tests")) for n in range(5)]
        accepted: dict[int, int] = {}
        seen: dict[int, str] = {}

        def submit(n: int) -> None:
            http = Http(server.url, tokens[n % 5])
            accepted[n] = until(lambda: _submitted(http, n))

        def look() -> None:
            """Verdicts as they are shown: they must not change afterwards."""
            for n, number in list(accepted.items()):
                found = _status(Http(server.url, tokens[n % 5]), number)
                if found is not None and found["over"]:
                    verdict = str(found["details"])
                    assert seen.setdefault(number, verdict) == verdict, f"seed {seed}"

        done = threading.Event()

        def disturb() -> None:
            for _ in range(kills):
                time.sleep(chance.uniform(0.0, 0.08))
                server.kill()
                server.start()
                look()
            done.set()

        with ThreadPoolExecutor(8) as pool:
            chaos = pool.submit(disturb)
            list(pool.map(submit, range(submissions)))
            chaos.result()
        until(lambda: all(r.state == "done" for r in records(store)))
        until(lambda: look() or len(seen) == submissions)
        found = records(store)
        assert len(set(accepted.values())) == submissions, f"seed {seed}"
        assert sorted(r.id for r in found) == sorted(accepted.values()), f"seed {seed}"
        by_id = {r.id: r for r in found}
        for n, number in accepted.items():
            assert (by_id[number].submission.root / "main").read_text() == f"code {n}", f"seed {seed}"
        store.close()


def _answers(url: str) -> bool:
    try:
        return Http(url).raw("GET", "/health")[0] == 200
    except (OSError, HTTPException):
        return False


def _submitted(http: Http, n: int) -> int | None:
    try:
        status, found = http.submit(f"code {n}", key=f"key-{n}")
    except (OSError, HTTPException, ValueError):
        return None
    return int(found["id"]) if status == 201 else None


def _status(http: Http, number: int) -> dict[str, object] | None:
    try:
        status, found = http.json("GET", f"/submission/{number}")
    except (OSError, HTTPException, ValueError):
        return None
    # Once it was promised, it is known.
    assert status == 200
    return dict(found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_lock_of_a_killed_server_is_free(tmp_path: Path) -> None:
    with killed(tmp_path / "data", tmp_path / "s.sock") as server:
        until(lambda: _answers(server.url))
        server.kill()
        assert not _answers(server.url)
        server.start()
        until(lambda: _answers(server.url))
