"""The walk over a trajectory that turns its steps and calls into events."""
