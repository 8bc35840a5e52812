"""What a script showed, shared out among its calls: whose output each text is, and which exit status it names."""

from __future__ import annotations

import re
from typing import Any

import orjson
from msgspec import Struct

from .values import UNKNOWN, Mix, Printed, Ref, Script, joined, refs

_NUMBER = re.compile(r"-?\d+|undefined|null")
# The beginning of a printed result whose end was cut off.
_STATUS = re.compile(r'"exit_code":\s*(-?\d+)')
_SESSION = re.compile(r'"session_id":\s*(\d+)')
_OUTPUT = re.compile(r'"output":\s*"')
_CUT = re.compile(r"(?:Warning: truncated output \(original token count: \d+\)\n(?:Total output lines: \d+\n)?\n?)+")


class Share(Struct):
    """What is known of one call: ``output`` None: nothing that it printed was shown; ``cut``: not all of it was."""

    output: str | None = None
    exit_status: int | None = None
    session: str | None = None
    cut: bool = False


def share_out(script: Script, shown: list[str]) -> list[Share]:
    """What each call of the script printed, from what the script showed."""
    shares = [Share() for _ in script.calls]
    prints = _chosen(script.prints, len(shown))
    if prints is not None:
        for value, text in zip(prints, shown, strict=True):
            _give(value, text, shares)
    else:
        _give(joined([x for p in script.prints for x in ("\n", p.value)][1:]), "\n".join(shown), shares)
    if len(shares) == 1 and shown and shares[0] == Share():
        shares[0] = Share("\n".join(shown), cut=True)
    return shares


def _chosen(prints: list[Printed], count: int) -> list[Any] | None:
    """The values that were shown, if that many texts came: all, or those under no condition, or the first ones."""
    certain = [p.value for p in prints if not p.maybe]
    for values in ([p.value for p in prints], certain):
        if len(values) == count:
            return values
    return certain[:count] if len(certain) == len(prints) > count else None


def _give(value: Any, text: str, shares: list[Share]) -> None:
    """Takes from a text that the script showed what it says of the calls whose results are in the value."""
    found = _CUT.match(text)
    if found is not None:
        text = text[found.end() :]
    if isinstance(value, Mix):
        _divide(value, text, shares)
    elif isinstance(value, Ref):
        share = shares[value.call]
        if value.field == "":
            _take_result(text, share)
        else:
            _take(value.field, text, share)
    elif isinstance(value, list | dict):
        try:
            _pair(value, orjson.loads(text), shares)
        except orjson.JSONDecodeError:
            found = None
    for call in refs(value):
        shares[call].cut = shares[call].cut or found is not None


def _pair(value: Any, shown: Any, shares: list[Share]) -> None:
    """The same for a value that was shown as JSON, member by member."""
    if isinstance(value, list) and isinstance(shown, list) and len(value) == len(shown):
        for inner, text in zip(value, shown, strict=True):
            _pair(inner, text, shares)
    elif isinstance(value, dict) and isinstance(shown, dict):
        for key, inner in value.items():
            if key in shown:
                _pair(inner, shown[key], shares)
    elif isinstance(value, Ref) and value.field == "" and isinstance(shown, dict):
        _take_fields(shown, shares[value.call])
    elif isinstance(value, Ref) and isinstance(shown, str | int):
        _take(value.field, str(shown), shares[value.call])
    elif isinstance(value, Mix) and isinstance(shown, str):
        _divide(value, shown, shares)


def _take(field: str, text: str, share: Share) -> None:
    if field == "exit_code":
        share.exit_status = int(text) if re.fullmatch(r"-?\d+", text) else share.exit_status
    elif field == "session_id":
        share.session = text if text.isdigit() else share.session
    elif field in ("", "output", "?", "stdout", "stderr"):
        share.output = (share.output or "") + text
        share.cut = share.cut or field == "?"


def _take_result(text: str, share: Share) -> None:
    """A whole result: an object as JSON, or what a tool answers in words."""
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError:
        fields = None
    if isinstance(fields, dict):
        _take_fields(fields, share)
        return
    start = _OUTPUT.search(text) if text.startswith("{") else None
    if start is None:
        _take("output", text, share)
        return
    status, session = _STATUS.search(text, 0, start.start()), _SESSION.search(text, 0, start.start())
    share.exit_status = int(status[1]) if status is not None else None
    share.session = session[1] if session is not None else None
    share.output, share.cut = text[start.end() :].replace("\\n", "\n").replace('\\"', '"'), True


def _take_fields(fields: dict[str, Any], share: Share) -> None:
    # A settled promise has the result as its value.
    inner = fields.get("value")
    fields = inner if isinstance(inner, dict) and "status" in fields else fields
    for name in ("output", "exit_code", "session_id"):
        value = fields.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool):
            _take(name, str(value), share)


def _divide(value: Mix, text: str, shares: list[Share]) -> None:
    """Divides a text at the literal pieces between the results; of an ambiguous one, nothing is taken.

    If all of the text is about one call, that is known in any case.
    """
    calls = refs(value)
    found = _holes(value.parts, text)
    if found is not None:
        for piece, part in found:
            _take(piece.field, part, shares[piece.call])
    elif len(calls) == 1:
        _take("?", text, shares[calls.pop()])


def _holes(parts: tuple[Any, ...], text: str) -> list[tuple[Ref, str]] | None:
    found: list[tuple[Ref, str]] = []
    at = 0
    for index, part in enumerate(parts):
        after = parts[index + 1] if index + 1 < len(parts) else None
        if isinstance(part, str):
            if not text.startswith(part, at):
                return None
            at += len(part)
            continue
        if isinstance(part, Ref) and part.field in ("exit_code", "session_id"):
            number = _NUMBER.match(text, at)
            if number is None:
                return None
            end = number.end()
        elif after is None:
            end = len(text)
        elif not isinstance(after, str):
            return None
        elif index + 2 == len(parts):
            end = len(text) - len(after)
        else:
            end = text.find(after, at)
            if end < 0 or text.find(after, end + 1) >= 0:
                return None
        if part is not UNKNOWN:
            found.append((part, text[at:end]))
        at = end
    return found if at == len(text) else None
