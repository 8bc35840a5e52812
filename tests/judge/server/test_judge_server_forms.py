"""Forms and whatever else comes over the wire: never a 500, never a traceback, never a cost for what is refused."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judge_server_fakes import Http, Serve, of_run, take, until

from rigorbench.judge.server import ServerSettings
from rigorbench.judge.server.content import SubmissionRequest
from rigorbench.judge.submission import Submission

URLENCODED = "application/x-www-form-urlencoded"
# The server outlives the examples on purpose: they are requests to the same one.
SAME_SERVER = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def multipart(*parts: tuple[bytes, bytes], boundary: bytes = b"XX") -> tuple[str, bytes]:
    body = b"".join(b"--" + boundary + b"\r\n" + head + b"\r\n\r\n" + data + b"\r\n" for head, data in parts)
    return f"multipart/form-data; boundary={boundary.decode()}", body + b"--" + boundary + b"--\r\n"


def named(name: str, file: str | None = None) -> bytes:
    extra = "" if file is None else f'; filename="{file}"'
    return f'Content-Disposition: form-data; name="{name}"{extra}'.encode()


def submit(http: Http, kind: str, body: bytes) -> tuple[int, dict[str, Any]]:
    return http.json("POST", "/problem/sum/submit", body=body, headers={"Content-Type": kind})


def test_files_keep_their_bytes_and_text_is_utf8(serve: Serve) -> None:
    got: list[SubmissionRequest] = []

    def taker(request: SubmissionRequest, place: Path, limit: int) -> Submission:
        got.append(request)
        return take(request, place, limit)

    http = of_run(serve(taker=taker))
    code = bytes(range(256)) + b"\r\n--X\r\n--"
    for kind, body in (
        multipart((named("language"), b"cpp"), (named("file", "a.cpp"), code), (named("more"), b"x")),
        multipart((named("language"), b"cpp"), (named("file"), b"a")),
        multipart((named("language"), b"cpp"), (named("code"), "\u2603\r\n".encode())),
        (URLENCODED + "; charset=utf-8", b"language=cpp&code=a+%2B%e2%98%83%zz&=x&"),
    ):
        assert submit(http, kind, body)[0] == 201
    assert [(request.code, request.file, request.name) for request in got] == [
        (None, code, "a.cpp"),
        (None, b"a", ""),
        ("\u2603\r\n".encode(), None, ""),
        ("a +\u2603%zz".encode(), None, ""),
    ]


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("", b"", 415),
        ("application/json", b"{}", 415),
        ("multipart/form-data", b"", 400),
        ("multipart/form-data; boundary=", b"", 400),
        ("multipart/form-data; boundary=" + "x" * 2000, b"", 400),
        ("multipart/form-data; boundary=XX", b"", 400),
        ("multipart/form-data; boundary=XX", b"--XX\r\n", 400),
        ("multipart/form-data; boundary=XX", b"no boundary here", 400),
        (*multipart((b"Content-Type: text/plain", b"x")), 400),
        (*multipart((named("code"), b"x"), (named("code", "a"), b"y")), 400),
        (*multipart(*[(named(f"f{n}"), b"") for n in range(257)]), 400),
        (*multipart((named("a") + b"\r\nX: " + b"y" * 100_000, b"")), 400),
        (*multipart((named("a") + b"\r\nX: y" * 1000, b"")), 400),
        (URLENCODED, b"code=1&c%6fde=2", 400),
        (URLENCODED, b"&".join(b"f%d=" % n for n in range(257)), 400),
        (URLENCODED, b"language=c%00pp&code=x", 400),
    ],
)
def test_bad_forms_are_refused(http: Http, kind: str, body: bytes, status: int) -> None:
    found, answer = submit(http, kind, body)
    assert (found, answer["budget"]["used"]) == (status, 0)


@SAME_SERVER
@given(
    st.sampled_from(["multipart/form-data; boundary=XX", URLENCODED, "multipart/form-data; boundary=\xff"]),
    st.lists(
        st.sampled_from([b"--XX", b"\r\n", b"--", named("a"), b"&", b"=", b"%", b"\xff", b"\0", named("f", "../x")])
        | st.binary(max_size=8)
    ),
)
def test_any_bytes_are_a_form_or_refused(http: Http, kind: str, parts: list[bytes]) -> None:
    assert submit(http, kind, b"".join(parts))[0] in (400, 409)


@pytest.mark.parametrize(
    "headers",
    [
        {"Idempotency-Key": ""},
        {"Idempotency-Key": "a b"},
        {"Idempotency-Key": "x" * 201},
        {"Idempotency-Key": "\xff"},
        {"Content-Type": "multipart/form-data"},
        {"Content-Length": "5"},
    ],
)
def test_bad_headers_are_refused(http: Http, headers: dict[str, str]) -> None:
    given = {"Content-Type": URLENCODED} | headers
    status, _, body = http.raw(
        "POST", "/api/v1/problem/sum/submit", b"language=cpp&code=x"[: 5 if "Content-Length" in headers else 99], given
    )
    assert (status, json.loads(body)["budget"]["used"]) == (400, 0)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/submission/../../etc/passwd",
        "/api/v1/submission/%2e%2e%2fdata",
        "/api/v1/submission/1%00",
        "/api/v1/submission/-1",
        "/api/v1/submission/1e3",
        "/api/v1/submission/\u0661",
        "/api/v1/submission/" + "9" * 4000,
        "/api/v1/submission/9223372036854775808",
        "/api/v1/submission/1/",
        "/api/v1/problem/%ff",
        "/api/v1/problem/..%2f..",
        "/api/v1/problem/sum%0d%0aX-Injected:%20yes",
        "/api/v1//problem/sum",
        "//",
        "/api/v1/problem/sum/submit/x",
    ],
)
def test_odd_paths_name_nothing(http: Http, path: str) -> None:
    from urllib.parse import quote

    status, headers, body = http.raw("GET", quote(path, safe="/%:"))
    assert status in (403, 404)
    assert "x-injected" not in headers
    assert json.loads(body)["error"]


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "/etc/passwd", "..", ".", "a\\..\\b.cpp", "x\n.cpp", "", "a b.cpp"]
)
def test_names_of_files_lead_nowhere(serve: Serve, name: str) -> None:
    from rigorbench.judge.server.content import take

    server = serve(taker=take)
    http = of_run(server)
    kind, body = multipart((named("language"), b"cpp"), (named("file", name), b"int main() {}"))
    status, _, answer = http.raw("POST", "/api/v1/problem/sum/submit", body, {"Content-Type": kind})
    if status == 201:
        (record,) = server.submissions("run")
        (file,) = (p for p in record.submission.root.rglob("*") if p.is_file())
        assert re.fullmatch(r"\w[\w.+-]*", file.name)
        assert record.payload.is_relative_to(server.data / "content")
    else:
        assert status == 409, answer


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (b"import java.util.*;\npublic final class Ledger {}\n", "Ledger.java"),
        (b"class Ledger {}\n", "Main.java"),
        (b"// public class No\nclass A {}\n", "Main.java"),
        (b"public class ../../x {}", "Main.java"),
        (b"\xff\xfe", "Main.java"),
    ],
)
def test_pasted_java_lies_in_a_file_called_like_its_public_type(tmp_path: Path, code: bytes, name: str) -> None:
    from rigorbench.judge.server.content import SubmissionRequest, take

    taken = take(SubmissionRequest("java", code, None, "", None), tmp_path, 1000)
    assert [path.name for path in taken.root.iterdir()] == [name]


@pytest.mark.parametrize("code", ["HEAD", "--help", "https://example.org/x.git", "", "\u2603"])
def test_a_revision_that_cannot_be_taken_tells_no_path(serve: Serve, tmp_path: Path, code: str) -> None:
    from rigorbench.judge.server.content import take

    server = serve(taker=take)
    token = server.issue_token("run", "sum", repository=tmp_path / "gone.git")
    status, refused = Http(server.url, token).submit(code, language="git")
    assert (status, str(tmp_path) in refused["message"], refused["budget"]["used"]) == (409 if code else 400, False, 0)


PIECES = [
    *(b"GET ", b"POST ", b"/health", b" HTTP/1.1", b"\r\n", b"Host: x", b": ", b"\0", b"\xff", b"5\r\n"),
    *(b"Content-Length: 5", b"Content-Length: -1", b"Transfer-Encoding: chunked", b"Expect: 100-continue"),
    *(b"Upgrade: websocket", b"Connection: Upgrade"),
]


@SAME_SERVER
@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=6), max_size=24))
def test_what_is_no_http_does_no_harm(http: Http, parts: list[bytes]) -> None:
    with http.connect() as talk:
        talk.sendall(b"".join(parts))
        talk.shutdown(socket.SHUT_WR)
        answer = b""
        try:
            while data := talk.recv(65536):
                answer += data
        except ConnectionError:
            pass
    assert not re.search(rb"HTTP/1.1 5\d\d", answer)
    assert b"Traceback" not in answer
    assert http.raw("GET", "/health")[0] == 200


# -- connections -------------------------------------------------------------------------------------------------


def test_a_body_that_does_not_come_is_not_waited_for(serve: Serve) -> None:
    http = of_run(serve(settings=ServerSettings(body_time=0.1)))
    with http.connect() as talk:
        talk.sendall(
            f"POST /api/v1/problem/sum/submit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {http.token}\r\n"
            f"Content-Type: {URLENCODED}\r\nContent-Length: 100\r\n\r\nlanguage=".encode()
        )
        assert talk.recv(65536).startswith(b"HTTP/1.1 408")


def test_an_event_stream_whose_reader_went_away_ends(serve: Serve) -> None:
    http = of_run(serve(settings=ServerSettings(connections=3)))
    number = http.submit("wait")[1]["id"]
    for _ in range(4):  # one that did not end would use up a connection
        with http.connect() as talk:
            talk.sendall(
                f"GET /api/v1/submission/{number}/events HTTP/1.1\r\nHost: x\r\n"
                f"Authorization: Bearer {http.token}\r\n\r\n".encode()
            )
            assert talk.recv(100).startswith(b"HTTP/1.1 200")
        until(lambda: http.raw("GET", "/health")[0] == 200)


def test_above_the_limit_of_connections_requests_are_refused(serve: Serve) -> None:
    http = Http(serve(settings=ServerSettings(connections=3)).url)
    idle = [http.connect() for _ in range(3)]
    try:
        until(lambda: http.raw("GET", "/health")[0] == 503)
    finally:
        for talk in idle:
            talk.close()
    until(lambda: http.raw("GET", "/health")[0] == 200)
