"""Ollama, by its own protocol: OpenAI's does not tell it how long the text is, and it would cut the middle out."""

from __future__ import annotations

import os
import time
from typing import Any
from urllib.error import HTTPError, URLError

import msgspec

from ..request import ReaderError, Reply, Request
from .api import ANSWER_TOKENS

# Seconds for one answer.
_TIMEOUT = 600.0


def address() -> str:
    """Where Ollama listens: OLLAMA_HOST, as its own client reads it."""
    host = os.environ.get("OLLAMA_HOST", "").strip().rstrip("/") or "127.0.0.1"
    scheme, _, rest = host.rpartition("://")
    rest = rest.replace("0.0.0.0", "127.0.0.1")
    return f"{scheme or 'http'}://{rest if ':' in rest or scheme else f'{rest}:11434'}"


def call(path: str, body: dict[str, Any] | None = None, timeout: float = 2.0) -> dict[str, Any]:
    """One request. Raises: OSError, ValueError."""
    from urllib.request import Request as HttpRequest
    from urllib.request import urlopen

    data = None if body is None else msgspec.json.encode(body)
    request = HttpRequest(f"{address()}{path}", data, {"content-type": "application/json"})
    with urlopen(request, timeout=timeout) as response:
        found: Any = msgspec.json.decode(response.read(8_000_000))
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


class OllamaReader:
    """A model that Ollama runs."""

    def __init__(self, name: str, model: str) -> None:
        self.name, self._model = name, model

    def price(self, input_tokens: int) -> float | None:
        """Nothing: the model runs on a machine of the user."""
        return 0.0

    def ask(self, request: Request) -> Reply:
        """Raises: ReaderError."""
        # A token may be two characters of code. Without room for the whole text, the start would be dropped unsaid.
        room = request.characters // 2 + ANSWER_TOKENS
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}],
            "stream": False,
            "format": request.schema,
            "options": {"num_ctx": room, "num_predict": ANSWER_TOKENS, "temperature": 0},
        }
        began = time.monotonic()
        try:
            found = call("/api/chat", body, _TIMEOUT)
            text = str(found["message"]["content"])
        except HTTPError as error:
            raise self._refused(error) from None
        except (URLError, OSError) as error:
            if isinstance(getattr(error, "reason", error), TimeoutError):
                raise ReaderError(f"no answer within {_TIMEOUT:g} s; ask a smaller model") from None
            remedy = "start it with `ollama serve`, or set OLLAMA_HOST"
            raise ReaderError(f"Ollama does not answer at {address()}; {remedy}", lasting=True) from None
        except (ValueError, KeyError, TypeError):
            raise ReaderError(f"{address()} does not answer as Ollama does; see OLLAMA_HOST") from None
        if found.get("done_reason") == "length":
            raise ReaderError(f"the answer was cut at {ANSWER_TOKENS} tokens; ask another model")
        model, read, written = (found.get(key) for key in ("model", "prompt_eval_count", "eval_count"))
        return Reply(text, model, "ollama", read, written, 0.0, time.monotonic() - began)

    def _refused(self, error: HTTPError) -> ReaderError:
        if error.code == 404:
            return ReaderError(f"Ollama has no such model; `ollama pull {self._model}`", lasting=True)
        wait = error.headers.get("retry-after", "")
        busy = (float(wait) if wait.isdigit() else 30.0) if error.code in (429, 503) else None
        said = " ".join(error.read(2000).decode("utf-8", "replace").split())[:300]
        return ReaderError(f"Ollama answers {error.code}: {said}; see its log", busy)
