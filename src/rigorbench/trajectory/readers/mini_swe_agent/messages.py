"""mini-swe-agent's messages: their typed form, and what replies and observations state.

Only the fields that are read are typed: whole provider replies repeat every text, and are never decoded.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import orjson
from msgspec import Raw, Struct

from ...model import Action, Finish, Result, Shell, Source, ToolCall
from ...tools import interpret, text_of
from ..shared.python_calls import Signatures, python_calls
from ..shared.values import arguments, integer, joined, mapping, objects, optional, seconds, string, thinking_of

Requested = tuple[str | None, str, Any]
"""A call as the reply states it: (id, tool, arguments)."""


class Reply(Struct):
    model: Any = None
    created: Any = None
    usage: Any = None
    choices: Raw = Raw()


class Extra(Struct):
    actions: Any = None
    response: Reply | str | None = None
    timestamp: Any = None
    raw_output: Any = None
    returncode: Any = None
    exception_info: Any = None
    exception_type: Any = None
    interrupt_type: Any = None
    model_response: Any = None
    exit_status: Any = None


class Message(Struct):
    role: Any = None
    content: Any = None
    extra: Extra | None = None
    tool_calls: Any = None
    tool_call_id: Any = None
    reasoning_content: Any = None
    thinking_blocks: Any = None
    type: Any = None
    object: Any = None
    output: Any = None
    call_id: Any = None
    usage: Any = None
    model: Any = None


class Document(Struct):
    messages: list[Message]
    info: Any = None
    instance_id: Any = None


read_document = msgspec.json.Decoder(Document)
read_messages = msgspec.json.Decoder(list[Message])
read_message = msgspec.json.Decoder(Message)

_FENCE = re.compile(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_PYTHON = re.compile(r"\A\s*```(?:python|py)[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_TAG = re.compile(r"<mswea_bash_command>(.*?)</mswea_bash_command>", re.DOTALL)
_RETURNCODE = re.compile(r"<returncode>\s*(-?\d+)\s*</returncode>")
SUBMIT = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")
_JOINERS = re.compile(r"&&|\|\||;|\n")
_HARMLESS = ("echo", "cat", "git add", "git diff", "cd", "printf")


def content_of(message: Message) -> tuple[str, str, list[Requested]]:
    """(text, reasoning, calls as (id, name, arguments)) of a reply in either API's shape."""
    if message.object == "response":
        return _response_items(message.output)
    calls: list[Requested] = []
    for value in objects(message.tool_calls):
        function = mapping(value.get("function"))
        name = function.get("name")
        if isinstance(name, str):
            calls.append((optional(value.get("id")), name, arguments(function.get("arguments"))))
    reasoning = message.reasoning_content
    if not isinstance(reasoning, str):
        reasoning = thinking_of(message.thinking_blocks)
    return text_of(message.content), reasoning, calls


def _response_items(items: Any) -> tuple[str, str, list[Requested]]:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[Requested] = []
    for item in objects(items):
        kind = item.get("type")
        if kind == "message":
            texts.append(text_of(item.get("content")))
        elif kind == "reasoning":
            thoughts.append(text_of(item.get("summary")) or text_of(item.get("content")))
        elif kind == "function_call":
            identity = item.get("call_id") or item.get("id")
            calls.append((optional(identity), string(item.get("name")), arguments(item.get("arguments"))))
    return joined(*texts), joined(*thoughts), calls


def choice_of(reply: Reply) -> dict[str, Any]:
    try:
        choices = orjson.loads(bytes(reply.choices)) if reply.choices else None
    except orjson.JSONDecodeError:
        return {}
    first = choices[0] if isinstance(choices, list) and choices else None
    return mapping(mapping(first).get("message"))


def reply_reasoning(reply: Reply) -> str:
    if b'"reasoning' not in bytes(reply.choices):
        return ""
    message = choice_of(reply)
    for name in ("reasoning_content", "reasoning"):
        if isinstance(message.get(name), str):
            return str(message[name])
    return ""


def fenced(text: str, actions: Any) -> tuple[list[str], str]:
    """The commands of a text reply, and the reply without the fence of a command that was run.

    The agent runs a reply with exactly one command; any other number is a format error and nothing runs.
    """
    commands = [c for a in objects(actions) if isinstance(c := a.get("command", a.get("action")), str)]
    found = list(_TAG.finditer(text)) if "<mswea_bash_command>" in text else []
    if not found and "```" in text:
        found = list(_FENCE.finditer(text))
    if len(found) == 1:
        match = found[0]
        rest = joined(text[: match.start()].strip(), text[match.end() :].strip(), by="\n\n")
        return commands or [match[1].strip()], rest
    return commands, text


def written(text: str, offered: Signatures) -> list[Requested]:
    """The calls of a reply that is Python. Commands that follow one another are one script: they have one output."""
    found = _PYTHON.match(text)
    calls: list[Requested] = []
    for name, args in python_calls(found[1] if found is not None else text, offered) or ():
        last = calls[-1] if calls else None
        if last is not None and args is not None and isinstance(action_of(name, args), Shell) and last[1] == name:
            field = next(iter(args))
            if args.keys() == last[2].keys() == {field}:
                last[2][field] = f"{last[2][field]}\n{args[field]}"
                continue
        calls.append((None, name, {} if args is None else args))
    return calls


def action_of(name: str, value: Any) -> Action:
    if submits(value) and all(
        part.strip().startswith(_HARMLESS) for part in _JOINERS.split(value["command"]) if part.strip()
    ):
        return Finish()
    return interpret(name, value)


def submits(value: Any) -> bool:
    command = value.get("command") if isinstance(value, dict) else None
    return isinstance(command, str) and any(mark in command for mark in SUBMIT)


def result_of(text: str, extra: Extra | None, source: Source, call: ToolCall) -> Result:
    result = Result(text, source=source)
    if extra is None or (extra.returncode is None and extra.raw_output is None):
        fill_from_text(result, call)
        return result
    start = text[:4096]
    result.truncated = "<output_head>" in start or '"output_head"' in start
    result.time = seconds(extra.timestamp)
    result.stdout = extra.raw_output if isinstance(extra.raw_output, str) else None
    result.exit_status = integer(extra.returncode)
    _settle(result, string(extra.exception_info), extra.exception_type, call)
    return result


def is_observation(text: str, extra: Extra) -> bool:
    """Whether a message is what came back from an action."""
    return isinstance(extra.returncode, int) or text.startswith(("<returncode>", "<exception>"))


def fill_from_text(result: Result, call: ToolCall) -> None:
    """Fills in what the observation's text alone states (version 1, and conversions that drop ``extra``)."""
    text, start, exception = result.text, result.text[:4096], ""
    if start.startswith(("<returncode>", "<exception>", "<warning>")):
        found = _RETURNCODE.search(start)
        if found:
            result.exit_status = int(found[1])
        result.stdout = _output(text)
        if start.startswith("<exception>"):
            exception = start.partition("</exception>")[0]
    elif start.startswith("The last command <command>") and "timed out and has been killed" in text:
        result.timed_out = result.interrupted = True
        result.stdout = _output(text)
    elif start.startswith("{") and '"returncode"' in start:
        value = mapping(arguments(text))
        result.exit_status = integer(value.get("returncode"))
        if isinstance(value.get("output"), str):
            result.stdout = value["output"]
        exception = string(value.get("exception_info"))
    else:
        return
    result.truncated = "<output_head>" in start or '"output_head"' in start
    _settle(result, exception, None, call)


def _settle(result: Result, exception: str, kind: Any, call: ToolCall) -> None:
    """With an exception, -1 is the harness's own mark: the command did not end, or was not run at all."""
    if not exception:
        return
    result.exit_status = None
    result.timed_out = kind == "TimeoutExpired" or "timed out after" in exception
    if "action was not executed" not in exception:
        result.is_error = True
        result.interrupted = result.timed_out
    elif not submits(call.input):
        result.interrupted = True


def _output(text: str) -> str | None:
    start = text.find("<output>")
    end = text.rfind("</output>")
    if start < 0 or end < start:
        return None
    start += len("<output>")
    return text[start + 1 if text[start : start + 1] == "\n" else start : end]
