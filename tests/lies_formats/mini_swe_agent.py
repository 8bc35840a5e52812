"""mini-swe-agent 2.4."""

from __future__ import annotations

import json

from lies import START, Session
from lies_formats.shared import Json, by_shell, ident, tokens_of


def mini_swe_agent(session: Session) -> str:
    """`traj.json`: one tool, `bash`; edits are shell."""
    request = "\n".join(event.text for event in session.events if event.kind == "ask")
    messages: list[Json] = [
        {"role": "system", "content": "You are a helpful assistant that can interact with a computer."},
        {"role": "user", "content": f"Please solve this issue: {request}"},
    ]
    calls = 0
    for position, event in enumerate(session.events):
        if event.kind == "ask":
            continue
        closing = event.kind == "close"
        command = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" if closing else by_shell(event)
        said, second = event.text if closing else event.say, START + 9.0 * position
        call = f"call_{ident(session, position)}"
        asked = [
            {
                "function": {"arguments": json.dumps({"command": command}), "name": "bash"},
                "id": call,
                "type": "function",
            }
        ]
        prompt, cached, output = tokens_of(position, event)
        usage = {
            "completion_tokens": output,
            "prompt_tokens": prompt,
            "total_tokens": prompt + output,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        message: Json = {"content": said, "role": "assistant", "tool_calls": asked, "function_call": None}
        response = {
            "id": f"chatcmpl-{ident(session, 'r', position)}",
            "created": int(second),
            "model": "gpt-5-mini",
            "object": "chat.completion",
            "usage": usage,
        }
        response["choices"] = [{"finish_reason": "tool_calls", "index": 0, "message": dict(message)}]
        actions = [{"command": command, "tool_call_id": call}]
        messages.append(
            message | {"extra": {"actions": actions, "response": response, "cost": 0.0004, "timestamp": second}}
        )
        status, why = (-1, "action was not executed") if closing else (event.exit_status, "")
        shown: Json = {"returncode": status, "output": event.output} | ({"exception_info": why} if why else {})
        extra = {"raw_output": event.output, "returncode": status, "timestamp": second + 6, "exception_info": why}
        messages.append({"content": json.dumps(shown, indent=1), "extra": extra, "tool_call_id": call, "role": "tool"})
        calls += 1
    messages.append({"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": ""}})
    info = {
        "model_stats": {"instance_cost": 0.0004 * calls, "api_calls": calls},
        "config": {
            "agent": {"step_limit": 0, "cost_limit": 3.0, "mode": "yolo"},
            "agent_type": "minisweagent.agents.interactive.InteractiveAgent",
            "model": {"model_name": "openai/gpt-5-mini"},
            "model_type": "minisweagent.models.litellm_model.LitellmModel",
            "environment": {"cwd": session.cwd, "timeout": 30},
            "environment_type": "minisweagent.environments.local.LocalEnvironment",
        },
        "mini_version": "2.4.6",
        "exit_status": "Submitted",
        "submission": "",
    }
    return json.dumps(
        {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}, ensure_ascii=False, indent=1
    )
