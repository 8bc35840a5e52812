"""Models at any provider, through pydantic-ai (imported when the first question is asked).

The library translates to and from the providers' protocols. Retries and waits are our own, so that they are the same
for all providers. No tools, no telemetry, and no network but the provider's.
"""

from __future__ import annotations

import asyncio
import random
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ....base.extras import install
from ....session.prices import call_price
from ....session.usage import TokenUsage
from ..request import ReaderError, Reply, Request
from ..table import ReaderTable

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model

# Explicit, so that variables such as OPENAI_BASE_URL cannot send excerpts to another place than the configuration says.
_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
# Seconds at most before a request is sent again, and the longest that a provider may ask to wait.
_PAUSES = (1.0, 2.0, 4.0, 8.0)
_LONGEST_WAIT = 300.0
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# Errors that the next request would get as well: no key, no money, no such model, no such address.
_LASTING = frozenset({401, 402, 403, 404})
# Tokens of one answer about a session, for what it will cost at most.
ANSWER_TOKENS = 4_000


class ApiReader:
    """A reader at a provider. ``name``: as the user gave it, with what changes its answers."""

    def __init__(self, name: str, table: ReaderTable) -> None:
        self.name, self._table = name, table

    def price(self, input_tokens: int) -> float | None:
        """US dollars that a request of so many tokens costs about; None: the price is unknown."""
        return self._cost(self._table.model_name, input_tokens, ANSWER_TOKENS)

    def ask(self, request: Request) -> Reply:
        """Raises: ReaderError."""
        if find_spec("pydantic_ai") is None:
            raise ReaderError(f"asking models needs pydantic-ai: {install('reader')}", lasting=True)
        key, began, counted = self._table.key(), time.monotonic(), True
        for pause in (*_PAUSES, None):
            try:
                response = asyncio.run(self._response(request, key))
                break
            except Exception as error:
                status = getattr(error, "status_code", None)
                # Without a status something may have been generated, and billed.
                counted = counted and status is not None
                failure = self._failure(error, status, key)
            wait = failure.retry_after or 0.0
            if pause is None or wait > _LONGEST_WAIT or (status is not None and status not in _TRANSIENT):
                raise failure
            # With jitter: requests that failed together would fail together again.
            time.sleep(max(wait, pause * random.uniform(0.5, 1.0)))
        if response.finish_reason == "content_filter":
            raise ReaderError("refused: the provider's filter withheld the answer; ask another reader")
        if response.finish_reason == "length":
            most = self._table.settings.max_output_tokens
            raise ReaderError(f"the answer was cut at {most} tokens; raise settings.max_output_tokens")
        usage = response.usage
        # The library says zero for both if a reply has no usage.
        counted = counted and bool(usage.input_tokens or usage.output_tokens)
        read, written = (usage.input_tokens, usage.output_tokens) if counted else (None, None)
        model = _clean(response.model_name or "", key)[:200] or None
        dollars = self._cost(model or self._table.model_name, read, written)
        return Reply(response.text or "", model, None, read, written, dollars, time.monotonic() - began)

    async def _response(self, request: Request, key: str | None) -> ModelResponse:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        own = self._table.settings
        chosen = {name: getattr(own, name) for name in ("temperature", "top_p", "seed", "thinking")}
        settings: Any = {name: value for name, value in chosen.items() if value is not None}
        # The library's client would retry by itself, without our limits.
        settings |= {"max_tokens": own.max_output_tokens, "timeout": self._table.timeout, "max_retries": 0}
        asked = ModelRequest(parts=[SystemPromptPart(content=request.system), UserPromptPart(content=request.user)])
        form = ModelRequestParameters(output_mode="text", allow_text_output=True)
        async with _model(self._table, key) as opened, asyncio.timeout(self._table.timeout):
            if own.reply == "schema" or (own.reply is None and opened.profile.get("supports_json_schema_output")):
                output = OutputObjectDefinition(json_schema=request.schema, name="answers", strict=True)
                form = ModelRequestParameters(output_mode="native", output_object=output, allow_text_output=True)
            return await model_request(
                opened, [asked], model_settings=settings, model_request_parameters=form, instrument=False
            )

    def _failure(self, error: Exception, status: int | None, key: str | None) -> ReaderError:
        """Why there is no answer. Raises: what is no failure of the provider or the network."""
        from pydantic_ai.exceptions import ModelAPIError, ModelConnectionError, UnexpectedModelBehavior

        where = self._table.base_url or self._table.provider
        if isinstance(error, TimeoutError):
            return ReaderError(f"no reply within {self._table.timeout:g} s")
        if isinstance(error, ModelConnectionError):
            return ReaderError(f"no connection to {where}")
        # The library stumbles over some replies, such as one without a choice.
        stumbled = UnexpectedModelBehavior | LookupError | TypeError | ValueError | AttributeError
        if not isinstance(error, ModelAPIError | stumbled):
            raise error
        if status is None:
            said = " ".join(str(error).split())[:300]
            return ReaderError(_clean(f"{where} does not answer as its protocol says: {said}", key))
        body: Any = getattr(error, "body", None)
        body = body.get("error", body) if isinstance(body, dict) else None
        said = " ".join(str((isinstance(body, dict) and body.get("message")) or error).split())[:300]
        hint = ""
        if status in (400, 422) and self._table.settings.reply is None:
            hint = '; if the server knows no JSON schemas: settings = { reply = "text" }'
        wait: float | None = getattr(error, "retry_after", None)
        return ReaderError(_clean(f"HTTP {status}: {said}{hint}", key), wait, status in _LASTING)

    def _cost(self, model: str, read: int | None, written: int | None) -> float | None:
        """Dollars; None where the price or the usage is unknown."""
        price = self._table.price
        if price is not None or self._table.base_url is not None:
            if price is None or read is None or written is None:
                return None
            return (price.input * read + price.output * written) / 1e6
        tokens = TokenUsage(input=read, cache_read=0, output=written)
        found = call_price(f"{self._table.provider}/{model}", tokens, None)
        return found if found is not None else call_price(model, tokens, None)


def _model(table: ReaderTable, key: str | None) -> Model:
    """A client for a provider. ``key`` None: none is needed, and no key of the environment is sent."""
    from pydantic_ai.models import infer_model
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers import infer_provider_class
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if table.base_url is not None and table.provider not in ("anthropic", "google"):
        # Servers other than OpenAI's know the older name of the limit.
        profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        server = OpenAICompatibleProvider(table.provider, base_url=table.base_url, api_key=key, profile=profile)
        return OpenAIChatModel(table.model_name, provider=server)
    address = table.base_url or _ADDRESSES[table.provider]
    kind = {"openai": "openai-chat"}.get(table.provider, table.provider)
    made: Any = infer_provider_class(kind)
    return infer_model(f"{kind}:{table.model_name}", lambda _: made(api_key=key or "no-key", base_url=address))


def _clean(text: str, key: str | None) -> str:
    """Text of a provider without the key, which a server may repeat, and in UTF-8."""
    text = text.replace(key, "[key]") if key else text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
