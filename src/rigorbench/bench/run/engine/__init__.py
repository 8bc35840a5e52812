"""Runs inside the engine: an Inspect task whose samples are runs, and what happens before and after the agent."""
