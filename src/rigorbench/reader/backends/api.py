"""Models at any provider, through pydantic-ai (imported when the first question is asked).

The library only translates to and from the providers' protocols. Retries and waits are our own, so that they are the
same for all providers. No tools, no telemetry, and no network but the provider's.
"""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import AsyncExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...base.extras import install
from ...base.text import count
from ...trajectory.prices import call_price
from ...trajectory.usage import Usage as Tokens
from ..request import ReaderError, Reply, Request
from .providers import client, never_sent, parameters, retry_after
from .seat import ModelError, Seat, cost

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model

# Seconds: the first pause before a request is sent again, which doubles each time, and the longest one.
PAUSE = 1.0
LONGEST_PAUSE = 60.0
# A client that is told to wait longer than this gives up; it may be asked again another time.
LONGEST_WAIT = 300.0
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# Errors that the next request would get as well: no key, no money, no such model, no such address.
_LASTING = frozenset({401, 402, 403, 404})
# Tokens of one answer about a session, for what it will cost at most.
ANSWER_TOKENS = 4_000


class Failure(Exception):
    """Why there is no reply. ``wait``: seconds that the provider asks for."""

    def __init__(self, text: str, wait: float | None = None) -> None:
        super().__init__(text)
        self.wait = wait


class Usage(Struct):
    """Tokens over all attempts; None once one of them is unknown."""

    input: int | None = 0
    output: int | None = 0

    def add(self, read: int | None, written: int | None) -> None:
        self.input = None if self.input is None or read is None else self.input + read
        self.output = None if self.output is None or written is None else self.output + written


class Said(Struct):
    """One reply. ``finish``: why it ended, e.g. "stop", "length", "content_filter"; None: the provider does not say."""

    text: str
    model: str | None
    finish: str | None


class Client:
    """Asks one model.

    Args:
        seat: the model.
        key: of the provider; None for a local server. It never gets into anything that is stored.
        timeout: seconds for one reply.
        retries: how often a request is sent again after the provider or the network failed.
        pause: seconds before the first retry.
    """

    def __init__(
        self,
        seat: Seat,
        *,
        key: str | None = None,
        timeout: float = 120.0,
        retries: int = 4,
        pause: float = PAUSE,
    ) -> None:
        # Why asking again is useless; None: it may be useful.
        self.broken: str | None = None
        self._seat, self._key = seat, key
        self._timeout, self._retries, self._pause = timeout, retries, pause
        self._opening = asyncio.Lock()
        self._stack: AsyncExitStack | None = None
        self._client: Model | None = None
        self._resume = 0.0

    async def close(self) -> None:
        """Close the connections. The client can be asked again and opens new ones."""
        stack, self._stack, self._client = self._stack, None, None
        if stack is not None:
            await stack.aclose()

    async def say(self, request: Request, usage: Usage) -> Said:
        """One reply of the model, over as many attempts as it takes.

        Args:
            request: its schema is enforced where the model can do that.
            usage: what is used is added to it.

        Raises: Failure.
        """
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior

        opened = await self._open()
        for attempt in range(self._retries + 1):
            await self._wait(attempt)
            try:
                async with asyncio.timeout(self._timeout):
                    response = await model_request(
                        opened,
                        _messages(request),
                        model_settings=self._settings(),
                        model_request_parameters=parameters(request.schema if self._native(opened) else None),
                        instrument=False,
                    )
                # The client reports zero for both if a reply has no usage.
                counted = (response.usage.input_tokens, response.usage.output_tokens)
                usage.add(*(counted if any(counted) else (None, None)))
                return Said(_text(response), self.clean(response.model_name or "", 200) or None, response.finish_reason)
            except TimeoutError:
                usage.add(None, None)
                problem = f"no reply within {self._timeout:g} s"
            except (ModelAPIError, UnexpectedModelBehavior) as error:
                status: int | None = getattr(error, "status_code", None)
                if status is None and not never_sent(error):
                    # Something may have been generated, and billed.
                    usage.add(None, None)
                problem = self._described(error, status, opened)
                if status in _LASTING:
                    self.broken = problem
                if status is not None and status not in _TRANSIENT:
                    raise Failure(problem) from None
                self._hold(retry_after(error), problem)
        times = self._retries + 1
        raise Failure(f"{problem} ({count(times, 'time')})")

    def clean(self, text: str, limit: int = 600) -> str:
        """Text of a provider for the store, without the key, which a server may repeat."""
        if self._key:
            text = text.replace(self._key, "[key]")
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        return text if len(text) <= limit else f"{text[:limit]}[... {len(text) - limit} characters left out]"

    async def _wait(self, attempt: int) -> None:
        if attempt:
            longest = min(LONGEST_PAUSE, self._pause * 2 ** (attempt - 1))
            # With jitter: requests that failed together would fail together again.
            await asyncio.sleep(longest * random.uniform(0.5, 1.0))
        while (left := self._resume - time.monotonic()) > 0:
            await asyncio.sleep(left)

    def _hold(self, seconds: float | None, problem: str) -> None:
        """All requests of this client wait as long as the provider asks."""
        if seconds is None or not seconds > 0:
            return
        if seconds > LONGEST_WAIT:
            self.broken = f"{problem}; the provider asks to wait {seconds:.0f} s"
            raise Failure(self.broken, seconds)
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


def _messages(request: Request) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart

    return [ModelRequest(parts=[SystemPromptPart(content=request.system), UserPromptPart(content=request.user)])]


def _text(response: ModelResponse) -> str:
    from pydantic_ai.messages import TextPart

    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


class ApiReader:
    """A reader at a provider.

    Args:
        name: as the user gave it, with what changes its answers.
        seat: the model.
        timeout: seconds for one reply.
        retries: how often a request is sent again after the provider or the network failed.
        pause: seconds before the first retry.
    """

    def __init__(self, name: str, seat: Seat, timeout: float = 600.0, retries: int = 4, pause: float = PAUSE) -> None:
        self.name = name
        self._seat, self._timeout, self._retries, self._pause = seat, timeout, retries, pause

    def price(self, input_tokens: int) -> float | None:
        """US dollars that a request of so many tokens costs about; None: the price is unknown."""
        return self._cost(self._seat.model_name, input_tokens, ANSWER_TOKENS)

    def ask(self, request: Request) -> Reply:
        """Raises: ReaderError."""
        if find_spec("pydantic_ai") is None:
            raise ReaderError(f"asking models needs pydantic-ai: {install('reader')}", lasting=True)
        try:
            key = self._seat.key()
        except ModelError as error:
            raise ReaderError(f"{error}", lasting=True) from None
        client = Client(self._seat, key=key, timeout=self._timeout, retries=self._retries, pause=self._pause)
        usage, began = Usage(), time.monotonic()
        try:
            said = asyncio.run(self._ask(client, request, usage))
        except Failure as failure:
            lasting = client.broken is not None and failure.wait is None
            raise ReaderError(f"{client.clean(str(failure))}", failure.wait, lasting) from None
        if said.finish == "content_filter":
            raise ReaderError("refused: the provider's filter withheld the answer; ask another reader")
        if said.finish == "length":
            most = self._seat.settings.max_output_tokens
            raise ReaderError(f"the answer was cut at {most} tokens; raise settings.max_output_tokens")
        dollars = self._cost(said.model or self._seat.model_name, usage.input, usage.output)
        seconds = time.monotonic() - began
        return Reply(said.text, said.model, None, usage.input, usage.output, dollars, seconds)

    async def _ask(self, client: Client, request: Request, usage: Usage) -> Said:
        try:
            return await client.say(request, usage)
        finally:
            await client.close()

    def _cost(self, model: str, read: int | None, written: int | None) -> float | None:
        if self._seat.price is not None or self._seat.base_url is not None:
            return cost(self._seat.price, read, written)
        found = call_price(f"{self._seat.provider}/{model}", Tokens(input=read, cache_read=0, output=written), None)
        return found if found is not None else call_price(model, Tokens(input=read, cache_read=0, output=written), None)
