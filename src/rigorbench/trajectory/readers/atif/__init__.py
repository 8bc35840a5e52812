"""ATIF (Agent Trajectory Interchange Format): documents of others, our own export, Harbor trials."""
