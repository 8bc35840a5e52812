"""trae-agent."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lies import Session
from lies_formats.shared import Json, full_path, ident, numbered, stamp, tokens_of


def trae(session: Session) -> str:
    """trae-agent's `trajectory.json`: a failure is `success: false`, the closing message is a call of `task_done`."""
    model = "claude-sonnet-4-5-20250929"
    interactions: list[Json] = []
    steps: list[Json] = []
    request = "\n".join(event.text for event in session.events if event.kind == "ask")
    asked = f"[Project root path]:\n{session.cwd}\n\n[Problem statement]: {request}"
    messages: list[Json] = [
        {"role": "system", "content": "You are an expert AI software engineering agent."},
        {"role": "user", "content": asked},
    ]
    for call, result, said, output, second in _trae_turns(session):
        usage = {"input_tokens": 9_000 + 400 * len(steps), "output_tokens": output}
        response = {"content": said, "model": model, "finish_reason": "tool_use", "usage": usage, "tool_calls": [call]}
        time = stamp(second)[:-1] + "000"
        interactions.append(
            {
                "timestamp": time,
                "provider": "anthropic",
                "model": model,
                "input_messages": messages,
                "response": response,
            }
        )
        messages = [{"role": "user", "content": None, "tool_result": result}]
        steps.append(
            {
                "step_number": len(steps) + 1,
                "timestamp": time,
                "state": "completed",
                "llm_messages": messages,
                "llm_response": response,
                "tool_calls": [call],
                "tool_results": [result],
                "reflection": None,
                "error": None,
            }
        )
    final = session.events[-1].text
    document = {
        "task": asked,
        "start_time": stamp(0)[:-1] + "000",
        "end_time": stamp(9.0 * len(session.events))[:-1] + "000",
        "provider": "anthropic",
        "model": model,
        "max_steps": 120,
        "llm_interactions": interactions,
        "agent_steps": steps,
        "success": True,
        "final_result": final,
        "execution_time": 9.0 * len(session.events),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _trae_turns(session: Session) -> Iterator[tuple[Json, Json, str, int, float]]:
    for position, event in enumerate(session.events):
        if event.kind == "ask":
            continue
        path = full_path(session, event.text)
        given: Json
        name, error, text = "str_replace_based_edit_tool", None, ""
        match event.kind:
            case "shell":
                name, given, text = "bash", {"command": event.text}, event.output
                error = event.output if event.exit_status else ""
            case "read":
                given = {"command": "view", "path": path}
                text = f"Here's the result of running `cat -n` on {path}:\n" + numbered(event.output).replace("→", "\t")
            case "edit":
                given = {"command": "str_replace", "path": path, "old_str": event.old, "new_str": event.new}
                text = (
                    f"The file {path} has been edited. Here's the result of running `cat -n` on a snippet:\n{event.new}"
                )
            case "write":
                given = {"command": "create", "path": path, "file_text": event.new}
                text = f"File created successfully at: {path}"
            case "todo":
                name = "todo_write"
                given = {
                    "todos": [
                        {"id": str(number), "content": item, "status": status}
                        for number, (status, item) in enumerate(event.items, 1)
                    ]
                }
                text = "📝 **Todo List**\n\n" + "\n".join(f"   • {item}" for _, item in event.items)
            case _:
                name, given, text = "task_done", {"message": event.text}, event.text
        call = f"toolu_{ident(session, position)}"
        failed = event.kind == "shell" and bool(event.exit_status)
        made = {"call_id": call, "name": name, "arguments": given, "id": None}
        result = {"call_id": call, "success": not failed, "result": "" if failed else text, "error": error, "id": None}
        yield made, result, event.say, tokens_of(position, event)[2], 9.0 * position
