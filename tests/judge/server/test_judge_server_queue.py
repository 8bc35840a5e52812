"""The queue: each accepted submission comes to exactly one end, in a fair order, whatever fails on the way."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from judge_server_fakes import FakeJudge, Http, Serve, judgement, of_run, problem, until
from judge_server_fakes import take as fake_take

from rigorbench.judge.server import JudgeServer, ServerSettings, Token
from rigorbench.judge.server.content import SubmissionRequest
from rigorbench.judge.server.owner import records
from rigorbench.judge.server.store import SubmissionStore
from rigorbench.judge.submission import Submission

QUICK = ServerSettings(retry_pause=0.01)


def test_two_hundred_submitters_at_once_lose_and_double_nothing(serve: Serve, judge: FakeJudge) -> None:
    server = serve(workers=4)
    tokens = [server.issue_token(f"run-{n % 20}", "sum") for n in range(200)]
    barrier = threading.Barrier(200)

    def submit(n: int) -> tuple[int, int]:
        http = Http(server.url, tokens[n])
        barrier.wait()
        # Sent twice, as by a client that did not hear the first answer.
        (first, a), (second, b) = (http.submit(f"code {n}", key=f"key-{n}") for _ in range(2))
        assert (first, second, a["id"]) == (201, 201, b["id"])
        return n, a["id"]

    with ThreadPoolExecutor(200) as pool:
        numbers = dict(pool.map(submit, range(200)))
    assert len(set(numbers.values())) == 200
    for run in range(20):
        assert server.wait(f"run-{run}", 60)
    records = {r.id: r for run in range(20) for r in server.submissions(f"run-{run}")}
    assert len(records) == 200
    for n, number in numbers.items():
        record = records[number]
        assert (record.state, record.run) == ("done", f"run-{n % 20}")
        assert (record.submission.root / "main").read_text() == f"code {n}"
    assert Counter(judge.judged) == Counter(f"code {n}" for n in range(200))


def test_the_same_key_and_form_are_the_same_submission(http: Http) -> None:
    first, second = http.submit("x", key="k"), http.submit("x", key="k")
    assert (first[0], first[1]["id"]) == (second[0], second[1]["id"])
    assert second[1]["budget"]["used"] == 1
    status, refused = http.submit("y", key="k")
    assert (status, refused["error"], refused["budget"]["used"]) == (409, "key_used", 1)


def test_a_key_is_of_one_run(server: JudgeServer, http: Http) -> None:
    other = of_run(server, run="another")
    assert http.submit("x", key="k")[1]["id"] != other.submit("x", key="k")[1]["id"]


def test_a_refused_request_does_not_use_its_key(http: Http) -> None:
    assert http.submit("refuse", key="k")[0] == 409
    assert http.submit("better", key="k")[0] == 201


def test_requests_with_one_key_at_the_same_time_are_one_submission(server: JudgeServer, http: Http) -> None:
    barrier = threading.Barrier(20)

    def submit(_: int) -> int:
        barrier.wait()
        number: int = http.submit("x", key="k")[1]["id"]
        return number

    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(submit, range(20))) == {1}


def test_the_budget_holds_against_submitters_at_the_same_time(serve: Serve) -> None:
    http = of_run(serve(problem(budget=3)))
    barrier = threading.Barrier(16)

    def submit(n: int) -> int:
        barrier.wait()
        return http.submit(f"{n}")[0]

    with ThreadPoolExecutor(16) as pool:
        assert Counter(pool.map(submit, range(16))) == {201: 3, 403: 13}


# -- failures of the judge ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["error", "defect", "spoilt"])
def test_a_judge_that_fails_is_asked_again_and_the_submission_counts(serve: Serve, judge: FakeJudge, word: str) -> None:
    server = serve(problem(budget=1), settings=QUICK)
    http = of_run(server)
    found = http.finished(http.submit(word)[1]["id"])
    assert judge.judged == [word] * QUICK.attempts
    assert (found["status"], found["score"], found["details"]) == ("judge_error", None, {"groups": []})
    # A refund would be an answer: a submission can make a checker crash if the hidden input begins with "a".
    assert found["budget"] == {"limit": 1, "used": 1, "remaining": 0}
    (record,) = server.submissions("run")
    assert record.attempts == QUICK.attempts
    reasons = {"error": "no compiler", "defect": "a defect of the judge", "spoilt": "secret/basic/02"}
    assert record.error is not None
    assert reasons[word] in record.error
    # Of a spoilt judgement no test point is shown: else a judge that fails would be a free look at the tests.
    assert "SECRET" not in str(found)


def test_a_second_attempt_looks_like_the_first(serve: Serve, judge: FakeJudge) -> None:
    failed = threading.Event()

    def fails_once(*arguments: object) -> object:
        if not failed.is_set():
            failed.set()
            raise OSError("the checker crashed")
        return judge(*arguments)  # type: ignore[arg-type]

    http = of_run(serve(settings=ServerSettings(retry_pause=0.3), judge=fails_once))
    number = http.submit("wait")[1]["id"]
    assert failed.wait(20)
    shown = {http.status(number)["status"] for _ in iter(lambda: judge.waiting.acquire(blocking=False), True)}
    judge.go.set()
    assert shown == {"judging"}
    assert http.raw("GET", f"/api/v1/submission/{number}/events")[2].count(b"event:") <= 2


def test_a_judge_that_recovers_gives_a_verdict(serve: Serve, judge: FakeJudge) -> None:
    calls = []

    def flaky(*arguments: object) -> object:
        calls.append(1)
        if len(calls) < 3:
            raise OSError("no processes left")
        return judge(*arguments)  # type: ignore[arg-type]

    server = serve(settings=QUICK, judge=flaky)
    http = of_run(server)
    assert http.finished(http.submit("x")[1]["id"])["status"] == "accepted"
    assert (server.submissions("run")[0].error, len(calls)) == (None, 3)


def test_judging_that_takes_too_long_is_ended(serve: Serve, judge: FakeJudge) -> None:
    http = of_run(serve(settings=ServerSettings(longest=0.05, attempts=1)))
    assert http.finished(http.submit("wait")[1]["id"])["status"] == "judge_error"
    assert judge.cancelled == 1


def test_closing_puts_back_what_is_under_way(serve: Serve, judge: FakeJudge) -> None:
    server = serve()
    http = of_run(server)
    http.submit("wait")
    judge.waiting.acquire()
    server.close()
    judge.go.set()
    again = serve()
    assert again.wait("run", 20)
    (record,) = again.submissions("run")
    assert (record.state, record.attempts) == ("done", 0)
    # The token holds after a restart.
    assert Http(again.url, http.token).finished(record.id)["status"] == "accepted"


def test_what_never_was_accepted_leaves_no_files(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    http = of_run(server)
    http.submit("x")
    http.submit("refuse")
    content = tmp_path / "data" / "content"
    assert len(list(content.iterdir())) == 1
    server.close()
    (content / "of-a-killed-server").mkdir()
    serve()
    assert len(list(content.iterdir())) == 1


# -- order and bounds --------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> SubmissionStore:
    return SubmissionStore(tmp_path)


def stored(store: SubmissionStore, run: str, number: int = 1, *, name: str = "sum") -> list[int]:
    """Ids of new submissions."""
    found = []
    for n in range(number):
        place = store.directory / "content" / f"{run}-{n}"
        place.mkdir(parents=True)
        submission = Submission(place, "cpp", "0" * 64)
        found.append(store.accept(Token(run, name, None, "tests"), "cpp", b"", place.name, submission).id)
    return found


def claims(store: SubmissionStore, number: int) -> list[str]:
    runs = []
    for _ in range(number):
        claimed = store.claim(["sum"])
        runs.append(claimed.run)
    return runs


def test_a_run_with_many_submissions_delays_others_by_one(store: SubmissionStore) -> None:
    stored(store, "many", 50)
    stored(store, "few", 2)
    stored(store, "one")
    assert claims(store, 6) == ["many", "few", "one", "many", "few", "many"]


def test_a_run_has_its_turn_again_only_after_the_others(store: SubmissionStore) -> None:
    stored(store, "a", 3)
    stored(store, "b", 3)
    order = []
    for _ in range(6):
        entry = store.claim(["sum"])
        order.append(entry.run)
        assert store.finish(entry.id, judgement(problem(), entry.submission))
    assert order == ["a", "b"] * 3


def test_what_is_over_takes_no_second_verdict(store: SubmissionStore) -> None:
    (number,) = stored(store, "run")
    entry = store.claim(["sum"])
    verdict = judgement(problem(), entry.submission)
    assert store.finish(number, verdict)
    assert not store.finish(number, verdict)
    assert not store.fail(number, "late", final=True, pause=0, judgement=None)
    assert store.entries()[0].state == "done"


def test_what_kills_the_server_each_time_is_given_up(tmp_path: Path) -> None:
    store = SubmissionStore(tmp_path, ServerSettings(interruptions=2))
    (number,) = stored(store, "run")
    for left in ([], [], [number]):
        assert store.claim(["sum"]) is not None
        assert store.recover() == left
    assert store.claim(["sum"]) is None
    assert store.entries()[0].state == "failed"


def test_nobody_else_takes_a_submission_back(store: SubmissionStore) -> None:
    (number,) = stored(store, "run")
    for run, name in (("another", "sum"), ("run", "other")):
        assert store.abort(Token(run, name, None, "tests"), number) is None
    assert store.entries()[0].state == "queued"
    taken = store.abort(Token("run", "sum", None, "tests"), number)
    assert taken.state == "aborted"


def test_what_is_taken_back_has_no_verdict_even_for_the_owner(store: SubmissionStore) -> None:
    (number,) = stored(store, "run")
    claimed = store.claim(["sum"])
    assert store.finish(number, judgement(problem(), claimed.submission))
    assert records(store)[0].judgement is not None
    assert store.abort(Token("run", "sum", None, "none"), number) is not None
    assert store.entries()[0].judgement is not None
    assert records(store)[0].judgement is None


def test_what_is_not_served_waits(store: SubmissionStore) -> None:
    stored(store, "run", name="other")
    assert store.claim(["sum"]) is None
    assert store.claim(["other"]) is not None


def test_a_full_queue_refuses_with_a_time_to_come_back(serve: Serve, judge: FakeJudge) -> None:
    server = serve(settings=ServerSettings(queue=5, queue_per_run=3))
    one, two = (of_run(server, run=run, budget=9) for run in ("one", "two"))
    assert [one.submit("wait")[0] for _ in range(4)] == [201, 201, 201, 429]
    assert [two.submit("wait")[0] for _ in range(3)] == [201, 201, 429]
    body = b"language=cpp&code=x"
    status, headers, _ = one.raw(
        "POST", "/api/v1/problem/sum/submit", body, {"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert (status, headers["retry-after"], headers["x-budget-used"]) == (429, "5", "3")
    judge.go.set()
    assert server.wait("one", 20)
    assert server.wait("two", 20)
    # A place is free once its author may know that one is: results are shown at few moments.
    until(lambda: one.submit("x")[0] == 201)


def test_a_full_disk_is_told_and_costs_nothing(serve: Serve) -> None:
    import errno

    full = [True]

    def take(request: SubmissionRequest, place: Path, limit: int) -> Submission:
        if full.pop() if full else False:
            raise OSError(errno.ENOSPC, "No space left on device")
        return fake_take(request, place, limit)

    http = of_run(serve(problem(budget=1), taker=take))
    status, refused = http.submit("x")
    assert (status, refused["message"]) == (503, "the judge's disk is full")
    assert http.submit("x")[0] == 201


def test_waiting_for_a_run_ends_in_time(serve: Serve, judge: FakeJudge) -> None:
    server = serve()
    http = of_run(server)
    http.submit("wait")
    assert not server.wait("run", 0.0)
    assert server.wait("no such run", 0.0)
    judge.go.set()
    until(lambda: server.wait("run", 1))
