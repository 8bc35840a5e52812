"""SWE-agent trajectories."""
