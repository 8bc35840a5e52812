"""The providers' protocols, through pydantic-ai, which is imported only when a model is about to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .seat import Seat

if TYPE_CHECKING:
    from pydantic_ai.models import Model

# Explicit, so that variables such as OPENAI_BASE_URL cannot send excerpts to another place than the configuration says.
_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}


def client(seat: Seat, key: str | None) -> Model:
    """A client for the seat's provider. ``key`` None: none is needed, and no key of the environment is sent.

    Raises:
        ImportError: the provider's own package is not installed.
    """
    address = seat.base_url or _ADDRESSES[seat.provider]
    if seat.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        # A local server without a key gets a placeholder, never the key of the environment.
        own_key = key or "no-key"
        return AnthropicModel(seat.model_name, provider=AnthropicProvider(api_key=own_key, base_url=address))
    if seat.provider == "google":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel(seat.model_name, provider=GoogleProvider(api_key=key or "no-key", base_url=address))
    from pydantic_ai.models.openai import OpenAIChatModel

    if seat.base_url is None:
        from pydantic_ai.providers.openai import OpenAIProvider

        return OpenAIChatModel(seat.model_name, provider=OpenAIProvider(api_key=key, base_url=address))
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    # Servers other than OpenAI's know the older name of the limit.
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
    provider = OpenAICompatibleProvider(seat.provider, base_url=seat.base_url, api_key=key, profile=profile)
    return OpenAIChatModel(seat.model_name, provider=provider)


def parameters(schema: dict[str, Any] | None) -> Any:
    """Parameters of a request: no tools, and the form of the reply enforced, or (None) left to the prompt."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if schema is None:
        return ModelRequestParameters(output_mode="text", allow_text_output=True)
    output = OutputObjectDefinition(json_schema=schema, name="answers", strict=True)
    return ModelRequestParameters(output_mode="native", output_object=output, allow_text_output=True)


def never_sent(error: BaseException) -> bool:
    """Whether there was no connection, so that the request cannot have been billed."""
    cause: BaseException | None = error
    for _ in range(8):
        if cause is None:
            return False
        if type(cause).__name__ in ("ConnectError", "ConnectTimeout"):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def retry_after(error: Exception) -> float | None:
    """Seconds that the provider asks to wait; None if it does not say."""
    found: float | None = getattr(error, "retry_after", None)
    if found is not None:
        return found
    # The library reads whole seconds and dates; proxies send fractions as well.
    headers: Mapping[str, str] = getattr(error, "headers", None) or {}
    try:
        return float(headers.get("retry-after", ""))
    except ValueError:
        return None
