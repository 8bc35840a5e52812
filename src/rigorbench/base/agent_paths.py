"""Paths in the sandbox of an agent that works on a project: the judge's client, and the repository it pushes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass

# Where an agent's sandbox has the client, the judge's socket, and the repository that it pushes to.
CLIENT_DIRECTORY = "/opt/rigor-oj"


CLIENT = f"{CLIENT_DIRECTORY}/oj_client.py"


ORIGIN = "/home/agent/origin.git"
