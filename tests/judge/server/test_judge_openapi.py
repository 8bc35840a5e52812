"""The description of the API is complete, and the server keeps to it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest
from judge_server_fakes import Http, Serve, problem

# A few requests, and some hundred: at the edges of what is allowed, and in sequences as well.
QUICK = ("--max-examples", "2", "--phases", "fuzzing")
THOROUGH = ("--max-examples", "25")
ST = Path(sys.executable).with_name("st")


def test_each_route_is_described_with_all_its_errors(http: Http) -> None:
    document = json.loads(http.raw("GET", "/openapi.json")[2])
    schemas = document["components"]["schemas"]
    for path, item in document["paths"].items():
        method, operation = next((m, item[m]) for m in ("get", "post") if m in item)
        place = path.replace("{problem}", "sum").replace("{id}", "1")
        # It is there, and no other method is.
        assert http.raw(method.upper(), place)[0] not in (405, 500), path
        assert http.raw("POST" if method == "get" else "GET", place)[0] == 405, path
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}
            for reference in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(answer)):
                assert reference in schemas
        if "security" not in operation:
            assert {"401", "429", "503"} <= operation["responses"].keys()
            good = next(a for s, a in operation["responses"].items() if s.startswith("2"))
            assert {"X-Budget-Limit", "X-Budget-Used", "X-Budget-Remaining"} <= good["headers"].keys()


@pytest.mark.parametrize("name", ["group", "question"])
def test_a_zero_byte_in_a_hint_is_refused_and_described_so(http: Http, name: str) -> None:
    sent = urllib.parse.urlencode({name: "1-small?\0"}).encode()
    form = "application/x-www-form-urlencoded"
    status, answer = http.json("POST", "/problem/sum/hint", body=sent, headers={"Content-Type": form})
    assert (status, answer["error"]) == (400, "bad_form")
    paths = json.loads(http.raw("GET", "/openapi.json")[2])["paths"]
    described = next(paths[path] for path in paths if path.endswith("/hint"))["post"]["requestBody"]["content"][form]
    pattern = described["schema"]["properties"][name]["pattern"]
    assert re.search(pattern, "1-small?")
    assert not re.search(pattern, "1-small?\0")


@pytest.mark.skipif(not ST.exists() and shutil.which("st") is None, reason="needs schemathesis")
@pytest.mark.parametrize("bounds", [QUICK, pytest.param(THOROUGH, marks=pytest.mark.slow)], ids=["quick", "thorough"])
def test_schemathesis_finds_nothing(serve: Serve, tmp_path: Path, bounds: tuple[str, ...]) -> None:
    """All its default checks, on requests that keep to the description and on such that do not."""
    start = tmp_path / "start"
    start.mkdir()
    (start / "main.cpp").write_text("int main() {}\n")
    server = serve(problem(attachments=start), unix=None)
    token = server.issue_token("run", "sum", hints=20)
    done = subprocess.run(
        [
            *(str(ST) if ST.exists() else "st", "run", f"{server.url}/openapi.json"),
            *("--header", f"Authorization: Bearer {token}", "--request-timeout", "20", *bounds),
            *("--generation-database", "none", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "10 selected / 10 total" in done.stdout or "Tested: 10" in done.stdout
