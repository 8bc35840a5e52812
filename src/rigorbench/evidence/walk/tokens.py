"""Tokens per step: from the log's usage, or, where it has none at all, estimated from the text."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from ...trajectory.model import Step, Trajectory
from ..facts import StepTokens

# The usual rule of thumb for English and code; only ever used for a whole trajectory, never mixed with real counts.
_CHARACTERS_PER_TOKEN = 4
# No tokenizer makes so few tokens of English and code. Some logs keep the usage that was known when an answer began
# (Claude Code before 2.1 writes 1 to 8 output tokens beside pages of text): such counts are no counts.
_MOST_CHARACTERS_PER_TOKEN = 7


def step_tokens(trajectory: Trajectory) -> StepTokens:
    """Output and processed tokens of each step (0 for steps that are no model call).

    If any agent step of the main lane lacks usage, or the usage cannot be that of the text, all steps are estimated:
    real and estimated counts are not mixed.
    """
    agent = [s for s in trajectory.steps if s.role == "agent"]
    known = [s for s in agent if s.usage is not None and s.usage.output is not None]
    if agent and len(known) == len(agent) and _plausible(agent):
        output = [s.usage.output or 0 if s.usage is not None else 0 for s in trajectory.steps]
        processed = [
            0
            if (u := s.usage) is None
            else (u.input or 0) + (u.cache_read or 0) + (u.cache_write or 0) + (u.output or 0)
            for s in trajectory.steps
        ]
        return StepTokens(output, processed, estimated=False)
    output = []
    processed = []
    for step in trajectory.steps:
        if step.role != "agent":
            output.append(0)
            processed.append(0)
            continue
        # Not the messages: words to the reader are no work, and more of them must not make a waste look smaller.
        characters = len(step.reasoning)
        characters += sum(len(c.input) if isinstance(c.input, str) else len(_dump(c.input)) for c in step.calls)
        results = sum(len(c.result.text) for c in step.calls if c.result is not None)
        output.append(-(-characters // _CHARACTERS_PER_TOKEN))
        processed.append(-(-(characters + results) // _CHARACTERS_PER_TOKEN))
    return StepTokens(output, processed, estimated=True)


def _dump(value: object) -> bytes:
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return str(value).encode()


def _plausible(agent: Sequence[Step]) -> bool:
    """Whether the stated output tokens can make up the text that stands beside them."""
    stated = sum(s.usage.output or 0 for s in agent if s.usage is not None)
    characters = 0
    for step in agent:
        characters += len(step.text) + len(step.reasoning)
        for call in step.calls:
            if isinstance(call.input, dict):
                for value in call.input.values():
                    if isinstance(value, str):
                        characters += len(value)
            elif isinstance(call.input, str):
                characters += len(call.input)
    return characters <= stated * _MOST_CHARACTERS_PER_TOKEN
