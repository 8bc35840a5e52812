"""Proof of a problem package: every claim of its author is checked by running it."""
