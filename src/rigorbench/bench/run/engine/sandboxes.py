"""The sandbox of a run, as Inspect wants it specified."""

from __future__ import annotations

from typing import Any

import msgspec
from inspect_ai.util import SandboxEnvironmentSpec

from ....base.cache import cache_directory
from ....sandbox.kit.toolchain import toolchain
from ...agents.locate import binds as agent_binds
from ..provider import BwrapConfig
from .prepared import Prepared, run_record

# Only somebody who looks for hidden tests, the solution or the grader opens these (Harbor's paths, and usual ones).
DECOYS = ("/tests", "/solution", "/logs/verifier", "/grader")


def sandbox_spec(prepared: Prepared) -> SandboxEnvironmentSpec:
    if prepared.sandbox == "bwrap":
        return SandboxEnvironmentSpec("bwrap", BwrapConfig(**_bwrap_config(prepared)))
    if prepared.config is not None:
        return SandboxEnvironmentSpec(prepared.sandbox, prepared.config)
    dockerfile = prepared.suite_task.directory / "environment" / "Dockerfile"
    if prepared.sandbox in ("docker", "podman") and dockerfile.is_file():
        return SandboxEnvironmentSpec(prepared.sandbox, str(dockerfile))
    return SandboxEnvironmentSpec(prepared.sandbox)


def _bwrap_config(prepared: Prepared) -> dict[str, Any]:
    tools = toolchain(cache_directory(), prepared.suite_task.task.tools)
    agent = prepared.agent
    path = ":".join(p for p in (agent.path(), tools.path) if p)
    env = {**dict(tools.env), **agent.env(), **prepared.workspace.overlay.env, "PATH": path}
    binds = (*tools.binds, *agent_binds(agent))
    if prepared.judge is not None:
        env |= prepared.judge.environment()
        binds = (*binds, *prepared.judge.binds())
    return {
        "root": prepared.root,
        "binds": binds,
        "env": tuple(sorted(env.items())),
        "decoys": DECOYS,
        "hidden": (str(prepared.suite_task.directory), str(prepared.directory.parent)),
        "capture": str(prepared.directory),
        "repository": str(prepared.workspace.path),
        "run": msgspec.json.encode(run_record(prepared, prepared.root)).decode(),
        "network": prepared.network,
    }
