"""A language model as a judge: the check of its answers, and further requests after one that cannot be used."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ...base.extras import install
from ...base.text import count
from ...reader.backends.api import PAUSE, Client, Failure, Usage
from ...reader.backends.cost import Ledger, cost
from ...reader.backends.seat import NoKeys, Seat
from ..model import Answer, Case, Rubric, Vote
from ..votes import PANEL_SCHEMA, PanelRecord, SeatRecord, VoteStore
from .config import PanelConfig, PanelError
from .prompt import PROMPT_VERSION, UNUSABLE, Prompt, PromptError, ReplyError, again, build, read_reply

_RAW = 100_000


class LlmJudge:
    """One seat of the panel.

    Args:
        seat: who is asked.
        key: of the provider; None for a local server. It never gets into anything that is stored.
        timeout: seconds for one reply.
        retries: how often a request is sent again after the provider or the network failed.
        reasks: how often the model is asked again after a reply that cannot be used.
        ledger: keeps the cost limit; None: no limit.
        pause: seconds before the first retry.
    """

    method: Literal["judged", "estimated"] = "judged"

    def __init__(
        self,
        seat: Seat,
        *,
        key: str | None = None,
        timeout: float = 120.0,
        retries: int = 4,
        reasks: int = 2,
        ledger: Ledger | None = None,
        pause: float = PAUSE,
    ) -> None:
        self.seat, self.model = seat.name, seat.model
        self.judge = identity(seat)
        self._seat, self._reasks = seat, reasks
        self._client = Client(seat, key=key, timeout=timeout, retries=retries, ledger=ledger, pause=pause)

    @property
    def broken(self) -> str | None:
        """Why asking again is useless; None: it may be useful."""
        return self._client.broken

    def key(self, case: Case, rubric: Rubric) -> str | None:
        """Key of the vote that :meth:`vote` would give; None: the case does not fit into a prompt."""
        try:
            return self._blank(case, rubric, build(case, rubric).sha256).key
        except PromptError:
            return None

    async def vote(self, case: Case, rubric: Rubric) -> Vote:
        """Ask, with retries. A failure gives a vote that says so; ``attempts`` 0: nothing was sent."""
        try:
            prompt = build(case, rubric)
        except PromptError as error:
            vote = self._blank(case, rubric, "")
            vote.problem = str(error)
            return vote
        vote = self._blank(case, rubric, prompt.sha256)
        usage = Usage()
        try:
            vote.answers = await self._answers(prompt, vote, usage)
            vote.status = "voted"
        except Failure as failure:
            vote.problem = self._client.clean(str(failure))
        except Exception as error:
            # A defect of a client must not stop the panel; the vote reports it.
            vote.problem = self._client.clean(f"{type(error).__name__}: {error}")
        vote.raw = self._client.clean(vote.raw, _RAW)
        vote.attempts = usage.attempts
        vote.input_tokens, vote.output_tokens = usage.input, usage.output
        vote.cost = cost(self._seat.price, usage.input, usage.output)
        vote.time = round(time.time(), 3)
        return vote

    async def close(self) -> None:
        """Close the connections. The judge can be asked again and opens new ones."""
        await self._client.close()

    def _blank(self, case: Case, rubric: Rubric, prompt: str) -> Vote:
        return Vote(
            kind=case.kind,
            case=case.digest,
            rubric=rubric.digest,
            seat=self.seat,
            model=self.model,
            prompt=prompt,
            status="failed",
            judge=self.judge,
            attempts=0,
        )

    async def _answers(self, prompt: Prompt, vote: Vote, usage: Usage) -> list[Answer]:
        first = [("system", prompt.system), ("user", prompt.user)]
        turns = first
        for left in range(self._reasks, -1, -1):
            said = await self._client.say(turns, prompt.schema, usage)
            vote.raw, vote.answered_by = said.text, said.model
            if said.finish == "content_filter":
                raise Failure("the provider's filter withheld the reply")
            try:
                if said.finish == "length":
                    raise ReplyError("it was cut off; say less under why")
                return read_reply(said.text, prompt)
            except ReplyError as error:
                if not left:
                    times = self._reasks + 1
                    raise Failure(f"no usable reply in {count(times, 'time')}: {error}") from None
                # The reply itself is not sent back: what it copied from the data would look like the judge's own words.
                turns = [*first, ("assistant", UNUSABLE), ("user", again(error))]
        raise AssertionError("unreachable")


class _Identity(Struct):
    settings: Any
    prompt: int


def identity(seat: Seat) -> str:
    """Digest of what identifies a judge besides its model: settings, and the version of the prompt."""
    import hashlib

    return hashlib.sha256(msgspec.json.encode(_Identity(seat.settings, PROMPT_VERSION))).hexdigest()[:16]


def judges(
    config: PanelConfig, store: VoteStore, *, environment: Mapping[str, str] | None = None, pause: float = PAUSE
) -> list[LlmJudge]:
    """The seats of a panel, ready to be asked.

    Raises:
        NoKeys: a seat's key is not in the environment.
        PanelError: pydantic-ai is not installed.
    """
    import importlib.util
    import os

    found = os.environ if environment is None else environment
    keys, missing = [], []
    for seat in config.seats:
        try:
            keys.append(seat.key(found))
        except NoKeys as error:
            missing.append(str(error))
    if missing:
        raise NoKeys("; ".join(missing))
    if importlib.util.find_spec("pydantic_ai") is None:
        raise PanelError(f"asking models needs pydantic-ai: {install('panel')}")
    ledger = Ledger(store.directory, config.cost_limit)
    return [
        LlmJudge(
            seat,
            key=key,
            timeout=config.timeout,
            retries=config.retries,
            reasks=config.reasks,
            ledger=ledger if seat.price is not None else None,
            pause=pause,
        )
        for seat, key in zip(config.seats, keys, strict=True)
    ]


def record(config: PanelConfig) -> PanelRecord:
    """The panel as it is stored with its votes: without keys."""
    seats = [
        SeatRecord(
            name=seat.name,
            model=seat.model,
            judge=identity(seat),
            base_url=seat.base_url,
            settings=msgspec.to_builtins(seat.settings),
            price=msgspec.to_builtins(seat.price),
        )
        for seat in config.seats
    ]
    return PanelRecord(PANEL_SCHEMA, seats, config.quorum, PROMPT_VERSION)
