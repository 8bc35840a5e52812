"""A model server on the loopback that says what a script tells it to: OpenAI's chat completions and responses,
Anthropic's messages, Google's generateContent, each streamed where the request wants that, and Ollama's chat.

What answers here is never a model. A *step* is one reply: a status, headers, and a body or a text; the last step of a
script repeats. A *scripted judge* is a function from the prompt to the text of a reply.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# From the system message and the last user message to the text of a reply.
Answerer = Callable[[str, str], str]


@dataclass
class Step:
    """``text`` is what the "model" says; ``body`` replaces the whole reply; ``hang``: none comes before the end."""

    text: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    hang: bool = False
    usage: tuple[int, int] | None = (100, 10)
    finish: str = "stop"
    model: str | None = None


class ScriptedServer:
    """``requests``: the JSON of each request that came, ``paths``, ``keys`` and ``times``: where to, what it showed
    as key, and when (monotonic seconds)."""

    def __init__(self, script: list[Step] | Answerer) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.times: list[float] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._end = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer._serve(self)

            def do_GET(self) -> None:
                self.send_error(404)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def close(self) -> None:
        self._end.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        data = handler.rfile.read(int(handler.headers["content-length"]))
        # Programs also post what is not for the model, such as telemetry.
        request = json.loads(data) if data.startswith(b"{") else {}
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self.paths.append(handler.path)
            self.times.append(time.monotonic())
            self.keys.append(handler.headers.get("authorization") or handler.headers.get("x-api-key") or "")
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            self._reply(handler, self._step(number, request), request)
        finally:
            with self._lock:
                self._now -= 1

    def _step(self, number: int, request: dict[str, Any]) -> Step:
        if callable(self.script):
            return Step(self.script(*texts(request)))
        return self.script[min(number, len(self.script) - 1)]

    def _reply(self, handler: BaseHTTPRequestHandler, step: Step, request: dict[str, Any]) -> None:
        if step.hang:
            self._end.wait(30)
            return
        body, form = step.body, "application/json"
        if body is None:
            name = handler.path.partition("?")[0].rpartition("/")[2].rpartition(":")[2]
            reply, streamed = _PROTOCOLS.get(name, (_unknown, None))
            whole = reply(step, request) if step.status == 200 else {"error": {"message": "scripted"}}
            if step.status == 200 and streamed and (request.get("stream") or name.startswith("stream")):
                form, body = "text/event-stream", streamed(step, whole).encode()
            else:
                body = json.dumps(whole).encode()
        with contextlib.suppress(OSError):
            handler.send_response(step.status)
            for name, value in {"content-type": form, **step.headers}.items():
                handler.send_header(name, value)
            handler.send_header("content-length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)


def texts(request: dict[str, Any]) -> tuple[str, str]:
    """System message and last user message of a request of either protocol."""
    if "contents" in request:
        system = request.get("systemInstruction", {"parts": ""})
        return _plain(system["parts"]), _plain(request["contents"][-1]["parts"])
    if "input" in request:
        return request.get("instructions", ""), _plain(request["input"][-1]["content"])
    messages = request["messages"]
    system = request.get("system") or next((m["content"] for m in messages if m["role"] in ("system", "developer")), "")
    user = next(m["content"] for m in reversed(messages) if m["role"] == "user")
    return _plain(system), _plain(user)


def _plain(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _openai(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    reply: dict[str, Any] = {
        "id": "scripted",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": step.model or request["model"],
        "choices": [{"index": 0, "message": {"role": "assistant", "content": step.text}, "finish_reason": step.finish}],
    }
    if step.usage is not None:
        read, written = step.usage
        reply["usage"] = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return reply


def _anthropic(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    read, written = step.usage or (0, 0)
    return {
        "id": "scripted",
        "type": "message",
        "role": "assistant",
        "model": step.model or request["model"],
        "content": [{"type": "text", "text": step.text}],
        "stop_reason": {"stop": "end_turn", "length": "max_tokens"}.get(step.finish, step.finish),
        "stop_sequence": None,
        "usage": {"input_tokens": read, "output_tokens": written},
    }


def _google(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    read, written = step.usage or (0, 0)
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": step.text}]}, "finishReason": _GOOGLE[step.finish]}
        ],
        "usageMetadata": {
            "promptTokenCount": read,
            "candidatesTokenCount": written,
            "totalTokenCount": read + written,
        },
        "modelVersion": step.model or "scripted",
    }


def _responses(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    read, written = step.usage or (0, 0)
    content = [{"type": "output_text", "text": step.text, "annotations": []}]
    cut = step.finish == "length"
    return {
        "id": "scripted",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "model": step.model or request["model"],
        "output": [{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}],
        "usage": {"input_tokens": read, "output_tokens": written, "total_tokens": read + written},
    }


def _ollama(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    read, written = step.usage or (0, 0)
    return {
        "model": step.model or request["model"],
        "message": {"role": "assistant", "content": step.text},
        "done": True,
        "done_reason": step.finish,
        "prompt_eval_count": read,
        "eval_count": written,
    }


def _unknown(step: Step, request: dict[str, Any]) -> dict[str, Any]:
    return {}


def _events(*events: dict[str, Any], named: bool = True) -> str:
    return "".join((f"event: {e['type']}\n" if named else "") + f"data: {json.dumps(e)}\n\n" for e in events)


def _openai_stream(step: Step, whole: dict[str, Any]) -> str:
    base = {**{k: whole[k] for k in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    said = {"index": 0, "delta": {"role": "assistant", "content": step.text}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": step.finish}
    usage = {**base, "choices": [], "usage": whole.get("usage")}
    return _events({**base, "choices": [said]}, {**base, "choices": [end]}, usage, named=False) + "data: [DONE]\n\n"


def _anthropic_stream(step: Step, whole: dict[str, Any]) -> str:
    [block] = whole["content"]
    return _events(
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {**block, "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": block["text"]}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"]}, "usage": whole["usage"]},
        {"type": "message_stop"},
    )


def _responses_stream(step: Step, whole: dict[str, Any]) -> str:
    [item] = whole["output"]
    text = {"item_id": "m", "output_index": 0, "content_index": 0}
    return _events(
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": [], "usage": None}},
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}},
        {"type": "response.output_text.delta", **text, "delta": step.text},
        {"type": "response.output_text.done", **text, "text": step.text},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": f"response.{whole['status']}", "response": whole},
    )


def _google_stream(step: Step, whole: dict[str, Any]) -> str:
    return f"data: {json.dumps(whole)}\n\n"


_GOOGLE = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY", "refusal": "SAFETY"}
_PROTOCOLS: dict[str, tuple[Callable[..., dict[str, Any]], Callable[..., str] | None]] = {
    "messages": (_anthropic, _anthropic_stream),
    "completions": (_openai, _openai_stream),
    "responses": (_responses, _responses_stream),
    "generateContent": (_google, None),
    "streamGenerateContent": (_google, _google_stream),
    "chat": (_ollama, None),
}


@contextlib.contextmanager
def serve(script: list[Step] | Answerer) -> Iterator[ScriptedServer]:
    server = ScriptedServer(script)
    try:
        yield server
    finally:
        server.close()
