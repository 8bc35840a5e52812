"""The page of `rigor label` over HTTP: whom it serves, what it takes, and what it does not tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from label_builders import commit_sheet, episode_sheet, plan_sheet

pytest.importorskip("starlette", reason="starlette is not installed")

from rigorbench.panel.labels.model import Sheet
from rigorbench.panel.labels.store import LabelFile, load
from rigorbench.report.labelling.queue import CaseQueue, blind
from rigorbench.report.labelling.server import application

PORT = 4321
HOST = f"127.0.0.1:{PORT}"
JSON = {"content-type": "application/json", "origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}


class Reply:
    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.text = status, headers, body.decode()


class Client:
    """Talks ASGI to the application."""

    def __init__(self, queue: CaseQueue) -> None:
        self.app = application(queue, "secret", PORT)

    def ask(self, method: str, path: str, body: bytes = b"", host: str | None = HOST, **headers: str) -> Reply:
        given = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
        if host is not None:
            given.append((b"host", host.encode()))
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
            "raw_path": path.encode(), "query_string": b"", "headers": given, "scheme": "http", "root_path": "",
            "server": ("127.0.0.1", PORT), "client": ("127.0.0.1", 5),
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(dict(message))

        asyncio.run(self.app(scope, receive, send))  # type: ignore[arg-type]
        start = sent[0]
        names = {k.decode(): v.decode() for k, v in start["headers"]}
        return Reply(start["status"], names, b"".join(m.get("body", b"") for m in sent[1:]))

    def get(self, path: str, **options: Any) -> Reply:
        return self.ask("GET", path, **options)

    def answer(self, sheet: Sheet, question: str, answer: object, item: str | None = None, **headers: str) -> Reply:
        body = {"case": sheet.digest, "question": question, "item": item, "answer": answer}
        merged = {**JSON, **{k.replace("_", "-"): v for k, v in headers.items()}}
        return self.ask("POST", "/secret/answer", json.dumps(body).encode(), **merged)


SHEETS = [plan_sheet(1), commit_sheet(2, session="the-session-id", model="vendor/model-name"), episode_sheet(3)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    file = LabelFile(tmp_path, "ada")
    yield Client(CaseQueue(SHEETS, file, {}))
    file.close()


def test_an_answer_is_on_disk_when_the_reply_comes(client: Client, tmp_path: Path) -> None:
    reply = client.answer(SHEETS[1], "imperative", True)
    assert reply.status == 200
    assert json.loads(reply.text) == {"state": "Saved; 2 questions open", "done": 0}
    assert load(tmp_path).by("ada", SHEETS[1].digest) == {("imperative", None): True}
    client.answer(SHEETS[1], "describes", None)
    assert json.loads(client.answer(SHEETS[1], "overclaims", False).text) == {"state": "Saved; done", "done": 1}


def test_pages_show_what_was_answered_and_lead_to_what_is_open(client: Client) -> None:
    assert client.get("/secret/").headers["location"] == "case/1"
    for sheet in SHEETS:
        for ask, item in sheet.points():
            client.answer(sheet, ask.id, ask.choices[0].value, item.id if item else None)
    assert client.get("/secret/").headers["location"] == "list"
    assert "All 3 cases are done" in client.get("/secret/list").text
    assert client.get("/secret/case/3").text.count(" checked") == 3 + 1  # and the box of the keyboard


def test_pages_do_not_tell_scores_who_worked_or_where(client: Client) -> None:
    for number in (1, 2, 3):
        page = client.get(f"/secret/case/{number}").text.split("<body>")[1]
        for told in ("the-session-id", "vendor", "model-name", "Somebody", "example.org", "rigorscore", "green"):
            shown = page.replace('value="&#34;green&#34;"', "").lower()
            assert told.lower() not in shown


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Co-Authored-By: Claude <noreply@anthropic.com>", False),
        ("🤖 Generated with [Claude Code](https://claude.ai)", False),
        ("Signed-off-by: A <a@b>", False),
        ("The signed-off-by line is checked", True),
        ("Update CLAUDE.md", True),
    ],
)
def test_blind(line: str, kept: bool) -> None:
    assert (line in blind(f"Add a thing\n\n{line}\nend")) == kept


def test_text_of_logs_is_only_text(tmp_path: Path) -> None:
    hostile = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x1b[31m"
    sheet = Sheet(
        kind="commit_message", session="s", subject="e", excerpts=(type(SHEETS[0].excerpts[0])("message", hostile),)
    )
    file = LabelFile(tmp_path, "ada")
    page = Client(CaseQueue([sheet], file, {})).get("/secret/case/1").text
    file.close()
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page


@pytest.mark.parametrize(
    "host", [None, "evil.example", "evil.example:4321", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:4321.evil.example"]
)
def test_a_name_that_is_not_ours_gets_nothing(client: Client, host: str | None) -> None:
    """A page elsewhere that lets its own name point to the loopback address."""
    assert client.get("/secret/list", host=host).status == 421


def test_localhost_is_our_name(client: Client) -> None:
    assert client.get("/secret/list", host=f"localhost:{PORT}").status == 200


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/list", "/secre/list", "/secret2/list", "//secret/list"])
def test_without_the_token_there_is_nothing(client: Client, path: str) -> None:
    assert client.get(path).status == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec_fetch_site": "cross-site"},
        {"content_type": "text/plain"},
        {"content_type": "application/x-www-form-urlencoded"},
    ],
)
def test_answers_from_elsewhere_are_refused(client: Client, tmp_path: Path, headers: dict[str, str]) -> None:
    assert client.answer(SHEETS[1], "imperative", True, **headers).status == 403
    assert not (tmp_path / "ada.jsonl").exists()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"case": 1}', b'{"case":"x","question":"q","item":null,"answer":true}', b"x" * 20_000,
     b"\xff\xfe", b'{"case":"x","question":"q","item":null,"answer":true,"more":1}', b"[" * 10_000],
)  # fmt: skip
def test_nonsense_is_refused(client: Client, tmp_path: Path, body: bytes) -> None:
    assert client.ask("POST", "/secret/answer", body, **JSON).status in (400, 413)
    assert not (tmp_path / "ada.jsonl").exists()


def test_what_is_no_answer_to_the_question_is_refused(client: Client) -> None:
    assert client.answer(SHEETS[1], "imperative", "yes").status == 400
    assert client.answer(SHEETS[1], "single", True, item="1").status == 400
    assert client.answer(SHEETS[2], "resolved", "blue").status == 400


def test_an_answer_that_cannot_be_stored_says_so(client: Client, tmp_path: Path) -> None:
    (tmp_path / "ada.jsonl").mkdir()
    reply = client.answer(SHEETS[1], "imperative", True)
    assert reply.status == 500
    assert "not saved" in reply.text
    # It does not show as answered.
    assert "not started" in client.get("/secret/list").text


def test_other_methods_and_cases_do_not_exist(client: Client) -> None:
    assert client.get("/secret/case/0").status == 404
    assert client.get("/secret/case/4").status == 404
    assert client.get("/secret/case/x").status == 404
    assert client.get("/secret/answer").status == 405
    assert client.ask("DELETE", "/secret/list", **JSON).status == 405


def test_pages_are_kept_by_nobody_and_framed_by_nobody(client: Client) -> None:
    reply = client.get("/secret/case/1")
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
    assert "default-src 'none'" in reply.text
    assert "connect-src 'self'" in reply.text
