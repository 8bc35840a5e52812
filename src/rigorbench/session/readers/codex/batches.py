"""The calls of scripts, as calls of the session: made when a script starts, with their results when it has ended."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

import orjson
from msgspec import Struct

from ...model import Action, Edit, Other, Result, Shell, Source, Step, ToolCall
from ..shared.values import objects
from .scripts import UNKNOWN, Mix, PrintedValue, Ref, Script, joined, read_script, refs

_STATE = re.compile(
    r"Script (completed|failed|terminated|running with cell ID (\S+))[^\n]*\n?"
    r"(?:Wall time:? ([\d.]{1,20}) seconds?\n?)?(?:Output:\n?)?"
)

_NEVER_RAN = re.compile(r"\b(?:Syntax|Reference)Error\b")

Interpret = Callable[[str, Any], Action]


Batch = tuple[Script, list[ToolCall], list[str]]
"""One script, its calls, and what it has shown so far."""


class Batches:
    """The scripts of one thread. ``undecided``: calls that their texts do not decide. ``any``: one made a call."""

    def __init__(self, interpret: Interpret) -> None:
        self.interpret = interpret
        self.undecided = 0
        self.any = False
        self._open: dict[str, Batch] = {}
        self._cells: dict[str, Batch] = {}
        self._made: list[ToolCall] = []

    def start(self, identity: str, text: str, source: Source, time: float | None) -> list[ToolCall]:
        """The calls that a script makes; if none is known, the script as a call that is not interpreted."""
        script = read_script(text)
        calls: list[ToolCall] = []
        for number, inner in enumerate(script.calls):
            name = identity if number == 0 else f"{identity}/{number + 1}"
            decided = inner.given is not UNKNOWN
            script.undecided += not decided
            tool = inner.tool.rsplit("__", 1)[-1] if inner.tool.startswith("multi_agent") else inner.tool
            action = self.interpret(tool, inner.given) if decided else Other()
            given = inner.given if decided else text
            calls.append(ToolCall(name, inner.tool, given, action, source, time=time))
        self.undecided += script.undecided
        self._made += calls
        self.any |= bool(calls)
        calls = calls or [ToolCall(identity, "exec", text, Other(), source, time=time)]
        self._open[identity] = (script, calls, [])
        return calls

    def output(self, identity: str | None, output: Any, source: Source, time: float | None) -> bool:
        """Takes what a script showed; False if the result is that of another call."""
        batch = self._open.pop(identity or "", None)
        if batch is None:
            return False
        self._received(batch, output, source, time)
        return True

    def waited(self, cell: Any, output: Any, source: Source, time: float | None) -> None:
        """Takes what the call ``wait`` got from a script that had gone on."""
        batch = self._cells.pop(str(cell), None)
        if batch is not None:
            self._received(batch, output, source, time)

    def executed(self, step: Step | None, command: str | None) -> ToolCall | None:
        """The call of a script that a record of the execution belongs to; each is found once.

        Args:
            step: the last step before the record.
            command: the command that was executed; None: a patch was applied.
        """
        kind = Edit if command is None else Shell
        found = [
            call
            for call in self._made
            if isinstance(call.action, kind) and getattr(call.action, "command", None) == command
            if call.result is None or not call.result.is_error
        ]
        in_step = [c for c in found if step is not None and any(c is own for own in step.calls)]
        # A process may end long after its script; a patch may not.
        call = next(iter(in_step or (found if command is not None else ())), None)
        if call is not None:
            self._made = [c for c in self._made if c is not call]
        elif self.undecided:
            self.undecided -= 1  # one of those that the scripts do not decide: the record does
        return call

    def _received(self, batch: Batch, output: Any, source: Source, time: float | None) -> None:
        script, calls, shown = batch
        texts = shown_texts(output)
        found = _STATE.match(texts[0]) if texts else None
        if found is None:
            state, cell = "failed" if texts and "rror" in texts[0][:40] else "completed", None
        else:
            state, cell = found[1].split(" ")[0], found[2]
            rest = texts[0][found.end() :]
            texts = [rest, *texts[1:]] if rest else texts[1:]
        shown += texts
        if state == "running" and cell is not None:
            self._cells[cell] = batch
            for call in calls:
                call.result = Result("", truncated=True, time=time, source=source)
        elif not script.calls:
            calls[0].result = Result("\n".join(shown), time=time, source=source)
        elif state == "failed":
            self._failed(batch, time, source)
        else:
            for call, share in zip(calls, share_out(script, shown), strict=True):
                call.result = _result(call, share, time, source)
                call.result.interrupted = state == "terminated" and share.output is None

    def _failed(self, batch: Batch, time: float | None, source: Source) -> None:
        """A tool that fails ends its script: what the script showed before shows which calls were made."""
        script, calls, texts = batch
        *shown, error = texts or [""]
        shares = share_out(script, shown) if shown else [CallShare() for _ in calls]
        made = next((n for n, share in enumerate(shares) if share.output is None), len(shares))
        if not shown and _NEVER_RAN.search(error):
            made = 0
        elif "apply_patch" in error:
            made = next((n for n, c in enumerate(calls) if n >= made and isinstance(c.action, Edit)), made)
            if script.undecided == len(calls) == 1:
                self.undecided -= 1  # whatever the patch is, it was refused
        for call, share in zip(calls[:made], shares, strict=False):
            call.result = _result(call, share, time, source)
        for call in calls[made : made + 1]:
            call.result = Result(error, is_error=True, time=time, source=source)
        # Whether the calls after it were made is not known: they stay without a result.
        self.undecided += len(calls[made + 1 :])


def _result(call: ToolCall, share: CallShare, time: float | None, source: Source) -> Result:
    result = Result(share.output or "", exit_status=share.exit_status, time=time, source=source)
    result.stdout = share.output
    result.shell_id = share.session if share.exit_status is None else None
    result.truncated = share.cut or share.output is None
    if isinstance(call.action, Edit):
        result.is_error = False  # a patch that is refused ends the script
    return result


def shown_texts(output: Any) -> list[str]:
    """The texts of an output: a list of parts, such a list as Python prints it (in ATIF), or one text."""
    if isinstance(output, str) and output.startswith("[{'type': "):
        try:
            output = ast.literal_eval(output)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [output]
    if isinstance(output, str):
        return [output]
    return [text for part in objects(output) if isinstance(text := part.get("text"), str)]


# What a script showed, shared out among its calls: whose output each text is, and which exit status it names


_NUMBER = re.compile(r"-?\d+|undefined|null")
_CUT = re.compile(r"(?:Warning: truncated output \(original token count: \d+\)\n(?:Total output lines: \d+\n)?\n?)+")


class CallShare(Struct):
    """What is known of one call: ``output`` None: nothing that it printed was shown; ``cut``: not all of it was."""

    output: str | None = None
    exit_status: int | None = None
    session: str | None = None
    cut: bool = False


def share_out(script: Script, shown: list[str]) -> list[CallShare]:
    """What each call of the script printed, from what the script showed."""
    shares = [CallShare() for _ in script.calls]
    prints = _chosen(script.prints, len(shown))
    if prints is not None:
        for value, text in zip(prints, shown, strict=True):
            _give(value, text, shares)
    else:
        _give(joined([x for p in script.prints for x in ("\n", p.value)][1:]), "\n".join(shown), shares)
    if len(shares) == 1 and shown and shares[0] == CallShare():
        shares[0] = CallShare("\n".join(shown), cut=True)
    return shares


def _chosen(prints: list[PrintedValue], count: int) -> list[Any] | None:
    """The values that were shown, if that many texts came: all, or those under no condition, or the first ones."""
    certain = [p.value for p in prints if not p.maybe]
    for values in ([p.value for p in prints], certain):
        if len(values) == count:
            return values
    return certain[:count] if len(certain) == len(prints) > count else None


def _give(value: Any, text: str, shares: list[CallShare]) -> None:
    """Takes from a text that the script showed what it says of the calls whose results are in the value."""
    found = _CUT.match(text)
    if found is not None:
        text = text[found.end() :]
    if isinstance(value, Mix):
        _divide(value, text, shares)
    elif isinstance(value, Ref):
        share = shares[value.call]
        if value.field == "":
            try:
                fields = orjson.loads(text)
            except orjson.JSONDecodeError:
                fields = None
            if isinstance(fields, dict):
                _take_fields(fields, share)
            else:
                _take("output", text, share)
        else:
            _take(value.field, text, share)
    elif isinstance(value, list | dict):
        try:
            _pair(value, orjson.loads(text), shares)
        except orjson.JSONDecodeError:
            found = None
    for call in refs(value):
        shares[call].cut = shares[call].cut or found is not None


def _pair(value: Any, shown: Any, shares: list[CallShare]) -> None:
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


def _take(field: str, text: str, share: CallShare) -> None:
    if field == "exit_code":
        share.exit_status = int(text) if re.fullmatch(r"-?\d+", text) else share.exit_status
    elif field == "session_id":
        share.session = text if text.isdigit() else share.session
    elif field in ("", "output", "?", "stdout", "stderr"):
        share.output = (share.output or "") + text
        share.cut = share.cut or field == "?"


def _take_fields(fields: dict[str, Any], share: CallShare) -> None:
    # A settled promise has the result as its value.
    inner = fields.get("value")
    fields = inner if isinstance(inner, dict) and "status" in fields else fields
    for name in ("output", "exit_code", "session_id"):
        value = fields.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool):
            _take(name, str(value), share)


def _divide(value: Mix, text: str, shares: list[CallShare]) -> None:
    """Divides a text at the literal pieces between the results; of an ambiguous one, nothing is taken.

    If all of the text is about one call, that is known in any case.
    """
    found = _holes(value.parts, text)
    if found is not None:
        for piece, part in found:
            _take(piece.field, part, shares[piece.call])
    elif len(calls := refs(value)) == 1:
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
