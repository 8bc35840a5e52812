"""What Codex's texts state: the results of tools, and who wrote a text with the role "user"; the records not read.

The text of a result is a header of ``Name: value`` lines that ends with ``Output:``, or (0.77 and before) a JSON string
with ``metadata.exit_code``, or plain words.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import orjson

from ...model import Result
from ..shared.values import arguments, integer, joined, mapping, objects, string

_CUT = ("tokens truncated…", "chars truncated…", "bytes truncated…", "[... omitted ", "[output truncated")
# The program's own rules forbid the command: no process was made.
REFUSED = re.compile(r"exec_command failed\b.{0,80}\bRejected\(", re.DOTALL)
_FAILED = (
    "exec_command failed",
    "apply_patch verification failed",
    "failed to parse function arguments",
    "failed to parse exec_command arguments",
    "unsupported call",
    "unsupported custom tool call",
    "patch rejected",
    "execution error",
    "sandbox error",
    "failed in sandbox",
    "write_stdin failed",
    "Invalid patch",
    "err: ",
)


def output_text(output: Any) -> tuple[str, bool | None]:
    """(the text the model saw, the flag that the tool failed if the output carries one)."""
    if isinstance(output, str):
        return output, None
    if isinstance(output, list):
        return joined(*(string(part.get("text")) for part in objects(output))), None
    if isinstance(output, dict):
        content = output.get("content", output.get("output"))
        success = output.get("success")
        if not isinstance(content, str):
            content = orjson.dumps(content).decode() if content is not None else ""
        return content, (not success) if isinstance(success, bool) else None
    return "", None


def read_result(result: Result, *, is_command: bool) -> None:
    """Fills ``result`` from its own text. ``is_command``: a shell command or patch, whose header is Codex's own."""
    text = result.text
    if is_command:
        if text.startswith('{"'):
            value = mapping(arguments(text))
            metadata, output = value.get("metadata"), value.get("output")
            if isinstance(metadata, dict):
                result.exit_status = integer(metadata.get("exit_code"))
                if isinstance(taken := metadata.get("duration_seconds"), int | float):
                    result.duration = float(taken)
                if isinstance(output, str):
                    result.stdout, result.timed_out = output, output.startswith("command timed out after ")
        else:
            _header(result, text)
    if "…" in text or "[... omitted " in text or "[output truncated" in text:
        result.truncated = result.truncated or any(mark in text for mark in _CUT)
    if len(text) >= 4000:
        return
    start = text[:200]
    if start.startswith("command timed out after "):
        result.timed_out = True
    if start.startswith("aborted") or "aborted by user" in start:
        result.interrupted = True
    if "rejected by user" in start or "rejected by the user" in start or REFUSED.match(start):
        result.denied = True
    if result.exit_status is None and start.startswith(_FAILED):
        result.is_error = True


def _header(result: Result, text: str) -> None:
    rest = text
    for _ in range(8):
        line, more, rest = rest.partition("\n")
        if line == "Output:":
            result.stdout = rest
        elif line.startswith(("Process exited with code ", "Exit code: ")):
            result.exit_status = integer(arguments(line.rsplit(" ", 1)[1]))
        elif line.startswith("Process running with session ID "):
            result.shell_id = line[32:].strip() or None
        elif line.startswith("Wall time: "):
            with suppress(ValueError):
                result.duration = float(line[11:].split(" ", 1)[0])
        elif line.startswith("Total output lines: "):
            result.truncated = True
        elif not line.startswith(("Chunk ID: ", "Original token count: ", "Wall time", "Status: ")):
            break
        if result.stdout is not None or not more:
            break
    if result.stdout is not None and result.stdout.startswith("command timed out after "):
        result.timed_out = True


# The records that are not read, and the "user" texts that no human wrote


# Records whose facts another record states as well, or that say nothing about the work.
IGNORED = frozenset(
    "world_state inter_agent_communication inter_agent_communication_metadata "
    "response_item/ghost_snapshot response_item/compaction response_item/compaction_summary "
    "response_item/context_compaction response_item/compaction_trigger response_item/additional_tools "
    "response_item/other response_item/agent_message "
    "event_msg/user_message event_msg/agent_message event_msg/agent_message_delta event_msg/agent_reasoning "
    "event_msg/agent_reasoning_delta event_msg/agent_reasoning_raw_content "
    "event_msg/agent_reasoning_raw_content_delta event_msg/agent_reasoning_section_break "
    "event_msg/context_compacted event_msg/entered_review_mode event_msg/exited_review_mode "
    "event_msg/exec_command_begin event_msg/exec_command_output_delta event_msg/mcp_tool_call_begin "
    "event_msg/web_search_begin event_msg/web_search_end event_msg/thread_settings_applied "
    "event_msg/thread_goal_updated event_msg/thread_name_updated event_msg/turn_diff event_msg/plan_update "
    "event_msg/image_generation_end event_msg/view_image_tool_call "
    "event_msg/collab_agent_spawn_begin event_msg/collab_agent_interaction_begin "
    "event_msg/collab_agent_interaction_end event_msg/collab_waiting_begin event_msg/collab_waiting_end "
    "event_msg/collab_close_begin event_msg/collab_close_end event_msg/collab_resume_begin "
    "event_msg/collab_resume_end event_msg/guardian_assessment event_msg/dynamic_tool_call_request "
    "event_msg/dynamic_tool_call_response event_msg/warning event_msg/background_event event_msg/stream_error "
    "event_msg/session_configured event_msg/undo_completed event_msg/undo_started event_msg/item_started "
    "event_msg/hook_started event_msg/hook_completed event_msg/model_reroute event_msg/deprecation_notice "
    "event_msg/terminal_interaction event_msg/exec_approval_request event_msg/apply_patch_approval_request "
    "event_msg/request_user_input event_msg/mcp_startup_update event_msg/mcp_startup_complete "
    "event_msg/turn_moderation_metadata event_msg/shutdown_complete".split()
)  # fmt: skip

# Texts with the role "user" that the harness wrote.
HARNESS_TEXT = (
    "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "# AGENTS.md instructions", "<turn_aborted>",
    "<permissions instructions>", "<skills_instructions>", "<skill>", "<collaboration_mode>", "<user_shell_command>",
    "<subagent_notification>", "<model_switch>", "<personality_spec>", "<apps_instructions>", "<plugins_instructions>",
    "<multi_agent_mode>", "<goal_context>", "<hook_prompt", "<recommended_plugins>", "<realtime_conversation>",
    "<ide_context>", "<context_window_guidance>", "<user_action>", "<system_reminder>", "<system-reminder>",
    "Warning: The maximum number of unified exec processes", "Warning: apply_patch was requested via",
)  # fmt: skip
SUMMARY_TEXT = "Another language model started to solve this problem"
# Editors put what they know of the open files in front of the user's words.
_EDITOR_TEXT = "# Context from my IDE setup:"
_REQUEST_MARK = re.compile(r"(?m)^## My request for Codex:[ \t]*\n?")


def split_user(text: str, kind: str) -> tuple[str, str]:
    """(what the harness wrote, what the human wrote) of one part of a message with the role "user"."""
    start = text.lstrip()
    if start.startswith(_EDITOR_TEXT):
        found = _REQUEST_MARK.search(text)
        if found is not None:
            return text[: found.start()], text[found.end() :]
    if kind.startswith("user."):
        return "", text
    if kind != "unknown" or start.startswith(HARNESS_TEXT) or start.startswith(SUMMARY_TEXT):
        return text, ""
    return "", text
