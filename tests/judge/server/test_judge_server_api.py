"""The API: who may do what, what it costs, and what is shown of it."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from judge_server_fakes import FakeJudge, Http, Serve, of_run, problem, until

from rigorbench.judge.problems.problem import Feedback, PointLimits
from rigorbench.judge.server import JudgeServer, ServerError, ServerSettings

LEFT = "x-budget-remaining"
SAID = {"wrong": "wrong_answer", "bad": "compile_error"}


def test_a_submission_gets_its_verdict_in_the_compatible_form(http: Http) -> None:
    status, accepted = http.submit("hello")
    assert status == 201
    found = http.finished(accepted["id"])
    compatible = {"id", "problem", "language", "status", "score", "message", "time_msecs", "memory_bytes", "created_at"}
    assert compatible | {"abort_url", "details", "budget", "package", "judge"} <= found.keys()
    assert (found["status"], found["score"], found["full_score"]) == ("accepted", 100, 100)
    # 250 and 500 ms, in the coarse steps of hidden points.
    assert (found["time_msecs"], found["memory_bytes"]) == (320 + 640, 2 << 20)
    assert (found["package"], found["judge"]) == (problem().digest, "1.2.3")
    (group,) = found["details"]["groups"]
    assert group["testpoints"][0] == {
        "id": "secret/basic/01",
        "result": "accepted",
        "message": "well done",
        "score": 1.0,
        "resource_usage": {"time_msecs": 320, "memory_bytes": 1 << 20, "file_count": None, "file_size_bytes": None},
    }
    assert "SECRET" not in json.dumps(found)


def test_the_budget_is_in_every_reply_and_only_what_is_accepted_costs(http: Http) -> None:
    refusals = [
        http.raw("POST", "/api/v1/problem/sum/submit", b"language=cpp", {"Content-Type": "text/plain"}),
        http.raw("POST", "/api/v1/problem/other/submit", b"", {}),
        http.raw("GET", "/api/v1/submission/99"),
    ]
    assert [r[0] for r in refusals] == [415, 403, 404]
    assert all(r[1][LEFT] == "3" and json.loads(r[2])["budget"]["remaining"] == 3 for r in refusals)
    assert [http.submit("refuse")[0], http.submit("")[0], http.submit("x", language="cobol")[0]] == [409, 400, 400]
    assert http.json("GET", "/problem/sum")[1]["budget"] == {"limit": 3, "used": 0, "remaining": 3}
    # A compile error is a verdict, and costs.
    numbers = [http.submit(word)[1]["id"] for word in ("bad", "good", "wrong")]
    assert [http.finished(n)["status"] for n in numbers] == ["compile_error", "accepted", "wrong_answer"]
    status, refused = http.submit("one too many")
    assert (status, refused["error"]) == (403, "budget_exhausted")
    assert refused["budget"] == {"limit": 3, "used": 3, "remaining": 0}
    assert http.raw("GET", f"/api/v1/submission/{numbers[0]}")[1][LEFT] == "0"


def test_too_large_costs_nothing(serve: Serve) -> None:
    http = of_run(serve(problem(budget=1), settings=ServerSettings(request=4096)))
    assert http.submit("x" * 5000)[0] == 413

    # Without a Content-Length it is found out while it is read.
    status, _, body = http.raw(
        "POST",
        "/api/v1/problem/sum/submit",
        iter([b"language=cpp&code=", *[b"x" * 1024] * 8]),  # type: ignore[arg-type]
        {"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert (status, json.loads(body)["budget"]["remaining"]) == (413, 1)


def test_code_is_bounded_by_the_package(serve: Serve) -> None:
    small = problem()
    http = of_run(
        serve(type(small)(**{f: getattr(small, f) for f in small.__struct_fields__} | {"limits": PointLimits(code=10)}))
    )
    assert [http.submit("x" * 10)[0], http.submit("x" * 11)[0]] == [201, 413]


def test_two_tokens_of_one_run_share_its_budget(server: JudgeServer, http: Http) -> None:
    http.submit("one")
    second = of_run(server)
    assert second.submit("two")[1]["budget"]["used"] == 2
    assert [row["id"] for row in second.json("GET", "/submission")[1]["submissions"]] == [1, 2]
    elsewhere = of_run(server, run="run", name="other")
    assert elsewhere.json("GET", "/submission")[1] == {
        "submissions": [],
        "budget": {"limit": None, "used": 0, "remaining": None},
    }
    assert elsewhere.raw("GET", "/api/v1/submission")[1][LEFT] == "unlimited"


def test_a_token_is_for_one_run_and_one_problem(server: JudgeServer, http: Http) -> None:
    number = http.submit("mine")[1]["id"]
    others = [server.issue_token("another", "sum"), server.issue_token("run", "other")]
    for token in others:
        other = Http(server.url, token)
        for method, path in [("GET", ""), ("GET", "/events"), ("POST", "/abort")]:
            assert other.json(method, f"/submission/{number}{path}")[0] == 404
    for name in ("other", "no-such-problem"):
        assert http.submit("x", name=name)[0] == 403
        assert http.json("GET", f"/problem/{name}")[0] == 403
        assert http.json("GET", f"/problem/{name}/attachments")[0] == 403


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer ", "Bearer wrong", "Basic abc", "bearer \xff", "wrong"])
def test_without_a_valid_token_nothing_is_said(server: JudgeServer, header: str | None) -> None:
    http = Http(server.url)
    for method, path in [("GET", "problem/sum"), ("GET", "submission/1"), ("POST", "problem/sum/submit")]:
        headers = {} if header is None else {"Authorization": header.encode("latin-1").decode("latin-1")}
        status, found, body = http.raw(method, f"/api/v1/{path}", None, headers)
        assert (status, found["www-authenticate"], json.loads(body)["budget"]) == (401, "Bearer", None)


def test_only_hashes_of_tokens_are_stored(server: JudgeServer, http: Http, tmp_path: Path) -> None:
    http.submit("x")
    server.close()
    for path in (tmp_path / "data").rglob("*"):
        assert not path.is_file() or http.token.encode() not in path.read_bytes()


def test_tokens_are_refused_for_what_is_not_served(server: JudgeServer) -> None:
    for arguments in [("run", "nowhere"), ("", "sum"), ("run", "sum", -1), ("run", "sum", 1, "all")]:
        with pytest.raises(ServerError):
            server.issue_token(*arguments)  # type: ignore[arg-type]


# -- feedback ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "code", "points", "message"),
    [
        ("tests", "wrong", ["01 accepted", "02 wrong_answer"], ""),
        ("first-failure", "wrong", ["02 wrong_answer"], ""),
        ("verdict", "wrong", [], ""),
        ("verdict", "bad", [], "main.cpp:1: error"),
    ],
)
def test_feedback_shows_what_its_level_allows(
    serve: Serve, level: Feedback, code: str, points: list[str], message: str
) -> None:
    http = of_run(serve(), feedback=level)
    found = http.finished(http.submit(code)[1]["id"])
    shown = [point for group in found["details"]["groups"] for point in group["testpoints"]]
    assert [f"{point['id'].rpartition('/')[2]} {point['result']}" for point in shown] == points
    assert (found["status"], found["score"], found["message"]) == (SAID[code], 0, message)
    assert (found["time_msecs"] is None, found["memory_bytes"] is None) == (not points, not points)


@pytest.mark.parametrize("code", ["good", "wrong", "bad", "wait", "spoilt", "defect"])
def test_feedback_none_looks_the_same_for_ever_whatever_the_verdict(serve: Serve, judge: FakeJudge, code: str) -> None:
    server = serve(problem(budget=3), settings=ServerSettings(retry_pause=0.01))
    http = of_run(server, feedback="none")
    number = http.submit(code)[1]["id"]
    if code == "wait":
        judge.waiting.acquire()
        early = http.status(number)
        judge.go.set()
        assert server.wait("run", 20)
    else:
        assert server.wait("run", 20)
        early = http.status(number)
    late = http.status(number)
    assert early == late
    assert (late["status"], late["over"], late["score"], late["finished_at"]) == ("received", True, None, None)
    assert http.raw("GET", f"/api/v1/submission/{number}/events")[2].count(b"event:") == 1
    (record,) = server.submissions("run")
    assert record.judgement is not None or code == "defect"
    # Nor does an abort tell whether the judge failed.
    assert http.raw("POST", f"/api/v1/submission/{number}/abort")[0] == 204
    assert http.status(number)["status"] == "aborted"


# -- aborting ----------------------------------------------------------------------------------------------------


def test_an_abort_counts_and_nothing_of_the_result_is_ever_shown(serve: Serve, judge: FakeJudge) -> None:
    server = serve(problem(budget=3))
    http = of_run(server)
    running = http.submit("wait wrong")[1]["id"]
    judge.waiting.acquire()
    queued = http.submit("second")[1]["id"]
    until(lambda: http.status(running)["status"] == "judging")
    assert http.status(queued)["status"] == "pending"
    for number in (queued, running, running):
        assert http.raw("POST", f"/api/v1/submission/{number}/abort")[0] == 204
    until(lambda: judge.cancelled)
    third = http.submit("third")[1]["id"]
    assert http.finished(third)["status"] == "accepted"
    one, other = http.status(running), http.status(queued)
    same = {"id", "submission", "created_at"}
    # Whether it was judged already, and how far, cannot be told.
    assert {k: v for k, v in one.items() if k not in same} == {k: v for k, v in other.items() if k not in same}
    assert (one["status"], one["score"], one["details"]) == ("aborted", None, {"groups": []})
    assert one["budget"] == {"limit": 3, "used": 3, "remaining": 0}
    assert judge.judged == ["wait wrong", "third"]
    assert [r.judgement is None for r in server.submissions("run")] == [True, True, False]


def test_what_is_judged_cannot_be_taken_back(http: Http) -> None:
    number = http.submit("x")[1]["id"]
    http.finished(number)
    status, refused = http.json("POST", f"/submission/{number}/abort")
    assert (status, refused["error"]) == (409, "over")
    assert http.status(number)["status"] == "accepted"


def test_without_feedback_an_abort_does_not_tell_whether_judging_is_over(serve: Serve, judge: FakeJudge) -> None:
    server = serve()
    http = of_run(server, feedback="none")
    done = http.submit("done")[1]["id"]
    assert server.wait("run", 20)
    running = http.submit("wait")[1]["id"]
    judge.waiting.acquire()
    answers = [http.raw("POST", f"/api/v1/submission/{n}/abort") for n in (done, running)]
    assert [a[0] for a in answers] == [204, 204]
    assert [http.status(n)["status"] for n in (done, running)] == ["aborted", "aborted"]


# -- the rest ----------------------------------------------------------------------------------------------------


def test_the_problem_with_its_attachments(serve: Serve, tmp_path: Path) -> None:
    start = tmp_path / "start"
    (start / "src").mkdir(parents=True)
    (start / "src" / "main.cpp").write_text("int main() {}\n")
    (start / "run").write_text("#!/bin/sh\n")
    (start / "run").chmod(0o755)
    (start / "link").symlink_to("/etc/passwd")
    http = of_run(serve(problem(attachments=start)), budget=7)
    found = http.json("GET", "/problem/sum")[1]
    assert found["languages_accepted"] == ["cpp", "python", "auto", "git"]
    assert (found["statement"], found["limits"]["submissions"], found["feedback"]) == ("# sum\n", 7, "tests")
    status, _, data = http.raw("GET", found["attachments"]["url"])
    assert (status, len(data)) == (200, found["attachments"]["size_bytes"])
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        assert {m.name: m.mode for m in tar} == {"src/main.cpp": 0o644, "run": 0o755}


def test_no_attachments_is_not_an_empty_archive(http: Http) -> None:
    assert http.json("GET", "/problem/sum")[1]["attachments"] is None
    assert http.json("GET", "/problem/sum/attachments")[0] == 404


def test_events_tell_each_change_and_end_with_the_verdict(http: Http, judge: FakeJudge) -> None:
    number = http.submit("wait")[1]["id"]
    until(lambda: http.status(number)["status"] == "judging")
    with http.connect() as talk:
        talk.sendall(
            f"GET /api/v1/submission/{number}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {http.token}\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        data = b""
        while b'"judging"' not in data:
            data += talk.recv(65536)
        assert b'"accepted"' not in data
        judge.go.set()
        while part := talk.recv(65536):
            data += part
    assert data.count(b"event: status\n") == 2
    assert b'"status":"accepted"' in data


def test_health_and_description_need_no_token(server: JudgeServer) -> None:
    http = Http(server.url)
    assert json.loads(http.raw("GET", "/health")[2])["status"] == "ok"
    description = json.loads(http.raw("GET", "/openapi.json")[2])
    assert description["openapi"].startswith("3.1")


def test_the_description_names_a_problem_to_the_holder_of_its_token_only(serve: Serve) -> None:
    server = serve(problem("secret-one"), problem("secret-two"))
    token = server.issue_token("run", "secret-one")
    anybody, other, holder = (
        Http(server.url, given).raw("GET", "/openapi.json")[2] for given in (None, "wrong", token)
    )
    assert anybody == other
    assert b"secret-" not in anybody
    assert b"cpp" not in anybody
    assert (b"secret-one" in holder, b"secret-two" in holder, b'"python"' in holder) == (True, False, True)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "BREW"])
def test_wrong_methods(http: Http, method: str) -> None:
    for path in ("/health", "/api/v1/problem/sum", "/api/v1/problem/sum/submit", "/api/v1/submission/1/abort"):
        status, headers, _ = http.raw(method, path)
        assert (status, headers["allow"] in ("GET", "POST")) == (405, True)


def test_a_server_has_its_directory_and_its_socket_for_itself(
    server: JudgeServer, serve: Serve, tmp_path: Path, judge: FakeJudge
) -> None:
    with pytest.raises(ServerError, match="another server uses it"):
        serve()
    elsewhere = JudgeServer(tmp_path / "elsewhere", [problem()], unix=tmp_path / "s.sock", judge=judge)
    with pytest.raises(ServerError, match="another server listens"):
        elsewhere.start()
    # What failed to start holds nothing.
    with JudgeServer(tmp_path / "elsewhere", [problem()], judge=judge) as other:
        assert other.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize("bind", ["0.0.0.0:0", "192.168.1.1:80", "[::]:0", "example.org:80", "80", "127.0.0.1:70000"])
def test_only_this_machine_can_reach_it(tmp_path: Path, judge: FakeJudge, bind: str) -> None:
    with pytest.raises(ServerError):
        JudgeServer(tmp_path, [problem()], bind=bind, judge=judge).start()


def test_a_socket_left_by_a_killed_server_is_replaced(serve: Serve, tmp_path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "s.sock"))
    server = serve()
    assert Http(server.url).raw("GET", "/health")[0] == 200
    assert (tmp_path / "s.sock").stat().st_mode & 0o777 == 0o666
