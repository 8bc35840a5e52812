"""Rewards: a measure of a session, given to the steps whose evidence earned it."""
