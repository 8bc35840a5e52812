"""Paths in the sandbox of an agent that works on a project: the judge's client, and the repository it pushes to."""

from __future__ import annotations

# The directory of the client and of the judge's socket.
CLIENT_DIRECTORY = "/opt/rigor-oj"
CLIENT = f"{CLIENT_DIRECTORY}/oj_client.py"
ORIGIN = "/home/agent/origin.git"
