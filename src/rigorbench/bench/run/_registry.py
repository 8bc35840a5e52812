"""What Inspect finds of RigorBench when it starts (entry point group ``inspect_ai``).

The task, the sandbox provider ``bwrap``, the models ``scripted/...``, the agents, and the hooks that record model calls
and keep the token budget. Inspect imports this with every command, so it imports nothing heavy.
"""

from __future__ import annotations

from ..agents.launch import rigor_agent
from ..recording.calls import CallRecording
from ..recording.metering import Metering
from .engine.task import rigor
from .models.scripted import ScriptedAPI
from .provider import BwrapSandbox

__all__ = ["BwrapSandbox", "CallRecording", "Metering", "ScriptedAPI", "rigor", "rigor_agent"]
