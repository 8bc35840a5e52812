"""The token counts of an ATIF document, and what it states beside the steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model import Trajectory
from ...usage import Usage
from ..shared.usage import first_count, uncached
from ..shared.values import integer, mapping, sequence


def usage_of(metrics: dict[str, Any], agent: str) -> Usage | None:
    """Usage of one step's metrics: ATIF counts the cache inside the prompt, some converters only a part of it."""
    extra = mapping(metrics.get("extra"))
    prompt, output = first_count(metrics.get("prompt_tokens")), first_count(metrics.get("completion_tokens"))
    read = first_count(metrics.get("cached_tokens"), extra.get("cache_read_input_tokens"))
    write = first_count(
        extra.get("cache_creation_input_tokens"),
        extra.get("cache_write_tokens"),
        extra.get("cache_write_input_tokens"),
        extra.get("cache_creation_tokens"),
    )
    details = mapping(extra.get("completion_tokens_details"))
    reasoning = first_count(
        extra.get("reasoning_tokens"),
        extra.get("reasoning_output_tokens"),
        extra.get("thoughts_tokens"),
        details.get("reasoning_tokens"),
    )
    if prompt is None and output is None:
        return None
    apart = agent == "opencode"
    if apart and output is not None:
        output += reasoning or 0
    # Some converters exclude what was written to the cache from the prompt; then it must not be subtracted.
    inside = not apart and (prompt or 0) >= (read or 0) + (write or 0)
    return Usage(uncached(prompt, read, write if inside else None), read, write, output, reasoning)


def set_totals(trajectory: Trajectory, final: dict[str, Any]) -> None:
    """Uses the document's own totals if the steps' totals are incomplete or count twice."""
    agents = [s for s in trajectory.steps if s.role == "agent"]
    extra = {k.removeprefix("total_"): v for k, v in mapping(final.get("extra")).items()}
    metrics = {k.removeprefix("total_"): v for k, v in final.items() if k != "extra"} | {"extra": extra}
    stated = usage_of(metrics, trajectory.agent or "")
    known = trajectory.total_usage()
    if stated is not None and (stated.input or stated.output):
        missing = known is None or (any(s.usage is None for s in agents) and (stated.output or 0) > (known.output or 0))
        # Terminus counts the tokens of its summarising agents once more in the step after the summary.
        doubled = (trajectory.agent or "").startswith("terminus") and len({s.lane for s in agents}) > 1
        if missing or doubled:
            trajectory.usage = stated
    elif known is not None and any(s.usage is None for s in agents):
        trajectory.usage_complete = False


def leftovers(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the document states about the whole run and the model has no field for."""
    agent = mapping(document.get("agent"))
    kept: dict[str, Any] = {
        "schema_version": document.get("schema_version"),
        "notes": document.get("notes"),
        "final_metrics": document.get("final_metrics"),
        "agent_extra": agent.get("extra"),
        "tool_definitions": agent.get("tool_definitions"),
        "steps": _step_leftovers(document),
    }
    extra = document.get("extra")
    return {
        **(extra if isinstance(extra, dict) else {}),
        "atif": {k: v for k, v in kept.items() if v},
    }


def _step_leftovers(document: Mapping[str, Any]) -> dict[str, Any]:
    """By step number, small facts without a field in the model: cost, effort, scalars of ``extra``."""
    kept: dict[str, Any] = {}
    for value in sequence(document.get("steps")):
        if not isinstance(value, dict):
            continue
        row = {k: value[k] for k in ("reasoning_effort", "llm_call_count") if value.get(k) is not None}
        cost = mapping(value.get("metrics")).get("cost_usd")
        if cost is not None:
            row["cost_usd"] = cost
        extra = {k: v for k, v in mapping(value.get("extra")).items() if isinstance(v, str | int | float | bool)}
        if extra:
            row["extra"] = extra
        number = integer(value.get("step_id"))
        if row and number is not None:
            kept[str(number)] = row
    return kept
