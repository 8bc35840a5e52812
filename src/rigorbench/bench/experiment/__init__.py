"""Experiments: the grid of runs, its manifest, and the results of each run on disk. No engine is imported here."""
