"""Witnesses outside the agent's reach: programs started, their output, the work tree, git, decoys. No engine here."""
