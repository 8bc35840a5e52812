"""What a run needs and this machine lacks: packages, programs, API keys, a sandbox."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from shutil import which
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ....base.extras import install
from ....sandbox.kit.languages import find_languages
from ...agents.readiness import Readiness, missing_packages
from ...agents.spec import AgentSpec
from ...experiment.grid import is_scripted
from ...tasks.suite import SuiteTask

# What a sandbox that is not ours needs beside Inspect itself: (module, package).
_PROVIDERS = {"podman": ("inspect_podman", "inspect-podman"), "k8s": ("k8s_sandbox", "inspect-k8s-sandbox")}
# A provider needs one of its variables. The engine checks all other providers when it creates the model.
_KEYS: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"),
    "mistral": ("MISTRAL_API_KEY",),
    "grok": ("GROK_API_KEY", "XAI_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "together": ("TOGETHER_API_KEY",),
    "fireworks": ("FIREWORKS_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "perplexity": ("PERPLEXITY_API_KEY",),
}
# Providers whose server is the user's own, by the address NAME_BASE_URL.
OWN_SERVERS = ("openai-api", "ollama", "vllm")
_DEFAULT_ADDRESS = {"ollama": "http://localhost:11434/v1"}


def missing_for_run(
    agents: Sequence[AgentSpec],
    ready: Mapping[str, Readiness],
    models: Sequence[str],
    tasks: Sequence[SuiteTask],
    sandbox: str,
    *,
    network: bool,
) -> list[str]:
    """One line for each thing that is missing."""
    missing: list[str] = []
    packages = missing_packages()
    if packages:
        missing.append(f"{', '.join(packages)}: running agents needs the extra: {install('bench')}")
    for agent in agents:
        state = ready[agent.name]
        if not state.ok and not packages:
            remedy = f" ({state.remedy})" if state.remedy else ""
            missing.append(f"agent {agent.name}: {state.why}{remedy}")
        if agent.network and not network:
            missing.append(f"agent {agent.name}: {agent.note}; give --network to let its sandbox reach that service")
    for name in models:
        keys = _KEYS.get(name.partition("/")[0])
        if keys is not None and not any(os.environ.get(key) for key in keys):
            missing.append(f"model {name}: no API key; set {' or '.join(keys)}")
        server = unreachable(name)
        if server is not None:
            missing.append(f"model {name}: {server}")
    problem = sandbox_problem(sandbox)
    if problem is not None:
        missing.append(problem)
    if sandbox != "bwrap" and any(task.project for task in tasks):
        missing.append(f"sandbox {sandbox}: projects are submitted to the judge, which only --sandbox bwrap can reach")
    return missing + missing_tools(tasks)


def unreachable(model: str) -> str | None:
    """Why a server of the user's own cannot be asked. The engine would try again until the run's time is over."""
    provider, _, rest = model.partition("/")
    if provider == "openai-api":
        name = rest.partition("/")[0].upper().replace("-", "_")
        unset = [variable for variable in (f"{name}_BASE_URL", f"{name}_API_KEY") if not os.environ.get(variable)]
        if name and unset:
            return f"set {' and '.join(unset)} (docs/local-model.md)"
    else:
        name = provider.upper()
    address = os.environ.get(f"{name}_BASE_URL") or _DEFAULT_ADDRESS.get(provider)
    if provider not in OWN_SERVERS or not address:
        return None  # without an address the engine starts vLLM itself
    try:
        parts = urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if getproxies().get(parts.scheme) and not proxy_bypass(parts.hostname or ""):
            return None
        with socket.create_connection((parts.hostname or "", port), timeout=5):
            return None
    except (OSError, ValueError) as error:
        return f"nothing answers at {address} ({getattr(error, 'strerror', None) or error}); start its server"


def missing_prices(models: Sequence[str]) -> list[str]:
    """Models to which a limit on the cost cannot be applied; a policy costs nothing."""
    from ....session.prices import call_price
    from ....session.usage import TokenUsage

    nothing = TokenUsage(input=0, cache_read=0, output=0)
    return [
        f"model {name}: --cost-limit needs its list price, and none is known; use --token-limit instead"
        for name in models
        if not is_scripted(name) and call_price(name, nothing, None) is None
    ]


def missing_tools(tasks: Sequence[SuiteTask]) -> list[str]:
    """Tools of the tasks. Wherever an agent runs, its work is tested and scored on this machine."""
    needed_by: dict[str, list[str]] = {}
    for task in tasks:
        for line in find_languages(task.task.tools).missing:
            needed_by.setdefault(line, []).append(task.id)
    return [f"{', '.join(sorted(names))}: needs {line}" for line, names in needed_by.items()]


def sandbox_problem(name: str) -> str | None:
    """Why runs are not possible in this kind of sandbox here, or None; only a probe of bubblewrap is started."""
    if name == "bwrap":
        from ...replay.sandbox import unavailable

        reason = unavailable()
        return None if reason is None else f"sandbox bwrap: {reason}"
    if name in _PROVIDERS:
        module, package = _PROVIDERS[name]
        if find_spec(module) is None:
            return f"sandbox {name}: pip install {package}"
    needed = {"docker": "docker", "podman": "podman", "k8s": "helm"}.get(name)
    if needed is not None and which(needed) is None:
        return f"sandbox {name}: the program {needed} is not installed; --sandbox bwrap needs no container engine"
    return None
