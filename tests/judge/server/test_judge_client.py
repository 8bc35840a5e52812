"""``oj_client.py``, run as an agent runs it."""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_server_fakes import ALWAYS, FakeJudge, Serve, problem
from judge_server_fakes import take as fake_take

from rigorbench.judge.client import CLIENT_FILE
from rigorbench.judge.server.content import SubmissionRequest
from rigorbench.judge.submission import Submission

Client = Callable[..., subprocess.CompletedProcess[str]]


class Sent:
    """What reached the server."""

    def __init__(self) -> None:
        self.requests: list[SubmissionRequest] = []

    def __call__(self, request: SubmissionRequest, place: Path, limit: int) -> Submission:
        self.requests.append(request)
        return fake_take(request, place, limit)

    @property
    def last(self) -> SubmissionRequest:
        return self.requests[-1]


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "RIGOR_OJ_PROBLEM": "sum", "GIT_CONFIG_NOSYSTEM": "1"}


@pytest.fixture
def client(serve: Serve, sent: Sent, environment: dict[str, str], tmp_path: Path) -> Client:
    server = serve(problem(budget=4), taker=sent)
    environment["RIGOR_OJ_URL"] = server.url
    environment["RIGOR_OJ_TOKEN"] = server.issue_token("run", "sum")
    return runner(environment, tmp_path)


def runner(environment: dict[str, str], tmp_path: Path) -> Client:
    def run(*arguments: str, cwd: Path | None = None, **changes: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            # As in a sandbox: no site-packages, nothing of ours.
            [sys.executable, "-I", "-S", str(CLIENT_FILE), *arguments],
            env=environment | changes,
            cwd=cwd or tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=3 * ALWAYS,
        )

    return run


def git(where: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository with one commit, which is pushed to ``origin.git`` beside it."""
    directory = tmp_path / "work"
    directory.mkdir()
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "origin.git")
    git(directory, "init", "-q", "-b", "main")
    (directory / "main.cpp").write_text("int main() {}\n")
    git(directory, "add", ".")
    git(directory, "commit", "-qm", "solve it")
    git(directory, "push", "-q", "../origin.git", "HEAD:main")
    return directory


def test_it_runs_on_old_pythons() -> None:
    tree = ast.parse(CLIENT_FILE.read_text(), feature_version=(3, 8))
    names = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    assert not names & {"removeprefix", "removesuffix", "UTC", "pairwise", "batched"}
    imported = {a.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert imported <= sys.stdlib_module_names


def test_a_file_is_submitted_and_its_verdict_awaited(client: Client, sent: Sent, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("good code")
    done = client("submit", "--file", "a.cpp", "--wait")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "submission 1: a.cpp (3 of 4 submissions left)",
        "submission 1: accepted, 100 of 100 points",
        "  basic: accepted, 100 of 100 points  2 of 2 tests  640 ms  2048 KiB",
        "3 of 4 submissions left",
    ]
    assert (sent.last.name, sent.last.file, sent.last.language) == ("a.cpp", b"good code", "auto")
    (tmp_path / "b.cpp").write_text("wrong")
    done = client("submit", "--file", "b.cpp", "--language", "cpp", "--wait")
    assert (done.returncode, sent.last.language) == (1, "cpp")
    assert "    02: wrong answer  640 ms  2048 KiB" in done.stdout
    assert "    01: " not in done.stdout
    (tmp_path / "c.cpp").write_text("bad")
    assert "main.cpp:1: error" in client("submit", "--file", "c.cpp", "--wait").stdout


def test_status_list_and_budget(client: Client, judge: FakeJudge, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("wait")
    accepted = json.loads(client("submit", "--file", "a.cpp", "--json").stdout)
    assert accepted["id"] == 1
    judge.waiting.acquire()
    assert "judging" in client("status", "1").stdout
    slow = client("status", "1", "--wait", "0.1")
    assert (slow.returncode, "ask again: status 1 --wait" in slow.stderr) == (5, True)
    judge.go.set()
    assert client("status", "1", "--wait").returncode == 0
    assert client("list").stdout.splitlines() == [
        "   1  auto        accepted, 100 of 100 points",
        "3 of 4 submissions left",
    ]
    assert client("budget").stdout == "3 of 4 submissions left\n"
    assert json.loads(client("budget", "--json").stdout) == {"limit": 4, "used": 1, "remaining": 3}
    missing = client("status", "99")
    assert (missing.returncode, missing.stdout) == (3, "")
    assert "this run has no such submission (3 of 4 submissions left)" in missing.stderr


def test_without_arguments_the_commit_of_the_bare_repository_is_submitted(
    client: Client, sent: Sent, work: Path, tmp_path: Path
) -> None:
    commit = git(work, "rev-parse", "HEAD")
    origin = str(tmp_path / "origin.git")
    done = client("submit", cwd=work, RIGOR_OJ_REPOSITORY=origin)
    assert done.stdout == f"submission 1: commit {commit[:10]} solve it (3 of 4 submissions left)\n"
    assert not done.stderr
    # The judge's machine does not have this repository: a bundle goes there.
    assert (sent.last.language, sent.last.code) == ("git", commit.encode())
    bundle = tmp_path / "sent.bundle"
    bundle.write_bytes(sent.last.file or b"")
    git(tmp_path, "clone", "-q", str(bundle), "clone")
    assert git(tmp_path / "clone", "rev-parse", "HEAD") == commit
    # What differs from it is said.
    (work / "new.txt").write_text("x")
    git(work, "commit", "-q", "--allow-empty", "-m", "more")
    done = client("submit", cwd=work, RIGOR_OJ_REPOSITORY=origin)
    assert "(git push?)" in done.stderr
    assert "what is not committed is not submitted (1 files)" in done.stderr
    assert sent.last.code == commit.encode()
    # Nothing was written into the repository.
    assert git(tmp_path / "origin.git", "for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_a_repository_that_the_token_names_is_not_sent(
    serve: Serve, sent: Sent, environment: dict[str, str], work: Path, tmp_path: Path
) -> None:
    server = serve(taker=sent)
    token = server.issue_token("run", "sum", repository=tmp_path / "origin.git")
    client = runner(environment | {"RIGOR_OJ_URL": server.url, "RIGOR_OJ_TOKEN": token}, tmp_path)
    assert client("submit", cwd=work, RIGOR_OJ_REPOSITORY=str(tmp_path / "origin.git")).returncode == 0
    assert (sent.last.code, sent.last.file) == (git(work, "rev-parse", "HEAD").encode(), None)
    assert sent.last.repository == tmp_path / "origin.git"


def test_without_a_bare_repository_that_of_the_working_directory_is_taken(
    client: Client, sent: Sent, work: Path
) -> None:
    first = git(work, "rev-parse", "HEAD")
    git(work, "commit", "-q", "--allow-empty", "-m", "more")
    done = client("submit", "--rev", "HEAD~1", cwd=work)
    assert (done.returncode, sent.last.code) == (0, first.encode())
    assert (sent.last.file or b"").startswith(b"# v2 git bundle")


def test_a_repository_without_a_pushed_commit_is_told(client: Client, work: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "trunk", "other.git")
    other = {"RIGOR_OJ_REPOSITORY": str(tmp_path / "other.git")}
    git(work, "push", "-q", "../other.git", "HEAD:second")
    unpushed = client("submit", cwd=work, **other)
    assert (unpushed.returncode, "has no commit 'HEAD'; was it pushed?" in unpushed.stderr) == (2, True)
    assert client("submit", "--rev", "second", cwd=work, **other).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "changes", "status", "words"),
    [
        (["budget"], {"RIGOR_OJ_TOKEN": "wrong"}, 3, "give this run's token"),
        (["budget"], {"RIGOR_OJ_TOKEN": ""}, 2, "RIGOR_OJ_TOKEN is not set"),
        (["budget"], {"RIGOR_OJ_URL": "https://x"}, 2, "RIGOR_OJ_URL must be"),
        (["submit", "--file", "/etc/passwd"], {"RIGOR_OJ_PROBLEM": "x"}, 3, "this token is for the problem 'sum' only"),
        (["submit", "--file", "missing"], {}, 2, "missing: No such file"),
        (["submit"], {}, 2, "no git repository here"),
        (["submit", "--rev", "x", "--file", "y"], {}, 2, "not allowed with"),
        (["submit", "--language", "cpp"], {}, 2, "--language is for --file"),
        (["status", "0"], {}, 3, "this run has no such submission"),
        (["status", "x"], {}, 2, "invalid int value"),
        ([], {}, 2, "COMMAND"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    client: Client, arguments: list[str], changes: dict[str, str], status: int, words: str
) -> None:
    done = client(*arguments, **changes)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_judge_that_is_away_is_asked_again_and_one_submission_comes_of_it(
    serve: Serve, environment: dict[str, str], tmp_path: Path
) -> None:
    """In between sits one that breaks off: before it reads, after it has read, and before it gives the answer."""
    server = serve()
    token = server.issue_token("run", "sum")
    path = tmp_path / "between.sock"
    (tmp_path / "a.cpp").write_text("good")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=_break_off, args=(listener, server.url[5:]))
        thread.start()
        changes = {"RIGOR_OJ_URL": f"unix:{path}", "RIGOR_OJ_TOKEN": token}
        done = runner(environment | changes, tmp_path)("submit", "--file", "a.cpp")
        thread.join()
    assert (done.returncode, done.stderr) == (0, "")
    assert len(server.submissions("run")) == 1


def _break_off(listener: socket.socket, path: str) -> None:
    for stage in range(4):
        talk, _ = listener.accept()
        with talk, socket.socket(socket.AF_UNIX) as behind:
            if stage == 0:
                continue
            data = b""
            while not data.endswith(b"--\r\n"):
                data += talk.recv(65536)
            if stage == 1:
                continue
            behind.connect(path)
            behind.sendall(data)
            answer = b""
            while not answer.endswith(b"}}"):
                answer += behind.recv(65536)
            if stage == 3:
                talk.sendall(answer)


def test_what_the_judge_says_cannot_act_on_a_terminal(client: Client, tmp_path: Path) -> None:
    name = "\x1b[31mred\u202e.cpp"
    (tmp_path / name).write_text("x")
    done = client("submit", "--file", name)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
