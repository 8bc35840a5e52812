"""How the programs that people have are asked one question: each an entry of data, tried with the version it names.

Every entry turns off tools, saved sessions, and whatever the home or the project would add: instructions, servers,
hooks, skills, plugins. Logins, and the settings that say which provider is asked, stay.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

Object = dict[str, Any]


class Said(Struct):
    """What a program's output says. ``error``: why there is no answer, in its words; "": there is one."""

    text: str = ""
    model: str | None = None
    input: int | None = None
    output: int | None = None
    cost: float | None = None
    error: str = ""


class Private(Struct, frozen=True):
    """A directory of settings that takes the place of the user's own for one question."""

    variable: str
    """The environment variable that names it."""
    own: str
    """The user's, below the home directory, where the variable is not set."""
    links: tuple[str, ...] = ()
    """Files with the login. They are linked, so that a program can renew it."""
    files: tuple[str, ...] = ()
    """Names of the settings file; the first is written."""
    keeps: tuple[str, ...] = ()
    """The keys of the user's settings that say whom to ask."""
    settings: Object = {}
    """All others. ``{root}`` is the temporary directory."""


class Preset(Struct, frozen=True):
    """A program. In ``words`` and ``environment``: {model}, {system} (the question), {root} (the temporary directory,
    in which are system.md and schema.json)."""

    program: str
    tried: str
    """The version that this was tried with."""
    install: str
    login: str
    """What to do when it is not logged in."""
    keys: tuple[str, ...]
    """Environment variables any of which is a login."""
    words: tuple[str, ...]
    read: Callable[[str, str], Said]
    """From what it wrote to standard output and standard error."""
    model: tuple[str, ...] = ("--model", "{model}")
    """The words that choose a model."""
    environment: dict[str, str | None] = {}
    """Variables for it; None: not passed on."""
    private: tuple[Private, ...] = ()
    status: tuple[str, ...] = ()
    """The words that say whether it is logged in, without a request."""
    prepends: bool = False
    """It takes no question of its own: that stands before the session."""
    model_in: tuple[str, str] | None = None
    """Files below the temporary directory, and what of them names the model, where the output does not."""


def _objects(text: str) -> Iterator[Object]:
    """The objects in the lines of a text; a document over several lines counts as one."""
    for part in [*text.splitlines(), *re.findall(r"(?ms)^[\[{]$.*^[\]}]$", text)]:
        try:
            found = json.loads(part) if part[:1] in "[{" and part else []
        except (ValueError, RecursionError):
            continue
        yield from (each for each in (found if isinstance(found, list) else [found]) if isinstance(each, dict))


def _at(value: Any, *keys: str | int) -> Any:
    for key in keys:
        try:
            value = value[key]
        except (TypeError, LookupError):
            return None
    return value


def _sum(*values: Any) -> int | None:
    known = [v for v in values if isinstance(v, int)]
    return sum(known) if known else None


def _most(models: Any, *keys: str) -> str | None:
    """The model that wrote most: small ones do side tasks."""
    named = models if isinstance(models, dict) else {}
    return max(named, key=lambda name: _sum(_at(named[name], *keys)) or 0, default=None)


def _claude(out: str, err: str) -> Said:
    found = next((o for o in _objects(out) if o.get("type") == "result"), None)
    if found is None:
        return Said(error=out[-500:] or err)
    text, usage = str(found.get("result") or ""), found.get("usage")
    read = _sum(*(_at(usage, k) for k in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")))
    # It states list prices to subscribers as well.
    cost = found.get("total_cost_usd") if os.environ.get("ANTHROPIC_API_KEY") else None
    failed = found.get("is_error") or found.get("subtype") != "success"
    error = (text or f"it ended with {found.get('subtype')}") if failed else ""
    model = _most(found.get("modelUsage"), "outputTokens")
    return Said(text, model, read, _at(usage, "output_tokens"), cost, error)


def _codex(out: str, err: str) -> Said:
    said = Said()
    for o in _objects(out):
        if _at(o, "item", "type") == "agent_message":
            said.text = str(_at(o, "item", "text") or "")
        elif o.get("type") == "turn.completed":
            said.input, said.output = _at(o, "usage", "input_tokens"), _at(o, "usage", "output_tokens")
        elif o.get("type") == "turn.failed":
            said.error = str(_at(o, "error", "message"))
    return said


def _gemini(out: str, err: str) -> Said:
    # Errors are on standard error, after warnings.
    found: Object = next((o for t in (out, err) for o in _objects(t) if "response" in o or "error" in o), {})
    models, error = _at(found, "stats", "models"), found.get("error")
    model = _most(models, "tokens", "candidates")
    tokens = _at(models, model or "", "tokens")
    written = _sum(_at(tokens, "candidates"), _at(tokens, "thoughts"))
    said = f"{_at(error, 'message')} ({_at(error, 'code') or _at(error, 'type')})" if error else ""
    return Said(str(found.get("response") or ""), model, _at(tokens, "prompt"), written, None, said)


def _opencode(out: str, err: str) -> Said:
    said = Said()
    for o in _objects(out):
        part = o.get("part")
        if o.get("type") == "text":
            said.text += str(_at(part, "text") or "")
        elif o.get("type") == "step_finish":
            said.input = _sum(
                _at(part, "tokens", "input"), *(_at(part, "tokens", "cache", k) for k in ("read", "write"))
            )
            said.output, said.cost = _at(part, "tokens", "output"), _at(part, "cost") or None
            said.error = "max_output_tokens" if _at(part, "reason") == "length" else said.error
        elif o.get("type") == "error":
            data = _at(o, "error", "data")
            said.error = f"{_at(data, 'message') or _at(o, 'error', 'name')} {_at(data, 'statusCode') or ''}".strip()
    return said


def _copilot(out: str, err: str) -> Said:
    said = Said()
    for o in _objects(out):
        data = o.get("data")
        if o.get("type") == "assistant.message":
            said.text, said.model = str(_at(data, "content") or ""), _at(data, "model")
            said.output = _at(data, "outputTokens")
        elif o.get("type") == "session.error":
            said.error = f"{_at(data, 'message')} {_at(data, 'errorType') or ''}"
    return said


def _qwen(out: str, err: str) -> Said:
    said = Said()
    for o in _objects(out):
        if o.get("type") == "assistant":
            said.model = _at(o, "message", "model")
        elif o.get("type") == "result":
            said.text = str(o.get("result") or "")
            said.input, said.output = _at(o, "usage", "input_tokens"), _at(o, "usage", "output_tokens")
            said.error = str(_at(o, "error", "message") or "it failed") if o.get("is_error") else ""
    return said


def _llm(out: str, err: str) -> Said:
    found = next((o for o in _objects(out) if "response" in o), None)
    if found is None:
        return Said(error=err)
    reason = _at(found, "response_json", "choices", 0, "finish_reason")
    error = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(reason, "")
    model = found.get("resolved_model") or found.get("model")
    return Said(str(found["response"]), model, found.get("input_tokens"), found.get("output_tokens"), None, error)


def plain(out: str, err: str) -> Said:
    """Any program: what it prints is the answer."""
    return Said(out)


_CODEX = {
    "model_instructions_file": "{root}/system.md",
    "project_doc_max_bytes": 0,
    "web_search": "disabled",
    "include_environment_context": False,
    "include_permissions_instructions": False,
    "include_apps_instructions": False,
    "include_collaboration_mode_instructions": False,
    "check_for_update_on_startup": False,
    "analytics": {"enabled": False},
    "tools": {"view_image": False},
    "skills": {"include_instructions": False, "bundled": {"enabled": False}},
    "features": dict.fromkeys(
        "hooks plugins apps shell_tool unified_exec multi_agent image_generation goals sleep_tool memories browser_use "
        "computer_use tool_suggest".split(),
        False,
    ),
}
_GEMINI = {
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False, "maxAttempts": 3},
    "tools": {"core": []},
    "skills": {"enabled": False},
    "hooksConfig": {"enabled": False},
    "context": {"fileName": "none.md", "includeDirectoryTree": False},
    "model": {"maxSessionTurns": 1},
}
_OPENCODE = {
    "autoupdate": False,
    "share": "disabled",
    "snapshot": False,
    "agent": {"reader": {"mode": "primary", "prompt": "{file:{root}/system.md}", "tools": {"*": False}}},
}

PRESETS = {
    "claude": Preset(
        "claude", "2.1.330", "npm install -g @anthropic-ai/claude-code",
        "run `claude auth login`, or set ANTHROPIC_API_KEY", ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"),
        (
            "-p", "--output-format", "json", "--safe-mode", "--tools", "", "--strict-mcp-config",
            "--system-prompt-file", "{root}/system.md", "--no-session-persistence", "--max-turns", "1",
        ),
        _claude,
        environment={"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                     "DISABLE_AUTOUPDATER": "1", "CLAUDECODE": None, "CLAUDE_CODE_ENTRYPOINT": None},
        status=("auth", "status"),
    ),
    "codex": Preset(
        "codex", "0.169.0", "npm install -g @openai/codex", "run `codex login`", ("CODEX_API_KEY",),
        (
            "exec", "--json", "--skip-git-repo-check", "--ignore-rules", "--sandbox", "read-only",
            "--color", "never", "--output-schema", "{root}/schema.json", "-",
        ),
        _codex,
        environment={"CODEX_THREAD_ID": None},
        private=(Private("CODEX_HOME", ".codex", ("auth.json",), ("config.toml",), (
            "model", "model_provider", "model_providers", "model_reasoning_effort", "openai_base_url",
            "chatgpt_base_url", "cli_auth_credentials_store", "forced_login_method", "forced_chatgpt_workspace_id",
        ), _CODEX),),
        status=("login", "status"),
        model_in=("CODEX_HOME/sessions/**/*.jsonl", r'"model":"([^"]+)"'),
    ),
    "gemini": Preset(
        "gemini", "0.61.0", "npm install -g @google/gemini-cli", "run `gemini` and log in, or set GEMINI_API_KEY",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        (
            "--output-format", "json", "--extensions", "none", "--allowed-mcp-server-names", "none",
            "--approval-mode", "default", "--skip-trust",
        ),
        _gemini,
        environment={"GEMINI_SYSTEM_MD": "{root}/system.md", "GEMINI_CLI_NO_RELAUNCH": "1", "GEMINI_CLI": None},
        private=(Private(
            "GEMINI_CLI_HOME", "",
            (".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/gemini-credentials.json",
             ".gemini/.env"),
            (".gemini/settings.json",), ("security",), _GEMINI,
        ),),
    ),
    "opencode": Preset(
        "opencode", "1.18.33", "npm install -g opencode-ai", "run `opencode auth login`", (),
        ("run", "--format", "json", "--pure", "--agent", "reader", "--title", "reading", "--print-logs",
         "--log-level", "ERROR"),
        _opencode,
        environment={
            **dict.fromkeys(("OPENCODE_DISABLE_EXTERNAL_SKILLS", "OPENCODE_DISABLE_CLAUDE_CODE",
                             "OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_PROJECT_CONFIG",
                             "OPENCODE_DISABLE_LSP_DOWNLOAD"), "1"),
            **dict.fromkeys(("OPENCODE", "OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "OPENCODE_CONFIG_DIR",
                             "OPENCODE_PERMISSION", "OPENCODE_DB")),
        },
        private=(
            Private("XDG_CONFIG_HOME", ".config", (), ("opencode/opencode.json", "opencode/opencode.jsonc",
                    "opencode/config.json"), ("provider", "model", "small_model", "disabled_providers",
                    "enabled_providers"), _OPENCODE),
            Private("XDG_DATA_HOME", ".local/share", ("opencode/auth.json",)),
            Private("XDG_STATE_HOME", ".local/state"),
        ),
        model_in=("XDG_DATA_HOME/opencode/opencode.db*", r'"modelID":"([^"]+)"'),
    ),
    "copilot": Preset(
        "copilot", "1.0.102", "npm install -g @github/copilot", "run `copilot login`, or set COPILOT_GITHUB_TOKEN",
        ("COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"),
        (
            "--output-format", "json", "--no-color", "--no-custom-instructions", "--disable-builtin-mcps",
            "--no-ask-user", "--no-auto-update", "--available-tools", "none", "--log-level", "none", "--no-remote",
            "--stream", "off", "--disable-client-telemetry",
        ),
        _copilot,
        environment={"COPILOT_ALLOW_ALL": None, "COPILOT_CUSTOM_INSTRUCTIONS_DIRS": None},
        private=(
            # Logins that are in no keyring stand among the settings.
            Private("COPILOT_HOME", ".copilot", (), ("config.json",), (
                "logged_in_users", "last_logged_in_user", "copilot_tokens", "store_token_plaintext", "loggedInUsers",
                "lastLoggedInUser", "copilotTokens", "storeTokenPlaintext", "model",
            )),
        ),
        prepends=True,
    ),
    "qwen": Preset(
        "qwen", "0.24.4", "npm install -g @qwen-code/qwen-code", "run `qwen` and log in, or set OPENAI_API_KEY",
        ("OPENAI_API_KEY", "DASHSCOPE_API_KEY"),
        (
            "--bare", "--output-format", "json", "--system-prompt", "{system}", "--chat-recording", "false",
            "--exclude-tools", "run_shell_command,edit,notebook_edit,read_file,get_goal,update_goal",
        ),
        _qwen,
        environment={"QWEN_CODE": None},
    ),
    "llm": Preset(
        "llm", "0.36", "pipx install llm", "run `llm keys set openai`, or set the provider's key", (),
        ("prompt", "--no-stream", "--no-log", "--json", "--system", "{system}", "--schema", "{root}/schema.json"),
        _llm,
    ),
}  # fmt: skip
