"""Trajectories: the model of a session, and the readers that build it from an agent's log."""
