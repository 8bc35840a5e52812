"""What both generations of OpenHands logs share: token counts, exit codes, whole files before and after an edit."""

from __future__ import annotations

import re
from typing import Any

from ...model import Action, Edit, Plan, Result
from ...patches import parse_patch
from ...plans import plan_items
from ...usage import TokenUsage
from ..shared.usage import chat_usage, named_usage
from ..shared.values import integer, string

# Texts that the terminal adds to an output when it stops waiting.
_SOFT_TIMEOUT = "The command has no new output after"
_HARD_TIMEOUT = "The command timed out after"
_SAVED = re.compile(r"full output (?:is|was|has been)? ?(?:saved|written) (?:to|at):? ?([^\s\]]+)", re.IGNORECASE)


def usage_of(counts: dict[str, Any]) -> TokenUsage | None:
    """One entry of ``token_usages``: the prompt includes what came from and went to the cache."""
    names = ("prompt_tokens", "cache_read_tokens", "cache_write_tokens", "completion_tokens", "reasoning_tokens")
    return named_usage(_stated(counts), names, cache_in_prompt=True) if _counted(counts) else None


def usage_of_response(counts: dict[str, Any]) -> TokenUsage | None:
    return chat_usage(_stated(counts)) if _counted(counts) else None


def _stated(counts: dict[str, Any]) -> dict[str, Any]:
    """Without a prompt of 0 tokens, which a server writes that does not count it."""
    return {**counts, "prompt_tokens": counts.get("prompt_tokens") or None}


def _counted(counts: dict[str, Any]) -> bool:
    return bool(integer(counts.get("prompt_tokens")) or integer(counts.get("completion_tokens")))


def note_exit(result: Result, code: Any, note: str) -> None:
    """The exit status; -1 means that the command goes on (or that its shell died with it): the status is unknown."""
    status = integer(code)
    if status is not None and status != -1:
        result.exit_status = status
    if status == -1 or note:
        tail = note[-600:] or result.text[-600:]
        result.timed_out |= _SOFT_TIMEOUT in tail or _HARD_TIMEOUT in tail
        result.interrupted |= result.timed_out


def note_cut(result: Result) -> None:
    text = result.text
    if "truncated" not in text[:2000] and "clipped" not in text and "truncated" not in text[-2000:]:
        return
    saved = _SAVED.search(text)
    if saved is not None or "[... Observation truncated due to length ...]" in text or "<response clipped>" in text:
        result.truncated = True
        result.full_output = saved[1] if saved is not None else None


def complete_edit(action: Action, observed: dict[str, Any]) -> None:
    """Adds the whole file before and after, and whether it was there, from what the editor reported."""
    if not isinstance(action, Edit) or len(action.changes) != 1:
        return
    change = action.changes[0]
    old, new = observed.get("old_content"), observed.get("new_content")
    if not change.path:
        change.path = string(observed.get("path"))
    if change.operation in ("create", "modify") and isinstance(existed := observed.get("prev_exist"), bool):
        change.operation = "modify" if existed else "create"
    if isinstance(old, str) and observed.get("prev_exist") is not False:
        change.before = old
    if isinstance(new, str) and (new or change.after is None):
        change.after = new
    if change.before is None and change.after is None and not change.hunks:
        for parsed in parse_patch(string(observed.get("diff"))):
            change.hunks += parsed.hunks
            if parsed.operation == "create" and change.after is None:
                change.operation, change.after = "create", parsed.after


def plan_of(args: dict[str, Any]) -> Plan | None:
    """The task tracker's list; None when the call only looks at it."""
    if string(args.get("command")) == "view" or not isinstance(args.get("task_list"), list):
        return None
    return Plan(plan_items(args["task_list"]))
