"""Gemini CLI 0.61."""

from __future__ import annotations

import difflib

from lies import Event, Session
from lies_formats.shared import Json, dump, full_path, ident, stamp, tokens_of, uuid_of


def gemini(session: Session) -> str:
    """`~/.gemini/tmp/<project>/chats/session-*.jsonl`: messages are repeated with their calls; exit codes are text."""
    lines: list[Json] = [
        {
            "sessionId": uuid_of(session),
            "projectHash": ident(session, "hash", length=64),
            "startTime": stamp(0),
            "lastUpdated": stamp(0),
            "kind": "main",
        }
    ]
    context = (
        "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n"
        f"- **Workspace Directories:**\n  - {session.cwd}\n</session_context>"
    )
    first = {
        "id": ident(session, "context", length=32),
        "timestamp": stamp(0),
        "type": "user",
        "content": [{"text": context}],
    }
    lines.append({"$set": {"messages": [first], "lastUpdated": stamp(0)}})
    for position, event in enumerate(session.events):
        second = 9.0 * position
        if event.kind == "ask":
            lines.append(
                {
                    "id": uuid_of(session, position),
                    "timestamp": stamp(second),
                    "type": "user",
                    "content": [{"text": event.text}],
                }
            )
            continue
        prompt, cached, output = tokens_of(position, event)
        message: Json = {
            "id": uuid_of(session, position),
            "timestamp": stamp(second),
            "type": "gemini",
            "content": event.text if event.kind in {"say", "close"} else event.say,
            "thoughts": [],
            "tokens": {
                "input": prompt,
                "output": output,
                "cached": cached,
                "thoughts": 0,
                "tool": 0,
                "total": prompt + output,
            },
            "model": "gemini-2.5-pro",
        }
        lines.append(message)
        tool = _gemini_tool(session, event)
        if tool:
            name, given, text, display, shown = tool
            call = f"{name}__{ident(session, position, length=10)}"
            result = [{"functionResponse": {"id": call, "name": name, "response": {"output": text}}}]
            made = {
                "id": call,
                "name": name,
                "args": given,
                "result": result,
                "status": "success",
                "timestamp": stamp(second + 7),
            }
            made |= {
                "resultDisplay": display,
                "description": event.text,
                "displayName": shown,
                "renderOutputAsMarkdown": False,
            }
            lines.append(message | {"toolCalls": [made]})
            lines.append(
                {
                    "id": uuid_of(session, "result", position),
                    "timestamp": stamp(second + 7),
                    "type": "user",
                    "content": result,
                }
            )
        lines.append({"$set": {"lastUpdated": stamp(second + 7)}})
    return "".join(dump(line) + "\n" for line in lines)


def _gemini_tool(session: Session, event: Event) -> tuple[str, Json, str, object, str] | None:
    path = full_path(session, event.text)
    name = path.rsplit("/", 1)[-1]
    match event.kind:
        case "shell":
            output = event.output.rstrip("\n")
            status = f"\nExit Code: {event.exit_status}" if event.exit_status else ""
            text = f"Output: {output or '(empty)'}{status}\nProcess Group PGID: 14820"
            text = f"<untrusted_context>\n{text}\n</untrusted_context>"
            return (
                "run_shell_command",
                {"command": event.text, "description": f"Run: {event.text}"},
                text,
                output,
                "Shell",
            )
        case "read":
            return "read_file", {"file_path": path}, event.output, "", "ReadFile"
        case "edit" | "write":
            new = event.kind == "write"
            diff = difflib.unified_diff(
                event.old.splitlines(True), event.new.splitlines(True), f"{name}\tCurrent", f"{name}\tProposed"
            )
            display = {"fileDiff": f"Index: {name}\n{'=' * 67}\n{''.join(diff)}", "fileName": name, "filePath": path}
            display |= {"originalContent": event.old, "newContent": event.new, "isNewFile": new}
            if new:
                text = f"Successfully created and wrote to new file: {path}. Here is the updated code:\n{event.new}"
                return "write_file", {"file_path": path, "content": event.new}, text, display, "WriteFile"
            given = {
                "file_path": path,
                "old_string": event.old,
                "new_string": event.new,
                "instruction": f"Edit {event.text}",
            }
            text = f"Successfully modified file: {path} (1 replacements). Here is the updated code:\n{event.new}"
            return "replace", given, text, display, "Edit"
        case "todo":
            todos = [{"status": status, "description": item} for status, item in event.items]
            text = "\n".join(f"{number}. [{status}] {item}" for number, (status, item) in enumerate(event.items, 1))
            return (
                "write_todos",
                {"todos": todos},
                f"Successfully updated the todo list. The current list is now:\n{text}",
                {"todos": todos},
                "WriteTodos",
            )
    return None
