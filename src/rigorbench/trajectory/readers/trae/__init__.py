"""trae-agent trajectories."""
