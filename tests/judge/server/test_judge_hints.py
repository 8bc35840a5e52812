"""Hints: a budget of them, those of the package in order, and questions that a person answers."""

from __future__ import annotations

import json
import urllib.parse
from pathlib import Path
from typing import Any

import msgspec
import pytest
from judge_server_fakes import Http, Serve, of_run, problem, until
from msgspec import structs
from test_judge_client import Client, runner

from rigorbench.cli import main
from rigorbench.judge.problems.problem import Hint, PointGroup
from rigorbench.judge.server import JudgeServer

GROUPS = (
    PointGroup("sample", ()),
    PointGroup("secret/1-small", (), full=40.0),
    PointGroup("secret/2-large", (), full=60.0),
)
ADMIN = ("judge", "admin", "hints")
HINTS = (Hint("1-small", "read all numbers"), Hint("2-large", "use 64 bits"), Hint("2-large", "read in blocks"))


@pytest.fixture
def server(serve: Serve) -> JudgeServer:
    return serve(structs.replace(problem(), groups=GROUPS, hints=HINTS))


@pytest.fixture
def http(server: JudgeServer) -> Http:
    return of_run(server, hints=3)


@pytest.fixture
def client(server: JudgeServer, http: Http, tmp_path: Path) -> Client:
    given = {"RIGOR_OJ_PROBLEM": "sum", "RIGOR_OJ_URL": server.url, "RIGOR_OJ_TOKEN": http.token or ""}
    return runner(given | {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}, tmp_path)


def ask(http: Http, key: str | None = None, **fields: str) -> tuple[int, Any]:
    headers = {"Content-Type": "application/x-www-form-urlencoded"} | ({"Idempotency-Key": key} if key else {})
    return http.json("POST", "/problem/sum/hint", body=urllib.parse.urlencode(fields).encode(), headers=headers)


def test_hints_of_the_package_come_in_order_and_end_with_the_budget(http: Http) -> None:
    status, first = ask(http)
    assert (status, first["group"], first["text"], first["source"]) == (201, "1-small", "read all numbers", "package")
    assert first["hints"] == {"limit": 3, "used": 1, "remaining": 2}
    assert [ask(http, group="2-large")[1]["text"] for _ in range(2)] == ["use 64 bits", "read in blocks"]
    status, refused = ask(http)
    assert (status, refused["error"]) == (403, "hints_exhausted")


def test_what_there_is_not_costs_nothing(http: Http) -> None:
    ask(http)
    for status, error, fields in (
        (404, "no_hint", {"group": "1-small"}),
        (404, "no_group", {"group": "9-none"}),
        (404, "no_group", {"group": "sample"}),
        (400, "bad_question", {"question": " "}),
    ):
        found = ask(http, **fields)
        assert (found[0], found[1]["error"]) == (status, error)
    assert http.json("GET", "/hint")[1]["hints"]["used"] == 1


def test_a_repeated_request_is_one_hint(http: Http) -> None:
    assert ask(http, key="k")[1] == ask(http, key="k")[1]
    assert http.json("GET", "/hint")[1]["hints"]["used"] == 1


def test_a_run_without_a_budget_has_no_hints(server: JudgeServer) -> None:
    status, refused = ask(of_run(server, run="other"))
    assert (status, refused["message"]) == (403, "this run has no hints")


def test_the_order_of_hints_does_not_depend_on_verdicts(server: JudgeServer) -> None:
    texts = []
    for name, code in (("good", "right"), ("bad", "wrong")):
        http = of_run(server, run=name, hints=3)
        http.finished(http.submit(code)[1]["id"])
        texts.append([ask(http)[1]["text"] for _ in range(3)])
    assert texts[0] == texts[1]


def test_a_person_answers_a_question(
    client: Client, server: JudgeServer, http: Http, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "1 for 2-large: use 64 bits" in client("hint", "2-large").stdout
    asked = client("hint", "--question", "May the list be empty?", "1-small")
    assert (asked.returncode, "not answered yet" in asked.stdout) == (0, True)
    data = str(tmp_path / "data")
    assert main([*ADMIN, data]) == 0
    assert capsys.readouterr().out == "2  run (sum, 1-small): May the list be empty?\n"
    assert main([*ADMIN, data, "--answer", "2", "No: it has a number at least."]) == 0
    shown = client("hint", "--list").stdout.splitlines()
    assert shown[-2:] == ["hint 2 for 1-small: No: it has a number at least.", "1 of 3 hints left"]
    given = server.hints("run")
    assert [(h.source, h.text is not None) for h in given] == [("package", True), ("person", True)]
    assert main([*ADMIN, data, "--answer", "2", "Another."]) == 2
    assert "no question 2 waits" in capsys.readouterr().err


def test_the_client_waits_for_an_answer(client: Client, server: JudgeServer, tmp_path: Path) -> None:
    late = client("hint", "--question", "Why?", "--wait", "0.1")
    assert late.returncode == 5
    import threading

    def answer() -> None:
        (found,) = until(lambda: [h for h in server.hints("run") if h.question == "How?"])
        main([*ADMIN, str(tmp_path / "data"), "--answer", str(found.id), "So."])

    thread = threading.Thread(target=answer)
    thread.start()
    done = client("hint", "--question", "How?", "--wait", "--json")
    thread.join()
    assert (done.returncode, json.loads(done.stdout)["text"]) == (0, "So.")


def test_hints_are_json(http: Http, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    ask(http)
    assert main([*ADMIN, str(tmp_path / "data"), "--all", "--json"]) == 0
    document = msgspec.json.decode(capsysbinary.readouterr().out)
    assert document["schema"] == "rigor-judge-hints/1"
    assert [hint["text"] for hint in document["hints"]] == ["read all numbers"]
