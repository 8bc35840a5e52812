"""Tokens per step: from the log's usage, or estimated from the text where the log has no usable counts."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from ...session.model import Step, Trajectory
from ..facts import StepTokens

# The usual rule of thumb for English and code.
_CHARACTERS_PER_TOKEN = 4
# No tokenizer makes so few tokens of English and code. Some logs keep the usage as it was when an answer began (Claude
# Code before 2.1 writes 1 to 8 output tokens beside pages of text): such counts are not used.
_MOST_CHARACTERS_PER_TOKEN = 7


def step_tokens(trajectory: Trajectory) -> StepTokens:
    """Output tokens of each step (0 for steps that are no model call).

    If an agent step has no usage, or the usage is too small for the text, all steps are estimated: real and estimated
    counts are not mixed.
    """
    agent = [s for s in trajectory.steps if s.role == "agent"]
    if agent and all(s.usage is not None and s.usage.output is not None for s in agent) and _plausible(agent):
        return StepTokens([(s.usage.output or 0) if s.usage else 0 for s in trajectory.steps], estimated=False)
    output = []
    for step in trajectory.steps:
        written = 0
        if step.role == "agent":
            # Messages do not count: a longer text to the reader must not make the wasted share look smaller.
            written = len(step.reasoning)
            written += sum(len(c.input) if isinstance(c.input, str) else len(_dump(c.input)) for c in step.calls)
        output.append(-(-written // _CHARACTERS_PER_TOKEN))
    return StepTokens(output, estimated=True)


def _dump(value: object) -> bytes:
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return str(value).encode()


def _plausible(agent: Sequence[Step]) -> bool:
    """Whether the logged output tokens are enough for the text in the log."""
    logged = sum(s.usage.output or 0 for s in agent if s.usage is not None)
    characters = 0
    for step in agent:
        characters += len(step.text) + len(step.reasoning)
        for call in step.calls:
            values = call.input.values() if isinstance(call.input, dict) else (call.input,)
            characters += sum(len(v) for v in values if isinstance(v, str))
    return characters <= logged * _MOST_CHARACTERS_PER_TOKEN
