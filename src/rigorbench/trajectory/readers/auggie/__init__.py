"""Auggie (Augment's CLI)."""
