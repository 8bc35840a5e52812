"""The agents, as data. A further one is a row here (docs/agents.md)."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from .spec import Adapter, AgentError, AgentSpec, Package, Paths

# What keeps Claude Code from calling home, which would only fail; the last: no second window into other sessions.
_QUIET_CLAUDE = (
    ("DISABLE_TELEMETRY", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
)

_GEMINI_SETTINGS = {
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
}

_QWEN_SETTINGS = {
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False},
    "security": {"auth": {"selectedType": "openai"}},
}

_OPENCODE_CONFIG = {
    "autoupdate": False,
    "share": "disabled",
    "model": "bridge/inspect",
    "small_model": "bridge/inspect",
    "provider": {
        "bridge": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Bridge",
            "options": {"baseURL": "{url}/v1", "apiKey": "unused"},
            "models": {"inspect": {"name": "inspect", "limit": {"context": 200000, "output": 32000}}},
        }
    },
    "permission": {"edit": "allow", "bash": "allow", "webfetch": "deny"},
}

_LITELLM = (
    ("OPENAI_API_KEY", "unused"),
    ("OPENAI_API_BASE", "{url}/v1"),
    ("OPENAI_BASE_URL", "{url}/v1"),
    # Otherwise a price list is fetched before the first call.
    ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
)

_ALL = (
    AgentSpec("react", "Built-in loop (shell, read, write, edit, plan)", "react"),
    AgentSpec(
        "claude-code",
        "Claude Code",
        "swe",
        Package("npm", "@anthropic-ai/claude-code", "claude"),
        session_paths=(".claude/projects", ".claude/tasks", ".claude/todos"),
        instruction_file="CLAUDE.md",
        environment=_QUIET_CLAUDE,
    ),
    AgentSpec(
        "codex",
        "Codex CLI",
        "swe",
        Package("npm", "@openai/codex", "codex"),
        session_paths=(".codex/sessions",),
    ),
    AgentSpec(
        "gemini",
        "Gemini CLI",
        "adapter",
        Package("npm", "@google/gemini-cli", "gemini"),
        Adapter(
            "google",
            ("{executable}", "--model", "gemini-2.5-pro", "--yolo", "--output-format", "text", "--prompt", "{prompt}"),
            (
                ("GEMINI_API_KEY", "unused"),
                ("GOOGLE_GEMINI_BASE_URL", "{url}"),
                ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
            ),
            ((".gemini/settings.json", json.dumps(_GEMINI_SETTINGS)),),
        ),
        session_paths=(".gemini/tmp",),
        instruction_file="GEMINI.md",
    ),
    AgentSpec(
        "mini-swe-agent",
        "mini-swe-agent",
        "swe",
        Package("pip", "mini-swe-agent", "mini"),
        session_paths=("/var/tmp/.mini-swe-trajectory-*.json",),
        environment=(
            ("MSWEA_COST_TRACKING", "ignore_errors"),
            ("MSWEA_SILENT_STARTUP", "1"),
            ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
        ),
    ),
    AgentSpec(
        "opencode",
        "opencode",
        "adapter",
        Package("npm", "opencode-ai", "opencode"),
        Adapter(
            "openai",
            ("{executable}", "run", "--model", "bridge/inspect", "--format", "json"),
            (
                ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
                ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
                ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
            ),
            ((".config/opencode/opencode.json", json.dumps(_OPENCODE_CONFIG)),),
            stdin=True,
        ),
        session_paths=(".local/share/opencode",),
    ),
    AgentSpec(
        "qwen",
        "Qwen Code",
        "adapter",
        Package("npm", "@qwen-code/qwen-code", "qwen"),
        Adapter(
            "openai",
            ("{executable}", "-p", "{prompt}", "--yolo", "--output-format", "stream-json"),
            (("OPENAI_API_KEY", "unused"), ("OPENAI_BASE_URL", "{url}/v1"), ("OPENAI_MODEL", "inspect")),
            ((".qwen/settings.json", json.dumps(_QWEN_SETTINGS)),),
        ),
        session_paths=(".qwen/projects", ".qwen/tmp", ".qwen/todos"),
        instruction_file="QWEN.md",
    ),
    AgentSpec(
        "copilot",
        "GitHub Copilot CLI",
        "adapter",
        Package("npm", "@github/copilot", "copilot"),
        Adapter(
            "openai",
            (
                *("{executable}", "-p", "{prompt}", "--allow-all-tools", "--allow-all-paths", "--no-color"),
                *("--output-format", "json", "--log-level", "error"),
            ),
            (
                ("COPILOT_PROVIDER_BASE_URL", "{url}/v1"),
                ("COPILOT_PROVIDER_TYPE", "openai"),
                ("COPILOT_PROVIDER_API_KEY", "unused"),
                ("COPILOT_MODEL", "gpt-5"),
                ("COPILOT_OFFLINE", "true"),
                ("COPILOT_AUTO_UPDATE", "false"),
            ),
        ),
        session_paths=(".copilot/session-state", ".copilot/history-session-state", ".copilot/logs"),
        instruction_file=".github/copilot-instructions.md",
    ),
    AgentSpec(
        "aider",
        "Aider",
        "adapter",
        Package("pip", "aider-chat", "aider"),
        Adapter(
            "openai",
            (
                *("{executable}", "--model", "openai/inspect", "--edit-format", "diff", "--message", "{prompt}"),
                *("--yes-always", "--no-check-update", "--no-show-release-notes", "--analytics-disable"),
                *("--no-pretty", "--no-stream", "--no-show-model-warnings", "--no-detect-urls"),
                *("--chat-history-file", "{home}/.aider.chat.history.md"),
                *("--input-history-file", "{home}/.aider.input.history"),
                *("--llm-history-file", "{home}/llm.history", "--no-gitignore"),
            ),
            (*_LITELLM, ("AIDER_ANALYTICS_DISABLE", "true")),
        ),
        session_paths=(".aider.chat.history.md", ".aider.input.history", "llm.history"),
        instruction_file="CONVENTIONS.md",
    ),
    AgentSpec(
        "openhands",
        "OpenHands",
        "adapter",
        Package("pip", "openhands", "openhands"),
        Adapter(
            "openai",
            ("{executable}", "--headless", "--json", "--override-with-envs", "-t", "{prompt}"),
            (
                ("LLM_API_KEY", "unused"),
                ("LLM_BASE_URL", "{url}/v1"),
                ("LLM_MODEL", "openai/inspect"),
                ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
                ("OPENHANDS_SUPPRESS_BANNER", "1"),
            ),
        ),
        session_paths=(".openhands/conversations",),
    ),
    AgentSpec(
        "cursor",
        "Cursor CLI",
        "adapter",
        Package("program", "the Cursor CLI", "cursor-agent"),
        Adapter("own", ("{executable}", "--print", "--force", "--output-format", "stream-json", "{prompt}")),
        session_paths=(".cursor/chats", ".cursor/projects"),
        instruction_file=".cursor/rules",
        passes=("CURSOR_API_KEY",),
        network=True,
        note="talks to Cursor's own service, not to the bridge: no model of yours, no recorded model calls",
    ),
    AgentSpec(
        "auggie",
        "Auggie",
        "adapter",
        Package("npm", "@augmentcode/auggie", "auggie"),
        Adapter(
            "own",
            ("{executable}", "--print"),
            (("AUGMENT_DISABLE_AUTO_UPDATE", "1"),),
            stdin=True,
        ),
        session_paths=(".augment/sessions",),
        passes=("AUGMENT_SESSION_AUTH",),
        network=True,
        note="talks to Augment's own service, not to the bridge: no model of yours, no recorded model calls",
    ),
)

AGENTS: dict[str, AgentSpec] = {spec.name: spec for spec in _ALL}
_ALIASES = {"claude": "claude-code", "codex-cli": "codex", "gemini-cli": "gemini", "mini": "mini-swe-agent"}


def get_agent(name: str, paths: Paths | None = None) -> AgentSpec:
    """The agent of this name.

    Args:
        paths: agent -> directory (or program) where it is installed, as ``--agent-path NAME=DIR`` gives it.

    Raises:
        AgentError: there is no such agent.
    """
    spec = AGENTS.get(_ALIASES.get(name, name))
    if spec is None:
        raise AgentError(f"{name}: no such agent; there are {', '.join(AGENTS)}")
    given = {_ALIASES.get(key, key): Path(value) for key, value in (paths or {}).items()}
    return msgspec.structs.replace(spec, paths=given) if given else spec
