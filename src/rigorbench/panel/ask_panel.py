"""Asking a panel about the cases of sessions, and how many verdicts came of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct, field

from .ask import Summary, ask
from .judges.config import PanelConfig
from .judges.llm import LlmJudge, judges, record
from .model import Case
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
    """A judge. It counts unchecked: the points that the panel is asked move to the reader, which can be checked."""

    seat: str
    model: str


class Asked(Struct):
    """What came of asking.

    Attributes:
        seats: the judges.
        quorum: votes that make a verdict.
        cases: cases by kind.
        verdicts: verdicts by kind.
        votes: what became of the votes on the cases.
        problems: what went wrong, one line each.
    """

    seats: list[SeatState]
    quorum: int
    cases: dict[str, int]
    verdicts: dict[str, int]
    votes: Summary = field(default_factory=Summary)
    problems: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return self.cases == self.verdicts and self.votes.complete


class Estimate(Struct):
    """What asking would take at most, given the votes that are stored.

    Attributes:
        cases: cases by kind.
        prompts: prompts to send about them.
        cached: votes that are stored already.
        input_tokens: about as many tokens to send.
        output_tokens: about as many tokens of replies.
        cost: dollars; None if a price is unknown.
        missing: one line for each key that is not in the environment.
    """

    cases: dict[str, int]
    prompts: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    missing: list[str]


def ask_panel(
    config: PanelConfig, store: VoteStore, sessions: Sequence[Judged], *, progress: Progress | None = None
) -> Asked:
    """Put all cases to the judges.

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
    asked.seats = [SeatState(judge.seat, judge.model) for judge in sitting]
    store.write_panel(record(config))
    told = None if progress is None else partial(progress, "votes")
    asked.votes = asyncio.run(ask(cases, sitting, store, concurrency=config.concurrency, progress=told))
    asked.problems = list(asked.votes.problems)
    asked.verdicts = count_verdicts(store, sessions, counted)
    return asked


def count_verdicts(store: VoteStore, sessions: Sequence[Judged], kinds: dict[str, int]) -> dict[str, int]:
    found = dict.fromkeys(kinds, 0)
    for session in sessions:
        verdicts = Verdicts(store, session.cases)
        for case in session.cases:
            found[case.kind] += verdicts.get(case.kind, case.subject) is not None
    return found


def estimate(config: PanelConfig, store: VoteStore, sessions: Sequence[Judged]) -> Estimate:
    """What :func:`ask_panel` would do, without asking anybody. Needs no keys."""
    from ..reader.backends.seat import NoKeys

    cases = {(c.kind, c.digest): c for s in sessions for c in s.cases}
    counted = dict(sorted(Counter[str](c.kind for s in sessions for c in s.cases).items()))
    found = Estimate(counted, 0, 0, 0, 0, 0.0, [])
    given = {v.key for v in store.all() if v.status == "voted"}
    for seat in config.seats:
        judge = LlmJudge(seat)
        asked = [case for case in cases.values() if judge.key(case, RUBRICS[case.kind]) not in given]
        found.cached += len(cases) - len(asked)
        found.prompts += len(asked)
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
