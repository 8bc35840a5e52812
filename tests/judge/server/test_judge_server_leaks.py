"""How much a hostile submission can carry out: it reads the hidden input, and chooses what the server then shows.

Each channel is one thing that it can choose. What differs in the answers, over all its choices, is what it carries: the
logarithm of their number, in bits. docs/judge-server.md states the bounds, and is read here.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from judge_server_fakes import FakeJudge, Serve, of_run, problem
from msgspec import structs

from rigorbench.judge.judgement import GroupResult, Judgement, PointResult, ProgramUsage
from rigorbench.judge.problems.problem import Feedback
from rigorbench.judge.problems.verdicts import ROWS, Verdict
from rigorbench.judge.server import ServerSettings, view
from rigorbench.judge.server.records import State, StoredSubmission, SubmissionBudget, Token
from rigorbench.judge.server.view import moment, shown
from rigorbench.judge.submission import Submission

DOCS = Path(__file__).parents[3] / "docs" / "judge-server.md"
LEVELS: tuple[Feedback, ...] = get_args(Feedback)
CHOICES = 1200
VERDICTS = list(ROWS)

# From a number that was read to a point in which it shows: exactly, where the answer has room for it.
CHANNELS: dict[str, Callable[[int], PointResult]] = {
    "time": lambda n: _failed(usage=ProgramUsage(cpu=n * 0.0837)),
    "memory": lambda n: _failed(usage=ProgramUsage(memory=n * 14_300_001)),
    "files": lambda n: _failed(usage=ProgramUsage(files=n)),
    "sizes": lambda n: _failed(usage=ProgramUsage(disk=n)),
    "output": lambda n: _failed(usage=ProgramUsage(output=n, wall=n / 7)),
    "exit code": lambda n: _point("runtime_error", 0.0, message=f"exit code {n}", exit_code=n, signal=f"SIG{n}"),
    "message": lambda n: _point("wrong_answer", 0.0, message=f"differs at line {n}", details=f"{n}"),
    "leak": lambda n: _point("memory_leak", 0.0, message=f"{n} bytes leaked in 1 allocations", metric=float(n)),
    "runs": lambda n: _failed(runs=n),
    "score": lambda n: _point(score=n / (CHOICES - 1)),
    "verdict": lambda n: _point(VERDICTS[n % len(VERDICTS)], 0.0),
}


def _point(verdict: Verdict = "accepted", score: float = 1.0, **more: object) -> PointResult:
    return PointResult("secret/1-a/01", verdict, score, **more)  # type: ignore[arg-type]


def _failed(**more: object) -> PointResult:
    return _point("wrong_answer", 0.0, **more)


def _seen(level: Feedback, points: list[PointResult], group: str = "secret/1-a", state: State = "done") -> bytes:
    """What the author is shown."""
    worst = min(points, key=lambda point: VERDICTS.index(point.verdict)).verdict
    score = 100.0 * min(point.score or 0.0 for point in points)
    judged = Judgement(
        "sum", "", "", "cpp", worst, score, 100.0, [GroupResult(group, worst, score, 100.0, points)], seconds=1.0
    )
    entry = StoredSubmission(
        1, "run", "sum", "cpp", state, 0.0, "", Submission(Path(), "cpp", ""), finished=2.0, judgement=judged
    )
    token = Token("run", problem().id, 5, level)
    return msgspec.json.encode(view.submission(entry, token, SubmissionBudget(5, 1, 4), "1"))


def _bits(answers: set[bytes]) -> float:
    return math.log2(len(answers))


def _bound(level: str, column: int) -> float:
    """A number of the table of the documentation."""
    match = re.search(rf"^\| `{level}` \|(.+)\|$", DOCS.read_text(), re.MULTILINE)
    return float(match[1].split("|")[column])


def measured(level: Feedback) -> dict[str, float]:
    return {name: _bits({_seen(level, [choose(n)]) for n in range(CHOICES)}) for name, choose in CHANNELS.items()}


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_submission_carries_out_is_below_the_stated_bound(level: Feedback) -> None:
    found = measured(level)
    # The channels can be used together; the score of a point shows in its group and in all as well.
    assert sum(found.values()) <= sum(_bound(level, column) for column in range(3)), found
    closed = {"files", "sizes", "output", "exit code", "message", "leak", "runs"}
    assert {name for name in closed if found[name]} == set()
    if level in ("none", "verdict"):
        assert {name for name, bits in found.items() if bits} <= ({"score", "verdict"} if level == "verdict" else set())


@pytest.mark.parametrize("level", LEVELS)
def test_the_bound_holds_for_every_further_point(level: Feedback) -> None:
    """Only where points are shown do more of them carry more."""
    plain = _point()
    answers = {
        _seen(level, [plain, _point(usage=ProgramUsage(cpu=0.0337 * n, memory=5_700_001 * m))])
        for n in range(0, 300, 7)
        for m in range(0, 300, 7)
    }
    assert _bits(answers) <= _bound(level, 2)


def test_the_state_of_a_failed_judging_shows_no_point() -> None:
    shown = {_seen(level, [CHANNELS["time"](n)], state="failed") for level in LEVELS for n in range(50)}
    assert len(shown) == len(LEVELS)


def test_samples_are_public_and_shown_exactly() -> None:
    point = _point(
        "runtime_error", 0.0, message="exit code 7", usage=ProgramUsage(cpu=0.0123, memory=12_345, files=2, disk=9)
    )
    seen = _seen("tests", [point], "sample")
    for exact in (
        b'"time_msecs":12',
        b'"memory_bytes":12345',
        b'"file_count":2',
        b'"file_size_bytes":9',
        b"exit code 7",
    ):
        assert exact in seen


def test_what_the_package_says_to_the_author_is_shown() -> None:
    point = _point("wrong_answer", 0.0, message="differs at line 7; look at leap years", told="look at leap years")
    assert b'"message":"look at leap years"' in _seen("tests", [point])


@pytest.mark.parametrize(("exact", "shown"), [(99.999, 99.0), (100.0, 100.0), (66.666, 66.0), (29.0, 29.0), (0.4, 0.0)])
def test_scores_are_rounded_down(exact: float, shown: float) -> None:
    assert b'"score":%s,' % str(shown).encode() in _seen("verdict", [_point(score=exact / 100)])


# -- the moment ----------------------------------------------------------------------------------------------------


def _moments(longest: float, first: float = 1.0) -> set[tuple[str, float]]:
    """What the author of a submission sees, and since when, over all times that judging it may take."""
    seen = set()
    for n in range(CHOICES):
        took = longest ** (n / CHOICES)
        entry = StoredSubmission(
            1, "run", "sum", "cpp", "done", 100.0, "", Submission(Path(), "cpp", ""), started=100.1
        )
        entry = structs.replace(entry, finished=100.1 + took)
        now, until = 100.0, 100.0
        while until is not None:
            now = until
            found, until = shown(entry, first, now)
            seen.add((found.state, now))
        assert found.state == "done"
        assert 100.1 + took <= now <= 100.0 + max(first, 1.25 * (0.1 + took)) + 1e-6
    return seen


def test_the_moment_of_a_verdict_is_one_of_few() -> None:
    """A program chooses how long it runs by what it read."""
    allowed = re.search(r"moment carries at most (\d+) bits", DOCS.read_text())
    # Ten days, queue and repeated attempts included.
    ends = {now for state, now in _moments(10 * 86400.0) if state == "done"}
    assert math.log2(len(ends)) <= float(allowed[1])
    # Its beginning tells of the submissions before it.
    begins = {moment(0.0, 864000.0 ** (n / CHOICES), 1.0) for n in range(CHOICES)}
    assert math.log2(len(begins)) <= float(allowed[1])


def test_what_is_judged_early_looks_like_what_is_still_judged(serve: Serve, judge: FakeJudge) -> None:
    server = serve(settings=ServerSettings(first_shown=3.0, queue_per_run=3))
    http = of_run(server)
    sent = time.time()
    numbers = [http.submit(word)[1]["id"] for word in ("good", "wrong", "bad")]
    assert server.wait("run", 20)
    if time.time() - sent > 2.5:
        pytest.skip("this machine is too busy")
    early = [http.status(number) for number in numbers]
    assert {(found["status"], found["over"], found["finished_at"]) for found in early} == {("pending", False, None)}
    # Neither a refusal nor an abort shows that they are over.
    assert http.submit("one more")[0] == 429
    assert http.raw("POST", f"/api/v1/submission/{numbers[1]}/abort")[0] == 204
    assert http.status(numbers[1])["status"] == "aborted"
    status, _, events = http.raw("GET", f"/api/v1/submission/{numbers[0]}/events")
    assert (status, b'"status":"accepted"' in events) == (200, True)
    assert time.time() - sent > 2.95
    assert http.submit("one more")[0] == 201


def test_without_feedback_a_refusal_depends_on_what_was_sent_only(serve: Serve, judge: FakeJudge) -> None:
    server = serve(settings=ServerSettings(queue=2, queue_per_run=3))
    for run, word in (("quick", "good"), ("slow", "wait")):
        http = of_run(server, run=run, feedback="none")
        answers = []
        for _ in range(4):
            answers.append(http.submit(word)[0])
            if run == "quick":
                assert server.wait(run, 20)
        assert answers == [201, 201, 201, 429]
