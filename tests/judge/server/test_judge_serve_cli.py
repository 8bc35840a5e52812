"""``rigor judge serve``, and the client of agents."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from judge_server_fakes import Http, Serve, problem, until

from rigorbench.cli import main
from rigorbench.judge.client import CLIENT_FILE

PACKAGE = Path(__file__).parents[1] / "packages" / "sum"


def test_tokens_are_issued_beside_a_server_and_results_are_told(
    serve: Serve, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server = serve(problem(budget=3), problem("other"))
    data = ["--data", str(tmp_path / "data")]
    assert main(["judge", "serve", *data, "--issue", "it's", "--problem", "sum", "--budget", "2"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[:2] == [f"export RIGOR_OJ_URL={server.url}", "export RIGOR_OJ_PROBLEM=sum"]
    token = lines[2].removeprefix("export RIGOR_OJ_TOKEN=")
    http = Http(server.url, token)
    http.finished(http.submit("wrong")[1]["id"])
    assert http.json("GET", "/submission")[1]["budget"] == {"limit": 2, "used": 1, "remaining": 1}
    assert main(["judge", "serve", *data, "--results", "--run", "it's"]) == 0
    (record,) = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert (record["state"], record["counted"], record["judgement"]["verdict"]) == ("done", True, "wrong_answer")
    assert (Path(record["submission"]["root"]) / "main").read_text() == "wrong"
    assert main(["judge", "serve", *data, "--results", "--run", "nobody"]) == 0
    assert capfd.readouterr().out == ""
    server.close()
    assert main(["judge", "serve", *data, "--issue", "run", "--problem", "other", "--json"]) == 0
    captured = capfd.readouterr()
    assert json.loads(captured.out)["RIGOR_OJ_URL"] is None
    assert "no server runs on this directory" in captured.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give the packages to serve"),
        (["--issue", "r", "--results"], "not both"),
        (["--issue", "r"], "--issue needs --problem"),
        (["--issue", "r", "--problem", "x"], "no judge has used this directory yet"),
        (["--results"], "no judge has used this directory yet"),
        (["no-such-package"], "no-such-package"),
        (["--suite", "no-such-suite"], "no-such-suite"),
        ([str(PACKAGE), str(PACKAGE)], "the same id"),
        ([str(PACKAGE), "--results"], "take no packages"),
    ],
)
def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert main(["judge", "serve", "--data", str(tmp_path / "d"), *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert len(captured.err.splitlines()) == 1


def test_the_client_is_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "oj_client.py"
    assert main(["judge", "serve", "--client", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{copy}\n"
    assert copy.read_bytes() == CLIENT_FILE.read_bytes()
    assert os.access(copy, os.X_OK)
    assert main(["judge", "serve", "--client", str(tmp_path / "no" / "where")]) == 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_from_a_commit_to_a_verdict(tmp_path: Path) -> None:
    """The command, the client, the engine: a push to a bare repository, judged; then the server is killed and asked."""
    data, path = tmp_path / "data", tmp_path / "s.sock"
    rigor = [sys.executable, "-m", "rigorbench.cli"]
    if subprocess.run([*rigor, "--version"], capture_output=True, check=False).returncode != 0:
        rigor = [sys.executable, "-c", "import sys; from rigorbench.cli import main; sys.exit(main())"]
    command = [*rigor, "judge", "serve", str(PACKAGE), "--data", str(data), "--unix", str(path), "--workers", "2"]

    def start() -> subprocess.Popen[bytes]:
        started = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert started.stdout.readline() == f"RIGOR_OJ_URL=unix:{path}\n".encode()
        return started

    server = start()
    try:
        issue = [*rigor, "judge", "serve", "--data", str(data), "--issue", "r", "--problem", "sum", "--json"]
        environment = os.environ | json.loads(subprocess.run(issue, capture_output=True, check=True).stdout)
        environment |= {"RIGOR_OJ_REPOSITORY": str(tmp_path / "origin.git"), "HOME": str(tmp_path)}
        work = tmp_path / "work"
        shutil.copytree(PACKAGE / "submissions" / "accepted", work)
        for arguments in (
            ["init", "-q", "--bare", "-b", "main", "../origin.git"],
            ["init", "-q", "-b", "main"],
            ["add", "reference.cpp"],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"],
            ["push", "-q", "../origin.git", "HEAD:main"],
        ):
            subprocess.run(["git", *arguments], cwd=work, env=environment, check=True)

        def client(*arguments: str) -> subprocess.CompletedProcess[str]:
            line = [sys.executable, str(CLIENT_FILE), *arguments]
            return subprocess.run(line, cwd=work, env=environment, capture_output=True, text=True, check=False)

        done = client("submit", "--wait")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "accepted, 100 of 100 points" in done.stdout
        # Killed with one under way: the next server judges it.
        client("submit", "--file", str(PACKAGE / "submissions" / "wrong_answer" / "overflow.cpp"))
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = start()
        done = client("status", "2", "--wait")
        assert done.returncode == 1
        assert "wrong answer" in done.stdout
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
        until(lambda: not path.exists())
    finally:
        server.kill()
        server.wait()
