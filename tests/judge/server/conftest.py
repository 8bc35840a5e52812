from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from judge_server_fakes import FakeJudge, Http, Serve, problem, soon, take

pytest.importorskip("starlette", reason="needs the extra judge")
pytest.importorskip("uvicorn", reason="needs the extra judge")
pytest.importorskip("python_multipart", reason="needs the extra judge")

from rigorbench.judge.server import JudgeServer, ServerSettings


@pytest.fixture
def judge() -> FakeJudge:
    return FakeJudge()


@pytest.fixture
def serve(tmp_path: Path, judge: FakeJudge) -> Iterator[Serve]:
    """Starts a server on a unix socket; ends it with the test. The same directory each time."""
    with ExitStack() as stack:

        def start(*problems: Any, **more: Any) -> JudgeServer:
            given = {"unix": tmp_path / "s.sock", "judge": judge, "taker": take} | more
            given["settings"] = soon(more.get("settings", ServerSettings()))
            server = JudgeServer(tmp_path / "data", list(problems) or [problem()], **given)
            stack.callback(judge.go.set)
            return stack.enter_context(server)

        yield start


@pytest.fixture
def server(serve: Serve) -> JudgeServer:
    return serve(problem(budget=3), problem("other"))


@pytest.fixture
def http(server: JudgeServer) -> Http:
    return Http(server.url, server.issue_token("run", "sum"))
