"""Which agents can run on this machine, and why not: for ``rigor doctor`` and for the start of a run."""

from __future__ import annotations

from importlib.util import find_spec

from .catalog import AGENTS
from .locate import find, installation
from .spec import AgentError, AgentSpec, Paths, Readiness

# Without one of the clients the bridge answers no request and says nothing: the agent ends with zero model calls.
CLIENTS = {"anthropic": "anthropic", "openai": "openai", "google.genai": "google-genai"}
ENGINE = {"inspect_ai": "inspect-ai", "inspect_swe": "inspect-swe"}
REMEDY = 'pip install "rigorbench[bench]"'


def missing_packages() -> list[str]:
    """Packages that running agents needs and that cannot be imported, by the names to install them."""
    return [package for module, package in {**ENGINE, **CLIENTS}.items() if not _importable(module)]


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a parent package
        return False


def preflight() -> None:
    """Raises:
    AgentError: a package that the bridge needs is missing."""
    missing = missing_packages()
    if missing:
        raise AgentError(f"running agents needs {', '.join(missing)}: {REMEDY}")


def readiness(spec: AgentSpec) -> Readiness:
    """Whether an agent can run on this machine; starts nothing and imports no engine.

    ``version`` is the installed program's; for the built-in loop RigorBench's own.
    """
    missing = missing_packages()
    if missing:
        return Readiness(False, None, f"{', '.join(missing)} missing", REMEDY)
    if spec.package is None:
        from ...base.version import __version__

        return Readiness(True, __version__)
    found = find(spec)
    if found is None:
        return Readiness(False, None, f"`{spec.package.executable}` not found", _remedy(spec))
    try:
        installed = installation(spec)
    except AgentError as error:
        return Readiness(False, None, str(error), _remedy(spec), str(found))
    if spec.network:
        unset = [name for name in spec.passes if name not in spec.env()]
        why = f"{spec.note}; needs --network" + (f" and {', '.join(unset)}" if unset else "")
        return Readiness(not unset, installed.version, why, f"set {', '.join(unset)}" if unset else "", str(found))
    return Readiness(True, installed.version, "", "", str(found))


def agents(paths: Paths | None = None) -> dict[str, Readiness]:
    """Every agent, with its readiness."""
    from .catalog import get_agent

    return {name: readiness(get_agent(name, paths)) for name in AGENTS}


def _remedy(spec: AgentSpec) -> str:
    assert spec.package is not None
    return f"{spec.package.remedy}, or --agent-path {spec.name}=DIR"
