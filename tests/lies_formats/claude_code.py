"""Claude Code 2.0, and ATIF as Harbor converts it from Claude Code."""

from __future__ import annotations

import json

from lies import Event, Session
from lies_formats.shared import Json, dump, full_path, ident, numbered, stamp, tokens_of, uuid_of


def claude_code(session: Session) -> str:
    """`~/.claude/projects/<slug>/<session>.jsonl`: one line a content block."""
    lines: list[Json] = []
    shells: list[str] = []

    def add(kind: str, second: float, **more: object) -> None:
        number = len(lines)
        lines.append(
            {
                "parentUuid": uuid_of(session, "line", number - 1) if number else None,
                "isSidechain": False,
                "userType": "external",
                "cwd": session.cwd,
                "sessionId": uuid_of(session),
                "version": "2.0.76",
                "gitBranch": "main",
                "type": kind,
                **more,
                "uuid": uuid_of(session, "line", number),
                "timestamp": stamp(second),
            }
        )

    for position, event in enumerate(session.events):
        second = 9.0 * position
        if event.kind == "ask":
            add("user", second, message={"role": "user", "content": event.text})
            continue
        prompt, cached, output = tokens_of(position, event)
        usage = {
            "input_tokens": 12,
            "cache_creation_input_tokens": prompt - cached - 12,
            "cache_read_input_tokens": cached,
            "output_tokens": output,
            "service_tier": "standard",
        }
        call = f"toolu_{ident(session, position)}"
        spoken = event.text if event.kind in {"say", "close"} else event.say
        blocks: list[Json] = [{"type": "text", "text": spoken}] if spoken else []
        tool = claude_tool(session, event, call, shells)
        if tool:
            blocks.append({"type": "tool_use", "id": call, "name": tool[0], "input": tool[1]})
        for block in blocks:
            message = {
                "id": f"msg_{ident(session, 'm', position)}",
                "type": "message",
                "role": "assistant",
                "model": "claude-sonnet-4-5-20250929",
            }
            message |= {"content": [block], "stop_reason": None, "stop_sequence": None, "usage": usage}
            add("assistant", second + 2, message=message)
        if tool:
            failed = event.kind == "shell" and bool(event.exit_status)
            result = {"tool_use_id": call, "type": "tool_result", "content": tool[2]}
            if event.kind in {"shell", "background", "poll"}:
                result["is_error"] = failed
            add("user", second + 7, message={"role": "user", "content": [result]}, toolUseResult=tool[3])
    return "".join(dump(line) + "\n" for line in lines)


def claude_tool(session: Session, event: Event, call: str, shells: list[str]) -> tuple[str, Json, str, object] | None:
    """Name, input, what the model saw, and the structured result."""
    path = full_path(session, event.text)
    output = event.output.rstrip("\n")
    ran: Json = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    match event.kind:
        case "shell":
            given = {"command": event.text, "description": event.say.split(".")[0][:60] or "Run command"}
            if event.exit_status:
                text = f"Exit code {event.exit_status}\n{output}"
                return "Bash", given, text, f"Error: {text}"
            return "Bash", given, output or "(no output)", ran
        case "background":
            shells.append(f"b{call[-6:]}")
            text = f"Command running in background with ID: {shells[-1]}"
            ran |= {"stdout": "", "backgroundTaskId": shells[-1]}
            return (
                "Bash",
                {"command": event.text, "run_in_background": True, "description": "Run in background"},
                text,
                ran,
            )
        case "poll":
            running = event.exit_status is None
            text = (
                f"<status>{'running' if running else 'completed' if not event.exit_status else 'failed'}</status>\n\n"
            )
            text += "" if running else f"<exit_code>{event.exit_status}</exit_code>\n\n"
            text += f"<stdout>\n{output}\n</stdout>\n\n<timestamp>2026-03-02T09:10:00.000Z</timestamp>"
            state = {
                "shellId": shells[-1],
                "status": "running" if running else "completed",
                "exitCode": event.exit_status,
                "stdout": output,
                "stderr": "",
            }
            return "BashOutput", {"bash_id": shells[-1]}, text, state
        case "read":
            lines = event.output.count("\n")
            file = {"filePath": path, "content": event.output, "numLines": lines, "startLine": 1, "totalLines": lines}
            return "Read", {"file_path": path}, numbered(event.output), {"type": "text", "file": file}
        case "edit":
            removed, added = event.old.splitlines(), event.new.splitlines()
            hunk = {"oldStart": 12, "oldLines": len(removed), "newStart": 12, "newLines": len(added)}
            hunk["lines"] = [f"-{line}" for line in removed] + [f"+{line}" for line in added]
            done: Json = {
                "filePath": path,
                "oldString": event.old,
                "newString": event.new,
                "originalFile": event.old,
                "structuredPatch": [hunk],
                "userModified": False,
                "replaceAll": False,
            }
            head = f"The file {path} has been updated. Here's the result of running `cat -n` on a snippet:"
            text = f"{head}\n{numbered(event.new)}"
            return "Edit", {"file_path": path, "old_string": event.old, "new_string": event.new}, text, done
        case "write":
            done = {
                "type": "create",
                "filePath": path,
                "content": event.new,
                "structuredPatch": [],
                "originalFile": None,
            }
            return "Write", {"file_path": path, "content": event.new}, f"File created successfully at: {path}", done
        case "todo":
            todos = [{"status": status, "content": item, "activeForm": item} for status, item in event.items]
            text = "Todos have been modified successfully. Ensure that you continue to use the todo list."
            return "TodoWrite", {"todos": todos}, text, {"oldTodos": [], "newTodos": todos}
    return None


def atif(session: Session) -> str:
    """Harbor's `trajectory.json`, converted from Claude Code: a failed command is text and a field of `extra`."""
    steps: list[Json] = []
    for position, event in enumerate(session.events):
        step: Json = {"step_id": position + 1, "timestamp": stamp(9.0 * position)}
        if event.kind == "ask":
            steps.append(step | {"source": "user", "message": event.text, "extra": {"is_sidechain": False}})
            continue
        prompt, cached, output = tokens_of(position, event)
        step |= {
            "source": "agent",
            "message": event.text if event.kind in {"say", "close"} else event.say,
            "model_name": "claude-opus-4-6",
        }
        call = f"toolu_{ident(session, position)}"
        tool = claude_tool(session, event, call, [])
        if tool:
            failed = event.kind == "shell" and bool(event.exit_status)
            raw = {"type": "tool_result", "tool_use_id": call, "content": tool[2], "is_error": failed}
            metadata = {"is_error": failed, "raw_tool_result": raw, "tool_use_result": tool[3]}
            content = tool[2] + ("\n\n[error] tool reported failure" if failed else "")
            step["tool_calls"] = [{"tool_call_id": call, "function_name": tool[0], "arguments": tool[1]}]
            extra = {"tool_result_metadata": metadata, "tool_result_is_error": failed}
            step["observation"] = {"results": [{"source_call_id": call, "content": content, "extra": extra}]}
        step["metrics"] = {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "cached_tokens": cached,
            "extra": {"cache_read_input_tokens": cached},
        }
        steps.append(step | {"llm_call_count": 1, "extra": {"is_sidechain": False, "cwd": session.cwd}})
    agent = {
        "name": "claude-code",
        "version": "2.1.34",
        "model_name": "claude-opus-4-6",
        "extra": {"cwds": [session.cwd], "git_branches": ["main"]},
    }
    return json.dumps(
        {"schema_version": "ATIF-v1.7", "session_id": uuid_of(session), "agent": agent, "steps": steps},
        ensure_ascii=False,
        indent=1,
    )
