"""Asks a model for one small tool call before an experiment costs anything, and says what to expect of it."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections.abc import Sequence
from typing import Any, Literal

from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model, get_model_info
from inspect_ai.tool import ToolInfo, ToolParam, ToolParams
from msgspec import Struct

from ...base.text import count
from ..experiment.records import BUDGET
from ..recording.failures import failure_of
from ..recording.metering import Meter, bound_calls, metering, sent, usage_parts
from .planning.prerequisites import OWN_SERVERS

_TOOL, _WORD = "report_word", "harbour"
_REQUEST = f"Call the tool {_TOOL} with the word {_WORD}. Answer with nothing else."
# A server that has to load its model first, or a person who plays it, needs minutes.
_SECONDS = 600
# What a run of a strong model on a task of the suite wrote in the median of ten; new input is read much faster.
_WRITTEN = 5_000


class Preflight(Struct, frozen=True):
    """What one small call showed of a model."""

    model: str
    calls: Literal["parsed", "written as text", "not made", "refused", "no answer"]
    """What became of the tool call that was asked for; "no answer": within the time of one attempt."""
    said: str = ""
    """The answer without the call, or the refusal."""
    usage: bool = False
    """Whether the server reports tokens."""
    cache: bool = False
    """Whether it reports what its cache served."""
    context: int | None = None
    """Tokens of the model's context; None: not known."""
    speed: float | None = None
    """Tokens written per second, with all waiting."""

    @property
    def ok(self) -> bool:
        return self.calls == "parsed"

    def text(self) -> str:
        """One line."""
        if self.calls == "refused":
            return f"the model refused a tool call: {self.said} (docs/local-model.md)"
        if self.calls == "no answer":
            return f"no answer to a small tool call within {self.said} (--attempt-timeout gives it longer)"
        parts = [f"tool calls {self.calls}"]
        if self.calls != "parsed":
            parts[0] += f', but "{self.said}"' if self.said else ", and the answer is empty"
        parts.append(f"usage {'reported' if self.usage else 'not reported, so estimated'}")
        parts.append(f"cache {'reported' if self.cache else 'not reported'}")
        parts.append("context not known" if self.context is None else f"context {count(self.context, 'token')}")
        if self.speed:
            minutes = count(max(1, round(_WRITTEN / self.speed / 60)), "minute")
            parts.append(f"{self.speed:.3g} tokens per second, so about {minutes} a run")
        return ", ".join(parts)


def preflight(name: str, options: dict[str, Any] | None = None) -> Preflight:
    """Make one small call; ``options``: those of the experiment, by the engine's names."""
    return asyncio.run(_ask(name, options or {}))


async def _ask(name: str, options: dict[str, Any]) -> Preflight:
    model = get_model(name, memoize=False)
    bound_calls(model)
    word = ToolParams(properties={"word": ToolParam(type="string", description="The word.")}, required=["word"])
    tool = ToolInfo(name=_TOOL, description="Reports a word.", parameters=word)
    seconds = options.get("attempt_timeout") or options.get("timeout") or _SECONDS
    config = GenerateConfig(**{**options, "max_retries": 0, "attempt_timeout": seconds})
    began = time.monotonic()
    with metering(Meter(BUDGET)) as meter:
        try:
            output = await model.generate([ChatMessageUser(content=_REQUEST)], [tool], config=config)
        except Exception as error:  # providers raise anything
            if time.monotonic() - began >= seconds:
                return Preflight(name, "no answer", count(seconds, "second"))
            return Preflight(name, "refused", (meter.failure or failure_of(error)).text)
    if meter.failure is not None:
        return Preflight(name, "refused", meter.failure.text)
    seconds = time.monotonic() - began
    text, usage = " ".join(output.completion.split()), usage_parts(output.usage) or {}
    if any(call.function == _TOOL for call in output.message.tool_calls or ()):
        calls: Literal["parsed", "written as text", "not made"] = "parsed"
    else:
        calls = "written as text" if _TOOL in text and _WORD in text else "not made"
    written = usage.get("output")
    return Preflight(
        name,
        calls,
        text[:120],
        usage=sent(usage) > 0,
        cache=usage.get("cache_read") is not None,
        context=await asyncio.to_thread(_context, model),
        speed=written / seconds if written and seconds > 0 else None,
    )


def _context(model: Model) -> int | None:
    """The context of a model: as the user's own server runs it (vLLM, llama.cpp, Ollama), or as the engine knows it."""
    if str(model).partition("/")[0] in OWN_SERVERS:
        base = str(getattr(model.api, "base_url", None) or "").rstrip("/")
        root, key = base.removesuffix("/v1"), getattr(model.api, "api_key", None)
        for address, path in (
            (f"{base}/models", ("data", 0, "max_model_len")),
            (f"{root}/props", ("default_generation_settings", "n_ctx")),
            (f"{root}/api/ps", ("models", 0, "context_length")),
        ):
            found = _get(address, key, path)
            if isinstance(found, int):
                return found
        return None  # what the engine knows of a model of this name, its server need not give
    info = get_model_info(model)
    return info.context_length if info is not None else None


def _get(address: str, key: str | None, path: Sequence[str | int]) -> Any:
    """What a document of a server has at ``path``; None: nothing."""
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {key}"} if key else {})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            found = json.load(answer)
        for part in path:
            found = found[part]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return found
