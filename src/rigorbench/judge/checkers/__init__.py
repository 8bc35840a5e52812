"""Comparing an output with the answer."""
