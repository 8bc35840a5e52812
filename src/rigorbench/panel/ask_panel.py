"""Asking a panel in full: entrance exams first, then the cases; and how many verdicts came of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct, field

from ..base.text import count
from ..reader.backends.cost import Ledger
from .ask import Summary, ask
from .judges.config import PanelConfig
from .judges.llm import LlmJudge, identity, judges, record
from .model import Case, Kind
from .rubrics import RUBRICS
from .verdicts import Verdicts
from .votes import VoteStore

Progress = Callable[[str, int, int], None]
# Rough figures for an estimate: characters of a token, and tokens of one answer with its short reason.
_CHARACTERS = 4
_ANSWER = 30


class Judged(Protocol):
    """Something with cases of its own: a session, a run. Subjects are unique within one."""

    @property
    def cases(self) -> list[Case]: ...


class SeatState(Struct):
    """A seat, and its ``exam``: "passed", "failed", "incomplete", or "none" if there was none yet."""

    seat: str
    model: str
    exam: str


class Asked(Struct):
    """What came of asking.

    Attributes:
        seats: the judges, and whether they passed the exam.
        quorum: votes that make a verdict.
        cases: cases by kind.
        verdicts: verdicts by kind.
        votes: what became of the votes on the cases.
        exams_cost: dollars of the exams of this call; None: unknown.
        problem: why no case was put to any judge.
        problems: everything else that went wrong, one line each.
    """

    seats: list[SeatState]
    quorum: int
    cases: dict[str, int]
    verdicts: dict[str, int]
    votes: Summary = field(default_factory=Summary)
    exams_cost: float | None = 0.0
    problem: str | None = None
    problems: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return self.problem is None and self.cases == self.verdicts and self.votes.complete


class Estimate(Struct):
    """What asking would take at most, given the votes that are stored.

    Attributes:
        cases: cases by kind.
        prompts: prompts to send about them.
        cached: votes that are stored already.
        exams: seats that would sit the exam first.
        exam_prompts: the prompts of all these exams.
        input_tokens: about as many tokens to send.
        output_tokens: about as many tokens of replies.
        cost: dollars; None if a price is unknown.
        missing: one line for each key that is not in the environment.
    """

    cases: dict[str, int]
    prompts: int
    cached: int
    exams: list[str]
    exam_prompts: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    missing: list[str]


def ask_panel(
    config: PanelConfig, store: VoteStore, sessions: Sequence[Judged], *, progress: Progress | None = None
) -> Asked:
    """Examine the judges that need it, and put all cases to those that passed.

    Raises:
        NoKeys: a seat's key is not in the environment.
        PanelError: what asks models is not installed.
        rigorbench.panel.votes.StoreError: the votes cannot be written.
    """
    cases = [case for session in sessions for case in session.cases]
    counted = dict(sorted(Counter[str](case.kind for case in cases).items()))
    asked = Asked([], config.quorum, counted, dict.fromkeys(counted, 0))
    if not cases:
        return asked
    sitting = judges(config, store)
    # One loop for all of it: connections that were opened for the exam serve the cases.
    asyncio.run(_ask_all(config, store, sitting, cases, asked, progress))
    asked.verdicts = count_verdicts(store, sessions, counted)
    return asked


async def _ask_all(
    config: PanelConfig,
    store: VoteStore,
    sitting: Sequence[LlmJudge],
    cases: Sequence[Case],
    asked: Asked,
    progress: Progress | None,
) -> None:
    kinds = sorted({case.kind for case in cases})
    admitted: list[LlmJudge] = []
    ledger = Ledger(store.directory, None)
    before = ledger.spent()
    for judge in sitting:
        state = exam_state(store, judge.model, judge.judge, kinds)
        if state in ("none", "incomplete"):
            state = await _examine(judge, store, config, asked, progress)
        asked.seats.append(SeatState(judge.seat, judge.model, state))
        if state == "passed":
            admitted.append(judge)
        elif state == "failed":
            why = "failed the entrance exam and is not asked (details: rigor panel exam)"
            asked.problems.append(f"seat {judge.seat!r} ({judge.model}): {why}")
    asked.exams_cost = ledger.spent() - before if all(seat.price is not None for seat in config.seats) else None
    if len(admitted) < config.quorum:
        asked.problem = (
            f"only {len(admitted)} of {count(len(sitting), 'judge')} passed the entrance exam, and a verdict takes "
            f"{config.quorum}: no judge was asked, and scores stay as they are"
        )
        return
    store.write_panel(record(config))
    asked.votes = await ask(
        cases,
        admitted,
        store,
        concurrency=config.concurrency,
        progress=None if progress is None else lambda done, total: progress("votes", done, total),
    )
    asked.problems += [*asked.votes.problems, *_replaced_models(store, cases, admitted)]


def _replaced_models(store: VoteStore, cases: Sequence[Case], judges: Sequence[LlmJudge]) -> list[str]:
    """A line for each judge whose votes another model answered than the one that sat the exam: they do not count."""
    others: dict[tuple[str, str], Counter[str]] = {}
    for case in {case.digest: case for case in cases}.values():
        for vote in store.find(case.digest, RUBRICS[case.kind].digest, counting=False):
            if not store.counts(vote):
                others.setdefault((vote.model, vote.judge), Counter())[vote.answered_by or "an unnamed model"] += 1
    return [
        f"seat {judge.seat!r} ({judge.model}): {count(sum(found.values()), 'vote')} not counted, because "
        f"{', '.join(sorted(found))} answered and another model sat the exam; use a new votes directory for a new exam"
        for judge in judges
        if (found := others.get((judge.model, judge.judge)))
    ]


def count_verdicts(store: VoteStore, sessions: Sequence[Judged], kinds: dict[str, int]) -> dict[str, int]:
    found = dict.fromkeys(kinds, 0)
    for session in sessions:
        verdicts = Verdicts(store, session.cases)
        for case in session.cases:
            found[case.kind] += verdicts.get(case.kind, case.subject) is not None
    return found


def exam_state(store: VoteStore, model: str, judge: str, kinds: Sequence[Kind]) -> str:
    """The worst result of a judge's exams on these kinds of cases."""
    states = {
        "none" if (exam := store.exam(model, judge, RUBRICS[kind].digest)) is None else str(exam.verified_status)
        for kind in kinds
    }
    return next((s for s in ("none", "incomplete", "failed") if s in states), "passed")


async def _examine(
    judge: LlmJudge, store: VoteStore, config: PanelConfig, asked: Asked, progress: Progress | None
) -> str:
    from .exam.exam import exam

    name = f"exam of {judge.seat}"
    result = await exam(
        judge,
        store,
        concurrency=config.concurrency,
        progress=None if progress is None else lambda done, total: progress(name, done, total),
    )
    if result.status != "incomplete":
        store.add_exam(result)
    asked.problems += [f"exam of seat {judge.seat!r}: {problem}" for problem in result.problems]
    return result.status


def estimate(config: PanelConfig, store: VoteStore, sessions: Sequence[Judged]) -> Estimate:
    """What :func:`ask_panel` would do, without asking anybody. Needs no keys."""
    from ..reader.backends.seat import NoKeys
    from .exam.exam import exam_cases

    of_exam = list({c.case.digest: c.case for part in exam_cases() for c in part}.values())
    stores = [store, *([VoteStore(config.exams)] if config.exams is not None else [])]
    cases = {(c.kind, c.digest): c for s in sessions for c in s.cases}
    counted = dict(sorted(Counter[str](c.kind for s in sessions for c in s.cases).items()))
    kinds = sorted({case.kind for case in cases.values()})
    found = Estimate(counted, 0, 0, [], 0, 0, 0, 0.0, [])
    for seat in config.seats:
        judge = LlmJudge(seat)
        states = [exam_state(one, seat.model, identity(seat), kinds) for one in stores] if kinds else ["passed"]
        state = next((s for s in states if s in ("passed", "failed")), "none")
        if state == "failed":
            continue
        given = {v.key for v in store.all() if v.status == "voted"}
        asked = [case for case in cases.values() if judge.key(case, RUBRICS[case.kind]) not in given]
        found.cached += len(cases) - len(asked)
        found.prompts += len(asked)
        if state == "none":
            found.exams.append(seat.name)
            found.exam_prompts += len(of_exam)
            asked += of_exam
        into, out = _tokens(asked)
        found.input_tokens += into
        found.output_tokens += out
        price = seat.price
        if price is None:
            found.cost = None if asked else found.cost
        elif found.cost is not None:
            found.cost += (into * price.input + out * price.output) / 1e6
        try:
            seat.key()
        except NoKeys as error:
            found.missing.append(str(error))
    return found


def _tokens(cases: Sequence[Case]) -> tuple[int, int]:
    from .judges.prompt import PromptError, build

    into = out = 0
    for case in cases:
        try:
            prompt = build(case, RUBRICS[case.kind])
        except PromptError:
            continue
        into += (len(prompt.system) + len(prompt.user)) // _CHARACTERS
        out += len(prompt.points) * _ANSWER
    return into, out
