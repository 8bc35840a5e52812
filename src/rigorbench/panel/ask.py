"""Asking the judges about cases: only for votes that are not stored, several at a time, each stored as it arrives."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from .model import Case, Judge, Kind, Rubric, Vote
from .votes import VoteStore

# A seat that fails this often in a row is not asked again: a dead server would take hours to fail for every case.
GIVE_UP = 5


class Summary(Struct):
    """What came of asking. All counts are of votes, that is of pairs of judge and case.

    Attributes:
        wanted: all votes: ``cached`` + ``voted`` + ``failed`` + ``unasked``.
        cached: votes that were stored already.
        voted: new votes.
        failed: votes that failed.
        unasked: votes that were not asked for.
        attempts: requests that were sent.
        input_tokens: of the new votes; None: unknown for one of them.
        output_tokens: of the new votes; None: unknown for one of them.
        cost: dollars of the new votes; None: unknown for one of them.
        problems: what went wrong, one line each.
    """

    wanted: int = 0
    cached: int = 0
    voted: int = 0
    failed: int = 0
    unasked: int = 0
    attempts: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return not self.failed and not self.unasked


async def ask(
    cases: Iterable[Case],
    judges: Sequence[Judge],
    store: VoteStore,
    *,
    rubrics: Mapping[Kind, Rubric] | None = None,
    concurrency: int = 4,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Ask each judge about each case, unless the vote is stored.

    A vote is stored as soon as it arrives, so an interrupted call can be continued. A failed vote is stored, too, and
    the next call asks for it again. All judges are asked about a case before the next case, so that a limit reached in
    the middle leaves complete verdicts.

    Args:
        cases: what to judge; equal cases are asked once.
        judges: who is asked.
        store: where votes are read and written.
        rubrics: by kind of case; by default all of :mod:`rigorbench.panel.rubrics`.
        concurrency: requests at a time.
        progress: called with (done, total) after each vote that was asked for.

    Raises:
        StoreError: the votes cannot be written.
    """
    if rubrics is None:
        from .rubrics import RUBRICS

        rubrics = RUBRICS
    by_kind = rubrics
    unique = {(case.kind, case.digest): case for case in cases}.values()
    summary, reasons, pending = Summary(), Counter[tuple[str, str]](), list[tuple[Judge, Case]]()
    for case in unique:
        for judge in judges:
            summary.wanted += 1
            if known(judge, case, by_kind[case.kind], store) is not None:
                summary.cached += 1
            else:
                pending.append((judge, case))
    streak: Counter[str] = Counter()
    total, done = len(pending), 0
    queue = iter(pending)

    async def work() -> None:
        nonlocal done
        # All workers share one iterator, so each takes the next pair that no other has taken.
        for judge, case in queue:
            reason = _stopped(judge, streak)
            if reason is None:
                vote = await judge.vote(case, by_kind[case.kind])
                if vote.attempts:
                    store.add(vote)
                _count(summary, vote)
                streak[judge.seat] = 0 if vote.status == "voted" else streak[judge.seat] + (vote.attempts > 0)
                reason = vote.problem if vote.status == "failed" else None
            else:
                summary.unasked += 1
            if reason is not None:
                reasons[judge.seat, reason] += 1
            done += 1
            if progress is not None:
                progress(done, total)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, min(concurrency, total))):
                group.create_task(work())
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    finally:
        for judge in judges:
            close = getattr(judge, "close", None)
            if close is not None:
                await close()
    if done < total:
        summary.unasked += total - done
        reasons["all", "interrupted"] += total - done
    summary.problems = [
        f"seat {seat!r}: {reason}" + (f" ({times} votes)" if times > 1 else "")
        for (seat, reason), times in reasons.items()
    ]
    return summary


def known(judge: Judge, case: Case, rubric: Rubric, store: VoteStore) -> Vote | None:
    """The judge's vote on a case, if the store has one that did not fail."""
    name: Callable[[Case, Rubric], str | None] | None = getattr(judge, "key", None)
    if name is None:
        # A judge without a prompt: any vote of its on this case counts.
        mine = (judge.model, getattr(judge, "judge", ""))
        return next((v for v in store.on(case.digest, rubric.digest) if (v.model, v.judge) == mine), None)
    key = name(case, rubric)
    return store.answered(key) if key is not None else None


def _stopped(judge: Judge, streak: Counter[str]) -> str | None:
    broken: str | None = getattr(judge, "broken", None)
    if broken is not None:
        return f"not asked: {broken}"
    if streak[judge.seat] >= GIVE_UP:
        return f"not asked: it failed {GIVE_UP} times in a row"
    return None


def _count(summary: Summary, vote: Vote) -> None:
    if not vote.attempts and vote.status == "failed":
        summary.unasked += 1
        return
    if vote.status == "voted":
        summary.voted += 1
    else:
        summary.failed += 1
    summary.attempts += vote.attempts
    summary.input_tokens = _sum(summary.input_tokens, vote.input_tokens)
    summary.output_tokens = _sum(summary.output_tokens, vote.output_tokens)
    summary.cost = None if summary.cost is None or vote.cost is None else summary.cost + vote.cost


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b
