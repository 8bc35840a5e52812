"""A language model as a judge, at any provider, through pydantic-ai (imported when the first question is asked).

The library only translates to and from the providers' protocols. Retries, the check of the answers, the cost limit and
the storage are our own, so that they are the same for all providers. No tools, no telemetry, and no network but the
provider's.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from ...base.extras import install
from ...base.text import count
from ..model import Answer, Case, Rubric, Vote
from ..votes import PANEL_SCHEMA, PanelRecord, SeatRecord, VoteStore
from .config import NoKeys, PanelConfig, PanelError, Seat
from .cost import Ledger, cost, highest
from .prompt import PROMPT_VERSION, UNUSABLE, Prompt, PromptError, ReplyError, again, build, read_reply
from .providers import client, never_sent, parameters, retry_after

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model

# Seconds: the first pause before a request is sent again, which doubles each time, and the longest one.
PAUSE = 1.0
LONGEST_PAUSE = 60.0
# A seat that is told to wait longer than this gives up; the next `rigor panel ask` asks again.
LONGEST_WAIT = 300.0
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# Errors that the next case would get as well: no key, no money, no such model, no such address.
_LASTING = frozenset({401, 402, 403, 404})
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
        # Why asking again is useless; None: it may be useful.
        self.broken: str | None = None
        self._seat, self._key, self._ledger = seat, key, ledger
        self._timeout, self._retries, self._reasks, self._pause = timeout, retries, reasks, pause
        self._opening = asyncio.Lock()
        self._stack: AsyncExitStack | None = None
        self._client: Model | None = None
        self._resume = 0.0

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
        usage = _Usage()
        try:
            vote.answers = await self._answers(prompt, vote, usage)
            vote.status = "voted"
        except _Failure as failure:
            vote.problem = self._clean(str(failure))
        except Exception as error:
            # A defect of a client must not stop the panel; the vote reports it.
            vote.problem = self._clean(f"{type(error).__name__}: {error}")
        vote.raw = self._clean(vote.raw, _RAW)
        vote.input_tokens, vote.output_tokens = usage.input, usage.output
        vote.cost = cost(self._seat.price, usage.input, usage.output)
        vote.time = round(time.time(), 3)
        return vote

    async def close(self) -> None:
        """Close the connections. The judge can be asked again and opens new ones."""
        stack, self._stack, self._client = self._stack, None, None
        if stack is not None:
            await stack.aclose()

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

    async def _answers(self, prompt: Prompt, vote: Vote, usage: _Usage) -> list[Answer]:
        from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

        first = ModelRequest(parts=[SystemPromptPart(content=prompt.system), UserPromptPart(content=prompt.user)])
        messages: list[ModelMessage] = [first]
        texts = [prompt.system, prompt.user]
        for left in range(self._reasks, -1, -1):
            response = await self._request(messages, texts, prompt, vote, usage)
            text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
            vote.raw = text
            vote.answered_by = self._clean(response.model_name or "", 200) or None
            if response.finish_reason == "content_filter":
                raise _Failure("the provider's filter withheld the reply")
            try:
                if response.finish_reason == "length":
                    raise ReplyError("it was cut off; say less under why")
                return read_reply(text, prompt)
            except ReplyError as error:
                if not left:
                    times = self._reasks + 1
                    raise _Failure(f"no usable reply in {count(times, 'time')}: {error}") from None
                # The reply itself is not sent back: what it copied from the data would look like the judge's own words.
                note = again(error)
                said = ModelResponse(parts=[TextPart(content=UNUSABLE)])
                messages = [first, said, ModelRequest(parts=[UserPromptPart(content=note)])]
                texts = [prompt.system, prompt.user, UNUSABLE, note]
        raise AssertionError("unreachable")

    async def _request(
        self, messages: list[ModelMessage], texts: list[str], prompt: Prompt, vote: Vote, usage: _Usage
    ) -> ModelResponse:
        """One reply of the model, over as many requests as it takes."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior

        opened = await self._open()
        schema = msgspec.json.encode(prompt.schema).decode()
        for attempt in range(self._retries + 1):
            await self._wait(attempt)
            reservation = await self._reserve([*texts, schema])
            vote.attempts += 1
            spent: float | None = None
            try:
                async with asyncio.timeout(self._timeout):
                    response = await model_request(
                        opened,
                        messages,
                        model_settings=self._settings(),
                        model_request_parameters=parameters(self._native(opened), prompt),
                        instrument=False,
                    )
                # The client reports zero for both if a reply has no usage.
                counted = (response.usage.input_tokens, response.usage.output_tokens)
                known = counted if any(counted) else (None, None)
                usage.add(*known)
                spent = cost(self._seat.price, *known)
                return response
            except TimeoutError:
                usage.add(None, None)
                problem = f"no reply within {self._timeout:g} s"
            except (ModelAPIError, UnexpectedModelBehavior) as error:
                status: int | None = getattr(error, "status_code", None)
                if status is not None or never_sent(error):
                    # Nothing was generated, so nothing is billed.
                    spent = 0.0
                else:
                    usage.add(None, None)
                problem = self._described(error, status, opened)
                if status in _LASTING:
                    self.broken = problem
                if status is not None and status not in _TRANSIENT:
                    raise _Failure(problem) from None
                self._hold(retry_after(error), problem)
            finally:
                if reservation is not None and self._ledger is not None:
                    self._ledger.settle(reservation, spent)
        times = self._retries + 1
        raise _Failure(f"{problem} ({count(times, 'time')})")

    async def _reserve(self, texts: list[str]) -> str | None:
        if self._ledger is None or self._seat.price is None:
            return None
        most = highest(self._seat.price, texts, self._seat.settings.max_output_tokens)
        reservation = await self._ledger.reserved(most)
        if reservation is None:
            # Without the current sums, so that the same cause gives the same message for every vote.
            raise _Failure(f"the cost limit of ${self._ledger.limit:g} leaves too little for another request")
        return reservation

    async def _wait(self, attempt: int) -> None:
        if attempt:
            longest = min(LONGEST_PAUSE, self._pause * 2 ** (attempt - 1))
            # With jitter: requests that failed together would fail together again.
            await asyncio.sleep(longest * random.uniform(0.5, 1.0))
        while (left := self._resume - time.monotonic()) > 0:
            await asyncio.sleep(left)

    def _hold(self, seconds: float | None, problem: str) -> None:
        """All requests of this seat wait as long as the provider asks."""
        if seconds is None or not seconds > 0:
            return
        if seconds > LONGEST_WAIT:
            self.broken = f"{problem}; the provider asks to wait {seconds:.0f} s"
            raise _Failure(self.broken)
        self._resume = max(self._resume, time.monotonic() + seconds)

    def _described(self, error: Exception, status: int | None, opened: Model) -> str:
        body = getattr(error, "body", None)
        detail = body.get("message") if isinstance(body, dict) else None
        if isinstance(body, dict) and isinstance(inner := body.get("error"), dict):
            detail = inner.get("message", detail)
        text = " ".join(str(detail or error).split())[:300]
        if never_sent(error):
            return f"no connection to {self._seat.base_url or self._seat.provider}"
        if status is None:
            return f"{type(error).__name__}: {text}"
        hint = ""
        if status in (400, 422) and self._native(opened) and self._seat.settings.reply is None:
            hint = '; if the server knows no JSON schemas: settings = { reply = "text" }'
        return f"HTTP {status}: {text}{hint}"

    def _clean(self, text: str, limit: int = 600) -> str:
        """Text of a provider for the store, without the key, which a server may repeat."""
        if self._key:
            text = text.replace(self._key, "[key]")
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        return text if len(text) <= limit else f"{text[:limit]}[... {len(text) - limit} characters left out]"

    def _settings(self) -> Any:
        own = self._seat.settings
        chosen = {name: getattr(own, name) for name in ("temperature", "top_p", "seed", "thinking")}
        found = {name: value for name, value in chosen.items() if value is not None}
        # The library's client would retry by itself, without our limits.
        return {**found, "max_tokens": own.max_output_tokens, "timeout": self._timeout, "max_retries": 0}

    def _native(self, opened: Model) -> bool:
        form = self._seat.settings.reply
        if form is not None:
            return form == "schema"
        return bool(opened.profile.get("supports_json_schema_output"))

    async def _open(self) -> Model:
        async with self._opening:
            if self._client is None:
                opened = client(self._seat, self._key)
                self._stack = AsyncExitStack()
                await self._stack.enter_async_context(opened)
                self._client = opened
            return self._client


class _Failure(Exception):
    """Why there is no vote."""


class _Usage:
    """Tokens over all attempts; None once one of them is unknown."""

    def __init__(self) -> None:
        self.input: int | None = 0
        self.output: int | None = 0

    def add(self, read: int | None, written: int | None) -> None:
        self.input = None if self.input is None or read is None else self.input + read
        self.output = None if self.output is None or written is None else self.output + written


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
