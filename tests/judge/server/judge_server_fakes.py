"""A problem, a judge and a reader of submissions that need no sandbox: the server's own work is what is tested here."""

from __future__ import annotations

import hashlib
import http.client
import json
import secrets
import socket
import threading
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import structs

from rigorbench.judge.judgement import Compilation, GroupResult, JudgeError, Judgement, PointResult, ProgramUsage
from rigorbench.judge.problems.problem import BuildKind, PointLimits, Problem
from rigorbench.judge.server import JudgeServer
from rigorbench.judge.server.content import SubmissionRequest
from rigorbench.judge.server.records import ServerSettings
from rigorbench.judge.submission import Submission, SubmissionError

Serve = Callable[..., JudgeServer]
ALWAYS = 20.0  # seconds after which a condition that is waited for will not come any more


def problem(name: str = "sum", *, budget: int | None = None, attachments: Path | None = None, **more: Any) -> Problem:
    return Problem(
        id=name,
        name=name.title(),
        root=Path("/nowhere"),
        digest=hashlib.sha256(name.encode()).hexdigest(),
        statement=f"# {name}\n",
        groups=(),
        limits=PointLimits(submissions=budget),
        build=BuildKind(languages=("cpp", "python")),
        attachments=attachments,
        **more,
    )


def soon(settings: ServerSettings) -> ServerSettings:
    """Verdicts are shown as soon as they are there, unless a test is about that."""
    usual = settings.first_shown == ServerSettings().first_shown
    return structs.replace(settings, first_shown=0.0001) if usual else settings


def take(request: SubmissionRequest, place: Path, limit: int) -> Submission:
    """Keeps what was sent as one file; refuses what begins with "refuse"."""
    data = request.code if request.file is None else request.file
    if data.startswith(b"refuse") or len(data) > limit:
        raise SubmissionError("not to be taken")
    tree = place / "tree"
    tree.mkdir()
    (tree / "main").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    return Submission(tree, request.language, digest, "file")


class FakeJudge:
    """Does what the first word of a submission says; "wait" judges until it is let go. Notes whom it judged."""

    def __init__(self) -> None:
        self.judged: list[str] = []
        self.go = threading.Event()
        self.waiting = threading.Semaphore(0)
        self.cancelled = 0
        self._lock = threading.Lock()

    def __call__(self, problem: Problem, submission: Submission, cancelled: Callable[[], bool]) -> Judgement:
        text = (submission.root / "main").read_text("utf-8", "replace")
        with self._lock:
            self.judged.append(text)
        word = text.split()[0] if text.split() else ""
        if word == "wait":
            self.waiting.release()
            until = time.monotonic() + ALWAYS
            while not self.go.wait(0.005) and time.monotonic() < until:
                if cancelled():
                    with self._lock:
                        self.cancelled += 1
                    break
        if word == "defect":
            raise ZeroDivisionError("a defect of the judge")
        if word == "error":
            raise JudgeError("no compiler here")
        return judgement(problem, submission, word)


def judgement(problem: Problem, submission: Submission, word: str = "") -> Judgement:
    verdict = {"wrong": "wrong_answer", "bad": "compile_error", "spoilt": "judge_error"}.get(word, "accepted")
    point = PointResult(
        id="secret/basic/01",
        verdict="accepted",
        score=1.0,
        message="well done",
        told="well done",
        details="SECRET of the owner",
        usage=ProgramUsage(cpu=0.25, wall=0.3, memory=1 << 20, disk=10, files=1),
    )
    other = PointResult(
        id="secret/basic/02",
        verdict=verdict,
        score=1.0,
        message=secrets.token_hex(8),
        usage=ProgramUsage(cpu=0.5, memory=2 << 20),
    )
    full = verdict == "accepted"
    failed = verdict == "compile_error"
    group = GroupResult("secret/basic", verdict, 100.0 if full else 0.0, 100.0, [] if failed else [point, other])
    return Judgement(
        problem=problem.id,
        package=problem.digest,
        submission=submission.digest,
        language=submission.language,
        verdict=verdict,
        score=100.0 if full else 0.0,
        full=100.0,
        groups=[group],
        compilation=Compilation(ok=not failed, log="main.cpp:1: error" if failed else ""),
        judge="1.2.3",
    )


class Http:
    """A client of one token. ``url``: as `JudgeServer.url`."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url, self.token = url, token

    def connect(self) -> socket.socket:
        if self.url.startswith("unix:"):
            found = socket.socket(socket.AF_UNIX)
            found.settimeout(ALWAYS)
            found.connect(self.url[5:])
            return found
        host, port = self.url.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=ALWAYS)

    def raw(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        talk = http.client.HTTPConnection("localhost", timeout=ALWAYS)
        talk.sock = self.connect()
        own = {} if self.token is None else {"Authorization": f"Bearer {self.token}"}
        try:
            talk.request(method, path, body, own | (headers or {}))
            answer = talk.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            talk.close()

    def json(self, method: str, path: str, **more: Any) -> tuple[int, Any]:
        status, _, data = self.raw(method, f"/api/v1{path}", **more)
        return status, json.loads(data) if data else None

    def submit(self, code: str, *, name: str = "sum", key: str | None = None, **fields: str) -> tuple[int, Any]:
        body = urllib.parse.urlencode({"language": "cpp", "code": code} | fields).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if key is not None:
            headers["Idempotency-Key"] = key
        return self.json("POST", f"/problem/{name}/submit", body=body, headers=headers)

    def status(self, number: int) -> Any:
        return self.json("GET", f"/submission/{number}")[1]

    def finished(self, number: int) -> Any:
        """The submission when it is over."""
        return until(lambda: found if (found := self.status(number))["over"] else None)


def of_run(server: JudgeServer, run: str = "run", name: str = "sum", **more: Any) -> Http:
    """A client of a run that may submit to the problem."""
    return Http(server.url, server.issue_token(run, name, **more))


def until(condition: Callable[[], Any]) -> Any:
    """What the condition gives, when it holds."""
    end = time.monotonic() + ALWAYS
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.005)
    raise AssertionError("waited in vain")
