"""The recorder, out of the agent's reach: programs started, their output, the work tree, git, decoys."""
