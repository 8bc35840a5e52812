"""Which agents can run on this machine, and why not: for ``rigor doctor`` and for the start of a run."""

from __future__ import annotations

from importlib.util import find_spec

from msgspec import Struct

from ...base.extras import install
from ...base.version import __version__
from .locate import find, installation
from .registry import AGENTS
from .spec import AgentError, AgentSpec

# If one of these clients is missing, the bridge answers no request and reports nothing: the agent makes no model call.
CLIENTS = {"anthropic": "anthropic", "openai": "openai", "google.genai": "google-genai"}
ENGINE = {"inspect_ai": "inspect-ai", "inspect_swe": "inspect-swe"}


class Readiness(Struct, frozen=True):
    """Whether an agent can run here."""

    ok: bool
    version: str | None = None
    """Of the installed program; of the built-in loop, RigorBench's own."""
    why: str = ""
    remedy: str = ""
    where: str | None = None


def missing_packages() -> list[str]:
    """Packages that running agents needs and that cannot be imported, by the names to install them."""
    return [package for module, package in {**ENGINE, **CLIENTS}.items() if not _importable(module)]


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a parent package
        return False


def preflight() -> None:
    """Raises: AgentError when a package that the bridge needs is missing."""
    missing = missing_packages()
    if missing:
        raise AgentError(f"running agents needs {', '.join(missing)}: {install('bench')}")


def readiness(spec: AgentSpec) -> Readiness:
    """Whether an agent can run on this machine; starts nothing and imports no engine."""
    missing = missing_packages()
    if missing:
        return Readiness(False, None, f"{', '.join(missing)} missing", install("bench"))
    if spec.package is None:
        return Readiness(True, __version__)
    found, remedy = find(spec), f"{spec.package.remedy}, or --agent-path {spec.name}=DIR"
    if found is None:
        return Readiness(False, None, f"`{spec.package.executable}` not found", remedy)
    try:
        installed = installation(spec)
    except AgentError as error:
        return Readiness(False, None, str(error), remedy, str(found))
    if spec.network:
        unset = [name for name in spec.passes if name not in spec.env()]
        why = f"{spec.note}; needs --network" + (f" and {', '.join(unset)}" if unset else "")
        return Readiness(not unset, installed.version, why, f"set {', '.join(unset)}" if unset else "", str(found))
    return Readiness(True, installed.version, "", "", str(found))


def agents() -> dict[str, Readiness]:
    """Every agent, with its readiness."""
    return {name: readiness(spec) for name, spec in AGENTS.items()}
