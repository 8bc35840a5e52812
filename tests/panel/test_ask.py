"""Asking: only what is missing, never past the limit, and whatever was answered stays answered."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from panel_helpers import RUBRIC, RUBRICS, YES, case, llm_judges, panel_record, seat, vote

from rigorbench.panel.ask import GIVE_UP, Summary, ask
from rigorbench.panel.judges.config import PanelError
from rigorbench.panel.judges.llm import LlmJudge
from rigorbench.panel.judges.prompt import build
from rigorbench.panel.model import Case, Rubric, Vote
from rigorbench.panel.verdicts import Verdicts
from rigorbench.panel.votes import VoteStore
from rigorbench.reader.backends.cost import Ledger, highest
from rigorbench.reader.backends.seat import Price, Settings
from scripted_server import Step, serve


class Direct:
    """A judge in this process that answers yes; ``failures``: how often it fails first."""

    method = "judged"

    def __init__(self, seat: str = "one", failures: int = 0) -> None:
        self.seat, self.model = seat, f"x/{seat}"
        self.failures, self.asked, self.now, self.most = failures, 0, 0, 0

    async def vote(self, case: Case, rubric: Rubric) -> Vote:
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        if self.asked <= self.failures:
            return vote(int(case.subject[1:]), model=self.model, status="failed", answers=[], problem="HTTP 500")
        return vote(int(case.subject[1:]), model=self.model)


def run(cases: list[Case], judges: list[Direct] | list[LlmJudge], store: VoteStore, **options: int) -> Summary:
    return asyncio.run(ask(cases, judges, store, rubrics=RUBRICS, **options))  # type: ignore[arg-type]


CASES = [case(n) for n in range(12)]


def test_each_judge_is_asked_once_about_each_content(tmp_path: Path) -> None:
    judges, store = [Direct("one"), Direct("two"), Direct("three")], VoteStore(tmp_path)
    twin = Case(CASES[0].kind, "s0", CASES[0].excerpts, events=("e7",))
    seen: list[tuple[int, int]] = []
    summary = asyncio.run(
        ask([*CASES, twin], judges, store, rubrics=RUBRICS, concurrency=4, progress=lambda *n: seen.append(n))  # type: ignore[arg-type]
    )
    assert (summary.wanted, summary.voted, summary.cached, summary.failed) == (36, 36, 0, 0)
    assert summary.complete
    assert seen[-1] == (36, 36)
    assert sum(judge.most for judge in judges) >= 3
    assert all(judge.most <= 4 for judge in judges)
    again = run(CASES, judges, VoteStore(tmp_path))
    assert (again.cached, again.voted) == (36, 0)
    assert [judge.asked for judge in judges] == [12, 12, 12]


def test_so_many_requests_at_a_time_and_no_more(tmp_path: Path) -> None:
    # Nobody is answered before three have asked; twelve are four times three.
    three = threading.Barrier(3, timeout=30)

    def answer(system: str, user: str) -> str:
        three.wait()
        return YES

    with serve(answer) as server:
        judges, store = llm_judges(tmp_path, seat(server.url))
        assert run(CASES, judges, store, concurrency=3).voted == 12
        assert server.most_at_once == 3


def test_failures_are_kept_and_asked_again(tmp_path: Path) -> None:
    judge, store = Direct(failures=2), VoteStore(tmp_path)
    first = run(CASES, [judge], store, concurrency=1)
    assert (first.voted, first.failed) == (10, 2)
    assert first.problems == ["seat 'one': HTTP 500 (2 votes)"]
    assert sum(v.status == "failed" for v in store.all()) == 2
    second = run(CASES, [judge], store)
    assert (second.cached, second.voted, second.failed) == (10, 2, 0)
    assert all(v.status == "voted" for v in store.all())


def test_a_seat_that_only_fails_is_not_asked_on_and_the_others_are(tmp_path: Path) -> None:
    dead, alive, store = Direct("dead", failures=999), Direct("alive"), VoteStore(tmp_path)
    summary = run(CASES, [dead, alive], store, concurrency=1)
    assert dead.asked == GIVE_UP
    assert alive.asked == 12
    assert (summary.failed, summary.unasked) == (GIVE_UP, 12 - GIVE_UP)
    assert summary.problems[-1] == f"seat 'dead': not asked: it failed {GIVE_UP} times in a row ({12 - GIVE_UP} votes)"


def test_a_rejected_key_is_found_out_once(tmp_path: Path) -> None:
    with serve([Step(status=401)]) as server:
        judges, store = llm_judges(tmp_path, seat(server.url))
        summary = run(CASES, judges, store, concurrency=1)
        assert len(server.requests) == 1
    assert (summary.failed, summary.unasked) == (1, 11)
    assert "not asked: HTTP 401" in summary.problems[1]


# -- the limit

PRICE = Price(input=1_000.0, output=10_000.0)


@pytest.mark.parametrize("limit", [0.0, 5.0, 12.0, 20.0])
def test_the_cost_limit_is_never_passed(tmp_path: Path, limit: float) -> None:
    own = Settings(max_output_tokens=200)
    with serve([Step(YES, usage=(900, 100))]) as server:
        judges, store = llm_judges(tmp_path, seat(server.url, price=PRICE, settings=own), cost_limit=limit)
        summary = run(CASES, judges, store, concurrency=4)
        sent = len(server.requests)
    # Each reply costs 1.9 dollars; before it is known, several times that is set aside.
    assert summary.voted == sent
    assert summary.cost == pytest.approx(1.9 * sent)
    assert 1.9 * sent <= limit
    assert summary.unasked == 12 - sent > 0
    if sent:
        # Money is left over only where it might not have been enough.
        assert 1.9 * sent > limit - highest(PRICE, [*_texts(), "x" * 600], 200)
    assert len(summary.problems) == 1
    assert "cost limit" in summary.problems[0]
    # Another call, another process: what was spent stays spent.
    judges, store = llm_judges(tmp_path, seat(server.url, price=PRICE, settings=own), cost_limit=limit)
    assert run(CASES, judges, store).attempts == 0
    assert Ledger(tmp_path, limit).spent() == pytest.approx(1.9 * sent)


def _texts() -> tuple[str, str]:
    prompt = build(CASES[0], RUBRIC)
    return prompt.system, prompt.user


def test_a_request_of_unknown_cost_keeps_its_reservation(tmp_path: Path) -> None:
    with serve([Step(hang=True)]) as server:
        judges, store = llm_judges(tmp_path, seat(server.url, price=PRICE), timeout=0.1, retries=0)
        run(CASES[:1], judges, store)
    assert Ledger(tmp_path, None).spent() > highest(PRICE, _texts(), 8_000)


def test_what_was_refused_gives_back_its_reservation(tmp_path: Path) -> None:
    limit = 1.5 * highest(PRICE, [*_texts(), "x" * 600], 200)
    own = seat("", price=PRICE, settings=Settings(max_output_tokens=200))
    with serve([Step(status=429), Step(status=500), Step(YES, usage=(900, 100))]) as server:
        judges, store = llm_judges(tmp_path, msgspec.structs.replace(own, base_url=server.url), cost_limit=limit)
        assert run(CASES[:1], judges, store).voted == 1
    assert Ledger(tmp_path, None).spent() == pytest.approx(1.9)


def test_reservations_of_many_threads_hold_the_limit(tmp_path: Path) -> None:
    ledgers = [Ledger(tmp_path, 10.0) for _ in range(4)]
    got: list[str | None] = []

    def reserve(ledger: Ledger) -> None:
        got.extend(ledger.reserve(0.7) for _ in range(8))

    threads = [threading.Thread(target=reserve, args=(ledger,)) for ledger in ledgers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [name for name in got if name is not None]
    assert len(taken) == len(set(taken)) == 14
    ledgers[0].settle(taken[0], 0.1)
    assert ledgers[1].reserve(0.7) is not None
    assert ledgers[2].reserve(0.7) is None


def test_a_limit_without_prices_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="cost_limit cannot be kept: no price for 'one'"):
        llm_judges(tmp_path, seat("http://127.0.0.1:1/v1", price=None), cost_limit=1.0)


# -- kills and replay


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from panel_helpers import llm_judges, seat\n"
        "from test_ask import CASES, run\n"
        "judges, store = llm_judges(Path(sys.argv[2]), seat(sys.argv[1]), retries=0, timeout=60.0)\n"
        "run(CASES, judges, store, concurrency=2)\n"
    )
    enough, go_on = threading.Event(), threading.Event()

    def answer(system: str, user: str) -> str:
        if len(server.requests) > 7:
            enough.set()
            go_on.wait(30)
        return YES

    with serve(answer) as server:
        process = subprocess.Popen(
            [sys.executable, "-c", program, server.url, str(tmp_path)],
            cwd=Path(__file__).parent,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert enough.wait(60)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        go_on.set()
        judges, store = llm_judges(tmp_path, seat(server.url))
        # Two were under way when it was killed; every other reply had been stored.
        kept = len(store.all())
        assert kept >= len(server.requests) - 2 >= 6
        summary = run(CASES, judges, store, concurrency=2)
    assert (summary.cached, summary.voted) == (kept, 12 - kept)
    assert len(store.all()) == 12
    assert store.damaged == []


def test_an_interrupted_call_keeps_what_was_answered(tmp_path: Path) -> None:
    store = VoteStore(tmp_path)

    async def interrupted() -> None:
        def progress(done: int, total: int) -> None:
            if done == 5:
                task.cancel()

        task = asyncio.ensure_future(ask(CASES, [Direct()], store, rubrics=RUBRICS, concurrency=1, progress=progress))  # type: ignore[list-item]
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(interrupted())
    assert 5 <= len(store.all()) <= 6
    assert run(CASES, [Direct()], store).complete


def test_verdicts_come_from_the_store_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rigorbench.panel.verdicts.RUBRICS", RUBRICS)
    """The panel votes, the server goes, and what the votes say is read again byte by byte."""
    with serve([Step(YES)]) as server:
        seats = [seat(server.url, name) for name in ("one", "two", "three")]
        judges, store = llm_judges(tmp_path, *seats)
        assert run(CASES[:2], judges, store).voted == 6
    before = sorted(tmp_path.iterdir()), [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    found = [
        [
            (v.keys, v.majority("checked"), v.votes)
            for c in CASES[:2]
            if (v := verdicts.get("plan", c.subject)) is not None
        ]
        for verdicts in (Verdicts(VoteStore(tmp_path), CASES[:3]) for _ in range(2))
    ]
    assert found[0] == found[1]
    assert [(len(keys), yes, [v.seat for v in votes]) for keys, yes, votes in found[0]] == [
        (3, True, ["one", "two", "three"])
    ] * 2
    assert Verdicts(VoteStore(tmp_path), CASES[:3]).get("plan", CASES[2].subject) is None
    # A seat that leaves takes its votes with it; one of three alone makes no quorum.
    store.write_panel(panel_record("local/one", quorum=2))
    assert Verdicts(store, CASES[:2]).get("plan", CASES[0].subject) is None
    store.write_panel(panel_record("x/other", quorum=1))
    assert store.find(CASES[0].digest, RUBRIC.digest) == []
    votes = next(n for n, path in enumerate(before[0]) if path.suffix == ".jsonl")
    assert before[1][votes] == before[0][votes].read_bytes()
