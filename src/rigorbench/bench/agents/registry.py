"""The table of agents: one row contains everything that RigorBench knows about an agent.

To add an agent, add a row here and a line to the table in docs/agents.md. What only the engine can do for an agent that
``inspect_swe`` runs is in :mod:`rigorbench.bench.agents.launch`.
"""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from ...base.text import did_you_mean
from .spec import Adapter, AgentError, AgentSpec, Conventions, Distribution, Paths

# Keep Claude Code from calling home, which would only fail without network.
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
    # What it would ask a user about (a file outside the repository), it refuses in a run without one, and ends.
    "permission": {"*": "allow", "webfetch": "deny"},
}

_LITELLM = (
    ("OPENAI_API_KEY", "unused"),
    ("OPENAI_API_BASE", "{url}/v1"),
    ("OPENAI_BASE_URL", "{url}/v1"),
    # Without it, a price list is fetched before the first call.
    ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
)

_ALL = (
    AgentSpec(
        name="react",
        # The control of an experiment: a loop that reads, writes and runs, and nothing that helps to work well.
        title="Built-in loop (shell, read, write, edit)",
        engine="react",
        # The loop puts AGENTS.md of the repository into its system message.
        conventions=Conventions("AGENTS.md"),
    ),
    AgentSpec(
        name="react-plan",
        title="Built-in loop with a todo list",
        engine="react",
        conventions=Conventions("AGENTS.md"),
        plan_tool=True,
    ),
    AgentSpec(
        name="claude-code",
        title="Claude Code",
        engine="swe",
        conventions=Conventions("CLAUDE.md", skills=".claude/skills", hooks=".claude/settings.json"),
        package=Distribution("npm", "@anthropic-ai/claude-code", "claude"),
        aliases=("claude",),
        session_paths=(".claude/projects", ".claude/tasks", ".claude/todos"),
        environment=_QUIET_CLAUDE,
        known_model="claude-sonnet-4-5-20250929",
        resumes=True,
    ),
    AgentSpec(
        name="codex",
        title="Codex CLI",
        engine="swe",
        conventions=Conventions("AGENTS.md", skills=".agents/skills"),
        package=Distribution("npm", "@openai/codex", "codex"),
        aliases=("codex-cli",),
        session_paths=(".codex/sessions",),
        known_model="gpt-5.5",
        resumes=True,
    ),
    AgentSpec(
        name="gemini",
        title="Gemini CLI",
        engine="adapter",
        conventions=Conventions("GEMINI.md", skills=".gemini/skills"),
        package=Distribution("npm", "@google/gemini-cli", "gemini"),
        adapter=Adapter(
            "google",
            ("{executable}", "--model", "gemini-2.5-pro", "--yolo", "--output-format", "text", "--prompt", "{prompt}"),
            (
                ("GEMINI_API_KEY", "unused"),
                ("GOOGLE_GEMINI_BASE_URL", "{url}"),
                ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
            ),
            ((".gemini/settings.json", json.dumps(_GEMINI_SETTINGS)),),
        ),
        aliases=("gemini-cli",),
        session_paths=(".gemini/tmp",),
    ),
    AgentSpec(
        name="mini-swe-agent",
        title="mini-swe-agent",
        engine="swe",
        conventions=Conventions(),
        package=Distribution("pip", "mini-swe-agent", "mini"),
        aliases=("mini", "mini-swe"),
        session_paths=("/var/tmp/.mini-swe-trajectory-*.json",),
        environment=(
            ("MSWEA_COST_TRACKING", "ignore_errors"),
            ("MSWEA_SILENT_STARTUP", "1"),
            ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
        ),
    ),
    AgentSpec(
        name="opencode",
        title="opencode",
        engine="adapter",
        conventions=Conventions("AGENTS.md", skills=".opencode/skills"),
        package=Distribution("npm", "opencode-ai", "opencode"),
        adapter=Adapter(
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
        name="qwen",
        title="Qwen Code",
        engine="adapter",
        conventions=Conventions("QWEN.md", skills=".qwen/skills"),
        package=Distribution("npm", "@qwen-code/qwen-code", "qwen"),
        adapter=Adapter(
            "openai",
            ("{executable}", "-p", "{prompt}", "--yolo", "--output-format", "stream-json"),
            (("OPENAI_API_KEY", "unused"), ("OPENAI_BASE_URL", "{url}/v1"), ("OPENAI_MODEL", "inspect")),
            ((".qwen/settings.json", json.dumps(_QWEN_SETTINGS)),),
        ),
        aliases=("qwen-code",),
        session_paths=(".qwen/projects", ".qwen/tmp", ".qwen/todos"),
    ),
    AgentSpec(
        name="copilot",
        title="GitHub Copilot CLI",
        engine="adapter",
        conventions=Conventions(".github/copilot-instructions.md", ("AGENTS.md",), skills=".github/skills"),
        package=Distribution("npm", "@github/copilot", "copilot"),
        adapter=Adapter(
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
        aliases=("copilot-cli",),
        session_paths=(".copilot/session-state", ".copilot/history-session-state", ".copilot/logs"),
    ),
    AgentSpec(
        name="aider",
        title="Aider",
        engine="adapter",
        # Aider reads no file by itself; its settings file in the repository names the one to read.
        conventions=Conventions("CONVENTIONS.md", settings=(".aider.conf.yml", "read: CONVENTIONS.md\n")),
        package=Distribution("pip", "aider-chat", "aider"),
        adapter=Adapter(
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
        unscripted="it offers the model no tools, and takes its edits from the text of an answer",
    ),
    AgentSpec(
        name="openhands",
        title="OpenHands",
        engine="adapter",
        conventions=Conventions("AGENTS.md", skills=".agents/skills"),
        package=Distribution("pip", "openhands", "openhands"),
        adapter=Adapter(
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
        name="cursor",
        title="Cursor CLI",
        engine="adapter",
        conventions=Conventions(
            ".cursor/rules/harness.mdc", ("AGENTS.md", ".cursorrules", ".cursor/rules/"), skills=".cursor/skills"
        ),
        package=Distribution("program", "the Cursor CLI", "cursor-agent"),
        adapter=Adapter("own", ("{executable}", "--print", "--force", "--output-format", "stream-json", "{prompt}")),
        aliases=("cursor-cli", "cursor-agent"),
        session_paths=(".cursor/chats", ".cursor/projects"),
        passes=("CURSOR_API_KEY",),
        network=True,
        note="talks to Cursor's own service, not to the bridge: no model of yours, no recorded model calls",
        unscripted="it asks its vendor's models only",
    ),
    AgentSpec(
        name="auggie",
        title="Auggie",
        engine="adapter",
        conventions=Conventions("AGENTS.md", ("CLAUDE.md",), skills=".augment/skills"),
        package=Distribution("npm", "@augmentcode/auggie", "auggie"),
        adapter=Adapter("own", ("{executable}", "--print"), (("AUGMENT_DISABLE_AUTO_UPDATE", "1"),), stdin=True),
        session_paths=(".augment/sessions",),
        passes=("AUGMENT_SESSION_AUTH",),
        network=True,
        note="talks to Augment's own service, not to the bridge: no model of yours, no recorded model calls",
        unscripted="it asks its vendor's models only",
    ),
)

AGENTS: dict[str, AgentSpec] = {spec.name: spec for spec in _ALL}
_ALIASES = {alias: spec.name for spec in _ALL for alias in spec.aliases}


def canonical(name: str) -> str:
    """The name of an agent in :data:`AGENTS`, given that name or an alias; an unknown name is returned as it is."""
    return _ALIASES.get(name, name)


def get_agent(name: str, paths: Paths | None = None) -> AgentSpec:
    """The agent of this name.

    Args:
        paths: agent -> directory (or program) where it is installed, as ``--agent-path NAME=DIR`` gives it.

    Raises:
        AgentError: there is no such agent.
    """
    spec = AGENTS.get(canonical(name))
    if spec is None:
        raise AgentError(f"{name}: no such agent{did_you_mean(name, AGENTS)}; there are {', '.join(AGENTS)}")
    given = {canonical(key): Path(value) for key, value in (paths or {}).items()}
    return msgspec.structs.replace(spec, paths=given) if given else spec


def conventions(name: str) -> Conventions:
    """What an agent reads by itself; an unknown agent is taken to read nothing."""
    spec = AGENTS.get(canonical(name))
    return spec.conventions if spec is not None else Conventions()
