"""Codex 0.169: the rollout, and the stream of `codex exec --json`."""

from __future__ import annotations

import json
from shlex import quote

from lies import START, Event, Session
from lies_formats.shared import Json, by_shell, dump, full_path, ident, stamp, tokens_of, uuid_of


def codex(session: Session) -> str:
    """`~/.codex/sessions/.../rollout-*.jsonl` of Codex 0.169: the same facts as model items and as completed items."""
    lines: list[Json] = []
    thread, turn = uuid_of(session), uuid_of(session, "turn")
    second = 0.0
    started: list[int] = []

    def add(kind: str, **payload: object) -> None:
        lines.append({"timestamp": stamp(second), "ordinal": len(lines), "type": kind, "payload": payload})

    def completed(kind: str, number: str, **item: object) -> None:
        done = {"type": kind, "id": number, **item}
        at = round((START + second) * 1000)
        add(
            "event_msg",
            type="item_completed",
            thread_id=thread,
            turn_id=turn,
            item=done,
            started_at_ms=at,
            completed_at_ms=at,
        )

    git = {"commit_hash": ident(session, "git", length=40), "branch": "main"}
    about = {
        "id": thread,
        "session_id": thread,
        "timestamp": stamp(0),
        "cwd": session.cwd,
        "originator": "codex_exec",
        "cli_version": "0.169.0",
    }
    add("session_meta", **about, source="exec", thread_source="user", model_provider="openai", git=git)
    add("event_msg", type="task_started", turn_id=turn, started_at=int(START), model_context_window=258400)
    shell = f"<environment_context>\n  <cwd>{session.cwd}</cwd>\n  <shell>bash</shell>\n</environment_context>"
    add(
        "response_item",
        type="message",
        id=f"msg_{ident(session, 'env')}",
        role="user",
        content=[{"type": "input_text", "text": shell}],
    )
    add(
        "turn_context",
        turn_id=turn,
        cwd=session.cwd,
        approval_policy="never",
        model="gpt-5.5",
        effort="medium",
        sandbox_policy={"type": "danger-full-access"},
    )
    total = {
        "input_tokens": 0,
        "cached_input_tokens": 0,
        "output_tokens": 0,
        "reasoning_output_tokens": 0,
        "total_tokens": 0,
    }
    for position, event in enumerate(session.events):
        second = 9.0 * position
        number = f"msg_{ident(session, 'm', position)}"
        if event.kind == "ask":
            add(
                "response_item",
                type="message",
                id=number,
                role="user",
                content=[{"type": "input_text", "text": event.text}],
            )
            completed(
                "UserMessage",
                uuid_of(session, position),
                content=[{"type": "text", "text": event.text, "text_elements": []}],
            )
            continue
        spoken = event.text if event.kind in {"say", "close"} else event.say
        if spoken:
            completed("AgentMessage", number, content=[{"type": "Text", "text": spoken}])
            text = [{"type": "output_text", "text": spoken, "annotations": []}]
            add("response_item", type="message", status="completed", id=number, role="assistant", content=text)
        called, item, result = _codex_call(session, event, f"call_{ident(session, position)}", started)
        if called:
            add("response_item", **called)
        second += 7
        if item:
            completed(item.pop("type"), item.pop("id"), **item)
        if result:
            add("response_item", **result)
        prompt, cached, output = tokens_of(position, event)
        last = {
            "input_tokens": prompt,
            "cached_input_tokens": cached,
            "output_tokens": output,
            "reasoning_output_tokens": 0,
            "total_tokens": prompt + output,
        }
        total = {key: total[key] + last[key] for key in total}
        info = {"total_token_usage": total, "last_token_usage": last, "model_context_window": 258400}
        add("event_msg", type="token_count", info=info, rate_limits=None)
    final = session.events[-1].text
    add(
        "event_msg",
        type="task_complete",
        turn_id=turn,
        last_agent_message=final,
        started_at=int(START),
        completed_at=int(START + second),
    )
    return "".join(dump(line) + "\n" for line in lines)


def _codex_call(
    session: Session, event: Event, call: str, started: list[int]
) -> tuple[Json | None, Json | None, Json | None]:
    """The call, the completed item of it, and its output."""
    tokens = f"Original token count: {len(event.output) // 4}\nOutput:\n{event.output}"

    def head(state: str, seconds: float) -> Json:
        text = f"Chunk ID: {call[-6:]}\nWall time: {seconds:.4f} seconds\nProcess {state}\n{tokens}"
        return {"type": "function_call_output", "call_id": call, "output": text}

    def function(name: str, given: object) -> Json:
        return {
            "type": "function_call",
            "status": "completed",
            "name": name,
            "arguments": json.dumps(given, ensure_ascii=False),
            "call_id": call,
        }

    match event.kind:
        case "shell" | "read":
            command = by_shell(event)
            item: Json = {
                "type": "CommandExecution",
                "id": call,
                "command": ["/bin/bash", "-lc", command],
                "cwd": f"file://{session.cwd}",
            }
            item |= {
                "status": "failed" if event.exit_status else "completed",
                "aggregated_output": event.output,
                "exit_code": event.exit_status,
            }
            given = {"cmd": command, "workdir": session.cwd, "yield_time_ms": 10000}
            return function("exec_command", given), item, head(f"exited with code {event.exit_status}", 1.2)
        case "background":
            started.append(40_000 + len(started))
            running = head(f"running with session ID {started[-1]}", 1)
            return function("exec_command", {"cmd": event.text, "yield_time_ms": 1000}), None, running
        case "poll":
            state = (
                f"running with session ID {started[-1]}"
                if event.exit_status is None
                else f"exited with code {event.exit_status}"
            )
            return (
                function("write_stdin", {"session_id": started[-1], "chars": "", "yield_time_ms": 60000}),
                None,
                head(state, 60),
            )
        case "edit" | "write":
            mark, change = "M", {"type": "update", "unified_diff": _diff(event), "move_path": None}
            if event.kind == "write":
                mark, change = "A", {"type": "add", "content": event.new}
            done = f"Success. Updated the following files:\n{mark} {event.text}\n"
            item = {
                "type": "FileChange",
                "id": call,
                "changes": {full_path(session, event.text): change},
                "status": "completed",
                "stdout": done,
                "stderr": "",
            }
            called = {
                "type": "custom_tool_call",
                "status": "completed",
                "call_id": call,
                "name": "apply_patch",
                "input": _patch(event, event.text),
            }
            text = f"Exit code: 0\nWall time: 0 seconds\nOutput:\n{done}"
            return called, item, {"type": "custom_tool_call_output", "call_id": call, "output": text}
        case "todo":
            plan = {"plan": [{"step": item, "status": status} for status, item in event.items]}
            return (
                function("update_plan", plan),
                None,
                {"type": "function_call_output", "call_id": call, "output": "Plan updated"},
            )
    return None, None, None


def _diff(event: Event) -> str:
    """The hunk of an edit; where in the file it is was invented like the rest."""
    removed, added = event.old.splitlines(), event.new.splitlines()
    body = "".join(f"-{line}\n" for line in removed) + "".join(f"+{line}\n" for line in added)
    return f"@@ -12,{len(removed)} +12,{len(added)} @@\n{body}"


def _patch(event: Event, path: str) -> str:
    """The edit in the language of Codex's `apply_patch`."""
    if event.kind == "write":
        body = "".join(f"+{line}\n" for line in event.new.splitlines())
        return f"*** Begin Patch\n*** Add File: {path}\n{body}*** End Patch"
    body = "".join(f"-{line}\n" for line in event.old.splitlines()) + "".join(
        f"+{line}\n" for line in event.new.splitlines()
    )
    return f"*** Begin Patch\n*** Update File: {path}\n@@\n{body}*** End Patch"


def codex_exec(session: Session) -> str:
    """The stream of `codex exec --json`: no times, no model, no text of file changes; the request is not in it."""
    lines: list[Json] = [{"type": "thread.started", "thread_id": uuid_of(session)}, {"type": "turn.started"}]
    count = 0

    def item(kind: str, *, begun: Json | None = None, **more: object) -> None:
        nonlocal count
        if begun is not None:
            lines.append({"type": "item.started", "item": {"id": f"item_{count}", "type": kind, **more, **begun}})
        lines.append({"type": "item.completed", "item": {"id": f"item_{count}", "type": kind, **more}})
        count += 1

    plan: tuple[str, Json] | None = None
    output = 0
    for position, event in enumerate(session.events):
        output += tokens_of(position, event)[2]
        spoken = event.text if event.kind in {"say", "close"} else event.say
        if spoken and event.kind != "ask":
            item("agent_message", text=spoken)
        match event.kind:
            case "shell" | "read":
                done = {
                    "aggregated_output": event.output,
                    "exit_code": event.exit_status,
                    "status": "failed" if event.exit_status else "completed",
                }
                begun = {"aggregated_output": "", "exit_code": None, "status": "in_progress"}
                item("command_execution", begun=begun, command=f"/bin/bash -lc {quote(by_shell(event))}", **done)
            case "edit" | "write":
                change = {"path": full_path(session, event.text), "kind": "add" if event.kind == "write" else "update"}
                item("file_change", begun={"status": "in_progress"}, changes=[change], status="completed")
            case "todo":
                todos = {
                    "type": "todo_list",
                    "items": [{"text": text, "completed": status == "completed"} for status, text in event.items],
                }
                if plan is None:
                    plan = f"item_{count}", todos
                    lines.append({"type": "item.started", "item": {"id": plan[0], **todos}})
                    count += 1
                else:
                    plan = plan[0], todos
                    lines.append({"type": "item.updated", "item": {"id": plan[0], **todos}})
    if plan:
        lines.append({"type": "item.completed", "item": {"id": plan[0], **plan[1]}})
    usage = {"input_tokens": 12_000 * count, "cached_input_tokens": 11_000 * count, "output_tokens": output}
    lines.append({"type": "turn.completed", "usage": usage})
    return "".join(dump(line) + "\n" for line in lines)
