"""The messages of opencode 2, as the older versions had them: what was one message with parts is one row now."""

from __future__ import annotations

from typing import Any

from ..shared.values import joined, mapping, objects, optional, sequence, string
from .session import Message

_HARNESS = ("synthetic", "system", "skill")


def message_of(kind: str, row: dict[str, Any]) -> Message | None:
    """A row of this type as a message with its parts; None: it is none of the session's work, or not known."""
    if kind == "assistant":
        return _answer(row)
    info = {"id": row["id"], "time": row.get("time")}
    text = string(row.get("text"))
    if kind == "user":
        return {**info, "role": "user"}, [{"type": "text", "text": text}]
    if kind == "shell":
        # The user's own command, which the model is told of.
        output = row.get("output")
        text, kind = (
            joined(f"$ {string(row.get('command'))}", string(mapping(output).get("output", output))),
            "synthetic",
        )
    if kind in _HARNESS:
        return {**info, "role": "user"}, [{"type": "text", "text": text, "synthetic": True}]
    if kind == "compaction":
        return {**info, "role": "assistant", "summary": True}, [{"type": "text", "text": string(row.get("summary"))}]
    return None


def _answer(row: dict[str, Any]) -> Message:
    model = mapping(row.get("model"))
    info = {**row, "role": "assistant", "modelID": model.get("id"), "providerID": model.get("providerID")}
    parts = [_tool(part) if part.get("type") == "tool" else part for part in objects(row.get("content"))]
    if row.get("tokens") is not None:
        parts.append({"type": "step-finish", "tokens": row["tokens"], "reason": row.get("finish")})
    return info, parts


def _tool(part: dict[str, Any]) -> dict[str, Any]:
    state, times = mapping(part.get("state")), mapping(part.get("time"))
    error, saved = state.get("error"), sequence(state.get("outputPaths"))
    known = {**mapping(state.get("metadata")), **mapping(state.get("structured"))}
    if saved:
        known |= {"truncated": True, "outputPath": optional(saved[0])}
    shown = joined(*(string(item.get("text")) for item in objects(state.get("content"))))
    old = {
        **state,
        "output": shown,
        "error": joined(shown, string(mapping(error).get("message")) or string(error)),
        "metadata": known,
        "time": {"start": times.get("ran", times.get("created")), "end": times.get("completed")},
    }
    return {"type": "tool", "id": part.get("id"), "callID": part.get("id"), "tool": part.get("name"), "state": old}
